"""Integer arithmetic of the arith dialect: constants, sums, products, shifts, divisions, minima, maxima, selects."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from shapesolve.domain.join import join, join_floats
from shapesolve.domain.values import MAX_ELEMENTS, Abstract, Element, Float, Tensor, UnknownValue
from shapesolve.ir.program import Attribute, DenseFloats, DenseIntegers, Operation, ScalarType, ShapedType
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Folds, OpSemantics, PoisonFlow, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, disjunction, either, equal, negation, truth
from shapesolve.symbolic.normal_forms import joined_size
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from ..transfer.bits import bitwise
from ..transfer.elementwise import common_shape, elementwise
from ..transfer.extent_tensors import bounds_of
from ..transfer.floats import constant as float_constant
from ..transfer.integer_arithmetic import (
    arithmetic,
    double_word_arithmetic,
    shift,
    signed_division,
    signed_extreme,
    unsigned_division,
    unsigned_extreme,
)
from ..transfer.integers import typed, unsigned_less, wrapped


@rule("arith.constant", example="tests/cases/arith/constant.mlir", effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A constant.

    (R1) The result is the number; of a tensor, its shape, its elements where they are few, and their bounds.
    """
    value = op.attributes.get("value")
    type = op.results[0].type
    if isinstance(type, ShapedType):
        return OpSemantics((_shaped_constant(type, value, ctx, op),))
    if isinstance(type, ScalarType) and type.kind != "float" and isinstance(value, int):
        return OpSemantics((_number(int(value), type),))
    if isinstance(type, ScalarType) and type.kind == "float" and isinstance(value, float):
        return OpSemantics((float_constant(value),))
    return OpSemantics((UnknownValue(),))


def _number(value: int, type: ScalarType) -> Element:
    return truth(value != 0) if type.is_boolean else typed(wrapped(dim(value), type.width), type)


def _shaped_constant(type: ShapedType, value: Attribute | None, ctx: RuleContext, op: Operation) -> Abstract:
    if type.extents is None or None in type.extents:  # a vector of scalable size
        unknown = ctx.unknown(op.results[0])
        return Tensor(unknown.shape) if isinstance(unknown, Tensor) else unknown
    extents = [extent for extent in type.extents if extent is not None]
    shape: Shape = RankedShape.of(extents)
    element = type.element
    count = prod(extents)
    if isinstance(value, DenseFloats) and value.values is not None and count <= MAX_ELEMENTS:
        return Tensor(shape, tuple(map(float_constant, value.values)))
    if not isinstance(value, DenseIntegers) or not isinstance(element, ScalarType):
        return Tensor(shape)
    between = bounds_of(value, element)
    if count > MAX_ELEMENTS:
        return Tensor(shape, between=between)
    values = (value.splat,) * count if value.splat is not None else value.values
    if values is None or len(values) != count:
        return Tensor(shape, between=between)
    return Tensor(shape, tuple(_number(each, element) for each in values), between=between)


@rule("arith.addi", example="tests/cases/arith/arithmetic.mlir", effects=PURE)
def addi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum of integers.

    (C1) Shaped operands have the same extents.
    (C2) With a flag nsw or nuw, the signed or unsigned sum does not wrap: it would be poison. Of 64 bits
    that is claimed only where it certainly wraps.
    (R1) Each element is the sum; narrower than 64 bits it wraps.
    """
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", lambda a, b: a + b, "xor"))


@rule("arith.subi", example="tests/cases/arith/arithmetic.mlir", effects=PURE)
def subi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The difference of integers.

    (C1) Shaped operands have the same extents.
    (C2) With a flag nsw or nuw, the signed or unsigned difference does not wrap: as for sums.
    (R1) Each element is the difference; narrower than 64 bits it wraps.
    """
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", lambda a, b: a - b, "xor"))


@rule("arith.muli", example="tests/cases/arith/arithmetic.mlir", effects=PURE)
def muli(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product of integers.

    (C1) Shaped operands have the same extents.
    (C2) With a flag nsw or nuw, the signed or unsigned product does not wrap: as for sums.
    (R1) Each element is the product; narrower than 64 bits it wraps.
    """
    return elementwise(op, ctx, arithmetic(op, ctx, "C2", lambda a, b: a * b, "and"))


@rule("arith.addui_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def addui_extended(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum of unsigned integers and its carry.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the sum modulo 2 to the width.
    (R2) The second says whether the unsigned sum is greater than the width holds.
    """
    return elementwise(op, ctx, double_word_arithmetic(op, "add"))


@rule("arith.subui_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def subui_extended(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The difference of unsigned integers and its borrow.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the difference modulo 2 to the width.
    (R2) The second says whether the first operand is the smaller unsigned number.
    """
    return elementwise(op, ctx, double_word_arithmetic(op, "sub"))


@rule("arith.mulsi_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def mulsi_extended(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product of signed integers in two words.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the low word.
    (R2) The second result is the high word.
    """
    return elementwise(op, ctx, double_word_arithmetic(op, "signed product"))


@rule("arith.mului_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def mului_extended(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product of unsigned integers in two words.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the low word.
    (R2) The second result is the high word.
    """
    return elementwise(op, ctx, double_word_arithmetic(op, "unsigned product"))


@rule("arith.maxsi", example="tests/cases/arith/extremes.mlir", effects=PURE)
def maxsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greater of signed integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the greater.
    """
    return signed_choice(op, ctx, "max")


@rule("arith.minsi", example="tests/cases/arith/extremes.mlir", effects=PURE)
def minsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The lesser of signed integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the lesser.
    """
    return signed_choice(op, ctx, "min")


@rule("arith.maxui", example="tests/cases/arith/extremes.mlir", effects=PURE)
def maxui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greater of unsigned integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the greater, a negative number being greater than any other.
    """
    return unsigned_choice(op, ctx, "max")


@rule("arith.minui", example="tests/cases/arith/extremes.mlir", effects=PURE)
def minui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The lesser of unsigned integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the lesser, a negative number being greater than any other.
    """
    return unsigned_choice(op, ctx, "min")


@rule("arith.andi", example="tests/cases/arith/bits.mlir", effects=PURE)
def andi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Bitwise and.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the conjunction of i1, quotients and remainders by powers of two for a mask of few runs of
    ones; of two unknown numbers, how it relates to the bits in common, and bounds and multiples of those.
    """
    return elementwise(op, ctx, bitwise(op, ctx, "and"))


@rule("arith.ori", example="tests/cases/arith/bits.mlir", effects=PURE)
def ori(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Bitwise or.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the disjunction of i1, the sum where no bits meet, quotients and remainders by powers of two
    for a mask of few runs of ones; of two unknown numbers, how it relates to the bits in common.
    """
    return elementwise(op, ctx, bitwise(op, ctx, "or"))


@rule("arith.xori", example="tests/cases/arith/bits.mlir", effects=PURE)
def xori(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Bitwise exclusive or.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the exclusive or of i1, quotients and remainders by powers of two for a mask of few runs of
    ones; of two unknown numbers, how it relates to the bits in common, and bounds and multiples of those.
    """
    return elementwise(op, ctx, bitwise(op, ctx, "xor"))


@rule("arith.select", example="tests/cases/arith/select.mlir", effects=PURE)
def select(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of two values.

    (C1) Tensors, a condition among them, have the same extents: it is an element-wise operation also where one truth
    value chooses a whole tensor.
    (R1) The result is the first value where the condition holds, else the second, as a whole or element by element.
    """
    condition, first, second = op.operands
    if not isinstance(condition.type, ShapedType):
        type = op.results[0].type
        if isinstance(type, ScalarType) and type.is_boolean:
            chosen: Abstract = either(ctx.truth(condition), ctx.truth(first), ctx.truth(second))
        else:
            chosen = join(ctx.truth(condition), ctx.value(first), ctx.value(second))
        whole = isinstance(type, ShapedType) and type.container == "tensor"
        claims = common_shape((first, second), ctx, "C1")[1] if whole else ()
        with unrecorded():
            holds = ctx.truth(condition)
            chooses = ((first, holds), (second, negation(holds)))
        chosen_poison = Results((chosen,), poison_flow=PoisonFlow.CHOSEN)
        return OpSemantics(chosen_poison, requires=claims, folds=Folds(chooses=chooses))
    shape, claims = common_shape(op.operands, ctx, "C1")
    columns = [ctx.elements(operand) for operand in op.operands]
    known = [column for column in columns if column is not None]
    if len(known) != 3 or len({len(column) for column in known}) != 1:
        return OpSemantics((Tensor(shape),), requires=claims)
    return OpSemantics(
        (Tensor(shape, tuple(_selected_element(*row) for row in zip(*known, strict=True))),), requires=claims
    )


def _selected_element(condition: Element, a: Element, b: Element) -> Element:
    if not isinstance(condition, Formula):
        raise UnknownValueError("the condition is no i1")
    if isinstance(a, Formula) and isinstance(b, Formula):
        return either(condition, a, b)
    if isinstance(a, Float) and isinstance(b, Float):
        return join_floats(condition, a, b)
    if not isinstance(a, Dim) or not isinstance(b, Dim):
        raise UnknownValueError("the values are of different kinds")
    return joined_size(condition, a, b)


SHIFT_EXAMPLE = "tests/cases/arith/shifts.mlir"


@rule("arith.shli", example=SHIFT_EXAMPLE, effects=PURE)
def shli(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shift to the left.

    (C1) Shaped operands have the same extents.
    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (C3) With a flag nsw or nuw, the signed or unsigned result of narrow integers does not wrap.
    (R1) Each element is multiplied by 2**k; narrower than 64 bits it wraps. Of an unknown amount k that is known only
    of what does not wrap.
    """
    return elementwise(op, ctx, shift(op, ctx, "left"))


@rule("arith.shrsi", example=SHIFT_EXAMPLE, effects=PURE)
def shrsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shift to the right that keeps the sign.

    (C1) Shaped operands have the same extents.
    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (C4) With ``exact``, only zeros are shifted out: the result would be poison.
    (R1) Each element is divided by 2**k for a known amount k, rounded down.
    """
    return elementwise(op, ctx, shift(op, ctx, "right"))


@rule("arith.shrui", example=SHIFT_EXAMPLE, effects=PURE)
def shrui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shift to the right that brings in zeros.

    (C1) Shaped operands have the same extents.
    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (C4) With ``exact``, only zeros are shifted out: the result would be poison.
    (R1) Each element, read as an unsigned number, is divided by 2**k for a known amount k.
    """
    return elementwise(op, ctx, shift(op, ctx, "right unsigned"))


DIVISION_EXAMPLE = "tests/cases/arith/division.mlir"


@rule("arith.divsi", example=DIVISION_EXAMPLE, effects=PURE)
def divsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded towards zero.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1: its quotient does not fit.
    (C4) With ``exact``, nothing is left over: the quotient would be poison.
    (R1) Each element is the quotient.
    """
    return elementwise(op, ctx, signed_division(op, "zero"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("arith.floordivsi", example=DIVISION_EXAMPLE, effects=PURE)
def floordivsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded down.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1.
    (R1) Each element is the quotient.
    """
    return elementwise(op, ctx, signed_division(op, "down"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("arith.ceildivsi", example=DIVISION_EXAMPLE, effects=PURE)
def ceildivsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The signed quotient, rounded up.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1.
    (R1) Each element is the quotient.
    """
    return elementwise(op, ctx, signed_division(op, "up"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("arith.remsi", example=DIVISION_EXAMPLE, effects=PURE)
def remsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The remainder of the signed quotient rounded towards zero.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1: the remainder is that of a quotient that does not fit.
    (R1) Each element is the remainder, with the sign of the dividend.
    """
    return elementwise(op, ctx, signed_division(op, "rest"), poison_flow=PoisonFlow.DIVIDED_SIGNED)


@rule("arith.divui", example=DIVISION_EXAMPLE, effects=PURE)
def divui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The unsigned quotient, rounded down.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C4) With ``exact``, nothing is left over: the quotient would be poison.
    (R1) Each element is the quotient of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, "zero"), poison_flow=PoisonFlow.DIVIDED)


@rule("arith.ceildivui", example=DIVISION_EXAMPLE, effects=PURE)
def ceildivui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The unsigned quotient, rounded up.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (R1) Each element is the quotient of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, "up"), poison_flow=PoisonFlow.DIVIDED)


@rule("arith.remui", example=DIVISION_EXAMPLE, effects=PURE)
def remui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The remainder of the unsigned quotient.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (R1) Each element is the remainder of the operands read as unsigned numbers.
    """
    return elementwise(op, ctx, unsigned_division(op, "rest"), poison_flow=PoisonFlow.DIVIDED)


def signed_choice(op: Operation, ctx: RuleContext, which: str) -> OpSemantics:
    """Return the semantics of a signed "max" or "min", with the conditions under which it is each operand."""
    semantics = elementwise(op, ctx, signed_extreme(op, which))
    if not _is_number(op):
        return semantics
    with unrecorded():
        a, b = (ctx.integer(operand) for operand in op.operands)
        return _with_min_max_fold(op, semantics, which, at_least(a, b), at_least(b, a))


def unsigned_choice(op: Operation, ctx: RuleContext, which: str) -> OpSemantics:
    """Return the semantics of an unsigned "max" or "min", with the conditions under which it is each operand."""
    semantics = elementwise(op, ctx, unsigned_extreme(op, which))
    if not _is_number(op):
        return semantics
    with unrecorded():
        a, b = (ctx.integer(operand) for operand in op.operands)
        more, less = (disjunction((unsigned_less(*pair), equal(a, b))) for pair in ((b, a), (a, b)))
    return _with_min_max_fold(op, semantics, which, more, less)


def _with_min_max_fold(
    op: Operation, semantics: OpSemantics, which: str, first_is_more: Formula, second_is_more: Formula
) -> OpSemantics:
    where = (first_is_more, second_is_more) if which == "max" else (second_is_more, first_is_more)
    return replace(semantics, folds=Folds(chooses=tuple(zip(op.operands, where, strict=True))))


def _is_number(op: Operation) -> bool:
    type = op.results[0].type
    return isinstance(type, ScalarType) and not type.is_boolean
