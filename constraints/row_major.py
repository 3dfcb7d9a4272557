"""The elements of small tensors, in row-major order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod

from shapesolve.language.dims import Dim
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import Formula, either, equal
from shapesolve.walking.values import MAX_ELEMENTS, Element

MAX_CHOICES = 16
"""An element at an unknown place is spelled out where there are at most this many to choose from."""


def constants(sizes: Iterable[Dim]) -> tuple[int, ...] | None:
    """The numbers, where all sizes are constants."""
    numbers: list[int] = []
    for size in sizes:
        if not size.is_constant:
            return None
        numbers.append(size.constant)
    return tuple(numbers)


def small_extents(sizes: Iterable[Dim]) -> tuple[int, ...] | None:
    """The extents of a tensor whose elements are few enough to keep."""
    extents = constants(sizes)
    if extents is None or any(extent < 0 for extent in extents) or prod(extents) > MAX_ELEMENTS:
        return None
    return extents


def places(extents: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """All index tuples, the last index moving fastest."""
    return product(*(range(extent) for extent in extents))


def position(extents: Sequence[int], index: Sequence[int]) -> int:
    """Where an index tuple stands in row-major order."""
    place = 0
    for extent, each in zip(extents, index, strict=True):
        place = place * extent + each
    return place


def gathered(
    elements: tuple[Element, ...] | None,
    source: Iterable[Dim],
    result: Iterable[Dim],
    place: Callable[[tuple[int, ...]], Sequence[int]],
) -> tuple[Element, ...] | None:
    """A tensor whose element at each index is the source's at ``place(index)``; None where that is not known."""
    from_extents, to_extents = small_extents(source), small_extents(result)
    if elements is None or from_extents is None or to_extents is None:
        return None
    taken: list[Element] = []
    for index in places(to_extents):
        there = place(index)
        if not all(0 <= each < extent for each, extent in zip(there, from_extents, strict=True)):
            return None
        taken.append(elements[position(from_extents, there)])
    return tuple(taken)


def element_at(elements: tuple[Element, ...] | None, extents: Sequence[Dim], index: Sequence[Dim]) -> Element | None:
    """The element at an index that may be unknown, within bounds; None where no short expression says it."""
    numbers = small_extents(extents)
    if elements is None or numbers is None or not elements or len(elements) != prod(numbers):
        return None
    known = constants(index)
    if known is not None:
        inside = all(0 <= each < extent for each, extent in zip(known, numbers, strict=True))
        return elements[position(numbers, known)] if inside else None
    if len(elements) > MAX_CHOICES:
        return None
    place: Dim | int = 0
    for extent, each in zip(numbers, index, strict=True):
        place = place * extent + each
    return _chosen(elements, place)


def _chosen(elements: tuple[Element, ...], place: Dim | int) -> Element | None:
    found = elements[-1]
    for number, element in reversed(tuple(enumerate(elements[:-1]))):
        here = equal(place, number)
        if isinstance(found, Dim) and isinstance(element, Dim):
            found = choose(here, element, found)
        elif isinstance(found, Formula) and isinstance(element, Formula):
            found = either(here, element, found)
        else:
            return None
    return found
