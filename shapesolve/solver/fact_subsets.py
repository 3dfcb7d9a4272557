"""Subsets of the facts from which a claim may be proved that a solver gave up on under all of them.

A fact that has nothing to do with a proof may still hide it: a size that it replaces makes a product of a sum, and one
more equation leads cases elsewhere. More facts shall not lose a proof, so the likeliest subsets are tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative

MOST_LEFT_OUT = 8
"""Facts about a claim's variables up to which each is left out once."""

NumberedFact = tuple[int, Formula]
Subset = list[NumberedFact]


def likely_subsets(claim: Formula, facts: Sequence[NumberedFact]) -> list[Subset]:
    """Return subsets of the facts about a claim's variables alone, as they were stated: none, bounds, and all."""
    related = {formula: number for number, formula in facts if formula.variables <= claim.variables}
    stated = [(number, formula) for formula, number in related.items()]
    bounds = [each for each in stated if isinstance(each[1], IsNonNegative) and len(each[1].variables) == 1]
    found: list[Subset] = []
    for subset in ([], bounds, stated):
        if subset not in found:
            found.append(subset)
    return found


def propagated(claim: Formula, subsets: Sequence[Subset]) -> Justification | None:
    """Return the justification of a claim from one of the subsets, or from the largest but for one fact, or None."""
    return next((why for each in _smaller(subsets) if (why := _propagated(claim, each)) is not None), None)


def _smaller(subsets: Sequence[Subset]) -> Iterator[Subset]:
    yield from subsets
    largest = subsets[-1]
    if len(largest) <= MOST_LEFT_OUT:
        yield from ([each for each in largest if each is not left_out] for left_out in largest)


def _propagated(claim: Formula, facts: Subset) -> Justification | None:
    propagator = Propagator()
    for number, formula in facts:
        propagator.assume(formula, number)
    return propagator.prove(claim)
