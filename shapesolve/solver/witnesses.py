"""Witnesses: sizes that satisfy all facts, kept and repaired while facts are learned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from shapesolve.solver.models import Model, in_bounds
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import And, Comparison, Formula, IsNonNegative, IsZero, Not, Or

MOST_KEPT = 4
"""Assignments; of more the latest."""

MOST_RECHECKED = 400
"""A variable of more facts keeps its number."""

MOST_TRIED = 6
"""Variables and, for each, numbers that are tried where a fact is broken."""

USUAL = (1, 2, 0)


class Witnesses:
    """Assignments to the variables that a propagator has not eliminated, each of which satisfies its facts.

    ``kept`` may be rolled back together with the propagator: assignments in it never change.
    """

    def __init__(self, propagator: Propagator) -> None:
        self._propagator = propagator
        self.kept: tuple[Model, ...] = ()

    def add(self, model: Model, *, instead_of: Model | None = None) -> None:
        """Keep sizes that satisfy all facts, in place of those that they vary."""
        others = (each for each in self.kept if each is not instead_of)
        self.kept = (Model(model), *others)[:MOST_KEPT]

    def learn(self, fact: Formula) -> None:
        """Drop or repair the assignments that violate a new fact of the propagator."""
        if self.kept:
            repaired = (each if holds(fact, each) else self._repaired(each, fact) for each in self.kept)
            self.kept = tuple(each for each in repaired if each is not None)

    def breaks(self, claim: Formula) -> bool:
        """Return whether one of them makes a claim false."""
        return any(not holds(claim, each) and self.is_within_bounds(each) for each in self.kept)

    def allow(self, claim: Formula) -> bool:
        """Return whether one of them makes a claim true."""
        return any(holds(claim, each) and self.is_within_bounds(each) for each in self.kept)

    def is_within_bounds(self, model: Model) -> bool:
        """Return whether sizes that satisfy the facts also satisfy the bounds that are not yet facts."""
        return all(holds(self._propagator.simplify(bound)[0], model) for bound in self._propagator.lazy_bounds)

    def _repaired(self, model: Model, fact: Formula) -> Model | None:
        """Return the model with one variable of a fact changed such that everything about it holds, or None."""
        for variable in islice(sorted(fact.variables, key=lambda each: each.text), MOST_TRIED):
            if isinstance(variable, ShapeSymbol):
                continue
            facts = list(islice(self._propagator.constraints_on(variable), MOST_RECHECKED + 1))
            if len(facts) > MOST_RECHECKED:
                continue
            other = Model(model)
            for value in dict.fromkeys(islice(_numbers(fact, variable, model), MOST_TRIED)):
                other[variable] = value
                if in_bounds(variable, value) and holds(fact, other) and all(holds(each, other) for each in facts):
                    return other
        return None


def boundaries(formula: Formula, variable: Variable, model: Model) -> list[int]:
    """Return the numbers of a variable from which on inequalities of a formula hold, where they are linear in it."""
    lines = _lines(formula, IsNonNegative, variable, model)
    return [-(offset // slope) if slope > 0 else offset // -slope for offset, slope in lines]


def _numbers(fact: Formula, variable: Variable, model: Model) -> Iterator[int]:
    """Yield numbers for a variable that may make a fact true."""
    for offset, slope in _lines(fact, IsZero, variable, model):
        if offset % slope == 0:  # where it is linear, this solves it
            yield -offset // slope
    yield from USUAL
    yield from boundaries(fact, variable, model)


def _lines(
    formula: Formula, kind: type[IsZero | IsNonNegative], variable: Variable, model: Model
) -> Iterator[tuple[int, int]]:
    """Yield the compared sizes at 0 of a variable, and how much they change from there to 1, if they do."""
    other = Model(model)
    for comparison in _comparisons(formula):
        if isinstance(comparison, kind) and variable in comparison.size.variables:
            values: list[int] = []
            for number in (0, 1):
                other[variable] = number
                values.append(evaluate(comparison.size, other))
            if values[0] != values[1]:
                yield values[0], values[1] - values[0]


def _comparisons(formula: Formula) -> Iterator[Comparison]:
    match formula:
        case Comparison():
            yield formula
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _comparisons(part)
        case Not(parts=(part,)):
            yield from _comparisons(part)
        case _:
            pass
