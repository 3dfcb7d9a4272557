"""Integer arithmetic: constants, sums, products, extremes and choices."""

from __future__ import annotations

from math import prod

from shapesolve.language.dims import Dim, dim
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import Formula, either, negation, truth
from shapesolve.language.recording import unrecorded
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Attribute, DenseFloats, DenseIntegers, Operation, ScalarType, ShapedType
from shapesolve.walking.effects import PURE
from shapesolve.walking.joining import join, join_floats
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, Simpler, rule
from shapesolve.walking.values import MAX_ELEMENTS, Abstract, Element, Float, Opaque, Tensor

from .constant_tensors import bounds_of
from .elementwise import common_shape, elementwise
from .extremes import signed_choice, unsigned_choice
from .float_numbers import constant as float_constant
from .integer_arithmetic import arithmetic, extended
from .integer_bits import bitwise
from .integers import typed, wrapped


@rule("arith.constant", example="tests/cases/arith/constant.mlir", effects=PURE)
def constant(op: Operation, see: RuleContext) -> Meaning:
    """A constant.

    (R1) The result is the number; of a tensor, its shape, its elements where they are few, and their bounds.
    """
    value = op.attributes.get("value")
    type = op.results[0].type
    if isinstance(type, ShapedType):
        return Meaning((_shaped_constant(type, value, see, op),))
    if isinstance(type, ScalarType) and type.kind != "float" and isinstance(value, int):
        return Meaning((_number(int(value), type),))
    if isinstance(type, ScalarType) and type.kind == "float" and isinstance(value, float):
        return Meaning((float_constant(value),))
    return Meaning((Opaque(),))


def _number(value: int, type: ScalarType) -> Element:
    return truth(value != 0) if type.is_boolean else typed(wrapped(dim(value), type.width), type)


def _shaped_constant(type: ShapedType, value: Attribute | None, see: RuleContext, op: Operation) -> Abstract:
    if type.extents is None or None in type.extents:  # a vector of scalable size
        unknown = see.unknown(op.results[0])
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
def addi(op: Operation, see: RuleContext) -> Meaning:
    """The sum of integers.

    (C1) Shaped operands have the same extents.
    (C2) With a flag nsw or nuw, the signed or unsigned sum does not wrap: it would be poison. Of 64 bits
    that is claimed only where it certainly wraps.
    (R1) Each element is the sum; narrower than 64 bits it wraps.
    """
    return elementwise(op, see, arithmetic(op, "C2", lambda a, b: a + b, "xor"))


@rule("arith.subi", example="tests/cases/arith/arithmetic.mlir", effects=PURE)
def subi(op: Operation, see: RuleContext) -> Meaning:
    """The difference of integers.

    (C1) Shaped operands have the same extents.
    (C2) With a flag nsw or nuw, the signed or unsigned difference does not wrap: as for sums.
    (R1) Each element is the difference; narrower than 64 bits it wraps.
    """
    return elementwise(op, see, arithmetic(op, "C2", lambda a, b: a - b, "xor"))


@rule("arith.muli", example="tests/cases/arith/arithmetic.mlir", effects=PURE)
def muli(op: Operation, see: RuleContext) -> Meaning:
    """The product of integers.

    (C1) Shaped operands have the same extents.
    (C2) With a flag nsw or nuw, the signed or unsigned product does not wrap: as for sums.
    (R1) Each element is the product; narrower than 64 bits it wraps.
    """
    return elementwise(op, see, arithmetic(op, "C2", lambda a, b: a * b, "and"))


@rule("arith.addui_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def addui_extended(op: Operation, see: RuleContext) -> Meaning:
    """The sum of unsigned integers and its carry.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the sum modulo 2 to the width.
    (R2) The second says whether the unsigned sum is greater than the width holds.
    """
    return elementwise(op, see, extended(op, "add"))


@rule("arith.subui_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def subui_extended(op: Operation, see: RuleContext) -> Meaning:
    """The difference of unsigned integers and its borrow.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the difference modulo 2 to the width.
    (R2) The second says whether the first operand is the smaller unsigned number.
    """
    return elementwise(op, see, extended(op, "sub"))


@rule("arith.mulsi_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def mulsi_extended(op: Operation, see: RuleContext) -> Meaning:
    """The product of signed integers in two words.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the low word.
    (R2) The second result is the high word.
    """
    return elementwise(op, see, extended(op, "signed product"))


@rule("arith.mului_extended", example="tests/cases/arith/extended.mlir", effects=PURE)
def mului_extended(op: Operation, see: RuleContext) -> Meaning:
    """The product of unsigned integers in two words.

    (C1) Shaped operands have the same extents.
    (R1) The first result is the low word.
    (R2) The second result is the high word.
    """
    return elementwise(op, see, extended(op, "unsigned product"))


@rule("arith.maxsi", example="tests/cases/arith/extremes.mlir", effects=PURE)
def maxsi(op: Operation, see: RuleContext) -> Meaning:
    """The greater of signed integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the greater.
    """
    return signed_choice(op, see, "max")


@rule("arith.minsi", example="tests/cases/arith/extremes.mlir", effects=PURE)
def minsi(op: Operation, see: RuleContext) -> Meaning:
    """The lesser of signed integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the lesser.
    """
    return signed_choice(op, see, "min")


@rule("arith.maxui", example="tests/cases/arith/extremes.mlir", effects=PURE)
def maxui(op: Operation, see: RuleContext) -> Meaning:
    """The greater of unsigned integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the greater, a negative number being greater than any other.
    """
    return unsigned_choice(op, see, "max")


@rule("arith.minui", example="tests/cases/arith/extremes.mlir", effects=PURE)
def minui(op: Operation, see: RuleContext) -> Meaning:
    """The lesser of unsigned integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the lesser, a negative number being greater than any other.
    """
    return unsigned_choice(op, see, "min")


@rule("arith.andi", example="tests/cases/arith/bits.mlir", effects=PURE)
def andi(op: Operation, see: RuleContext) -> Meaning:
    """Bitwise and.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the conjunction of i1, the remainder by 2**k for a mask 2**k - 1; of two unknown numbers
    only the range is followed.
    """
    return elementwise(op, see, bitwise(op, "and"))


@rule("arith.ori", example="tests/cases/arith/bits.mlir", effects=PURE)
def ori(op: Operation, see: RuleContext) -> Meaning:
    """Bitwise or.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the disjunction of i1, the sum where no bits meet; of two unknown numbers only the range is
    followed.
    """
    return elementwise(op, see, bitwise(op, "or"))


@rule("arith.xori", example="tests/cases/arith/bits.mlir", effects=PURE)
def xori(op: Operation, see: RuleContext) -> Meaning:
    """Bitwise exclusive or.

    (C1) Shaped operands have the same extents.
    (R1) Each element is the exclusive or of i1, ``-a - 1`` for a mask of ones; of two unknown numbers only the range
    is followed.
    """
    return elementwise(op, see, bitwise(op, "xor"))


@rule("arith.select", example="tests/cases/arith/select.mlir", effects=PURE)
def select(op: Operation, see: RuleContext) -> Meaning:
    """One of two values.

    (C1) Tensors, a condition among them, have the same extents: it is an element-wise operation also where one truth
    value chooses a whole tensor.
    (R1) The result is the first value where the condition holds, else the second, as a whole or element by element.
    """
    condition, first, second = op.operands
    if not isinstance(condition.type, ShapedType):
        type = op.results[0].type
        if isinstance(type, ScalarType) and type.is_boolean:
            chosen: Abstract = either(see.truth(condition), see.truth(first), see.truth(second))
        else:
            chosen = join(see.truth(condition), see.value(first), see.value(second))
        whole = isinstance(type, ShapedType) and type.container == "tensor"
        claims = common_shape((first, second), see, "C1")[1] if whole else ()
        with unrecorded():
            holds = see.truth(condition)
            chooses = ((first, holds), (second, negation(holds)))
        return Meaning((chosen,), claims=claims, simpler=Simpler(chooses=chooses))
    shape, claims = common_shape(op.operands, see, "C1")
    columns = [see.elements(operand) for operand in op.operands]
    known = [column for column in columns if column is not None]
    if len(known) != 3 or len({len(column) for column in known}) != 1:
        return Meaning((Tensor(shape),), claims=claims)
    return Meaning((Tensor(shape, tuple(_chosen(*row) for row in zip(*known, strict=True))),), claims=claims)


def _chosen(condition: Element, a: Element, b: Element) -> Element:
    if not isinstance(condition, Formula):
        raise CannotSee("the condition is no i1")
    if isinstance(a, Formula) and isinstance(b, Formula):
        return either(condition, a, b)
    if isinstance(a, Float) and isinstance(b, Float):
        return join_floats(condition, a, b)
    if not isinstance(a, Dim) or not isinstance(b, Dim):
        raise CannotSee("the values are of different kinds")
    return choose(condition, a, b)
