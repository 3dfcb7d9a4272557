"""The `chlo` dialect: operations of StableHLO's clients before legalization, most of them with broadcasting."""

from __future__ import annotations

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import ONE, dim
from shapesolve.symbolic.formulas import at_least

from .torch.operands import broadcast_shape
from .transfer.elementwise import common_shape
from .transfer.extent_tensors import constant_tensor
from .transfer.strided_slices import integer_of, integers_of

EXAMPLE = "tests/cases/chlo/broadcasting.mlir"
OTHERS = "tests/cases/chlo/elementwise.mlir"

_BROADCASTING = split_names(
    "add and atan2 compare complex divide maximum minimum multiply next_after or polygamma power remainder select "
    "shift_left shift_right_arithmetic shift_right_logical subtract xor zeta"
)
_ELEMENTWISE = split_names(
    "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
    "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta"
)


@rule(*(f"chlo.broadcast_{name}" for name in _BROADCASTING), example=EXAMPLE, effects=STOPS)
def broadcasting(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Two operands, or a condition and two choices, that broadcast together, element by element.

    It is legalized to a `shape.cstr_broadcastable` and what that guards, so that a failure is a defined one.

    (C1) The operands broadcast together: aligned from the right, extents are equal or 1.
    (R1) The result has the shape that they broadcast to.
    """
    if "broadcast_dimensions" in op.attributes and not _is_aligned(op, ctx):
        raise UnknownValueError("its operands are not aligned from the right")
    shape, claims = broadcast_shape(ctx, op.operands)
    return OpSemantics((Tensor(shape),), requires=claims)


def _is_aligned(op: Operation, ctx: RuleContext) -> bool:
    """Return whether ``broadcast_dimensions`` maps the operand of lower rank to the last dimensions."""
    fewer, more = sorted(len(ctx.dims(operand)) for operand in op.operands)
    return integers_of(op, "broadcast_dimensions") == tuple(range(more - fewer, more))


@rule(*(f"chlo.{name}" for name in _ELEMENTWISE), example=OTHERS, effects=PURE)
def elementwise(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One operand or two, element by element.

    (C1) Two operands have the same shape.
    (R1) The result has that shape.
    """
    shape, claims = common_shape(op.operands, ctx, "C1")
    return OpSemantics((Tensor(shape),), requires=claims)


@rule("chlo.constant", example=OTHERS, effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Numbers that the program writes down.

    (R1) The result has the shape and the elements that are written.
    """
    return OpSemantics((constant_tensor(op, "value"),))


@rule("chlo.constant_like", example=OTHERS, effects=PURE)
def constant_like(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One number, as often as the operand has elements.

    (R1) The result has the operand's shape.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),))


@rule("chlo.top_k", example=OTHERS, effects=PURE)
def top_k(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The largest elements along the last dimension, and where they stand.

    (C1) The last dimension has as many elements.
    (R1) The results have so many there, and the operand's other extents.
    """
    *rest, last = ctx.dims(op.operands[0]) or (ONE,)
    count = dim(integer_of(op, "k"))
    name = op.operands[0].name
    claim = Claim("C1", at_least(last, count), f"{name} has fewer elements", shown=((f"last extent of {name}", last),))
    return OpSemantics(tuple(Tensor.of((*rest, count)) for _ in op.results), requires=(claim,))
