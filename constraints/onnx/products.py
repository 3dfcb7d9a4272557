"""Matrix products of ONNX."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formulas import equal

from ..torch.matmul import equation_semantics
from ..torch.operands import always_raises, broadcast_extents, check, extent_pairs, is_expandable
from .nodes import integer_attribute, operand, text_attribute

EXAMPLE = "tests/cases/onnx/products.mlir"


def _inner_claim(clause: str, sides: Sequence[tuple[Value, Sequence[Dim], int]]) -> Claim:
    """Return the claim that two contracted extents, at places counted from the front, are equal."""
    (_, a, i), (_, b, j) = sides
    shown = tuple((f"extent {at} of {value.name}", extents[at]) for value, extents, at in sides)
    return check(clause, equal(a[i], b[j]), "the inner sizes differ", shown)


@rule("onnx.MatMul", "onnx.MatMulInteger", "onnx.QLinearMatMul", example=EXAMPLE, effects=STOPS)
def matmul(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product of matrices, of batches of them, or of vectors, as numpy has it.

    (C1) No operand is a scalar.
    (C2) The batches broadcast.
    (C3) The columns of the first are the rows of the second.
    (R1) The result has the batch, the rows of the first and the columns of the second, as far as there are any.
    """
    left, right = op.operands[0], op.operands[3 if op.name == "onnx.QLinearMatMul" else 1]
    a, b = ctx.dims(left), ctx.dims(right)
    if not a or not b:
        return always_raises(op, "C1", "an operand is a scalar")
    others = [ctx.dims(each) for each in op.operands if each not in (left, right)]
    if any(not each.is_constant or each.constant != 1 for extents in others for each in extents):
        raise UnknownValueError("scales and zero points of rows or columns are not followed")
    claims: list[Claim] = [_inner_claim("C3", [(left, a, len(a) - 1), (right, b, max(len(b) - 2, 0))])]
    shown = (*extent_pairs("the first batch", a[:-2]), *extent_pairs("the second batch", b[:-2]))
    batch, broadcasts = broadcast_extents((a[:-2], b[:-2]), "C2", "the batches do not broadcast", shown)
    claims.append(broadcasts)
    rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
    return OpSemantics((Tensor.of([*batch, *rows, *columns]),), requires=claims)


@rule("onnx.Gemm", example=EXAMPLE, effects=STOPS)
def gemm(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A product of two matrices, each perhaps transposed, and a tensor that is added.

    (C1) The factors are matrices.
    (C2) What is added expands to the product.
    (C3) The columns of the first are the rows of the second.
    (R1) The result has the rows of the first and the columns of the second.
    """
    left, right = op.operands[:2]
    a, b = ctx.dims(left), ctx.dims(right)
    if len(a) != 2 or len(b) != 2:
        return always_raises(op, "C1", "a factor is no matrix")
    row_of_a, row_of_b = (int(integer_attribute(op, each, 0) != 0) for each in ("transA", "transB"))
    claims: list[Claim] = [_inner_claim("C3", [(left, a, 1 - row_of_a), (right, b, row_of_b)])]
    result = [a[row_of_a], b[1 - row_of_b]]
    added = operand(op, ctx, 2)
    if added is not None:
        extents = ctx.dims(added)
        shown = (*extent_pairs(added.name, extents), *extent_pairs("the product", result))
        claims.append(
            check("C2", is_expandable(extents, result), "what is added does not expand to the product", shown)
        )
    return OpSemantics((Tensor.of(result),), requires=claims)


@rule("onnx.Einsum", example=EXAMPLE, effects=STOPS)
def einsum(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Products of elements of tensors, summed over the letters that the result has not.

    (C1) There are as many operands as terms, and the result has letters of terms, each once.
    (C2) The rank of an operand is the number of letters of its term; an ellipsis stands for any further dimensions.
    (C3) The dimensions that have the same letter inside of a term are equal.
    (C4) The dimensions that have the same letter in different terms broadcast, as do those under ellipses.
    (R1) The result has the broadcast extents of its letters.
    """
    return equation_semantics(op, text_attribute(op, "equation", ""), [ctx.dims(each) for each in op.operands])
