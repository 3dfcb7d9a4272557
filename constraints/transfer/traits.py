"""Semantics of operations that have no rule of their own and are declared to carry a trait of MLIR."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Abstract, Tensor, Unmodeled
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import trait
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_extents
from shapesolve.trace.events import Kind

from .elementwise import common_shape
from .extent_tensors import shown_dims

UNSTATED = "the trait says nothing of this result"
MIXED = "a tensor beside a vector is taken as the trait's page says; every version of MLIR refuses it (verify)"


@trait("Broadcastable", carried_by=("test.broadcastable",))
def broadcastable_trait(op: Operation, ctx: RuleContext, number: int) -> OpSemantics:
    """Operands that broadcast, as the trait `Broadcastable` (`ResultsBroadcastableShape`) demands.

    (C1) There is at least one operand and exactly one result, and all of them are tensors or vectors.
    (C2) In every column, counted from the right, the extents of the operands are equal or 1.
    (R1) The result is the broadcast of the operands: in every column the extent that is not 1.

    The page does not say that all of them are of one kind, so a tensor may stand beside a vector. MLIR refuses that.
    """
    if not op.operands or len(op.results) != 1 or not _are_shaped((*op.operands, *op.results)):
        return _malformed(op, "the operands and the one result are not all tensors or vectors")
    shapes = [ctx.shape(operand) for operand in op.operands]
    shown = tuple(pair for value, shape in zip(op.operands, shapes, strict=True) for pair in shown_dims(value, shape))
    claim = Claim("C2", broadcastable(*shapes), "the operands do not broadcast", shown=shown)
    result = broadcast(*shapes)
    # The claim holds from here on, so the result is valid.
    valid = RankedShape.of(result.dims) if isinstance(result, RankedShape) else result
    modeling = (MIXED,) if _kinds_of((*op.operands, *op.results)) == {"tensor", "vector"} else ()
    return OpSemantics((Tensor(valid),), requires=(claim,), assumes=Assumes(modeling))


@trait("SameOperandsAndResultShape")
def same_operands_and_result_shape(op: Operation, ctx: RuleContext, number: int) -> OpSemantics:
    """Operands and results that all have one shape, as the trait `SameOperandsAndResultShape` demands.

    (C1) There is an operand, and all operands and results are tensors or vectors.
    (C2) All operands have the same shape.
    (R1) Every result has that shape.
    """
    if not op.operands or not _are_shaped((*op.operands, *op.results)):
        return _malformed(op, "the operands and results are not all tensors or vectors")
    shape, claims = _one_shape(op.operands, ctx)
    return OpSemantics(_all_of(shape, op.results), requires=claims)


@trait("SameOperandsShape")
def same_operands_shape(op: Operation, ctx: RuleContext, number: int) -> OpSemantics:
    """Operands that all have one shape, as the trait `SameOperandsShape` demands.

    (C1) There is an operand, and all operands are tensors or vectors.
    (C2) All operands have the same shape.
    """
    if not op.operands or not _are_shaped(op.operands):
        return _malformed(op, "the operands are not all tensors or vectors")
    _, claims = _one_shape(op.operands, ctx)
    return OpSemantics(_unstated(op), requires=claims)


@trait("Elementwise")
def elementwise_trait(op: Operation, ctx: RuleContext, number: int) -> OpSemantics:
    """A scalar operation applied to each element, as the trait `Elementwise` demands.

    (C1) Where a result is a tensor or a vector, an operand is; where an operand is, all results are.
    (C2) All operands that are tensors or vectors have the same shape; others are used for each element.
    (R1) Every result that is a tensor or a vector has that shape.
    """
    shaped = [operand for operand in op.operands if _are_shaped([operand])]
    if not shaped:
        if any(_are_shaped([result]) for result in op.results):
            return _malformed(op, "a result has a shape and no operand has one")
        return OpSemantics(_unstated(op))
    if not _are_shaped(op.results):
        return _malformed(op, "an operand has a shape and a result has none")
    shape, claims = _one_shape(shaped, ctx)
    return OpSemantics(_all_of(shape, op.results), requires=claims)


@trait("as-operand", is_parametric=True)
def as_operand(op: Operation, ctx: RuleContext, number: int) -> OpSemantics:
    """Results of the shape of one operand, as shape inference by `InferTypeOpInterface` often has it.

    (C1) The operand and all results are tensors, vectors or memrefs.
    (R1) Every result has the shape of that operand.
    """
    if number >= len(op.operands):
        return _malformed(op, f"there is no operand {number}; the operation has {len(op.operands)}")
    operand = op.operands[number]
    if not all(isinstance(value.type, ShapedType) for value in (operand, *op.results)):
        return _malformed(op, f"operand {number} and the results do not all have a shape")
    return OpSemantics(_all_of(ctx.shape(operand), op.results))


def _are_shaped(values: Sequence[Value]) -> bool:
    return all(isinstance(value.type, ShapedType) and value.type.container in ("tensor", "vector") for value in values)


def _kinds_of(values: Sequence[Value]) -> set[str]:
    return {value.type.container for value in values if isinstance(value.type, ShapedType)}


def _one_shape(operands: Sequence[Value], ctx: RuleContext) -> tuple[Shape, tuple[Claim, ...]]:
    """Return the shape of operands that must agree in it, and the claims (C2) that they do."""
    if all(isinstance(value.type, ShapedType) and value.type.container == "tensor" for value in operands):
        return common_shape(operands, ctx, "C2")
    first, *others = operands
    shape = ctx.shape(first)
    agree = [same_extents(shape, ctx.shape(other)) for other in others if other.type != first.type]
    return shape, tuple(Claim("C2", each, "the operands differ in shape") for each in agree)


def _all_of(shape: Shape, results: Sequence[Value]) -> tuple[Abstract, ...]:
    return tuple(Tensor(shape) for _ in results)


def _unstated(op: Operation) -> tuple[Abstract, ...]:
    return tuple(Unmodeled(UNSTATED) for _ in op.results)


def _malformed(op: Operation, message: str) -> OpSemantics:
    """Return the semantics of an instance that no verifier of the trait accepts."""
    return OpSemantics(_unstated(op), requires=(Claim("C1", FALSE, message, Kind.TYPE),))
