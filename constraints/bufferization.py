"""The `bufferization` dialect: conversions between tensors and buffers."""

from __future__ import annotations

from shapesolve.domain.values import Tensor, Unmodeled
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import ANY_RESULT, READS, WRITES, on_values
from shapesolve.semantics.op_semantics import Claim, Memory, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction

from .memref import same_shapes
from .transfer.extent_tensors import extent_product
from .transfer.shape_checks import each_non_negative
from .transfer.strided_slices import declared_extents, segment

UNWRITTEN = ("neither a clone nor what it is made of is written to afterwards",)


@rule(
    "bufferization.to_tensor",
    "bufferization.to_buffer",
    "bufferization.to_memref",
    example="tests/cases/bufferization/conversions.mlir",
    effects=READS,
)
def conversion(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A buffer as a tensor, or a tensor as a buffer.

    (R1) The result has the shape of the operand.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),))


@rule("bufferization.clone", example="tests/cases/bufferization/conversions.mlir", effects=READS | ANY_RESULT)
def clone(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A copy of a buffer, or the buffer itself: that neither is written to afterwards is assumed.

    (R1) The result has the shape of the operand.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), memory=Memory(allocates=True), assumes=UNWRITTEN)


@rule("bufferization.alloc_tensor", example="tests/cases/bufferization/conversions.mlir", effects=ANY_RESULT)
def alloc_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A new tensor of the given sizes, or a copy of another.

    (C1) Every size is at least 0.
    (C2) The number of elements that is expected not to be 0 is at least 1, and no more than there are.
    (R1) The result has these sizes, or the shape and elements of what it copies.
    """
    copied, hint = segment(op, 1), segment(op, 2)
    memory = Memory(allocates=True)
    if copied:
        found = ctx.tensor(copied[0])
        return OpSemantics((found,), requires=_hinted(hint, ctx.dims(copied[0]) if hint else (), ctx), memory=memory)
    extents = declared_extents(ctx, op.results[0], segment(op, 0))
    results = (Tensor.of(extents),)
    claims = (*each_non_negative(extents), *_hinted(hint, extents, ctx))
    return OpSemantics(Results(results, is_poison=True, shape_operands=()), requires=claims, memory=memory)


def _hinted(hint: tuple[Value, ...], extents: tuple[Dim, ...], ctx: RuleContext) -> tuple[Claim, ...]:
    """Return clause C2 for each hint of the number of elements."""
    count = extent_product(extents)
    return tuple(
        Claim(
            "C2",
            conjunction((at_least(number, 1), at_least(count, number))),
            "the tensor cannot have that number of elements that are not 0",
            shown=(("the number", number), ("elements", count)),
        )
        for number in map(ctx.integer, hint)
    )


@rule(
    "bufferization.materialize_in_destination", example="tests/cases/bufferization/conversions.mlir", effects=on_values
)
def materialize_in_destination(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor written into a destination.

    (C1) Both have the same shape.
    (R1) The result, where the destination is a tensor, has this shape and the elements of the source.
    """
    source, into = op.operands
    results = (Tensor(ctx.shape(into), ctx.elements(source)),) if op.results else ()
    return OpSemantics(results, requires=same_shapes(op.operands[0], op.operands[1], ctx))


@rule("bufferization.dealloc_tensor", example="tests/cases/bufferization/conversions.mlir", effects=WRITES)
def dealloc_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Frees a tensor that is not used any more. Demands nothing of sizes."""
    return OpSemantics(memory=Memory(frees=op.operands))


@rule("bufferization.dealloc", example="tests/cases/bufferization/conversions.mlir", effects=WRITES)
def dealloc(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Frees the buffers whose conditions hold and that are none of those that are retained. Demands nothing of sizes.

    (R1) The results say who owns what is retained, which is not followed.
    """
    owned = zip(segment(op, 0), segment(op, 1), strict=True)
    frees = tuple(buffer for buffer, condition in owned if ctx.value(condition) is not FALSE)
    results = tuple(Unmodeled("the ownership of buffers is not followed") for _ in op.results)
    return OpSemantics(results, memory=Memory(frees=frees))
