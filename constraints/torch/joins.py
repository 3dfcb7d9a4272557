"""Operators of PyTorch that concatenate, stack, split and broadcast tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import ListValue, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, ceildiv, dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal
from shapesolve.symbolic.normal_forms import choose, maximum

from ..transfer.extent_tensors import extent_product
from .operands import (
    always_fails,
    always_raises,
    axis,
    axis_of,
    broadcast_extents,
    check,
    constant,
    extent_pairs,
    integers,
    interval_of_some,
    list_items,
    nonscalar_axis_of,
    tensor_extents,
    text,
)
from .value_ranges import tensor_interval, with_joined_intervals

EXAMPLE = "tests/cases/torch/joins.mlir"
PARTS = "tests/cases/torch/parts.mlir"

MOST_PARTS = 1024


@rule("torch.aten.cat", example=EXAMPLE, effects=STOPS)
def concatenation(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors concatenated along a dimension. Vectors without elements are left out, whatever the others are.

    (C1) There is a tensor.
    (C2) The tensors have the same rank.
    (C3) They have the same extents, except along the dimension.
    (R1) The result has the sum of the extents along the dimension.
    """
    every = tensor_extents(ctx, op.operands[0])
    rank = max((len(each) for each in every), default=0)
    if not rank:
        message = "scalars are not concatenated" if every else "there is nothing to concatenate"
        return always_raises(op, "C1", message)
    return _concatenation(op, ctx, every, axis_of(ctx, op.operands[1], rank))


def _concatenation(op: Operation, ctx: RuleContext, every: Sequence[Sequence[Dim]], at: int) -> OpSemantics:
    """Return the semantics of a concatenation, not all of scalars, with clauses C2 and C3."""
    rank = max(len(each) for each in every)
    claims: list[Claim] = []
    whole = [each for each in every if len(each) == rank]
    for number, each in enumerate(every):
        if len(each) != rank:
            empty = equal(each[0], 0) if len(each) == 1 else FALSE
            claims.append(check("C2", empty, f"tensor {number} has rank {len(each)}, another has {rank}"))
    first = whole[0]
    for number, each in enumerate(whole[1:], 1):
        claims += _extent_claims(first, each, at, number)
    result = list(first)
    result[at] = sum((each[at] for each in whole), dim(0))
    for each in whole:
        result = [b if b.is_constant and i != at else a for i, (a, b) in enumerate(zip(result, each, strict=True))]
    return OpSemantics((_concatenation_result(op, ctx, result),), requires=claims)


def _concatenation_result(op: Operation, ctx: RuleContext, extents: Sequence[Dim]) -> Tensor:
    """Return the result, whose elements are all those of the listed tensors."""
    return with_joined_intervals(op.results[0], Tensor.of(extents), list_items(ctx, op.operands[0]))


def _extent_claims(first: Sequence[Dim], other: Sequence[Dim], along: int, number: int) -> list[Claim]:
    """Return clause C3 for a tensor: it has the extents of the first, except along one dimension."""
    return [
        check(
            "C3",
            equal(a, b),
            f"extent {index} of tensor {number} is not that of tensor 0",
            ((f"extent {index} of tensor 0", a), (f"extent {index} of tensor {number}", b)),
        )
        for index, (a, b) in enumerate(zip(first, other, strict=True))
        if index != along
    ]


@rule("torch.aten.hstack", "torch.aten.column_stack", example=EXAMPLE, effects=STOPS)
def side_by_side(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors beside each other: along the second dimension, or, where the first is a vector, along that of vectors.

    Scalars are vectors of one element; where columns are put together, vectors are matrices of one column.

    (C1) There is a tensor.
    (C2) The tensors have the same rank, but for vectors without elements.
    (C3) They have the same extents, except along the dimension.
    (R1) The result has the sum of the extents along the dimension.
    """
    every = [each or (dim(1),) for each in tensor_extents(ctx, op.operands[0])]
    if not every:
        return always_raises(op, "C1", "there is nothing to put together")
    if op.name == "torch.aten.column_stack":
        every = [each if len(each) > 1 else (*each, dim(1)) for each in every]
    return _concatenation(op, ctx, every, min(len(every[0]), 2) - 1)


@rule("torch.aten.stack", example=EXAMPLE, effects=STOPS)
def stack(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors side by side along a new dimension.

    (C1) There is a tensor.
    (C3) The tensors have the same shape.
    (R1) The result has their number as one more extent.
    """
    every = tensor_extents(ctx, op.operands[0])
    if not every:
        return always_raises(op, "C1", "there is nothing to stack")
    first = every[0]
    claims: list[Claim] = []
    for number, each in enumerate(every[1:], 1):
        if len(each) != len(first):
            message = f"tensor {number} has rank {len(each)}, tensor 0 has {len(first)}"
            claims.append(check("C3", FALSE, message))
            continue
        claims += _extent_claims(first, each, len(first), number)
    result = [next((e for e in column if e.is_constant), column[0]) for column in zip(*every, strict=False)]
    result.insert(axis(constant(ctx, op.operands[1]), len(first), one_more=True), dim(len(every)))
    return OpSemantics((_concatenation_result(op, ctx, result),), requires=claims)


# Apart ---------------------------------------------------------------------------------------------------------------


def _split_tensor(ctx: RuleContext, whole: Value, at: int, sizes: Sequence[Dim]) -> ListValue:
    """Return the parts of a tensor with these sizes along a dimension."""
    extents, between = ctx.dims(whole), interval_of_some(ctx, whole)
    parts: list[list[Dim]] = []
    for size in sizes:
        part = list(extents)
        part[at] = size
        parts.append(part)
    return ListValue(tuple(replace(Tensor.of(part), between=between) for part in parts))


_SPLITS_BY_SIZES = split_names("split_with_sizes split_with_sizes_copy split.sizes")


@rule(*(f"torch.aten.{name}" for name in _SPLITS_BY_SIZES), example=PARTS, effects=STOPS)
def split_by_sizes(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Parts of the listed sizes along a dimension.

    (C1) No size is negative, and together they are the extent.
    (R1) The result lists the parts.
    """
    extents, sizes = ctx.dims(op.operands[0]), integers(ctx, op.operands[1])
    at = nonscalar_axis_of(ctx, op.operands[2], extents)
    total = sum(sizes, dim(0))
    whole = conjunction((*(at_least(size, 0) for size in sizes), equal(total, extents[at])))
    shown = ((f"extent {at} of {op.operands[0].name}", extents[at]), ("the sizes together", total))
    claim = check("C1", whole, "the sizes do not add up to the extent", shown)
    return OpSemantics((_split_tensor(ctx, op.operands[0], at, sizes),), requires=(claim,))


@rule(
    "torch.aten.split.Tensor",
    "torch.aten.split_copy.Tensor",
    "torch.aten.unsafe_split.Tensor",
    example=PARTS,
    effects=STOPS,
)
def split(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Parts of one size along a dimension; the last may be smaller.

    (C1) The size is not negative, and 0 only where the extent is.
    (R1) The result lists the parts, where their number is known.
    """
    extents, size = ctx.dims(op.operands[0]), ctx.integer(op.operands[1])
    at = nonscalar_axis_of(ctx, op.operands[2], extents)
    extent = extents[at]
    shown = ((f"extent {at} of {op.operands[0].name}", extent), ("the size", size))
    valid = disjunction((at_least(size, 1), conjunction((equal(size, 0), equal(extent, 0)))))
    claim = check("C1", valid, "the size of a part is negative or 0", shown)
    if claim.formula is FALSE:
        return always_fails(op, claim)
    return OpSemantics((_split_tensor(ctx, op.operands[0], at, _part_sizes(extent, size)),), requires=(claim,))


def _part_sizes(extent: Dim, size: Dim) -> list[Dim]:
    """Return the sizes of the parts of a split: all equal but the last, which is the remainder.

    Raises:
        UnknownValueError: The number of parts is unknown, or above `MOST_PARTS`.
    """
    count = choose(equal(size, 0), 1, maximum(ceildiv(extent, size), 1))
    if not count.is_constant or count.constant > MOST_PARTS:
        raise UnknownValueError("how many parts there are is not known")
    number = count.constant
    return [size] * (number - 1) + [extent - size * (number - 1)]


@rule("torch.aten.chunk", "torch.aten.unsafe_chunk", example=PARTS, effects=STOPS)
def chunk(op: Operation, ctx: RuleContext) -> OpSemantics:
    """At most so many parts along a dimension, of one size but for the last, which may be smaller.

    (C1) The number is positive.
    (R1) The result lists the parts, where their number is known.
    """
    extents, number = ctx.dims(op.operands[0]), constant(ctx, op.operands[1])
    at = nonscalar_axis_of(ctx, op.operands[2], extents)
    if number < 1:
        return always_raises(op, "C1", "the number of parts is not positive")
    extent = extents[at]
    if not extent.is_constant:
        raise UnknownValueError("how many parts there are is not known")
    if extent.constant == 0:
        return OpSemantics((_split_tensor(ctx, op.operands[0], at, [dim(0)] * number),))
    return OpSemantics((_split_tensor(ctx, op.operands[0], at, _part_sizes(extent, ceildiv(extent, dim(number)))),))


@rule("torch.aten.unbind.int", "torch.aten.unbind_copy.int", example=PARTS, effects=STOPS)
def unbind(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The slices of a tensor along a dimension, one for each index.

    (R1) The result lists tensors of the other extents, one a place, where their number is known.
    """
    extents = ctx.dims(op.operands[0])
    at = nonscalar_axis_of(ctx, op.operands[1], extents)
    if not extents[at].is_constant or extents[at].constant > MOST_PARTS:
        raise UnknownValueError("how many parts there are is not known")
    rest = [each for index, each in enumerate(extents) if index != at]
    part = replace(Tensor.of(rest), between=interval_of_some(ctx, op.operands[0]))
    return OpSemantics((ListValue((part,) * extents[at].constant),))


@rule("torch.aten.tensor_split.sections", example=PARTS, effects=STOPS)
def split_evenly(op: Operation, ctx: RuleContext) -> OpSemantics:
    """So many parts along a dimension, the first of which have one more place than the others where it is not divided.

    (C1) The number of parts is positive.
    (C2) The tensor has a dimension.
    (R1) The result lists the parts.
    """
    extents, number = ctx.dims(op.operands[0]), constant(ctx, op.operands[1])
    if number < 1:
        return always_raises(op, "C1", "the number of parts is not positive")
    if not extents:
        return always_raises(op, "C2", f"{op.operands[0].name} has no dimension")
    if number > MOST_PARTS:
        raise UnknownValueError("there are too many parts to be listed")
    at = axis_of(ctx, op.operands[2], len(extents))
    sizes = [ceildiv(extents[at] - each, dim(number)) for each in range(number)]
    return OpSemantics((_split_tensor(ctx, op.operands[0], at, sizes),))


# Spread out over each other ------------------------------------------------------------------------------------------


@rule("torch.aten.meshgrid", "torch.aten.meshgrid.indexing", example=PARTS, effects=STOPS)
def grid(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Vectors, each repeated along those of the others: the coordinates of the points of a grid.

    (C1) There is a vector.
    (C2) The tensors are vectors, or scalars.
    (R1) The result lists as many tensors, of the lengths of the vectors; the first two change places for "xy".
    """
    every = tensor_extents(ctx, op.operands[0])
    order = text(ctx, op.operands[1]) if len(op.operands) > 1 else "ij"
    if order not in ("ij", "xy"):
        raise UnknownValueError(f"there is no such order of coordinates as {order}")
    if not every:
        return always_raises(op, "C1", "there is no vector")
    if max(map(len, every)) > 1:
        return always_raises(op, "C2", "a tensor is no vector")
    lengths = [extent_product(each) for each in every]
    if order == "xy":
        lengths[:2] = lengths[1::-1] if len(lengths) > 1 else lengths[:1]
    return OpSemantics((_broadcast_tensors(op, ctx, lengths),))


@rule("torch.aten.broadcast_tensors", example=PARTS, effects=STOPS)
def spread_out(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors expanded to the shape that they broadcast to.

    (C1) The tensors broadcast together.
    (R1) The result lists as many tensors of that shape.
    """
    every = tensor_extents(ctx, op.operands[0])
    if not every:
        return OpSemantics((ListValue(()),))
    shown = tuple(pair for at, each in enumerate(every) for pair in extent_pairs(f"tensor {at}", each))
    joint, claim = broadcast_extents(every, "C1", "the tensors do not broadcast", shown)
    return OpSemantics((_broadcast_tensors(op, ctx, joint),), requires=(claim,))


def _broadcast_tensors(op: Operation, ctx: RuleContext, extents: Sequence[Dim]) -> ListValue:
    """Return the listed tensors broadcast to these extents."""
    result = Tensor.of(extents)
    listed = [each for each in list_items(ctx, op.operands[0]) if isinstance(each, Tensor)]
    return ListValue(tuple(replace(result, between=tensor_interval(each)) for each in listed))
