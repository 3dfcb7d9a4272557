"""What is enough for a condition that nobody would read: that no size is huge.

Integers of 32 bits that may wrap around make conditions of thousands of characters, which every size satisfies that
anybody has.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.atoms import ShapeSymbol
from shapesolve.language.dims import of_atom
from shapesolve.language.formulas import Formula, at_least, conjunction

LONGEST = 150
"""Characters of a condition that somebody may read."""

_HUGE = 24
"""Sizes whose product is 2 to this power are huge: a tensor of them has that many elements."""
_MOST = 31
_BUDGET = 300_000


def huge_for(condition: Formula) -> int | None:
    """A bound whose power has as many elements as a huge tensor; None for what shapes of unknown rank are in."""
    if not condition.variables or any(isinstance(each, ShapeSymbol) for each in condition.variables):
        return None
    return 2 ** (_HUGE // len(condition.variables))


def none_exceeds(condition: Formula, bound: int) -> list[Formula]:
    """That no size in a condition exceeds a number, in both directions where it may be negative."""
    variables = sorted(condition.variables, key=lambda each: each.text)
    small = [at_least(bound, of_atom(each)) for each in variables]
    negative = [each for each in variables if each.lower is None or each.lower < -bound]
    return [*small, *(at_least(of_atom(each), -bound) for each in negative)]


def enough(condition: Formula, known: Sequence[Formula]) -> Formula | None:
    """The largest power of two such that the condition holds wherever no size exceeds it; None for small ones.

    Sizes that satisfy what is ``known`` are meant.
    """
    least = huge_for(condition)
    if least is None:
        return None
    good, bad = least.bit_length() - 2, _MOST + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _holds(condition, none_exceeds(condition, 2**middle), known) else (good, middle)
    if good < least.bit_length() - 1:
        return None
    return conjunction(none_exceeds(condition, 2**good))


def _holds(condition: Formula, small: Sequence[Formula], known: Sequence[Formula]) -> bool:
    from shapesolve.solving import follows

    return follows(condition, [*known, *small], budget=_BUDGET)
