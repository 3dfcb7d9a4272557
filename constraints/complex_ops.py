"""The `complex` dialect: numbers without a shape."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule

from .elementwise import on_floats

_NAMES = (
    "abs add angle atan2 bitcast conj constant cos create div eq exp expm1 im log log1p mul neg neq pow powi re rsqrt "
    "sign sin sqrt sub tan tanh"
)


@rule(*(f"complex.{name}" for name in _NAMES.split()), example="tests/cases/complex/numbers.mlir", effects=PURE)
def complex_numbers(op: Operation, see: RuleContext) -> Meaning:
    """A complex number, or what is computed of some.

    (R1) The result is a complex number, a float, or a truth value. It is not followed.
    """
    return on_floats(op, see)
