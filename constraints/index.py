"""The `index` dialect: arithmetic on numbers as wide as a pointer, here 64 bits."""

from __future__ import annotations

import re

from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import OpSemantics, PoisonFlow
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formulas import truth

from .arith.integers import signed_choice, unsigned_choice
from .transfer.bits import bitwise
from .transfer.elementwise import elementwise
from .transfer.integer_arithmetic import arithmetic, cast, comparison, shift, signed_division, unsigned_division
from .transfer.integers import WORD

ARITHMETIC = "tests/cases/index/arithmetic.mlir"
DIVISION = "tests/cases/index/division.mlir"
BITS = "tests/cases/index/bits.mlir"
CASTS = "tests/cases/index/casts.mlir"

_PREDICATE = re.compile(r"\b(eq|ne|[su][lg][te])\b")


@rule("index.constant", "index.bool.constant", example=ARITHMETIC, effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A constant.

    (R1) The result is the number or truth value.
    """
    value = op.attributes.get("value")
    if not isinstance(value, int):
        raise UnknownValueError("the constant cannot be read")
    return OpSemantics((truth(bool(value)) if op.name == "index.bool.constant" else dim(int(value)),))


@rule("index.sizeof", example=CASTS, effects=PURE)
def sizeof(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The width of index.

    (R1) The result is 64.
    """
    return OpSemantics((dim(WORD),), assumes=("index has 64 bits",))


@rule("index.add", example=ARITHMETIC, effects=PURE)
def add(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum.

    (R1) The result is the sum.
    """
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", lambda a, b: a + b, "xor"))


@rule("index.sub", example=ARITHMETIC, effects=PURE)
def sub(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The difference.

    (R1) The result is the difference.
    """
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", lambda a, b: a - b, "xor"))


@rule("index.mul", example=ARITHMETIC, effects=PURE)
def mul(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product.

    (R1) The result is the product.
    """
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", lambda a, b: a * b, "and"))


@rule("index.divs", example=DIVISION, effects=PURE)
def divs(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded towards zero.

    (C2) The divisor is not 0.
    (C3) The least number is not divided by -1: the quotient does not fit.
    (R1) The result is the quotient.
    """
    return elementwise(op, ctx, signed_division(op, "zero"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("index.floordivs", example=DIVISION, effects=PURE)
def floordivs(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded down.

    (C2) The divisor is not 0.
    (C3) The least number is not divided by -1: the quotient does not fit.
    (R1) The result is the quotient.
    """
    return elementwise(op, ctx, signed_division(op, "down"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("index.ceildivs", example=DIVISION, effects=PURE)
def ceildivs(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded up.

    (C2) The divisor is not 0.
    (C3) The least number is not divided by -1: the quotient does not fit.
    (R1) The result is the quotient.
    """
    return elementwise(op, ctx, signed_division(op, "up"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("index.rems", example=DIVISION, effects=PURE)
def rems(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The remainder of the signed quotient rounded towards zero.

    (C2) The divisor is not 0.
    (C3) The least number is not divided by -1: the quotient does not fit.
    (R1) The result is the remainder, with the sign of the dividend.
    """
    return elementwise(op, ctx, signed_division(op, "rest"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("index.divu", example=DIVISION, effects=PURE)
def divu(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The unsigned quotient, rounded down.

    (C2) The divisor is not 0.
    (R1) The result is the quotient of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, "zero"), poison_flow=PoisonFlow.DIVIDED)


@rule("index.ceildivu", example=DIVISION, effects=PURE)
def ceildivu(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The unsigned quotient, rounded up.

    (C2) The divisor is not 0.
    (R1) The result is the quotient of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, "up"), poison_flow=PoisonFlow.DIVIDED)


@rule("index.remu", example=DIVISION, effects=PURE)
def remu(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The remainder of the unsigned quotient.

    (C2) The divisor is not 0.
    (R1) The result is the remainder of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, "rest"), poison_flow=PoisonFlow.DIVIDED)


@rule("index.maxs", "index.mins", example=ARITHMETIC, effects=PURE)
def signed_extremes(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greater or the lesser of two signed numbers.

    (R1) The result is the one that the name says.
    """
    return signed_choice(op, ctx, op.name[len("index.") :][:3])


@rule("index.maxu", "index.minu", example=ARITHMETIC, effects=PURE)
def unsigned_extremes(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greater or the lesser of two unsigned numbers.

    (R1) The result is the one that the name says, a negative number being greater than any other.
    """
    return unsigned_choice(op, ctx, op.name[len("index.") :][:3])


@rule("index.and", "index.or", "index.xor", example=BITS, effects=PURE)
def bits(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Bitwise and, or, exclusive or.

    (R1) The result is exact for constants, for masks of few runs of ones and where no bits meet; of two unknown numbers
    it is known how it relates to the bits in common, and bounds and multiples of those.
    """
    return elementwise(op, ctx, bitwise(op, ctx, op.name[len("index.") :]))


@rule("index.shl", "index.shrs", "index.shru", example=BITS, effects=PURE)
def shifts(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shift to the left, or to the right with the sign kept or zeros brought in.

    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (R1) The result is the product by 2**k, or the quotient rounded down; of an unknown amount k, where that fits.
    """
    return elementwise(
        op, ctx, shift(op, ctx, {"index.shl": "left", "index.shrs": "right", "index.shru": "right unsigned"}[op.name])
    )


@rule("index.cmp", example=ARITHMETIC, effects=PURE)
def cmp(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A comparison.

    (R1) The result says whether the operands compare as the predicate says; an unsigned predicate takes a negative
    number for a greater one than any other.
    """
    predicate = _PREDICATE.search(str(op.attributes.get("pred", "")).partition("cmp_predicate")[2])
    if predicate is None:
        raise UnknownValueError("the predicate is not known")
    return elementwise(op, ctx, comparison(predicate[1]))


@rule("index.casts", example=CASTS, effects=PURE)
def casts(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An index as an integer or an integer as an index, by the signed value.

    (R1) The result is the signed value in a type at least as wide, else the lowest bits.
    """
    return elementwise(op, ctx, cast(op, zero_extends=False))


@rule("index.castu", example=CASTS, effects=PURE)
def castu(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An index as an integer or an integer as an index, by the unsigned value.

    (R1) The result is the unsigned value in a wider type, else the lowest bits.
    """
    return elementwise(op, ctx, cast(op, zero_extends=True))
