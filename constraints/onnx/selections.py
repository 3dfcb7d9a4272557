"""Operators of ONNX that look up or change rows by tuples of places, and those that select what data say."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Approximations, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal
from shapesolve.symbolic.normal_forms import maximum
from shapesolve.symbolic.shape_kinds import RankedShape

from ..torch.indexing import index_claims, lookup_semantics
from ..torch.operands import always_raises, check, extent_pairs
from ..torch.value_ranges import with_index_interval, with_joined_intervals
from ..transfer.extent_tensors import IndexCheck, extent_product
from .nodes import axis, has_attribute, integer_attribute, left_to_the_runtime

EXAMPLE = "tests/cases/onnx/selections.mlir"


def _tuple_length(numbers: Value, extents: Sequence[Dim]) -> int:
    """Return how many places a tuple has.

    Raises:
        UnknownValueError: It is no constant.
    """
    if not extents:
        raise UnknownValueError(f"{numbers.name} is a scalar, which holds no tuples")
    if not extents[-1].is_constant:
        raise UnknownValueError("how long the tuples of places are is computed, and not followed")
    return extents[-1].constant


def _place_claims(ctx: RuleContext, numbers: Value, shape: Sequence[Dim], extents: Sequence[Dim]) -> list[IndexCheck]:
    """Return clause C9 for tuples of places of some dimensions, one claim for each column of the tuples.

    What is known of all numbers together is used of single columns alone.
    """
    held, elements = ctx.tensor(numbers), ctx.elements(numbers)
    found: list[IndexCheck] = []
    for at, extent in enumerate(extents):
        column = held
        if len(extents) > 1:
            column = Tensor(
                RankedShape.of(shape[:-1]), None if elements is None else tuple(elements[at :: len(extents)])
            )
        name = f"column {at} of {numbers.name}"
        found.append(index_claims(ctx, numbers, column, extent, from_end=True, name=name))
    return found


@rule("onnx.GatherND", example=EXAMPLE, effects=STOPS)
def rows_at_places(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Those parts of a tensor that tuples of integers place; negative ones count from the end.

    (C1) A tuple has a place at least, and no more than there are dimensions behind the batch.
    (C2) Both operands have the same batch.
    (C9) Every integer is a place.
    (R1) The result has a part for each tuple.
    """
    source, numbers = op.operands[:2]
    extents, wanted = ctx.dims(source), ctx.dims(numbers)
    batch, length = integer_attribute(op, "batch_dims", 0), _tuple_length(numbers, wanted)
    if not 0 <= batch < min(len(extents), len(wanted)) or not 1 <= length <= len(extents) - batch:
        shown = (*extent_pairs(source.name, extents), *extent_pairs(numbers.name, wanted))
        return always_raises(op, "C1", f"a tuple has {length} places", shown)
    shown = (*extent_pairs(source.name, extents[:batch]), *extent_pairs(numbers.name, wanted[:batch]))
    same = conjunction(equal(a, b) for a, b in zip(extents[:batch], wanted[:batch], strict=True))
    claims = [check("C2", same, "the batches differ", shown)] if batch else []
    found = _place_claims(ctx, numbers, wanted, extents[batch : batch + length])
    result = Tensor.of([*wanted[:-1], *extents[batch + length :]])
    return lookup_semantics([with_joined_intervals(op.results[0], result, [ctx.value(source)])], claims, found)


@rule("onnx.ScatterND", example=EXAMPLE, effects=STOPS)
def written_at_places(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of which the parts that tuples of integers place are written.

    (C1) A tuple has a place at least, and no more than there are dimensions.
    (C2) What is written has a part for each tuple.
    (C9) Every integer is a place.
    (R1) The result has the tensor's shape.
    """
    source, numbers, written = op.operands[:3]
    extents, wanted, parts = (ctx.dims(each) for each in (source, numbers, written))
    length = _tuple_length(numbers, wanted)
    if not 1 <= length <= len(extents):
        shown = (*extent_pairs(source.name, extents), *extent_pairs(numbers.name, wanted))
        return always_raises(op, "C1", f"a tuple has {length} places", shown)
    expected = (*wanted[:-1], *extents[length:])
    message = f"{written.name} has not a part for each tuple"
    if len(parts) != len(expected):
        return always_raises(op, "C2", f"{message}: its rank is {len(parts)}, not {len(expected)}")
    shown = (*extent_pairs(written.name, parts), *extent_pairs("the parts", expected))
    fits = conjunction(equal(have, want) for have, want in zip(parts, expected, strict=True))
    claims = [check("C2", fits, message, shown)]
    return lookup_semantics([Tensor.of(extents)], claims, _place_claims(ctx, numbers, wanted, extents[:length]))


@rule("onnx.NonZero", example=EXAMPLE, effects=STOPS)
def places_of_nonzero(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The places of all elements that are not 0.

    (R1) The result has one row for each dimension, and one column for each place, none of which lies beyond the
    greatest extent.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    if not extents:
        raise UnknownValueError("the places of a scalar are not followed")
    count = ctx.fresh(f"{op.results[0].name} columns")
    result = with_index_interval(op.results[0], Tensor.of([len(extents), count]), maximum(*extents))
    most = ((at_least(extent_product(extents), count), "no more elements are found than there are"),)
    reason = f"how many elements are not 0 depends on what {source.name} holds"
    return OpSemantics((result,), ensures=most, approximations=Approximations((reason,), count.variables))


@rule("onnx.NonMaxSuppression", example=EXAMPLE, effects=STOPS)
def suppressed(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The batch, the class and the number of each box that no better box of its class overlaps.

    (C1) Boxes are [batch, number, 4], and scores [batch, class, number].
    (C2) Batches and numbers of both are equal.
    (R1) The result has a row of three for each box that is left.
    """
    boxes, scores = op.operands[:2]
    placed, scored = ctx.dims(boxes), ctx.dims(scores)
    if len(placed) != 3 or len(scored) != 3:
        return always_raises(op, "C1", f"the ranks are {len(placed)} and {len(scored)}")
    shown = (*extent_pairs(boxes.name, placed), *extent_pairs(scores.name, scored))
    same = conjunction((equal(placed[0], scored[0]), equal(placed[1], scored[2])))
    claims = (
        check("C1", equal(placed[2], 4), "a box has not four numbers", shown),
        check("C2", same, "boxes and scores differ", shown),
    )
    count = ctx.fresh(f"{op.results[0].name} rows")
    most = ((at_least(extent_product(scored), count), "no more boxes are left than there are"),)
    reason = f"how many boxes are left depends on what {scores.name} holds"
    unknown = Approximations((reason,), count.variables)
    return OpSemantics((Tensor.of([count, 3]),), requires=claims, ensures=most, approximations=unknown)


@rule("onnx.GridSample", example=EXAMPLE, effects=STOPS)
def sampled(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An image read at places that a grid gives, wherever these lie.

    (C1) Both have the same rank, three at least, and a place has as many coordinates as the image has sides.
    (C2) Both have the same batch.
    (R1) The result has the batch and the channels of the image, and the sides of the grid.
    """
    source, grid = op.operands[:2]
    extents, places = ctx.dims(source), ctx.dims(grid)
    if len(extents) != len(places) or len(extents) < 3:
        return always_raises(op, "C1", f"the ranks are {len(extents)} and {len(places)}")
    sides, shown = len(extents) - 2, (*extent_pairs(source.name, extents), *extent_pairs(grid.name, places))
    claims = (
        check("C1", equal(places[-1], sides), f"a place has not {sides} coordinates", shown),
        check("C2", equal(places[0], extents[0]), "the batches differ", shown),
    )
    return OpSemantics((Tensor.of([*extents[:2], *places[1:-1]]),), requires=claims)


@rule("onnx.Compress", "onnx.Unique", example=EXAMPLE, effects=STOPS)
def chosen(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The parts of a tensor along an axis that a vector of truths chooses, or those that differ from all before.

    Without an axis, single elements are chosen. Whether there may be more truths than parts is left to the runtime.

    (C1) The truths are a vector.
    (C2) There are no more truths than parts, unless the runtime ignores the others.
    (R1) The result has as many parts as are chosen, no more than there are. Behind those of ``Unique`` stand vectors:
    the place of each, for each part of the tensor the number of the one that it equals, and how often each occurs.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    at = axis(integer_attribute(op, "axis", 0), len(extents)) if has_attribute(op, "axis") else None
    whole = extent_product(extents) if at is None else extents[at]
    count = ctx.fresh(f"{op.results[0].name} chosen")
    most = [(at_least(whole, count), "no more parts are chosen than there are")]
    fits: Formula = TRUE
    shown: tuple[tuple[str, Dim], ...] = ()
    if op.name == "onnx.Compress":
        truths = ctx.dims(op.operands[1])
        if len(truths) != 1:
            return always_raises(op, "C1", f"{op.operands[1].name} has rank {len(truths)}")
        most.append((at_least(truths[0], count), "no more parts are chosen than there are truths"))
        fits, shown = at_least(whole, truths[0]), (("truths", truths[0]), ("parts", whole))
    result = Tensor.of([count] if at is None else [*extents[:at], count, *extents[at + 1 :]])
    others = (Tensor.of([count]), Tensor.of([whole]), Tensor.of([count]))
    unknown = Approximations((f"how many parts are chosen depends on what {op.name} is given",), count.variables)
    semantics = OpSemantics((result, *others)[: len(op.results)], ensures=tuple(most), approximations=unknown)
    words = (
        "there are more truths than parts, which some refuse",
        "the runtime ignores truths without a part",
        "there may be more truths than parts",
    )
    return left_to_the_runtime(semantics, ctx, "C2", fits, words, shown)


@rule("onnx.ReverseSequence", example=EXAMPLE, effects=STOPS)
def reversed_steps(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A batch of sequences, of each of which so many first steps are reversed.

    (C1) There is a batch and a time, and one length for each sequence of the batch.
    (C9) No length is negative, or greater than the number of steps.
    (R1) The result has the first operand's shape.
    """
    source, lengths = op.operands[:2]
    extents, wanted = ctx.dims(source), ctx.dims(lengths)
    batch, time = integer_attribute(op, "batch_axis", 1), integer_attribute(op, "time_axis", 0)
    if {batch, time} != {0, 1}:
        raise UnknownValueError("batch and time are not the first two dimensions")
    if len(extents) < 2 or len(wanted) != 1:
        return always_raises(op, "C1", f"the ranks are {len(extents)} and {len(wanted)}")
    shown = (*extent_pairs(source.name, extents), *extent_pairs(lengths.name, wanted))
    claim = check("C1", equal(wanted[0], extents[batch]), "there is not one length for each sequence", shown)
    found = index_claims(ctx, lengths, ctx.tensor(lengths), extents[time] + 1, from_end=False)
    return lookup_semantics([Tensor.of(extents)], (claim,), [found])
