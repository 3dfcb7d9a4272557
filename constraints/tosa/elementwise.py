"""Element-wise operations of the tosa dialect, and operands that do not affect the shape of a result.

Operands of equal rank broadcast: in every dimension extents are equal or 1. The other operands are zero points, shifts,
multipliers, tables and conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.dims import Dim, DimLike, dim
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, unequal
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_extents

from ..transfer.elementwise import common_shape
from ..transfer.extent_tensors import constant_tensor, shown_dims
from ..transfer.integers import element_type

UNARY = "tests/cases/tosa/unary.mlir"
BROADCASTS = "tests/cases/tosa/broadcasts.mlir"


@rule("tosa.const", example=UNARY, effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A constant tensor.

    (R1) The result has the declared shape and the listed elements.
    """
    return OpSemantics((constant_tensor(op, "values"),))


@rule(
    *split_names(
        "tosa.abs tosa.bitwise_not tosa.cast tosa.ceil tosa.clamp tosa.clz tosa.cos tosa.erf tosa.exp tosa.floor "
        "tosa.log tosa.logical_not tosa.reciprocal tosa.rsqrt tosa.sigmoid tosa.sin tosa.tanh"
    ),
    example=UNARY,
    effects=PURE,
)
def unary(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One operand, element by element.

    (R1) The result has the operand's shape.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),))


@rule("tosa.negate", example=UNARY, effects=PURE)
def negate(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The negative of every element; zero points take no part in the shape.

    (C1) Each zero point is one number.
    (R1) The result has the operand's shape.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=length_claims("C1", ctx, op.operands[1:], 1))


@rule("tosa.table", example=UNARY, effects=PURE)
def table(op: Operation, ctx: RuleContext) -> OpSemantics:
    """For every element what a table holds for it.

    (C1) The table has 256 numbers for elements of 8 bits, and 513 for those of 16.
    (R1) The result has the operand's shape.
    """
    length = 256 if element_type(op.operands[0].type).width == 8 else 513
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=length_claims("C1", ctx, op.operands[1:], length))


@rule("tosa.rescale", example=UNARY, effects=PURE)
def rescale(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Every element times a multiplier, shifted to the right.

    (C1) There is one multiplier and one shift; per channel, one for every element of the last dimension.
    (C2) Each zero point is one number.
    (R1) The result has the operand's shape.
    """
    shape, (multiplier, shift, *zero_points) = ctx.shape(op.operands[0]), op.operands[1:]
    count = shape.column(0) if op.attributes.get("per_channel") is True else dim(1)
    claims = length_claims("C1", ctx, (multiplier, shift), count)
    return OpSemantics((Tensor(shape),), requires=(*claims, *length_claims("C2", ctx, zero_points, 1)))


@rule("tosa.identity", example=UNARY, effects=PURE)
def identity(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Its operand.

    (R1) The result is the operand.
    """
    return OpSemantics((ctx.value(op.operands[0]),))


@rule(
    *split_names(
        "tosa.add tosa.arithmetic_right_shift tosa.bitwise_and tosa.bitwise_or tosa.bitwise_xor tosa.equal "
        "tosa.greater tosa.greater_equal tosa.logical_and tosa.logical_left_shift tosa.logical_or "
        "tosa.logical_right_shift tosa.logical_xor tosa.maximum tosa.minimum tosa.pow tosa.sub"
    ),
    example=BROADCASTS,
    effects=PURE,
)
def binary(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Two operands, element by element.

    (C1) The ranks are equal, and in every column the two extents are equal or one of them is 1.
    (R1) The result is the broadcast of the operands: of two extents the one that is not 1.
    """
    return _broadcasting(ctx, op.operands)


@rule("tosa.intdiv", example="tests/cases/tosa/division.mlir", effects=PURE)
def divide(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The quotient of two integer operands, element by element, rounded towards zero.

    (C1) The ranks are equal, and in every column the two extents are equal or one of them is 1.
    (C2) No divisor is 0.
    (C3) The least number is not divided by -1: its quotient does not fit.
    (R1) The result is the broadcast of the operands: of two extents the one that is not 1.
    """
    semantics = _broadcasting(ctx, op.operands)
    dividends, divisors = (_numbers(ctx, operand) for operand in op.operands)
    known = [ctx.elements(operand) is not None for operand in op.operands]
    if 1 not in (len(dividends), len(divisors)) and ctx.shape(op.operands[0]) != ctx.shape(op.operands[1]):
        dividends, known[0] = (ctx.fresh_integer(op.operands[0]),), False  # one unknown dividend stands for all
    pairs = zip(dividends, divisors, strict=True) if len(dividends) == len(divisors) else product(dividends, divisors)
    claims = [
        Claim("C2", unequal(divisor, 0), "a divisor is 0", shown=(("the divisor", divisor),)) for divisor in divisors
    ]
    least = -(2 ** (element_type(op.operands[0].type).width - 1))
    for dividend, divisor in pairs:
        fits = disjunction((unequal(dividend, least), unequal(divisor, -1)))
        shown = (("the dividend", dividend), ("the divisor", divisor))
        claims += [] if fits is TRUE else [Claim("C3", fits, "the least number is divided by -1", shown=shown)]
    mentioned = variables_in(claim.formula for claim in claims)
    unknown = [
        (f"the {word} are not followed", numbers[0].variables)
        for word, numbers, followed in zip(("dividends", "divisors"), (dividends, divisors), known, strict=True)
        if not followed and numbers[0].variables & mentioned
    ]
    reasons, free = tuple(reason for reason, _ in unknown), frozenset[Variable]().union(*(free for _, free in unknown))
    return replace(semantics.with_claims(*claims), approximations=Approximations(reasons, free))


def _numbers(ctx: RuleContext, value: Value) -> tuple[Dim, ...]:
    """Return the elements of an integer tensor, or one unknown integer that represents them all."""
    return (ctx.fresh_integer(value),) if ctx.elements(value) is None else tuple(ctx.integers(value))


@rule("tosa.mul", example=BROADCASTS, effects=PURE)
def multiply(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product of two operands, element by element; the shift takes no part in the shape.

    (C1) The ranks are equal, and in every column the two extents are equal or one of them is 1.
    (C2) The shift is one number.
    (R1) The result is the broadcast of the two: of two extents the one that is not 1.
    """
    semantics = _broadcasting(ctx, op.operands[:2])
    return semantics.with_claims(*length_claims("C2", ctx, op.operands[2:], 1))


@rule("tosa.select", example=BROADCASTS, effects=PURE)
def select(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Picks each element from one of two operands.

    (C1) The ranks are equal, and in every column all extents of the predicate and of both operands that are not 1.
    (R1) The result is the broadcast of all three.
    """
    return _broadcasting(ctx, op.operands)


@rule("tosa.apply_scale", example=BROADCASTS, effects=PURE)
def apply_scale(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Scales fixed-point values, element by element.

    (C1) Operands that are tensors have the same shape.
    (R1) The result is of the operand's kind: a number, or a tensor of its shape.
    """
    shaped = [operand for operand in op.operands if isinstance(operand.type, ShapedType)]
    shape, claims = common_shape(shaped, ctx, "C1") if shaped else (None, ())
    is_tensor = isinstance(op.results[0].type, ShapedType) and op.results[0].type.container == "tensor"
    result = Tensor(shape) if shape is not None and is_tensor else ctx.unknown(op.results[0])
    return OpSemantics((result,), requires=claims)


def _broadcasting(ctx: RuleContext, operands: tuple[Value, ...]) -> OpSemantics:
    shapes = [ctx.shape(operand) for operand in operands]
    shown = tuple(pair for value, shape in zip(operands, shapes, strict=True) for pair in shown_dims(value, shape))
    ranks = conjunction(equal(shapes[0].rank, other.rank) for other in shapes[1:])
    claim = Claim("C1", conjunction((ranks, broadcastable(*shapes))), "the operands do not broadcast", shown=shown)
    return OpSemantics((_broadcast_result(broadcast(*shapes)),), requires=(claim,))


def _broadcast_result(shape: Shape) -> Abstract:
    """Return the broadcast result, once the claim that the operands broadcast has been raised."""
    return Tensor(RankedShape.of(shape.dims) if isinstance(shape, RankedShape) else shape)


def length_claims(clause: str, ctx: RuleContext, operands: Sequence[Value], count: DimLike) -> tuple[Claim, ...]:
    """Return the claims that the operands are vectors of ``count`` elements; none where the type says so."""
    claims: list[Claim] = []
    for operand in operands:
        given = ctx.shape(operand)
        formula = same_extents(given, RankedShape.of((count,)))
        if formula is not TRUE:
            message = f"{operand.name} is not a list of length {count}"
            claims.append(Claim(clause, formula, message, shown=tuple(shown_dims(operand, given))))
    return tuple(claims)
