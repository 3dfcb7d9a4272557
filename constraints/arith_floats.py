"""Arithmetic on floats: its shapes are followed, and numbers that come from sizes."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule

from .elementwise import elementwise, on_floats
from .float_elements import OPERATIONS, followed, from_integer, to_integer
from .integer_arithmetic import without_sign

FOLLOWED = {
    "arith.addf": "add",
    "arith.subf": "sub",
    "arith.mulf": "mul",
    "arith.divf": "div",
    "arith.negf": "neg",
    "arith.maximumf": "max",
    "arith.maxnumf": "max",
    "arith.minimumf": "min",
    "arith.minnumf": "min",
    "arith.extf": "cast",
    "arith.truncf": "cast",
}


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
    (R1) The result has the shape of the operands.
    (R2) Of numbers that come from sizes, the result is the nearest float to the exact result. Remainders and fast math
    are not followed.
    """
    return followed(op, see, on_floats(op, see), OPERATIONS.get(FOLLOWED.get(op.name, "")))


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
    (R1) The result has the shape of the operand.
    (R2) A number that comes from sizes is the nearest float of the other type. Scales are not followed.
    """
    return followed(op, see, on_floats(op, see), OPERATIONS.get(FOLLOWED.get(op.name, "")))


@rule("arith.sitofp", "arith.uitofp", example="tests/cases/arith/floats.mlir", effects=PURE)
def integer_to_float(op: Operation, see: RuleContext) -> Meaning:
    """An integer as a float.

    (C2) With ``nneg``, the operand is not negative: the result would be poison.
    (R1) The result has the shape of the operand.
    (R2) Each element is the nearest float: the integer itself up to 2^53 in f64, 2^24 in f32, 2^11 in f16, 2^8 in bf16.
    That f64 holds sizes is presumed.
    """
    meaning = followed(op, see, on_floats(op, see), from_integer(without_sign=op.name == "arith.uitofp"))
    if not op.attributes.get("nonNeg"):
        return meaning
    demanded = elementwise(op, see, lambda row: without_sign(op, row))
    return replace(
        meaning,
        claims=(*meaning.claims, *demanded.claims),
        approximations=(*meaning.approximations, *demanded.approximations),
        free=meaning.free | demanded.free,
    )


@rule("arith.fptosi", "arith.fptoui", example="tests/cases/arith/floats.mlir", effects=PURE)
def float_to_integer(op: Operation, see: RuleContext) -> Meaning:
    """A float as an integer, rounded towards zero.

    (R1) The result has the shape of the operand.
    (R2) Of numbers that come from sizes, each element is the quotient towards zero; what does not fit is any integer.
    Others depend on floating-point data.
    """
    return followed(op, see, on_floats(op, see), to_integer(without_sign=op.name == "arith.fptoui"))
