"""The order of counterexamples, from the most believable sizes to the least.

Sizes of 2 and more are easier to believe than 1, and 1 than 0, and all of these than huge ones; among the rest, small
ones are. So sizes come before others that have, in this order, a size of more than `MOST_BELIEVABLE`, more sizes of 0,
more sizes of 1, a larger maximum, a larger sum, and, going through the sizes one after another, the first larger one.
A size that cannot be 2 or more is as good at its upper bound. Of a number that may be negative, the magnitude counts,
and it is better positive than negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shapesolve.symbolic.atoms import Variable

MOST_BELIEVABLE = 2**15
"""A size beyond this is harder to believe than a size of 0 or 1. The squares of those leave 32 bits."""


Counts = Mapping[Variable, int]
"""The number of sizes that a variable stands for, where it is more than one: all are equal to it."""

COUNTED_ONCE: Counts = {}


class Small(NamedTuple):
    """The numbers of sizes that are 0 or 1 and may be larger."""

    zeros: int
    ones: int


NONE_SMALL = Small(0, 0)


def preferred(variable: Variable) -> int | None:
    """Return the least value that is as easy to believe as any; None if the variable may be negative."""
    if variable.lower is None or variable.lower < 0:
        return None
    if variable.is_bit:
        return 0
    return max(variable.lower, 2 if variable.upper is None else min(2, variable.upper))


def least_magnitude(variable: Variable, small: Small) -> int:
    """Return the least magnitude of a variable where so many sizes are 0 and 1."""
    best = preferred(variable)
    if best is None:
        return max(0, -variable.upper) if variable.upper is not None else 0
    floor = 0 if small.zeros else 1 if small.ones else 2
    return max(variable.lower or 0, min(floor, best))


def small_sizes(sizes: Mapping[Variable, int], variables: Iterable[Variable], counts: Counts = COUNTED_ONCE) -> Small:
    """Return how many of the variables are 0 and 1 and may be larger."""
    found = [0, 0]
    for each in variables:
        if 0 <= sizes[each] < min(preferred(each) or 0, 2):
            found[sizes[each]] += counts.get(each, 1)
    return Small(*found)


def is_believable(sizes: Mapping[Variable, int | tuple[int, ...]], variables: Sequence[Variable]) -> bool:
    """Return whether none of some variables is too large to be believed."""
    return all(isinstance(size := sizes.get(each, 0), int) and size <= MOST_BELIEVABLE for each in variables)
