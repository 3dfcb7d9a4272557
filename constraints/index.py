"""The `index` dialect: arithmetic on numbers as wide as a pointer, here 64 bits."""

from __future__ import annotations

import operator
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


_ARITHMETIC = {
    "index.add": (operator.add, "xor"),
    "index.sub": (operator.sub, "xor"),
    "index.mul": (operator.mul, "and"),
}
_SIGNED_DIVISIONS = {"index.divs": "zero", "index.floordivs": "down", "index.ceildivs": "up", "index.rems": "rest"}
_UNSIGNED_DIVISIONS = {"index.divu": "zero", "index.ceildivu": "up", "index.remu": "rest"}


@rule(*_ARITHMETIC, example=ARITHMETIC, effects=PURE)
def sums_and_products(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum, difference or product.

    (R1) The result is the one that the name says.
    """
    compute, boolean = _ARITHMETIC[op.name]
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", compute, boolean))


@rule(*_SIGNED_DIVISIONS, example=DIVISION, effects=PURE)
def signed_divisions(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded towards zero, down or up, or the remainder of the one rounded towards zero.

    (C2) The divisor is not 0.
    (C3) The least number is not divided by -1: the quotient does not fit.
    (R1) The result is the quotient, or the remainder, with the sign of the dividend.
    """
    division = signed_division(op, _SIGNED_DIVISIONS[op.name])
    return elementwise(op, ctx, division, poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule(*_UNSIGNED_DIVISIONS, example=DIVISION, effects=PURE)
def unsigned_divisions(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The unsigned quotient, rounded down or up, or the remainder of the one rounded down.

    (C2) The divisor is not 0.
    (R1) The result is the quotient or remainder of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, _UNSIGNED_DIVISIONS[op.name]), poison_flow=PoisonFlow.DIVIDED)


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
