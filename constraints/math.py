"""The `math` dialect: shapes of float operations, and the few operations on integers."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.domain.values import Element, Float
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, unequal
from shapesolve.symbolic.normal_forms import maximum

from .transfer.elementwise import Computed, element_rows, elementwise, on_floats
from .transfer.float_elements import OPERATIONS, elementwise_floats, operand_elements
from .transfer.floats import compare_floats
from .transfer.integer_arithmetic import counted_bits
from .transfer.integers import element_type, signed, typed, word_result, wrapped

FLOATS = "tests/cases/math/floats.mlir"
INTEGERS = "tests/cases/math/integers.mlir"
LARGEST_POWER = 16

_UNARY = (
    "absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log log10 log1p log2 "
    "round roundeven rsqrt sin sinh sqrt tan tanh trunc"
)
FOLLOWED = {
    "math.absf": "abs",
    "math.sqrt": "sqrt",
    **{f"math.{how}": how for how in ("ceil", "floor", "round", "roundeven", "trunc")},
}
_MORE = "atan2 copysign powf fma fpowi sincos"


@rule(*(f"math.{name}" for name in (*_UNARY.split(), *_MORE.split())), example=FLOATS, effects=PURE)
def float_functions(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A function of floats.

    (C1) Shaped operands have the same extents.
    (R1) Every result has the shape of the operands.
    (R2) Numbers that come from sizes are rounded to integers exactly, and the square root of a known square is its
    root; of another known number it is known within a few units. Other functions are not followed.
    """
    return elementwise_floats(op, ctx, on_floats(op, ctx), OPERATIONS.get(FOLLOWED.get(op.name, "")))


@rule("math.clampf", example=FLOATS, effects=PURE)
def clampf(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A float, or the bound that it lies beyond.

    (C1) Shaped operands have the same extents.
    (C2) The lower bound is not above the upper one: the result would be poison. Bounds that are no numbers that come
    from sizes depend on floating-point data.
    (R1) The result has the shape of the operands.
    """
    semantics = on_floats(op, ctx)
    rows = element_rows([operand_elements(bound, ctx) for bound in op.operands[1:]])
    bounds = [(low, high) for low, high in rows or () if isinstance(low, Float) and isinstance(high, Float)]
    ordered = [compare_floats("le", low, high) for low, high in bounds]
    if rows is None or len(bounds) != len(rows) or any(known is not TRUE for _, known in ordered):
        unknown = "whether its bounds are in order depends on floating-point data"
        return replace(semantics, requires=replace(semantics.requires, unknown=unknown, unknown_makes_poison=True))
    claim = Claim(
        "C2",
        conjunction(formula for formula, _ in ordered),
        "the lower bound is above the upper one",
        makes_poison=True,
    )
    return semantics.with_claims(claim)


@rule("math.isfinite", "math.isinf", "math.isnan", "math.isnormal", example=FLOATS, effects=PURE)
def float_questions(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A question about a float.

    (R1) The result has the shape of the operand; the answer depends on floating-point data.
    """
    return on_floats(op, ctx)


@rule("math.absi", example=INTEGERS, effects=PURE)
def absi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The absolute value of an integer.

    (R1) Each element is the absolute value; that of the least number of a narrow type is that number itself.
    """
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        value = signed(row[0])
        exact = maximum(value, -value)
        if ctx.is_exact(op, type):
            result, fits = word_result(exact, type.width)
            return Computed((result,), no_overflow=fits)
        return Computed((typed(wrapped(exact, type.width), type),))

    return elementwise(op, ctx, compute)


@rule("math.ctpop", "math.ctlz", "math.cttz", example=INTEGERS, effects=PURE)
def bit_counts(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of bits of an integer that are set, or zero before the first or after the last set bit.

    (R1) Each element is the count of a known number; of an unknown one it lies between 0 and the width.
    """
    return elementwise(op, ctx, counted_bits(op, {"p": "pop", "l": "lead", "t": "trail"}[op.name[len("math.ct")]]))


@rule("math.ipowi", example=INTEGERS, effects=PURE)
def ipowi(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A power of an integer.

    (C1) Shaped operands have the same extents.
    (C2) 0 is not raised to a negative power: that divides by 0.
    (R1) Each element is the product, for a known exponent from 0 to 16; narrower than 64 bits it wraps.
    """
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        base, exponent = signed(row[0]), signed(row[1])
        shown = (("the base", base), ("the exponent", exponent))
        defined = disjunction((unequal(base, 0), at_least(exponent, 0)))
        claims = (Claim("C2", defined, "0 is raised to a negative power", shown=shown),)
        if not exponent.is_constant or not 0 <= exponent.constant <= LARGEST_POWER:
            return Computed(
                (None,), claims, reason="powers with an unknown, negative or great exponent are not followed"
            )
        power: Dim = base**exponent.constant
        if ctx.is_exact(op, type):
            result, fits = word_result(power, type.width)
            return Computed((result,), claims, no_overflow=fits)
        return Computed((typed(wrapped(power, type.width), type),), claims)

    return elementwise(op, ctx, compute)
