"""Huge sizes of a low maximum, found by making all of them one number.

A sum that wraps around is huge, whether one of its terms is or it is shared out among all of them: then the maximum is
lowest. A solver needs a question for each bit of that, this needs a few evaluations. Nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from shapesolve.solver.models import Model
from shapesolve.solver.size_order import MOST_BELIEVABLE
from shapesolve.solver.verdicts import Label
from shapesolve.symbolic.atoms import Remainder, Variable
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.visitors import atoms_within

MOST_TRIED = 16
"""Numbers; of more the smallest."""

Sizes = Mapping[Variable, int]


def with_even_sizes(
    query: Iterable[tuple[Label, Formula]],
    known: Sizes,
    ranked: Sequence[Variable],
    accepted: Callable[[Sizes, Sizes], bool],
) -> Sizes:
    """Return sizes that are all one number, if their maximum is lower and still huge, or the known sizes.

    Args:
        query: Formulas that the known sizes satisfy.
        known: The sizes.
        ranked: The variables whose maximum counts.
        accepted: Whether sizes satisfy the whole query, given those that were changed.
    """
    highest = max((abs(known[each]) for each in ranked), default=0)
    if len(ranked) < 2 or highest <= MOST_BELIEVABLE:
        return known
    numbers = {each for _, formula in query for each in _wrapping(formula, known, ranked)}
    for number in sorted(each for each in numbers if MOST_BELIEVABLE < each < highest)[:MOST_TRIED]:
        even = dict.fromkeys(ranked, number)
        if accepted(sizes := {**known, **even}, even):
            return sizes
    return known


def _wrapping(formula: Formula, known: Sizes, ranked: Sequence[Variable]) -> Iterator[int]:
    """Yield the numbers that make a dividend of a formula, which grows with them, reach its divisor first."""
    for each in atoms_within(formula):
        if isinstance(each, Remainder) and each.parts[1].is_constant:
            dividend, divisor = each.parts[0], each.parts[1].constant
            offset, at_one = (evaluate(dividend, Model({**known, **dict.fromkeys(ranked, size)})) for size in (0, 1))
            if at_one > offset and divisor > 0:
                yield -(-(divisor - offset % divisor) // (at_one - offset))
