"""Structured operations on small tensors of integers, element by element: how programs compute with shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import Formula
from shapesolve.reading.program import AffineMap, Operation, ShapedType, Value
from shapesolve.records import record
from shapesolve.walking.region_runs import Once, Unrolled
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.values import Abstract, Between, Element, Tensor

from .integers import element_type
from .linalg_loops import LoopNest, outputs
from .row_major import constants, position

_MOST_POSITIONS = 16
_MOST_WALKED = 256
"""Operations of the body, at all positions together."""

_IN_ANY_ORDER = frozenset(
    f"arith.{each}" for each in ("addi", "muli", "minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori")
)

Place = tuple[int, ...]


@record
class Contents:
    """The body at every position of a nest, on what stands there.

    ``order`` says which run writes which element of each result. Where all positions write the only element that there
    is, that is one run, in which they do so one after the other.
    """

    runs: tuple[Once | Unrolled, ...]
    order: tuple[tuple[int, ...], ...]

    def results(
        self, shapes: Sequence[Abstract], yields: Sequence[tuple[Abstract, ...] | None]
    ) -> tuple[Abstract, ...] | None:
        """The results with their elements; None where the body does not give all of them."""
        found = [each for each in yields if each is not None and len(each) == len(shapes)]
        if len(found) != len(self.runs):
            return None
        made: list[Abstract] = []
        for number, shape in enumerate(shapes):
            written = [found[run][number] for run in self.order[number]]
            elements = [each for each in written if isinstance(each, Dim | Formula)]
            if not isinstance(shape, Tensor) or len(elements) != len(written):
                return None
            made.append(Tensor(shape.shape, tuple(elements), between=_span(elements)))
        return tuple(made)


def _span(elements: Sequence[Element]) -> Between | None:
    """What numbers lie between."""
    numbers = constants(each for each in elements if isinstance(each, Dim))
    return Between(dim(min(numbers)), dim(max(numbers))) if numbers and len(numbers) == len(elements) else None


def contents(op: Operation, nest: LoopNest, see: RuleContext) -> Contents | None:
    """The body at every position, where there are few and what is read of integers there is known; else None."""
    ranges = constants(nest.ranges)
    arguments = op.regions[0].blocks[0].arguments
    if ranges is None or not op.results or not _is_simple(op, ranges):
        return None
    if not all(element_type(each.type).kind != "float" for each in op.results):
        return None
    count = len(nest.operands) - outputs(op, nest)
    places = list(product(*map(range, ranges)))
    own = [_places(nest, number, places) for number in range(len(nest.operands))]
    if any(each is None for each in own):
        return None
    known = [each for each in own if each is not None]
    sizes = [prod(constants(each) or ()) for each in nest.extents[count:]]
    folded = all(size == 1 for size in sizes) and len(places) > 1
    if folded and not all(_is_in_any_order(op, number, each) for number, each in enumerate(arguments[count:])):
        return None
    if not folded and any(sorted(into) != list(range(size)) for into, size in zip(known[count:], sizes, strict=True)):
        return None
    read = [
        _read(see, operand, argument, into)
        for operand, argument, into in zip(nest.operands, arguments, known, strict=False)
    ]
    if any(each is None for each in read):
        return None
    trips = list(zip(*(each for each in read if each is not None), strict=True))
    region = op.regions[0]
    if folded:
        run = Unrolled(region=region, trips=tuple(each[:count] for each in trips), carries=trips[0][count:])
        return Contents((run,), ((0,),) * len(op.results))
    runs = tuple(Once(region=region, arguments=each) for each in trips)
    return Contents(runs, tuple(tuple(_inverse(into)) for into in known[count:]))


def _is_simple(op: Operation, ranges: Sequence[int]) -> bool:
    body = op.regions[0].blocks[0]
    inner = [each for first in body.operations for each in first.walk()]
    asks = any(each.name == "linalg.index" for each in inner)
    positions = prod(ranges)
    return not asks and 1 <= positions <= _MOST_POSITIONS and positions * len(inner) <= _MOST_WALKED


def _is_in_any_order(op: Operation, number: int, before: Value) -> bool:
    """Whether the body joins what was written before with something that does not depend on it, in whatever order."""
    *inner, end = op.regions[0].blocks[0].operations
    joins = [each for each in inner if end.operands[number] in each.results]
    used = [each for each in inner if before in each.operands]
    return bool(joins) and joins == used and joins[0].name in _IN_ANY_ORDER and joins[0].operands.count(before) == 1


def _places(nest: LoopNest, number: int, places: Iterable[Place]) -> list[int] | None:
    """Which element of an operand is at each position; None where that is no plain access within its bounds."""
    map, extents = nest.maps[number], constants(nest.extents[number])
    if not isinstance(nest.operands[number].type, ShapedType):
        return [0 for _ in places]
    if extents is None:
        return None
    found = list(_accesses(map, places))
    if not found or any(not 0 <= at < size for each in found for at, size in zip(each, extents, strict=True)):
        return None
    return [position(extents, each) for each in found]


def _accesses(map: AffineMap, places: Iterable[Place]) -> Iterator[Place]:
    if all(each.kind in ("dim", "constant") for each in map.results):
        for place in places:
            yield tuple(place[each.value] if each.kind == "dim" else each.value for each in map.results)


def _read(see: RuleContext, operand: Value, argument: Value, places: Sequence[int]) -> list[Abstract] | None:
    """What an argument of the body is at each position."""
    if not argument.uses:
        return [see.unknown(argument) for _ in places]
    if not isinstance(operand.type, ShapedType):
        value = see.value(operand)
        return [value for _ in places] if isinstance(value, Dim | Formula) else None
    elements: Sequence[Element] | None = see.elements(operand)
    if elements is None or max(places) >= len(elements):
        return None
    return [elements[place] for place in places]


def _inverse(places: Sequence[int]) -> Iterator[int]:
    """By element, the number of the position that writes it."""
    by_element = {place: number for number, place in enumerate(places)}
    return (by_element[each] for each in range(len(places)))
