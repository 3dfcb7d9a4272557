"""Operators of ONNX that give the same elements another shape, order or number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal, negation
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.shape_kinds import RankedShape

from ..torch.operands import always_raises, broadcast_extents, check, extent_pairs, tensor_from
from ..torch.reshapes import view_extents
from ..transfer.extent_tensors import extent_product
from .nodes import axes, axis, constant_list, integer_attribute, integers_attribute, listed

EXAMPLE = "tests/cases/onnx/reshapes.mlir"


def _same_elements(op: Operation, ctx: RuleContext, extents: Sequence[Dim], *claims: Claim) -> OpSemantics:
    """Return the semantics of an operator that keeps the elements in order under new extents."""
    return OpSemantics((ctx.arranged(op.operands[0], RankedShape.of(extents)),), requires=claims)


@rule("onnx.Reshape", example=EXAMPLE, effects=STOPS)
def reshape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in the same order in another shape.

    A size of -1 is what is left for it; a size of 0 is the extent in that place, unless ``allowzero`` is set.

    (C1) No size is less than -1, and a 0 stands in the place of an extent.
    (C2) The sizes multiply to the number of elements. Where one is -1, the others multiply to a divisor of it, not 0.
    (R1) The result has the sizes.
    """
    source = op.operands[0]
    before, given = ctx.dims(source), listed(op, ctx, "shape", 1)
    if given is None:
        raise UnknownValueError("there is no shape")
    sizes, lost, copied = list(given), FALSE, list[int]()
    for at, size in enumerate(given if not integer_attribute(op, "allowzero", 0) else ()):
        copies = equal(size, 0)
        if at >= len(before):
            lost = disjunction((lost, copies))
        elif copies is TRUE:
            copied.append(at)
        else:
            sizes[at] = choose(copies, before[at], size)
    asks = [equal(each, -1) for each in sizes]
    if not all(each is TRUE or each is FALSE for each in asks) or asks.count(TRUE) > 1:
        sizes, copied = [before[at] if at in copied else each for at, each in enumerate(sizes)], []
    shown = extent_pairs(source.name, before)
    rest = [each for at, each in enumerate(sizes) if at not in copied]
    found, claims = view_extents([each for at, each in enumerate(before) if at not in copied], rest, shown)
    fits = claims[1].formula
    # What is copied stands on both sides, unless it is 0.
    some = conjunction(at_least(before[at], 1) for at in copied)
    formulas = {
        "C1": conjunction((claims[0].formula, negation(lost))),
        "C2": conjunction((fits, some)) if TRUE in asks else disjunction((fits, negation(some))),
    }
    others = iter(found)
    extents = [before[at] if at in copied else next(others) for at in range(len(sizes))]
    return _same_elements(op, ctx, extents, *(replace(each, formula=formulas[each.clause]) for each in claims))


@rule("onnx.Flatten", example=EXAMPLE, effects=STOPS)
def flatten(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A matrix of the same elements.

    (R1) Its rows are the product of the extents before an axis, its columns that of the others.
    """
    extents = ctx.dims(op.operands[0])
    at = axis(integer_attribute(op, "axis", 1), len(extents), ends_at_rank=True)
    return _same_elements(op, ctx, [extent_product(extents[:at]), extent_product(extents[at:])])


@rule("onnx.Unsqueeze", example=EXAMPLE, effects=STOPS)
def unsqueeze(op: Operation, ctx: RuleContext) -> OpSemantics:
    """More dimensions.

    (R1) The result has an extent of 1 at each axis, and the others in order.
    """
    extents, numbers = ctx.dims(op.operands[0]), constant_list(op, ctx, "axes", 1)
    if numbers is None:
        raise UnknownValueError("there are no axes")
    rank = len(extents) + len(numbers)
    new, old = axes(numbers, rank), iter(extents)
    return _same_elements(op, ctx, [dim(1) if at in new else next(old) for at in range(rank)])


@rule("onnx.Squeeze", example=EXAMPLE, effects=STOPS)
def squeeze(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Fewer dimensions: those of the named axes, or all of extent 1.

    (C1) A named axis has an extent of 1.
    (R1) The result has the other extents.
    """
    source = op.operands[0]
    extents, numbers = ctx.dims(source), constant_list(op, ctx, "axes", 1)
    if numbers is None:
        if not all(each.is_constant for each in extents):
            raise UnknownValueError("which of the dimensions have an extent of 1 is not known")
        return _same_elements(op, ctx, [each for each in extents if each.constant != 1])
    out = axes(numbers, len(extents))
    claims = [
        check("C1", equal(extents[at], 1), f"extent {at} is not 1", ((f"extent {at} of {source.name}", extents[at]),))
        for at in sorted(out)
    ]
    return _same_elements(op, ctx, [each for at, each in enumerate(extents) if at not in out], *claims)


@rule("onnx.Transpose", example=EXAMPLE, effects=STOPS)
def transpose(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The dimensions in another order, or reversed.

    (R1) The result has the extents in that order.
    """
    extents = ctx.dims(op.operands[0])
    order = integers_attribute(op, "perm")
    order = tuple(reversed(range(len(extents)))) if order is None else order
    if sorted(order) != list(range(len(extents))):
        raise UnknownValueError("this is no order of the dimensions")
    return OpSemantics((tensor_from(ctx, op.operands[0], [extents[at] for at in order]),))


@rule("onnx.Expand", example=EXAMPLE, effects=STOPS)
def expand(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor broadcast with a shape.

    (C1) The tensor and the shape broadcast together: aligned from the right, extents are equal or 1.
    (C2) No size is negative.
    (R1) The result has the shape that they broadcast to.
    """
    source, sizes = op.operands[0], ctx.integers(op.operands[1])
    extents = ctx.dims(source)
    pairs = tuple((f"size {at}", size) for at, size in enumerate(sizes))
    result, claim = broadcast_extents(
        (extents, sizes),
        "C1",
        "the tensor does not broadcast with the shape",
        (*extent_pairs(source.name, extents), *pairs),
    )
    valid = check("C2", conjunction(at_least(each, 0) for each in sizes), "a size is negative", pairs)
    return OpSemantics((tensor_from(ctx, source, result),), requires=(valid, claim))


@rule("onnx.Tile", example=EXAMPLE, effects=STOPS)
def tile(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor so many times in each dimension.

    (C1) There is one number for each dimension.
    (C2) No number is negative.
    (R1) The result has the extents times the numbers.
    """
    source, times = op.operands[0], ctx.integers(op.operands[1])
    extents = ctx.dims(source)
    if len(times) != len(extents):
        return always_raises(op, "C1", f"{len(times)} numbers for {len(extents)} dimensions")
    shown = tuple((f"number {index}", each) for index, each in enumerate(times))
    claim = check("C2", conjunction(at_least(each, 0) for each in times), "a number of repetitions is negative", shown)
    result = [extent * each for extent, each in zip(extents, times, strict=True)]
    return OpSemantics((tensor_from(ctx, source, result),), requires=(claim,))


@rule("onnx.DepthToSpace", "onnx.SpaceToDepth", example=EXAMPLE, effects=STOPS)
def blocks(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Channels as blocks of an image, or blocks as channels.

    (C1) The input has rank 4.
    (C2) The channels are divided by the square of the block, or the sides of the image by the block.
    (R1) The result has the channels divided and the sides multiplied, or the other way round.
    """
    source, block = op.operands[0], integer_attribute(op, "blocksize", 0)
    extents = ctx.dims(source)
    if block < 1:
        raise UnknownValueError("the block has no size")
    if len(extents) != 4:
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    n, c, h, w = extents
    shown = extent_pairs(source.name, extents)
    if op.name == "onnx.DepthToSpace":
        claim = check("C2", divides(dim(block * block), c), "the channels are not divided by the block", shown)
        return OpSemantics((Tensor.of([n, c // (block * block), h * block, w * block]),), requires=(claim,))
    whole = conjunction((divides(dim(block), h), divides(dim(block), w)))
    claim = check("C2", whole, "the sides are not divided by the block", shown)
    return OpSemantics((Tensor.of([n, c * (block * block), h // block, w // block]),), requires=(claim,))


@rule("onnx.Shape", example=EXAMPLE, effects=PURE)
def shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The extents of a tensor, or those from one place to another.

    (R1) The result holds them.
    """
    extents = ctx.dims(op.operands[0])
    rank = len(extents)
    first, last = integer_attribute(op, "start", 0), integer_attribute(op, "end", rank)
    first, last = (min(max(each + rank if each < 0 else each, 0), rank) for each in (first, last))
    held = extents[first:last]
    return OpSemantics((Tensor.of([len(held)], held),))


@rule("onnx.Size", example=EXAMPLE, effects=PURE)
def size(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of elements of a tensor.

    (R1) The result is a scalar that holds it.
    """
    return OpSemantics((Tensor.of([], (extent_product(ctx.dims(op.operands[0])),)),))
