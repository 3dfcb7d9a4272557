"""Element-wise operations of the stablehlo dialect.

All shapes are equal; nothing is broadcast, not even a 1. Small tensors of integers, and of floats computed from sizes,
keep their elements, since exporters compute sizes in them. Integers narrower than 64 bits wrap, unless they hold sizes
of JAX, which computes these without a limit.
"""

from __future__ import annotations

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.domain.values import Element, Tensor
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Value, is_float
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, disjunction, either, equal, unequal
from shapesolve.symbolic.normal_forms import as_number, choose, maximum, minimum
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from ..transfer.bits import bitwise
from ..transfer.elementwise import Compute, Computed, assumption_texts, common_shape, overflow_assumption
from ..transfer.float_elements import elementwise_floats
from ..transfer.integer_arithmetic import (
    arithmetic,
    comparison,
    counted_bits,
    shift,
    signed_extreme,
    truncated_quotient,
    truncated_remainder,
    unsigned_extreme,
)
from ..transfer.integers import as_truth, element_type, integer, signed, typed, unsigned, word_result, wrapped
from .attributes import keyword
from .floats import clamp_floats, conversion, float_comparison, float_semantics, is_unsigned, select_floats

EXAMPLE = "tests/cases/stablehlo/elementwise.mlir"


def _element_type(value: Value) -> ScalarType | None:
    """Return the element type of a tensor; None for floats and types that are no scalars."""
    type = value.type
    if not isinstance(type, ShapedType) or not isinstance(type.element, ScalarType) or type.element.kind == "float":
        return None
    return type.element


def _pointwise(op: Operation, ctx: RuleContext, compute: Compute | None = None) -> OpSemantics:
    shape, claims = common_shape(op.operands, ctx, "C1")
    return _computed(op, ctx, shape, claims, compute, [ctx.elements(operand) for operand in op.operands])


def _computed(
    op: Operation,
    ctx: RuleContext,
    shape: Shape,
    claims: tuple[Claim, ...],
    compute: Compute | None,
    columns: list[tuple[Element, ...] | None],
) -> OpSemantics:
    if compute is None or any(_element_type(value) is None for value in (*op.operands, *op.results)):
        return OpSemantics(tuple(Tensor(shape) for _ in op.results), requires=claims)
    known = [column for column in columns if column is not None]
    if len(known) != len(columns) or len({len(column) for column in known}) != 1:
        return OpSemantics((Tensor(shape),), requires=claims)
    computed = [compute(row) for row in zip(*known, strict=True)]
    elements = tuple(each.results[0] for each in computed)
    whole = tuple(element for element in elements if element is not None)
    known_elements = whole if len(whole) == len(elements) else None
    return OpSemantics(
        (Tensor(shape, known_elements),),
        requires=claims,
        assumes=Assumes(assumption_texts(op, computed), overflow_assumption(computed)),
    )


@rule(
    *split_names(
        "stablehlo.cbrt stablehlo.ceil stablehlo.cosine stablehlo.exponential stablehlo.exponential_minus_one "
        "stablehlo.floor stablehlo.imag stablehlo.is_finite stablehlo.log stablehlo.log_plus_one stablehlo.logistic "
        "stablehlo.real stablehlo.reduce_precision stablehlo.round_nearest_afz stablehlo.round_nearest_even "
        "stablehlo.rsqrt stablehlo.sine stablehlo.sqrt stablehlo.tan stablehlo.tanh stablehlo.uniform_dequantize "
        "stablehlo.uniform_quantize"
    ),
    example=EXAMPLE,
    effects=PURE,
)
def unary(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One operand, element by element.

    (R1) The result has the operand's shape. Numbers that come from sizes are rounded to integers exactly.
    """
    return float_semantics(op, ctx, _pointwise(op, ctx))


@rule("stablehlo.atan2", "stablehlo.complex", "stablehlo.power", example=EXAMPLE, effects=PURE)
def binary(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Two operands, element by element.

    (C1) The operands have the same shape.
    (R1) The result has that shape.
    """
    return _pointwise(op, ctx)


@rule("stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", example=EXAMPLE, effects=PURE)
def add_subtract_multiply(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sums, differences and products, element by element; on i1 a sum is an or, a product an and.

    (C1) The operands have the same shape.
    (R1) The result has that shape. Integers narrower than 64 bits wrap.
    """
    if _element_type(op.results[0]) is None:
        return float_semantics(op, ctx, _pointwise(op, ctx))
    match op.name:
        case "stablehlo.add":
            return _pointwise(op, ctx, arithmetic(op, ctx, "C1", lambda a, b: a + b, "or"))
        case "stablehlo.subtract":
            return _pointwise(op, ctx, arithmetic(op, ctx, "C1", lambda a, b: a - b, "xor"))
        case _:
            return _pointwise(op, ctx, arithmetic(op, ctx, "C1", lambda a, b: a * b, "and"))


@rule("stablehlo.divide", "stablehlo.remainder", example=EXAMPLE, effects=PURE)
def divide(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Quotients rounded towards zero, and their remainders, element by element.

    (C1) The operands have the same shape.
    (R1) The result has that shape. Division by 0 gives some number.
    """
    type = _element_type(op.results[0])
    if type is None:
        return float_semantics(op, ctx, _pointwise(op, ctx))
    is_quotient = op.name == "stablehlo.divide"

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean:
            return Computed((None,), reason="truth values are divided")
        if is_unsigned(type):
            a, b = (unsigned(signed(element), type.width) for element in row)
            value = floordiv(a, b) if is_quotient else remainder(a, b)
        else:
            a, b = (signed(element) for element in row)
            value = truncated_quotient(a, b) if is_quotient else truncated_remainder(a, b)
        exact = ctx.is_exact(op, type) and not is_unsigned(type)
        result, fits = word_result(value, type.width) if exact else (wrapped(value, type.width), TRUE)
        by_zero = equal(b, 0)
        if by_zero is not FALSE:
            result = choose(by_zero, ctx.fresh(f"{op.results[0].name}.by_zero", *integer_range(type)), result)
        return Computed((result,), no_overflow=disjunction((by_zero, fits)))

    return _pointwise(op, ctx, compute)


@rule("stablehlo.maximum", "stablehlo.minimum", example=EXAMPLE, effects=PURE)
def min_max(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greater or lesser, element by element; on i1 an or, an and.

    (C1) The operands have the same shape.
    (R1) The result has that shape.
    """
    type = _element_type(op.results[0])
    if type is None:
        return float_semantics(op, ctx, _pointwise(op, ctx))
    which = "max" if op.name == "stablehlo.maximum" else "min"
    return _pointwise(op, ctx, unsigned_extreme(op, which) if is_unsigned(type) else signed_extreme(op, which))


@rule("stablehlo.and", "stablehlo.or", "stablehlo.xor", example=EXAMPLE, effects=PURE)
def logical(op: Operation, ctx: RuleContext) -> OpSemantics:
    """And, or, exclusive or of bits, element by element.

    (C1) The operands have the same shape.
    (R1) The result has that shape.
    """
    return _pointwise(op, ctx, bitwise(op, ctx, op.name.removeprefix("stablehlo.")))


@rule(
    "stablehlo.shift_left",
    "stablehlo.shift_right_arithmetic",
    "stablehlo.shift_right_logical",
    example=EXAMPLE,
    effects=PURE,
)
def shifts(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Shifts of bits, element by element.

    (C1) The operands have the same shape.
    (R1) The result has that shape. No amount is undefined.
    """
    type = element_type(op.results[0].type)
    directions = {"left": "left", "arithmetic": "right", "logical": "right unsigned"}
    in_range = shift(op, ctx, directions[op.name.rpartition("_")[2]])

    def compute(row: tuple[Element, ...]) -> Computed:
        amount = signed(row[1])
        if not amount.is_constant or not 0 <= amount.constant < type.width:
            return Computed((None,), reason="a shift by an unknown number of bits")
        computed = in_range(row)
        return Computed(computed.results, no_overflow=computed.no_overflow)

    return _pointwise(op, ctx, compute)


@rule("stablehlo.not", "stablehlo.negate", "stablehlo.abs", "stablehlo.sign", example=EXAMPLE, effects=PURE)
def signs(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The complement of bits, the negative, the magnitude or the sign (-1, 0 or 1), element by element.

    (R1) The result has the operand's shape. Integers narrower than 64 bits wrap.
    """
    type = _element_type(op.results[0])
    if type is None:
        return float_semantics(op, ctx, _pointwise(op, ctx))

    def compute(row: tuple[Element, ...]) -> Computed:
        value = signed(row[0])
        match op.name:
            case "stablehlo.not":
                return Computed((~as_truth(row[0]) if type.is_boolean else -value - 1,))
            case "stablehlo.sign":
                return Computed((choose(at_least(value, 1), 1, choose(equal(value, 0), 0, -1)),))
            case "stablehlo.abs":
                result = choose(at_least(value, 0), value, -value)
            case _:
                result = -value
        if ctx.is_exact(op, type):
            number, fits = word_result(result, type.width)
            return Computed((number,), no_overflow=fits)
        return Computed((typed(wrapped(result, type.width), type),))

    return _pointwise(op, ctx, compute)


@rule("stablehlo.popcnt", "stablehlo.count_leading_zeros", example=EXAMPLE, effects=PURE)
def bit_counts(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of set bits, or of leading zeros, element by element.

    (R1) The result has the operand's shape.
    """
    return _pointwise(op, ctx, counted_bits(op, "pop" if op.name == "stablehlo.popcnt" else "lead"))


@rule("stablehlo.convert", example=EXAMPLE, effects=PURE)
def convert(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A change of element type.

    (R1) The result has the operand's shape; integers keep their low bits, and a number is true where it is not 0.
    """
    source, target = _element_type(op.operands[0]), _element_type(op.results[0])
    if source is None or target is None:
        return elementwise_floats(op, ctx, _pointwise(op, ctx), conversion(source, target))

    def compute(row: tuple[Element, ...]) -> Computed:
        element = row[0]
        if isinstance(element, Formula):
            return Computed((element if target.is_boolean else as_number(element),))
        element = integer(element)
        if target.is_boolean:
            return Computed((unequal(element, 0),))
        value = unsigned(element, source.width) if is_unsigned(source) and target.width > source.width else element
        if target.width == 64:
            return Computed((value if source.width <= 64 else wrapped(value, 64),))
        if ctx.is_exact(op, target) and not is_unsigned(source):
            number, fits = word_result(value, target.width)
            return Computed((number,), no_overflow=fits)
        return Computed((wrapped(value, target.width),))

    return _pointwise(op, ctx, compute)


_DIRECTIONS = {"EQ": "eq", "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge"}


@rule("stablehlo.compare", example=EXAMPLE, effects=PURE)
def compare(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A comparison, element by element.

    (C1) The operands have the same shape.
    (R1) The result has that shape and is true where the comparison holds.
    """
    type = _element_type(op.operands[0])
    direction = _DIRECTIONS.get(keyword(op, "comparison_direction"))
    if direction is None or type is None:
        return float_comparison(op, ctx, _pointwise(op, ctx), direction)
    without_sign = is_unsigned(type) or keyword(op, "compare_type") == "UNSIGNED"
    predicate = direction if direction in ("eq", "ne") else f"{'u' if without_sign else 's'}{direction}"
    return _pointwise(op, ctx, comparison(predicate))


@rule("stablehlo.select", example=EXAMPLE, effects=PURE)
def select(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Picks each element from one of two tensors.

    (C1) The two tensors have the same shape, and so has the predicate unless it is a scalar.
    (R1) The result has that shape.
    """
    predicate, *choices = op.operands
    is_scalar = _is_scalar(ctx, predicate)
    shape, claims = common_shape(choices if is_scalar else op.operands, ctx, "C1")
    columns = [ctx.elements(predicate), *(ctx.elements(choice) for choice in choices)]
    spread = _repeat_scalars(columns, (0,) if is_scalar else ())

    if is_float(choices[0]):
        return select_floats(op, ctx, OpSemantics((Tensor(shape),), requires=claims), spread)

    def compute(row: tuple[Element, ...]) -> Computed:
        condition, a, b = as_truth(row[0]), row[1], row[2]
        if isinstance(a, Dim) and isinstance(b, Dim):
            return Computed((choose(condition, a, b),))
        return Computed((either(condition, as_truth(a), as_truth(b)),))

    return _computed(op, ctx, shape, claims, compute, spread)


@rule("stablehlo.clamp", example=EXAMPLE, effects=PURE)
def clamp(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Brings each element between two bounds.

    (C1) Each bound has the shape of the operand unless it is a scalar.
    (R1) The result has the operand's shape.
    """
    scalars = tuple(index for index in (0, 2) if _is_scalar(ctx, op.operands[index]))
    like = [operand for index, operand in enumerate(op.operands) if index not in scalars]
    shape, claims = common_shape(like, ctx, "C1")
    columns = _repeat_scalars([ctx.elements(operand) for operand in op.operands], scalars)
    type = _element_type(op.results[0])
    if type is None:
        return clamp_floats(op, ctx, OpSemantics((Tensor(shape),), requires=claims), columns)

    def compute(row: tuple[Element, ...]) -> Computed:
        if is_unsigned(type):
            return Computed((None,), reason="numbers without a sign are clamped")
        low, value, high = (signed(element) for element in row)
        return Computed((minimum(maximum(value, low), high),))

    return _computed(op, ctx, shape, claims, compute, columns)


def _is_scalar(ctx: RuleContext, value: Value) -> bool:
    shape = ctx.shape(value)
    return isinstance(shape, RankedShape) and not shape.dims


def _repeat_scalars(
    columns: list[tuple[Element, ...] | None], scalars: tuple[int, ...]
) -> list[tuple[Element, ...] | None]:
    """Return the columns with those of scalar operands repeated to the length of the others."""
    length = next((len(c) for i, c in enumerate(columns) if i not in scalars and c is not None), 1)
    return [
        column * length if index in scalars and column is not None else column for index, column in enumerate(columns)
    ]


@rule("stablehlo.bitcast_convert", example=EXAMPLE, effects=PURE)
def bitcast_convert(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same bits under another element type.

    (C1) Where elements become wider, the last extent is how many of them make one.
    (R1) The result has the operand's shape, with a last extent more where elements become narrower.
    """
    source, target = (
        value.type.element if isinstance(value.type, ShapedType) else None for value in (*op.operands, *op.results)
    )
    if not isinstance(source, ScalarType) or not isinstance(target, ScalarType):
        raise UnknownValueError("the widths of the elements are not known")
    extents = ctx.dims(op.operands[0])
    if source.width == target.width:
        return OpSemantics((Tensor.of(extents),))
    if source.width > target.width:
        return OpSemantics((Tensor.of([*extents, dim(source.width // target.width)]),))
    shown = ((f"extent {len(extents) - 1} of {op.operands[0].name}", extents[-1]),)
    ratio = target.width // source.width
    claim = Claim("C1", equal(extents[-1], ratio), f"{ratio} elements make one of the wider type", shown=shown)
    return OpSemantics((Tensor.of(extents[:-1]),), requires=(claim,))
