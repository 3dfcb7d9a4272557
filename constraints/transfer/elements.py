"""Elements of small tensors in row-major order, and bounds of sums of bounded integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod

from shapesolve.domain.values import MAX_ELEMENTS, Element, IntegerInterval
from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.symbolic.dims import ZERO, Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, either, equal
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.trace.trust import NO_WRAP

from .integers import fitting_ends

MAX_CHOICES = 16
"""The most elements for which a read at an unknown index becomes a select over all of them."""


def constants(sizes: Iterable[Dim]) -> tuple[int, ...] | None:
    """Return the sizes as numbers, or None if one is not constant."""
    numbers: list[int] = []
    for size in sizes:
        if not size.is_constant:
            return None
        numbers.append(size.constant)
    return tuple(numbers)


def small_extents(sizes: Iterable[Dim]) -> tuple[int, ...] | None:
    """Return the extents of a tensor with few enough elements to keep, else None."""
    extents = constants(sizes)
    if extents is None or any(extent < 0 for extent in extents) or prod(extents) > MAX_ELEMENTS:
        return None
    return extents


def index_tuples(extents: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Return all index tuples, the last index moving fastest."""
    return product(*(range(extent) for extent in extents))


def row_major_position(extents: Sequence[int], index: Sequence[int]) -> int:
    """Return the row-major position of an index tuple."""
    place = 0
    for extent, each in zip(extents, index, strict=True):
        place = place * extent + each
    return place


def gather_elements(
    elements: tuple[Element, ...] | None,
    source: Iterable[Dim],
    result: Iterable[Dim],
    place: Callable[[tuple[int, ...]], Sequence[int]],
) -> tuple[Element, ...] | None:
    """Return the elements of a tensor that reads the source at ``place(index)`` for each of its indices.

    None if the elements or extents are not known, or an access leaves the source.
    """
    from_extents, to_extents = small_extents(source), small_extents(result)
    if elements is None or from_extents is None or to_extents is None:
        return None
    taken: list[Element] = []
    for index in index_tuples(to_extents):
        there = place(index)
        if not all(0 <= each < extent for each, extent in zip(there, from_extents, strict=True)):
            return None
        taken.append(elements[row_major_position(from_extents, there)])
    return tuple(taken)


def element_at(elements: tuple[Element, ...] | None, extents: Sequence[Dim], index: Sequence[Dim]) -> Element | None:
    """Return the element at an index within bounds, constant or not, or None if no short expression describes it."""
    numbers = small_extents(extents)
    if elements is None or numbers is None or not elements or len(elements) != prod(numbers):
        return None
    known = constants(index)
    if known is not None:
        inside = all(0 <= each < extent for each, extent in zip(known, numbers, strict=True))
        return elements[row_major_position(numbers, known)] if inside else None
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


@record
class Sums:
    """Bounds of sums.

    Attributes:
        between: The interval that holds the sums.
        no_overflow: The overflow assumption under which it is right.
        modeling: That assumption in words.
    """

    between: IntegerInterval
    no_overflow: Formula = TRUE
    modeling: tuple[str, ...] = ()


def partial_sums(of: IntegerInterval, count: Dim, width: int, first: IntegerInterval | None = None) -> Sums | None:
    """Return the bounds of the partial sums of ``count`` numbers in signed integers of ``width`` bits. None for floats.

    With a ``first`` number, the first sum is that number alone, and the last of the others is never added.
    """
    if of.denominator != 1 or (first is not None and first.denominator != 1):
        return None
    # With n numbers the sum of k of them, k from 1 to n, is furthest from 0 at one of these two ends.
    if first is None:
        low, high = minimum(of.low, of.low * count), maximum(of.high, of.high * count)
        return _fitting(low, high, of.where, width)
    low, high = minimum(ZERO, of.low * (count - 1)), maximum(ZERO, of.high * (count - 1))
    return _fitting(first.low + low, first.high + high, conjunction((of.where, first.where)), width)


def whole_sums(of: IntegerInterval, count: Dim, width: int) -> Sums | None:
    """Return the bounds of the sum of ``count`` numbers, in signed integers of ``width`` bits. None for floats."""
    if of.denominator != 1:
        return None
    return _fitting(of.low * count, of.high * count, of.where, width)


def boolean_interval(of: IntegerInterval | None) -> IntegerInterval:
    """Return the interval of truth values as numbers: 0 to 1, or the known one."""
    return IntegerInterval(dim(0), dim(1)) if of is None or of.where is not TRUE else of.subset_bounds


def is_sum(op: Operation) -> bool:
    """Return whether a body adds its two arguments."""
    return combining_operation(op) in ("arith.addi", "stablehlo.add")


def combining_operation(op: Operation) -> str | None:
    """Return the operation that a body applies to its two arguments, or None if the body is anything else."""
    (block,) = op.regions[0].blocks
    if len(block.operations) != 2 or len(block.arguments) != 2:
        return None
    join, end = block.operations
    both = set(join.operands) == set(block.arguments) and len(join.operands) == 2
    return join.name if both and end.operands == join.results else None


def _fitting(low: Dim, high: Dim, where: Formula, width: int) -> Sums:
    sure, no_overflow = fitting_ends((low, high), width)
    return Sums(
        IntegerInterval(low, high, conjunction((where, sure))), no_overflow, () if no_overflow is TRUE else (NO_WRAP,)
    )
