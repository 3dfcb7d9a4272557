"""TOSA's element-wise operations. Operands of equal rank broadcast: in every column sizes are equal or 1."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import TRUE, disjunction, unequal
from shapesolve.language.shapes import RankedShape, Shape, broadcast, broadcastable
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Abstract, Tensor

from .constant_tensors import constant_tensor
from .extent_tensors import shown_dims
from .integers import element_type

UNARY = "tests/cases/tosa/unary.mlir"
BROADCASTS = "tests/cases/tosa/broadcasts.mlir"


@rule("tosa.const", example=UNARY, effects=PURE)
def constant(op: Operation, see: RuleContext) -> Meaning:
    """A constant tensor.

    (R1) The result has the declared shape and the listed elements.
    """
    return Meaning((constant_tensor(op, "values"),))


@rule(
    "tosa.abs",
    "tosa.bitwise_not",
    "tosa.cast",
    "tosa.ceil",
    "tosa.clamp",
    "tosa.clz",
    "tosa.cos",
    "tosa.erf",
    "tosa.exp",
    "tosa.floor",
    "tosa.log",
    "tosa.logical_not",
    "tosa.negate",
    "tosa.reciprocal",
    "tosa.rescale",
    "tosa.reverse",
    "tosa.rsqrt",
    "tosa.sigmoid",
    "tosa.sin",
    "tosa.table",
    "tosa.tanh",
    example=UNARY,
    effects=PURE,
)
def unary(op: Operation, see: RuleContext) -> Meaning:
    """One operand, element by element; zero points, tables and scales take no part in the shape.

    (R1) The result has the operand's shape.
    """
    return Meaning((Tensor(see.shape(op.operands[0])),))


@rule("tosa.identity", example=UNARY, effects=PURE)
def identity(op: Operation, see: RuleContext) -> Meaning:
    """Its operand.

    (R1) The result is the operand.
    """
    return Meaning((see.value(op.operands[0]),))


@rule(
    "tosa.add",
    "tosa.arithmetic_right_shift",
    "tosa.bitwise_and",
    "tosa.bitwise_or",
    "tosa.bitwise_xor",
    "tosa.equal",
    "tosa.greater",
    "tosa.greater_equal",
    "tosa.logical_and",
    "tosa.logical_left_shift",
    "tosa.logical_or",
    "tosa.logical_right_shift",
    "tosa.logical_xor",
    "tosa.maximum",
    "tosa.minimum",
    "tosa.pow",
    "tosa.sub",
    example=BROADCASTS,
    effects=PURE,
)
def binary(op: Operation, see: RuleContext) -> Meaning:
    """Two operands, element by element.

    (C1) In every column the two extents are equal or one of them is 1.
    (R1) The result is the broadcast of the operands: of two extents the one that is not 1.
    """
    return _broadcasting(op, see, op.operands)


@rule("tosa.intdiv", example="tests/cases/tosa/division.mlir", effects=PURE)
def divide(op: Operation, see: RuleContext) -> Meaning:
    """The quotient of two integer operands, element by element, rounded towards zero.

    (C1) In every column the two extents are equal or one of them is 1.
    (C2) No divisor is 0.
    (C3) The least number is not divided by -1: its quotient does not fit.
    (R1) The result is the broadcast of the operands: of two extents the one that is not 1.
    """
    meaning = _broadcasting(op, see, op.operands)
    dividends, divisors = (_numbers(see, operand) for operand in op.operands)
    known = [see.elements(operand) is not None for operand in op.operands]
    if 1 not in (len(dividends), len(divisors)) and see.shape(op.operands[0]) != see.shape(op.operands[1]):
        dividends, known[0] = (see.fresh_integer(op.operands[0]),), False  # whichever dividend a divisor meets
    pairs = zip(dividends, divisors, strict=True) if len(dividends) == len(divisors) else product(dividends, divisors)
    claims = [
        Claim("C2", unequal(divisor, 0), "a divisor is 0", shown=(("the divisor", divisor),)) for divisor in divisors
    ]
    least = -(2 ** (element_type(op.operands[0].type).width - 1))
    for dividend, divisor in pairs:
        fits = disjunction((unequal(dividend, least), unequal(divisor, -1)))
        shown = (("the dividend", dividend), ("the divisor", divisor))
        claims += [] if fits is TRUE else [Claim("C3", fits, "the least number is divided by -1", shown=shown)]
    mentioned = frozenset[Variable]().union(*(claim.formula.variables for claim in claims))
    unknown = [
        (f"the {word} are not followed", numbers[0].variables)
        for word, numbers, followed in zip(("dividends", "divisors"), (dividends, divisors), known, strict=True)
        if not followed and numbers[0].variables & mentioned
    ]
    return replace(
        meaning,
        claims=(*meaning.claims, *claims),
        approximations=tuple(reason for reason, _ in unknown),
        free=frozenset[Variable]().union(*(free for _, free in unknown)),
    )


def _numbers(see: RuleContext, value: Value) -> tuple[Dim, ...]:
    """The integers that a tensor holds, or one that stands for all of them."""
    return (see.fresh_integer(value),) if see.elements(value) is None else tuple(see.integers(value))


@rule("tosa.mul", example=BROADCASTS, effects=PURE)
def multiply(op: Operation, see: RuleContext) -> Meaning:
    """The product of two operands, element by element; the shift takes no part in the shape.

    (C1) In every column the two extents are equal or one of them is 1.
    (R1) The result is the broadcast of the two: of two extents the one that is not 1.
    """
    return _broadcasting(op, see, op.operands[:2])


@rule("tosa.select", example=BROADCASTS, effects=PURE)
def select(op: Operation, see: RuleContext) -> Meaning:
    """Picks each element from one of two operands.

    (C1) In every column all extents of the predicate and of both operands that are not 1 are equal.
    (R1) The result is the broadcast of all three.
    """
    return _broadcasting(op, see, op.operands)


@rule("tosa.apply_scale", example=BROADCASTS, effects=PURE)
def apply_scale(op: Operation, see: RuleContext) -> Meaning:
    """Scales fixed-point values, element by element.

    (R1) The result is of the operand's kind: a number, or a tensor of its shape.
    """
    value = see.value(op.operands[0])
    return Meaning((Tensor(value.shape) if isinstance(value, Tensor) else see.unknown(op.results[0]),))


def _broadcasting(op: Operation, see: RuleContext, operands: tuple[Value, ...]) -> Meaning:
    shapes = [see.shape(operand) for operand in operands]
    shown = tuple(pair for value, shape in zip(operands, shapes, strict=True) for pair in shown_dims(value, shape))
    claim = Claim("C1", broadcastable(*shapes), "the operands do not broadcast", shown=shown)
    return Meaning((_in_any_case(broadcast(*shapes)),), claims=(claim,))


def _in_any_case(shape: Shape) -> Abstract:
    """What operands broadcast to, once the claim that they do has been raised."""
    return Tensor(RankedShape.of(shape.dims) if isinstance(shape, RankedShape) else shape)
