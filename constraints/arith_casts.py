"""Casts between integer types, and between bits of the same width."""

from __future__ import annotations

from shapesolve.reading.program import Operation, ShapedType
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Opaque, Tensor, Unmodelled

from .elementwise import elementwise
from .integer_arithmetic import cast
from .integers import element_type

EXAMPLE = "tests/cases/arith/casts.mlir"


@rule("arith.extsi", example=EXAMPLE, effects=PURE)
def extsi(op: Operation, see: RuleContext) -> Meaning:
    """A signed integer in a wider type.

    (R1) Each element keeps its signed value; a true i1 becomes -1.
    """
    return elementwise(op, see, cast(op, zero_extends=False))


@rule("arith.extui", example=EXAMPLE, effects=PURE)
def extui(op: Operation, see: RuleContext) -> Meaning:
    """An unsigned integer in a wider type.

    (C2) With ``nneg``, the operand is not negative: the result would be poison.
    (R1) Each element keeps its unsigned value; a true i1 becomes 1.
    """
    return elementwise(op, see, cast(op, zero_extends=True))


@rule("arith.trunci", example=EXAMPLE, effects=PURE)
def trunci(op: Operation, see: RuleContext) -> Meaning:
    """An integer in a narrower type.

    (C3) With a flag nsw or nuw, the signed or unsigned value fits: the result would be poison.
    (R1) Each element keeps its lowest bits.
    """
    return elementwise(op, see, cast(op, zero_extends=False))


@rule("arith.index_cast", example=EXAMPLE, effects=PURE)
def index_cast(op: Operation, see: RuleContext) -> Meaning:
    """An index as an integer or an integer as an index, by the signed value.

    (R1) Each element keeps its signed value in a type at least as wide, else its lowest bits; index has 64 bits.
    """
    return elementwise(op, see, cast(op, zero_extends=False))


@rule("arith.index_castui", example=EXAMPLE, effects=PURE)
def index_castui(op: Operation, see: RuleContext) -> Meaning:
    """An index as an integer or an integer as an index, by the unsigned value.

    (C2) With ``nneg``, the operand is not negative: the result would be poison.
    (R1) Each element keeps its unsigned value in a wider type, else its lowest bits; index has 64 bits.
    """
    return elementwise(op, see, cast(op, zero_extends=True))


@rule("arith.bitcast", example=EXAMPLE, effects=PURE)
def bitcast(op: Operation, see: RuleContext) -> Meaning:
    """The same bits as another type.

    (R1) Each integer keeps its value as another integer; the bits of floats are not followed.
    """
    kinds = (element_type(op.operands[0].type).kind, element_type(op.results[0].type).kind)
    if "float" not in kinds:
        return elementwise(op, see, cast(op, zero_extends=False))
    if isinstance(op.results[0].type, ShapedType):
        if not isinstance(op.operands[0].type, ShapedType):
            raise CannotSee("a bitcast from a number to a shape is not followed")
        return Meaning((Tensor(see.shape(op.operands[0])),))
    return Meaning((Opaque() if kinds[1] == "float" else Unmodelled(see.why_floats_unknown(op)),))
