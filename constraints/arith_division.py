"""Integer division: quotients and remainders, signed and unsigned."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule

from .elementwise import elementwise
from .integer_arithmetic import signed_division, unsigned_division

EXAMPLE = "tests/cases/arith/division.mlir"


@rule("arith.divsi", example=EXAMPLE, effects=PURE)
def divsi(op: Operation, see: RuleContext) -> Meaning:
    """The signed quotient, rounded towards zero.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1: its quotient does not fit.
    (C4) With ``exact``, nothing is left over: the quotient would be poison.
    (R1) Each element is the quotient.
    """
    return elementwise(op, see, signed_division(op, "zero"))


@rule("arith.floordivsi", example=EXAMPLE, effects=PURE)
def floordivsi(op: Operation, see: RuleContext) -> Meaning:
    """The signed quotient, rounded down.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1.
    (R1) Each element is the quotient.
    """
    return elementwise(op, see, signed_division(op, "down"))


@rule("arith.ceildivsi", example=EXAMPLE, effects=PURE)
def ceildivsi(op: Operation, see: RuleContext) -> Meaning:
    """The signed quotient, rounded up.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1.
    (R1) Each element is the quotient.
    """
    return elementwise(op, see, signed_division(op, "up"))


@rule("arith.remsi", example=EXAMPLE, effects=PURE)
def remsi(op: Operation, see: RuleContext) -> Meaning:
    """What the signed quotient rounded towards zero leaves.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C3) The least number of the type is not divided by -1: the remainder is that of a quotient that does not fit.
    (R1) Each element is the remainder, with the sign of the dividend.
    """
    return elementwise(op, see, signed_division(op, "rest"))


@rule("arith.divui", example=EXAMPLE, effects=PURE)
def divui(op: Operation, see: RuleContext) -> Meaning:
    """The unsigned quotient, rounded down.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (C4) With ``exact``, nothing is left over: the quotient would be poison.
    (R1) Each element is the quotient of the operands read as unsigned numbers.
    """
    return elementwise(op, see, unsigned_division(op, "zero"))


@rule("arith.ceildivui", example=EXAMPLE, effects=PURE)
def ceildivui(op: Operation, see: RuleContext) -> Meaning:
    """The unsigned quotient, rounded up.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (R1) Each element is the quotient of the operands read as unsigned numbers.
    """
    return elementwise(op, see, unsigned_division(op, "up"))


@rule("arith.remui", example=EXAMPLE, effects=PURE)
def remui(op: Operation, see: RuleContext) -> Meaning:
    """What the unsigned quotient leaves.

    (C1) Shaped operands have the same extents.
    (C2) No divisor is 0.
    (R1) Each element is the remainder of the operands read as unsigned numbers.
    """
    return elementwise(op, see, unsigned_division(op, "rest"))
