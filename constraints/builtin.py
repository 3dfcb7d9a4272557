"""The `builtin` dialect: casts between types of different dialects, and modules inside functions."""

from __future__ import annotations

from shapesolve.domain.values import Abstract, Tensor, UnknownValue, Unmodeled
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.semantics.registry import ExternalEffect, rule

NOT_FOLLOWED = "a cast between types of different dialects is not followed"


@rule("builtin.unrealized_conversion_cast", example="tests/cases/func/casts.mlir", effects=PURE)
def unrealized_conversion_cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same value in the type of another dialect.

    (R1) A number stays the same number where both types hold it, and a shaped value keeps its shape.
    (R2) A tensor or vector keeps its elements as another tensor or vector. What a buffer holds is not followed.
    """
    if len(op.operands) != 1 or len(op.results) != 1:
        return OpSemantics(tuple(Unmodeled(NOT_FOLLOWED) for _ in op.results))
    return OpSemantics((_converted(op.operands[0], op.results[0], ctx),))


_INSIDE = ExternalEffect("nobody has lowered a module that stands in a function")


@rule("builtin.module", example="tests/cases/func/nested_modules.mlir", outside=_INSIDE)
@rule("func.func", example="tests/cases/func/nested_modules.mlir")
def definition(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A module, or a function in it, where the code around it runs: nothing happens there."""
    return OpSemantics()


def _converted(operand: Value, result: Value, ctx: RuleContext) -> Abstract:
    source, target = operand.type, result.type
    if source == target:
        return ctx.value(operand)
    if isinstance(source, ScalarType) and isinstance(target, ScalarType):
        if target.kind == "float":
            return UnknownValue()
        if source.kind != "float" and source.width == target.width:
            return ctx.value(operand)
    if (
        isinstance(source, ShapedType)
        and isinstance(target, ShapedType)
        and source.rank == target.rank
        and str(source.element) == str(target.element)
    ):
        is_memory = "memref" in (source.container, target.container)
        return Tensor(ctx.shape(operand)) if is_memory else ctx.value(operand)
    return Unmodeled(NOT_FOLLOWED)
