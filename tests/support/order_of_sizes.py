"""The order of counterexamples, as a key to sort by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shapesolve.solver.size_order import MOST_BELIEVABLE, Small, small_sizes
from shapesolve.symbolic.atoms import Variable


class Place(NamedTuple):
    """The place of sizes in the order: the least one comes first."""

    is_huge: bool
    small: Small
    maximum: int
    total: int
    each: tuple[tuple[int, bool], ...]


def place(sizes: Mapping[Variable, int], variables: Sequence[Variable]) -> Place:
    """Return the place of the variables' sizes in the order."""
    numbers = [sizes[each] for each in variables]
    magnitudes = list(map(abs, numbers))
    return Place(
        any(each > MOST_BELIEVABLE for each in numbers),
        small_sizes(sizes, variables),
        max(magnitudes, default=0),
        sum(magnitudes),
        tuple((abs(each), each < 0) for each in numbers),
    )
