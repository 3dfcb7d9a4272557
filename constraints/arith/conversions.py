"""Casts between integer types and equal-width bits, comparisons, and float arithmetic of the arith dialect."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.domain.values import Tensor, UnknownValue, Unmodeled
from shapesolve.ir.program import Operation, ShapedType
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.formulas import truth

from ..transfer.elementwise import common_shape, elementwise, on_floats
from ..transfer.float_elements import OPERATIONS, elementwise_floats, from_integer, to_integer
from ..transfer.float_elements import comparison as float_comparison
from ..transfer.integer_arithmetic import cast, check_nneg, comparison
from ..transfer.integers import element_type

EXAMPLE = "tests/cases/arith/casts.mlir"


@rule("arith.extsi", example=EXAMPLE, effects=PURE)
def extsi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A signed integer in a wider type.

    (R1) Each element keeps its signed value; a true i1 becomes -1.
    """
    return elementwise(op, ctx, cast(op, zero_extends=False))


@rule("arith.extui", example=EXAMPLE, effects=PURE)
def extui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An unsigned integer in a wider type.

    (C2) With ``nneg``, the operand is not negative: the result would be poison.
    (R1) Each element keeps its unsigned value; a true i1 becomes 1.
    """
    return elementwise(op, ctx, cast(op, zero_extends=True))


@rule("arith.trunci", example=EXAMPLE, effects=PURE)
def trunci(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An integer in a narrower type.

    (C3) With a flag nsw or nuw, the signed or unsigned value fits: the result would be poison.
    (R1) Each element keeps its lowest bits.
    """
    return elementwise(op, ctx, cast(op, zero_extends=False))


@rule("arith.index_cast", example=EXAMPLE, effects=PURE)
def index_cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An index as an integer or an integer as an index, by the signed value.

    (R1) Each element keeps its signed value in a type at least as wide, else its lowest bits; index has 64 bits.
    """
    return elementwise(op, ctx, cast(op, zero_extends=False))


@rule("arith.index_castui", example=EXAMPLE, effects=PURE)
def index_castui(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An index as an integer or an integer as an index, by the unsigned value.

    (C2) With ``nneg``, the operand is not negative: the result would be poison.
    (R1) Each element keeps its unsigned value in a wider type, else its lowest bits; index has 64 bits.
    """
    return elementwise(op, ctx, cast(op, zero_extends=True))


@rule("arith.bitcast", example=EXAMPLE, effects=PURE)
def bitcast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same bits as another type.

    (R1) Each integer keeps its value as another integer; the bits of floats are not followed.
    """
    kinds = (element_type(op.operands[0].type).kind, element_type(op.results[0].type).kind)
    if "float" not in kinds:
        return elementwise(op, ctx, cast(op, zero_extends=False))
    if isinstance(op.results[0].type, ShapedType):
        if not isinstance(op.operands[0].type, ShapedType):
            raise UnknownValueError("a bitcast from a number to a shape is not followed")
        return OpSemantics((Tensor(ctx.shape(op.operands[0])),))
    return OpSemantics((UnknownValue() if kinds[1] == "float" else Unmodeled(ctx.reason_floats_unknown(op)),))


PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
ALWAYS_FALSE, ALWAYS_TRUE = 0, 15
FLOAT_PREDICATES = {
    **dict(enumerate(("eq", "gt", "ge", "lt", "le", "ne"), 1)),
    **dict(enumerate(("eq", "gt", "ge", "lt", "le", "ne"), 8)),
}
"""Ordered and unordered predicates, which differ only for NaNs."""


@rule("arith.cmpi", example="tests/cases/arith/comparison.mlir", effects=PURE)
def cmpi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A comparison of integers.

    (C1) Shaped operands have the same extents.
    (R1) Each element says whether the operands compare as the predicate says; an unsigned predicate takes a negative
    number for a greater one than any other.
    """
    predicate = op.attributes.get("predicate")
    if not isinstance(predicate, int) or not 0 <= predicate < len(PREDICATES):
        raise UnknownValueError("the predicate is not known")
    return elementwise(op, ctx, comparison(PREDICATES[predicate]))


@rule("arith.cmpf", example="tests/cases/arith/floats.mlir", effects=PURE)
def cmpf(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A comparison of floats.

    (C1) Shaped operands have the same extents.
    (R1) Of numbers that come from sizes, each element says whether they compare as the predicate says. Others depend on
    floating-point data, except for the predicates that are always true or always false.
    """
    predicate = op.attributes.get("predicate")
    if predicate not in (ALWAYS_FALSE, ALWAYS_TRUE):
        asked = FLOAT_PREDICATES.get(predicate) if isinstance(predicate, int) else None
        return elementwise_floats(op, ctx, on_floats(op, ctx), None if asked is None else float_comparison(asked))
    answer = truth(predicate == ALWAYS_TRUE)
    if not isinstance(op.results[0].type, ShapedType):
        return OpSemantics((answer,))
    shape, claims = common_shape(op.operands, ctx, "C1")
    return OpSemantics((Tensor(shape),), requires=claims)


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
    *split_names(
        "arith.addf arith.subf arith.mulf arith.divf arith.remf arith.negf arith.maximumf arith.minimumf arith.maxnumf "
        "arith.minnumf arith.flush_denormals"
    ),
    example="tests/cases/arith/floats.mlir",
    effects=PURE,
)
def float_arithmetic(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Arithmetic on floats.

    (C1) Shaped operands have the same extents.
    (R1) The result has the shape of the operands.
    (R2) Of numbers that come from sizes, the result is the nearest float to the exact result. Remainders and fast math
    are not followed.
    """
    return elementwise_floats(op, ctx, on_floats(op, ctx), OPERATIONS.get(FOLLOWED.get(op.name, "")))


@rule(
    *split_names("arith.extf arith.truncf arith.convertf arith.scaling_extf arith.scaling_truncf"),
    example="tests/cases/arith/floats.mlir",
    effects=PURE,
)
def float_cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A float in another float type, with a scale or without.

    (C1) A shaped operand and its scale have the same extents.
    (R1) The result has the shape of the operand.
    (R2) A number that comes from sizes is the nearest float of the other type. Scales are not followed.
    """
    return elementwise_floats(op, ctx, on_floats(op, ctx), OPERATIONS.get(FOLLOWED.get(op.name, "")))


@rule("arith.sitofp", "arith.uitofp", example="tests/cases/arith/floats.mlir", effects=PURE)
def integer_to_float(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An integer as a float.

    (C2) With ``nneg``, the operand is not negative: the result would be poison.
    (R1) The result has the shape of the operand.
    (R2) Each element is the nearest float: the integer itself up to 2^53 in f64, 2^24 in f32, 2^11 in f16, 2^8 in bf16.
    That f64 holds sizes is presumed.
    """
    semantics = elementwise_floats(op, ctx, on_floats(op, ctx), from_integer(without_sign=op.name == "arith.uitofp"))
    if not op.attributes.get("nonNeg"):
        return semantics
    demanded = elementwise(op, ctx, lambda row: check_nneg(op, row))
    return replace(
        semantics.with_claims(*demanded.requires.claims),
        approximations=semantics.approximations.joined(demanded.approximations),
    )


@rule("arith.fptosi", "arith.fptoui", example="tests/cases/arith/floats.mlir", effects=PURE)
def float_to_integer(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A float as an integer, rounded towards zero.

    (C1) The operand, rounded towards zero, fits the integer type: the result would be poison. Claimed of numbers that
    come from constants and sizes; 64 bits are presumed to hold sizes. Whether floating-point data fits is not checked.
    (R1) The result has the shape of the operand.
    (R2) Of numbers that come from sizes, each element is the quotient towards zero; what does not fit is any integer.
    Others depend on floating-point data.
    """
    compute = to_integer(without_sign=op.name == "arith.fptoui", clause="C1")
    return elementwise_floats(op, ctx, on_floats(op, ctx), compute)
