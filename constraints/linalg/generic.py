"""Structured operations with a body of their own, such as `linalg.generic`.

A body that hands an operand on makes the operation a copy of it. On small tensors of integers, as programs use to
compute shapes, the body runs element by element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from shapesolve.domain.values import Abstract, Element, IntegerInterval, Tensor
from shapesolve.ir.program import AffineExpression, AffineMap, Operation, ShapedType, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ASKS_WHERE, PURE, on_values
from shapesolve.semantics.op_semantics import Approximations, Folds, OpSemantics, Results
from shapesolve.semantics.regions import AtMostOnce, UnrolledLoop
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction
from shapesolve.symbolic.shapes import same_shape

from ..transfer.elements import constants, row_major_position
from ..transfer.integers import element_type
from ..transfer.strided_slices import integer_of
from .loop_nest import (
    LoopNest,
    access_claims,
    body,
    initial_shapes,
    loop_nest,
    output_count,
    shape_operands,
    with_bounds,
)


@rule("linalg.generic", "linalg.map", "linalg.reduce", example="tests/cases/linalg/generic.mlir", effects=on_values)
def structured(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop nest over the index space of the operands. The range of a loop is the first extent that is just its index.

    A nest with an empty range touches nothing, so the clauses are about nests without one.

    (C1) Every extent that is just one loop index equals the range of that loop.
    (C2) Every other index expression stays between 0 and its extent, and divides by positive numbers.
    (R1) Every result has the shape of its output operand, whatever the ranges are.
    (R2) The body runs once for every position of the nest.
    (R3) Small tensors of integers hold what the body yields at each position, or what it makes of all in any order.
    (R4) Where every position writes an element of its own, all elements lie between the bounds of what the body yields.
    """
    nest = loop_nest(op, ctx)
    shapes = initial_shapes(op, nest, ctx)
    exact = element_runs(op, nest, ctx)
    if exact is not None:
        return OpSemantics(
            Results(
                shapes,
                compute=lambda yields: exact.results(shapes, yields) or shapes,
                shape_operands=shape_operands(op, nest),
            ),
            requires=access_claims(nest, ctx),
            regions=exact.runs,
        )
    inner = body(op, nest, ctx)
    source = yielded_operand(op)
    return OpSemantics(
        Results(
            shapes,
            compute=lambda yields: with_bounds(ctx, nest, inner, shapes, yields[0]),
            shape_operands=shape_operands(op, nest),
        ),
        requires=access_claims(nest, ctx),
        regions=(inner.run,),
        folds=Folds(copies=() if source is None else copied_operand(op, nest, ctx, source)),
        approximations=Approximations(inner.approximations, inner.free),
    )


@rule("linalg.yield", example="tests/cases/linalg/generic.mlir", effects=PURE)
def yields(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends the body of a structured operation."""
    return OpSemantics()


@rule("linalg.index", example="tests/cases/linalg/generic.mlir", effects=ASKS_WHERE)
def index(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The position in one of the loops around the body.

    (R1) The result is at least 0 and below the range of that loop.
    """
    loop = integer_of(op, "dim")
    if loop >= len(ctx.iteration):
        raise UnknownValueError("there is no loop of that number")
    return OpSemantics((ctx.iteration[loop],))


Copies = tuple[tuple[Value, Formula], ...]


def copied_operand(op: Operation, nest: LoopNest, ctx: RuleContext, source: int) -> Copies:
    """Return the input that the nest copies to all of its output, with the condition under which the result equals it.

    If both have the same shape, every position is written with the element that is there. A dimension that is read at
    index 0 alone has one position, or none.
    """
    if len(op.results) != 1 or source >= len(nest.operands) - 1:
        return ()
    given, into = nest.operands[source], nest.operands[-1]
    if not same_elements(given, op.results[0]):
        return ()
    rank = len(nest.ranges)
    if [(each.kind, each.value) for each in nest.maps[-1].results] != [("dim", loop) for loop in range(rank)]:
        return ()
    if len(nest.maps[source].results) != rank:
        return ()
    extents = nest.extents[-1]
    with unrecorded():
        read = conjunction(_in_place(*each, extents) for each in enumerate(nest.maps[source].results))
        return ((given, conjunction((same_shape(ctx.shape(given), ctx.shape(into)), read))),)


def _in_place(loop: int, read: AffineExpression, extents: tuple[Dim, ...]) -> Formula:
    """Return the condition under which the index read along a dimension is that of its loop at every position."""
    if read.kind == "dim" and read.value == loop:
        return conjunction(())
    if read.kind == "dim":
        return conjunction((at_least(1, extents[loop]), at_least(1, extents[read.value])))
    return at_least(1, extents[loop]) if read.kind == "constant" and read.value == 0 else FALSE


def yielded_operand(op: Operation) -> int | None:
    """Return the number of the operand that the body yields unchanged, or None if it does anything else."""
    blocks = op.regions[0].blocks
    if len(blocks) != 1 or len(blocks[0].operations) != 1:
        return None
    yielded = blocks[0].operations[0].operands
    if len(yielded) != 1 or yielded[0] not in blocks[0].arguments:
        return None
    return blocks[0].arguments.index(yielded[0])


def same_elements(given: Value, result: Value) -> bool:
    """Return whether both values are tensors of one element type."""
    types = given.type, result.type
    tensors = [type for type in types if isinstance(type, ShapedType) and type.container == "tensor"]
    return len(tensors) == 2 and tensors[0].element == tensors[1].element


_MOST_POSITIONS = 16
_MOST_WALKED = 256
"""The most operations of the body, counted at all positions."""

_IN_ANY_ORDER = frozenset(
    f"arith.{each}" for each in ("addi", "muli", "minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori")
)

Place = tuple[int, ...]


@record
class ElementRuns:
    """The runs of a body at every position of a small nest.

    Attributes:
        runs: One run per position, or a single one, in sequence, if all positions write the only element there is.
        order: For each result, the run that writes each of its elements.
    """

    runs: tuple[AtMostOnce | UnrolledLoop, ...]
    order: tuple[tuple[int, ...], ...]

    def results(
        self, shapes: Sequence[Abstract], yields: Sequence[tuple[Abstract, ...] | None]
    ) -> tuple[Abstract, ...] | None:
        """Return the results with their elements, or None if the body does not yield all of them."""
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


def _span(elements: Sequence[Element]) -> IntegerInterval | None:
    """Return the interval of constant elements, or None."""
    numbers = constants(each for each in elements if isinstance(each, Dim))
    return IntegerInterval(dim(min(numbers)), dim(max(numbers))) if numbers and len(numbers) == len(elements) else None


def element_runs(op: Operation, nest: LoopNest, ctx: RuleContext) -> ElementRuns | None:
    """Return the runs at every position, or None if they are many or the integers that are read are not known."""
    ranges = constants(nest.ranges)
    arguments = op.regions[0].blocks[0].arguments
    if ranges is None or not op.results or not _is_simple(op, ranges):
        return None
    if not all(element_type(each.type).kind != "float" for each in op.results):
        return None
    count = len(nest.operands) - output_count(op, nest)
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
        _read(ctx, operand, argument, into)
        for operand, argument, into in zip(nest.operands, arguments, known, strict=False)
    ]
    if any(each is None for each in read):
        return None
    trips = list(zip(*(each for each in read if each is not None), strict=True))
    region = op.regions[0]
    if folded:
        run = UnrolledLoop(region=region, trips=tuple(each[:count] for each in trips), carries=trips[0][count:])
        return ElementRuns((run,), ((0,),) * len(op.results))
    runs = tuple(AtMostOnce(region=region, arguments=each) for each in trips)
    return ElementRuns(runs, tuple(tuple(_inverse(into)) for into in known[count:]))


def _is_simple(op: Operation, ranges: Sequence[int]) -> bool:
    body = op.regions[0].blocks[0]
    inner = [each for first in body.operations for each in first.walk()]
    asks = any(each.name == "linalg.index" for each in inner)
    positions = prod(ranges)
    return not asks and 1 <= positions <= _MOST_POSITIONS and positions * len(inner) <= _MOST_WALKED


def _is_in_any_order(op: Operation, number: int, before: Value) -> bool:
    """Return whether the body updates the previous element by a commutative operation: any order is right."""
    *inner, end = op.regions[0].blocks[0].operations
    joins = [each for each in inner if end.operands[number] in each.results]
    used = [each for each in inner if before in each.operands]
    return bool(joins) and joins == used and joins[0].name in _IN_ANY_ORDER and joins[0].operands.count(before) == 1


def _places(nest: LoopNest, number: int, places: Iterable[Place]) -> list[int] | None:
    """Return the element of an operand that each position accesses, or None for accesses out of bounds or not plain."""
    map, extents = nest.maps[number], constants(nest.extents[number])
    if not isinstance(nest.operands[number].type, ShapedType):
        return [0 for _ in places]
    if extents is None:
        return None
    found = list(_accesses(map, places))
    if not found or any(not 0 <= at < size for each in found for at, size in zip(each, extents, strict=True)):
        return None
    return [row_major_position(extents, each) for each in found]


def _accesses(map: AffineMap, places: Iterable[Place]) -> Iterator[Place]:
    if all(each.kind in ("dim", "constant") for each in map.results):
        for place in places:
            yield tuple(place[each.value] if each.kind == "dim" else each.value for each in map.results)


def _read(ctx: RuleContext, operand: Value, argument: Value, places: Sequence[int]) -> list[Abstract] | None:
    """Return the value of a body argument at each position, or None if it is not known."""
    if not argument.uses:
        return [ctx.unknown(argument) for _ in places]
    if not isinstance(operand.type, ShapedType):
        value = ctx.value(operand)
        return [value for _ in places] if isinstance(value, Dim | Formula) else None
    elements: Sequence[Element] | None = ctx.elements(operand)
    if elements is None or max(places) >= len(elements):
        return None
    return [elements[place] for place in places]


def _inverse(places: Sequence[int]) -> Iterator[int]:
    """Return, for each element, the number of the position that writes it."""
    by_element = {place: number for number, place in enumerate(places)}
    return (by_element[each] for each in range(len(places)))
