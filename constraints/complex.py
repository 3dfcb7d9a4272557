"""The `complex` dialect: numbers without a shape."""

from __future__ import annotations

from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.semantics.registry import rule

from .transfer.elementwise import on_floats

_NAMES = (
    "abs add angle atan2 bitcast conj constant cos create div eq exp expm1 im log log1p mul neg neq pow powi re rsqrt "
    "sign sin sqrt sub tan tanh"
)


@rule(*(f"complex.{name}" for name in _NAMES.split()), example="tests/cases/complex/numbers.mlir", effects=PURE)
def complex_numbers(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A complex number, or what is computed of some.

    (R1) The result is a complex number, a float, or a truth value. It is not followed.
    """
    return on_floats(op, ctx)
