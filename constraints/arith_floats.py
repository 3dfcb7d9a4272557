"""Arithmetic on floats: only its shapes are followed."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule

from .elementwise import on_floats


@rule(
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.remf",
    "arith.negf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "arith.flush_denormals",
    example="tests/cases/arith/floats.mlir",
    effects=PURE,
)
def float_arithmetic(op: Operation, see: RuleContext) -> Meaning:
    """Arithmetic on floats.

    (C1) Shaped operands have the same extents.
    (R1) The result has the shape of the operands; the numbers are not followed.
    """
    return on_floats(op, see)


@rule(
    "arith.extf",
    "arith.truncf",
    "arith.convertf",
    "arith.scaling_extf",
    "arith.scaling_truncf",
    example="tests/cases/arith/floats.mlir",
    effects=PURE,
)
def float_cast(op: Operation, see: RuleContext) -> Meaning:
    """A float in another float type, with a scale or without.

    (C1) A shaped operand and its scale have the same extents.
    (R1) The result has the shape of the operand; the numbers are not followed.
    """
    return on_floats(op, see)


@rule("arith.sitofp", "arith.uitofp", example="tests/cases/arith/floats.mlir", effects=PURE)
def integer_to_float(op: Operation, see: RuleContext) -> Meaning:
    """An integer as a float.

    (R1) The result has the shape of the operand; the numbers are not followed.
    """
    return on_floats(op, see)


@rule("arith.fptosi", "arith.fptoui", example="tests/cases/arith/floats.mlir", effects=PURE)
def float_to_integer(op: Operation, see: RuleContext) -> Meaning:
    """A float as an integer, rounded towards zero.

    (R1) The result has the shape of the operand; the numbers depend on floating-point data.
    """
    return on_floats(op, see)
