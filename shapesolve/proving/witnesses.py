"""Sizes that get to a point: what is false for some of them is not proved there, and no solver need be asked.

They are what solvers found against earlier claims. A fact that they break drops them, unless one variable of it can be
another number; the variables that an operation brings up mostly can, because a fact says outright what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.evaluation import evaluate, holds
from shapesolve.language.formula_kinds import And, Formula, IsZero, Not, Or
from shapesolve.proving.checking import in_bounds
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.models import Model

MOST_KEPT = 4
"""Assignments; of more the latest."""

MOST_RECHECKED = 40
"""A variable of more facts keeps its number."""

MOST_TRIED = 6
"""Variables and, for each, numbers that are tried where a fact is broken."""

USUAL = (1, 2, 0)


class Witnesses:
    """Some assignments to the variables that a ledger has not eliminated, each of which satisfies its facts.

    ``kept`` may be put back to what it was where the ledger is: assignments in it never change.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.kept: tuple[Model, ...] = ()

    def add(self, model: Model) -> None:
        """Keep sizes that satisfy all facts."""
        self.kept = (Model(model), *self.kept)[:MOST_KEPT]

    def learn(self, fact: Formula) -> None:
        """The ledger has another fact."""
        if self.kept:
            repaired = (each if holds(fact, each) else self._repaired(each, fact) for each in self.kept)
            self.kept = tuple(each for each in repaired if each is not None)

    def breaks(self, claim: Formula) -> bool:
        """Whether one of them makes a claim false."""
        return any(not holds(claim, each) and self.is_within_bounds(each) for each in self.kept)

    def allow(self, claim: Formula) -> bool:
        """Whether one of them makes a claim true."""
        return any(holds(claim, each) and self.is_within_bounds(each) for each in self.kept)

    def is_within_bounds(self, model: Model) -> bool:
        """Whether sizes that satisfy the facts satisfy the bounds too that the ledger has not made facts of."""
        return all(holds(self._ledger.simplify(bound)[0], model) for bound in self._ledger.lazy_bounds)

    def _repaired(self, model: Model, fact: Formula) -> Model | None:
        """The same with another number for one variable of a fact, so that everything about this holds."""
        for variable in islice(sorted(fact.variables, key=lambda each: each.text), MOST_TRIED):
            if isinstance(variable, ShapeSymbol):
                continue
            facts = list(islice(self._ledger.mentioning(variable), MOST_RECHECKED + 1))
            if len(facts) > MOST_RECHECKED:
                continue
            other = Model(model)
            for value in dict.fromkeys(islice(_numbers(fact, variable, model), MOST_TRIED)):
                other[variable] = value
                if in_bounds(variable, value) and holds(fact, other) and all(holds(each, other) for each in facts):
                    return other
        return None


def _numbers(fact: Formula, variable: Variable, model: Model) -> Iterator[int]:
    """Numbers for a variable that may make a fact true."""
    other = Model(model)
    for equation in _equations(fact):
        size = equation.size
        if variable not in size.variables:
            continue
        values: list[int] = []
        for number in (0, 1):
            other[variable] = number
            values.append(evaluate(size, other))
        slope = values[1] - values[0]
        if slope and values[0] % slope == 0:  # where it is linear, this solves it
            yield -values[0] // slope
    yield from USUAL


def _equations(formula: Formula) -> Iterator[IsZero]:
    match formula:
        case IsZero():
            yield formula
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _equations(part)
        case Not(parts=(part,)):
            yield from _equations(part)
        case _:
            pass
