"""Operators of ONNX between floats and small integers with a scale."""

from __future__ import annotations

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formulas import conjunction, disjunction, equal

from ..torch.operands import check, extent_pairs
from .nodes import axis, integer_attribute, operand

EXAMPLE = "tests/cases/onnx/quantization.mlir"


@rule("onnx.QuantizeLinear", "onnx.DequantizeLinear", example=EXAMPLE, effects=STOPS)
def scaled(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements with one scale, or with one for each place of an axis, as integers or back.

    (C1) A vector of scales has one for each place of the axis, or one for all.
    (C2) There are as many zero points as scales.
    (R1) The result has the first operand's shape.
    """
    source, scale = op.operands[:2]
    extents, scales = ctx.dims(source), ctx.dims(scale)
    if len(scales) > 1:
        raise UnknownValueError("scales of blocks are not followed")
    claims: list[Claim] = []
    if scales and scales[0] is not dim(1):
        shown = (*extent_pairs(source.name, extents), *extent_pairs(scale.name, scales))
        at = axis(integer_attribute(op, "axis", 1), len(extents))
        fits = disjunction((equal(scales[0], extents[at]), equal(scales[0], 1)))
        claims.append(check("C1", fits, f"there is not one scale for each place of dimension {at}", shown))
    zero = operand(op, ctx, 2)
    if zero is not None:
        zeros = ctx.dims(zero)
        if len(zeros) != len(scales):
            raise UnknownValueError("scales and zero points of different ranks are not followed")
        shown = (*extent_pairs(scale.name, scales), *extent_pairs(zero.name, zeros))
        same = conjunction(equal(a, b) for a, b in zip(scales, zeros, strict=True))
        claims += [check("C2", same, "there are not as many zero points as scales", shown)] if scales else []
    return OpSemantics((Tensor(ctx.shape(source)),), requires=claims)


@rule("onnx.DynamicQuantizeLinear", example=EXAMPLE, effects=STOPS)
def scaled_by_extremes(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements as integers, with the scale and the zero point that the least and the greatest of them give.

    (R1) The first result has the operand's shape, the others are scalars.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])), *(Tensor.of([]) for _ in op.results[1:])))
