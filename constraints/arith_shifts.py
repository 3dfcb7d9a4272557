"""Shifts."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule

from .elementwise import elementwise
from .integer_bits import shift

EXAMPLE = "tests/cases/arith/shifts.mlir"


@rule("arith.shli", example=EXAMPLE, effects=PURE)
def shli(op: Operation, see: RuleContext) -> Meaning:
    """A shift to the left.

    (C1) Shaped operands have the same extents.
    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (C3) With a flag nsw or nuw, the signed or unsigned result of narrow integers does not wrap.
    (R1) Each element is multiplied by 2**k for a known amount k; narrower than 64 bits it wraps.
    """
    return elementwise(op, see, shift(op, "left"))


@rule("arith.shrsi", example=EXAMPLE, effects=PURE)
def shrsi(op: Operation, see: RuleContext) -> Meaning:
    """A shift to the right that keeps the sign.

    (C1) Shaped operands have the same extents.
    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (C4) With ``exact``, only zeros are shifted out: the result would be poison.
    (R1) Each element is divided by 2**k for a known amount k, rounded down.
    """
    return elementwise(op, see, shift(op, "right"))


@rule("arith.shrui", example=EXAMPLE, effects=PURE)
def shrui(op: Operation, see: RuleContext) -> Meaning:
    """A shift to the right that brings in zeros.

    (C1) Shaped operands have the same extents.
    (C2) The amount, read as an unsigned number, is less than the width: the result would be poison.
    (C4) With ``exact``, only zeros are shifted out: the result would be poison.
    (R1) Each element, read as an unsigned number, is divided by 2**k for a known amount k.
    """
    return elementwise(op, see, shift(op, "right unsigned"))
