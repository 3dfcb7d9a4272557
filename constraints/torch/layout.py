"""Operators that rearrange elements: diagonals, rotations, channel shuffles, strided views.

Of views of memory, only the number of elements is modeled, not where they lie.
"""

from __future__ import annotations

from shapesolve.domain.values import Tensor, Unmodeled
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Approximations, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal
from shapesolve.symbolic.normal_forms import maximum, minimum

from ..transfer.extent_tensors import extent_product
from .operands import (
    always_raises,
    argument_claims,
    axis,
    axis_of,
    broadcast_extents,
    check,
    constant,
    constants,
    extent_pairs,
    integers,
    is_present,
    nonscalar_axis_of,
)

EXAMPLE = "tests/cases/torch/layouts.mlir"
_AT_LEAST = {"torch.aten.atleast_1d": 1, "torch.aten.atleast_2d": 2}


@rule(*_AT_LEAST, example=EXAMPLE, effects=STOPS)
def of_some_rank(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with one or two dimensions at least: extents of 1 are put in front.

    (R1) The result has these, the operand's extents, and its elements.
    """
    source, extents = ctx.tensor(op.operands[0]), ctx.dims(op.operands[0])
    more = (dim(1),) * (_AT_LEAST[op.name] - len(extents))
    return OpSemantics((Tensor.of((*more, *extents), source.elements, between=source.between),))


@rule("torch.aten.diag", example=EXAMPLE, effects=STOPS)
def diagonal_or_matrix(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The diagonal of a matrix, or one beside it; or a matrix with a vector on that diagonal.

    (C1) The operand is a vector or a matrix.
    (R1) The result has the length of the diagonal, or rows and columns for the vector and what it is set off by.
    """
    extents, offset = ctx.dims(op.operands[0]), ctx.integer(op.operands[1])
    if len(extents) not in (1, 2):
        return always_raises(op, "C1", f"{op.operands[0].name} has rank {len(extents)}")
    if len(extents) == 1:
        return OpSemantics((Tensor.of([extents[0] + maximum(offset, -offset)] * 2),))
    down, right = extents[0] + minimum(offset, 0), extents[1] - maximum(offset, 0)
    return OpSemantics((Tensor.of([maximum(minimum(down, right), 0)]),))


@rule("torch.aten.diag_embed", example=EXAMPLE, effects=STOPS)
def diagonals_set(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Matrices with the last dimension of a tensor on their diagonals, or on ones beside these.

    (C1) The tensor has a dimension.
    (R1) The result has two dimensions more, less the last, of its extent and what it is set off by.
    """
    extents, offset = ctx.dims(op.operands[0]), ctx.integer(op.operands[1])
    if not extents:
        return always_raises(op, "C1", f"{op.operands[0].name} has no dimension")
    axes = [axis_of(ctx, each, len(extents) + 1) for each in op.operands[2:4]]
    if axes[0] == axes[1]:
        raise UnknownValueError("a diagonal has two dimensions")
    result = list(extents[:-1])
    for at in sorted(axes):
        result.insert(at, extents[-1] + maximum(offset, -offset))
    return OpSemantics((Tensor.of(result),))


@rule("torch.aten.trace", example=EXAMPLE, effects=STOPS)
def trace(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum of the diagonal of a matrix.

    (C1) The operand is a matrix.
    (R1) The result is a scalar.
    """
    rank = len(ctx.dims(op.operands[0]))
    claim = check("C1", equal(rank, 2), f"{op.operands[0].name} has rank {rank}")
    return OpSemantics((Tensor.of(()),), requires=(claim,))


@rule("torch.aten.rot90", example=EXAMPLE, effects=STOPS)
def turned(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor turned in the plane of two dimensions, by so many right angles.

    (R1) The result has the extents; both change places where the number of angles is odd.
    """
    extents, listed = list(ctx.dims(op.operands[0])), constants(ctx, op.operands[2])
    axes = [axis(each, len(extents)) for each in listed]
    if len(set(axes)) != 2 or len(axes) != 2:
        raise UnknownValueError("a plane has two dimensions")
    a, b = axes
    if constant(ctx, op.operands[1]) % 2:
        extents[a], extents[b] = extents[b], extents[a]
    return OpSemantics((Tensor.of(extents),))


@rule("torch.aten.channel_shuffle", example=EXAMPLE, effects=STOPS)
def channel_shuffle(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Channels in another order: the first of each group, then the second.

    (C1) There are a batch, channels, and something behind them.
    (C2) The channels are divided into the groups.
    (R1) The result has the operand's shape.
    """
    extents, groups = ctx.dims(op.operands[0]), constant(ctx, op.operands[1])
    if len(extents) < 3:
        return always_raises(op, "C1", f"{op.operands[0].name} has rank {len(extents)}")
    if groups < 1:
        raise UnknownValueError("the number of groups is not positive")
    shown = (("channels", extents[1]), ("groups", dim(groups)))
    claim = check("C2", divides(dim(groups), extents[1]), "the channels are not divided into the groups", shown)
    return OpSemantics((Tensor.of(extents),), requires=(claim,))


@rule("torch.aten.cosine_similarity", example=EXAMPLE, effects=STOPS)
def cosine_similarity(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The cosines of the angles between vectors that lie along a dimension.

    (C1) The tensors broadcast together.
    (C2) The least length that is divided by is not negative.
    (R1) The result has what they broadcast to, without the dimension.
    """
    shapes = [ctx.dims(each) for each in op.operands[:2]]
    shown = tuple(pair for v, each in zip(op.operands, shapes, strict=False) for pair in extent_pairs(v.name, each))
    joint, claim = broadcast_extents(shapes, "C1", "the tensors do not broadcast", shown)
    at = axis_of(ctx, op.operands[2], len(joint))
    return OpSemantics(
        (Tensor.of(each for index, each in enumerate(joint) if index != at),),
        requires=(claim, *argument_claims(op, ctx, "C2")),
    )


@rule("torch.aten._softmax_backward_data", example=EXAMPLE, effects=STOPS)
def softmax_gradient(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The gradient of the input of a softmax along a dimension.

    (C1) Gradient and output have the same shape.
    (R1) The result has it too.
    """
    a, b = (ctx.dims(each) for each in op.operands[:2])
    axis_of(ctx, op.operands[2], len(a))
    same = conjunction(equal(x, y) for x, y in zip(a, b, strict=True)) if len(a) == len(b) else FALSE
    shown = (*extent_pairs(op.operands[0].name, a), *extent_pairs(op.operands[1].name, b))
    return OpSemantics((Tensor.of(a),), requires=(check("C1", same, "gradient and output have other shapes", shown),))


MEMORY_EXAMPLE = "tests/cases/torch/memory.mlir"
_MEMORY = "where the elements of a tensor lie in memory is not followed"


@rule("torch.aten.as_strided", "torch.aten.as_strided_copy", example=MEMORY_EXAMPLE, effects=STOPS)
def strided_view(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements of the memory behind a tensor, with given strides, from an offset on.

    (C1) There is a step for each size.
    (C2) No size and no step is negative, nor is the offset.
    (C3) Where there are elements, they lie in the memory, which may be larger or smaller than the tensor.
    (R1) The result has the sizes.
    """
    sizes, steps = integers(ctx, op.operands[1]), integers(ctx, op.operands[2])
    if len(sizes) != len(steps):
        return always_raises(op, "C1", f"there are {len(steps)} steps for {len(sizes)} sizes")
    numbers = [*sizes, *steps]
    last = sum(((size - 1) * step for size, step in zip(sizes, steps, strict=True)), dim(0))
    held = ctx.fresh(f"{op.operands[0].name} memory")
    unknown = held.variables
    if is_present(ctx, op.operands[3]):
        offset = ctx.integer(op.operands[3])
        numbers.append(offset)
    else:
        offset = ctx.fresh(f"{op.operands[0].name} offset")
        unknown |= offset.variables
    valid = conjunction(at_least(each, 0) for each in numbers)
    inside = disjunction((equal(extent_product(sizes), 0), at_least(held, offset + last + 1)))
    shown = (
        *((f"size {at}", each) for at, each in enumerate(sizes)),
        *((f"step {at}", e) for at, e in enumerate(steps)),
    )
    claims = (
        check("C2", valid, "a size, a step or the offset is negative", shown),
        check("C3", inside, "the elements lie outside of the memory", shown),
    )
    return OpSemantics((Tensor.of(sizes),), requires=claims, approximations=Approximations((_MEMORY,), unknown))


@rule(
    "torch.aten.sym_stride.int",
    "torch.aten.stride.int",
    "torch.aten.sym_storage_offset",
    example=MEMORY_EXAMPLE,
    effects=STOPS,
)
def place_in_memory(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The strides of a tensor in memory, or its offset.

    (R1) The result is not followed.
    """
    if len(op.operands) > 1:
        nonscalar_axis_of(ctx, op.operands[1], ctx.dims(op.operands[0]))
    return OpSemantics((Unmodeled(_MEMORY),))
