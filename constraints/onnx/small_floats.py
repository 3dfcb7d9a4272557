"""Elements of small tensors of floats, such as scales and the ends of ranges, which are computed from sizes.

They are followed in f32 and f64, in which runtimes compute as IEEE does; narrower floats may be computed in f32.
"""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.domain.values import Element, Float, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.symbolic.shape_kinds import RankedShape

from ..torch.creation import range_tensor
from ..torch.value_ranges import element_type_name, integer_width
from ..transfer.extent_tensors import small_element_count
from ..transfer.float_elements import (
    OPERATIONS,
    Compute,
    FloatComputation,
    comparison,
    elementwise_floats_of_rows,
    format_of,
    from_integer,
    operand_elements,
    to_integer,
)
from ..transfer.floats import FORMATS, add_floats, divide_floats, negate_float, round_to_integer

_FOLLOWED = ("f32", "f64")
_FUNCTIONS: Mapping[str, Compute] = {
    **{name: OPERATIONS[name.lower()] for name in ("Add", "Sub", "Mul", "Div", "Neg", "Abs", "Sqrt", "Floor", "Ceil")},
    "Round": OPERATIONS["roundeven"],
    "Max": OPERATIONS["max"],
    "Min": OPERATIONS["min"],
    "Equal": comparison("eq"),
    "Less": comparison("lt"),
    "LessOrEqual": comparison("le"),
    "Greater": comparison("gt"),
    "GreaterOrEqual": comparison("ge"),
}
"""Operators of floats alone."""

_FEW = 16
"""Products of these and extents up to 2^20 are numbers of f32."""


def with_float_elements(op: Operation, ctx: RuleContext, otherwise: OpSemantics) -> OpSemantics:
    """Return the semantics of an operator with the elements of a small result that is computed from or to floats.

    ``otherwise`` gives the shape of the result, and the whole semantics if the elements are not known.
    """
    compute, operands = _function(op), op.operands[:1] if op.name == "onnx.CastLike" else op.operands
    if compute is None or not any(element_type_name(each) in _FOLLOWED for each in (*operands, *op.results)):
        return otherwise
    result = otherwise.results.values[0]
    count = small_element_count(result.shape) if isinstance(result, Tensor) else None
    columns = [operand_elements(each, ctx) for each in operands]
    rows: list[tuple[Element, ...]] = []
    for at in range(count or 0):
        row = tuple(each[at if len(each) == count else 0] for each in columns if each and len(each) in (1, count))
        if len(row) != len(columns):
            return otherwise
        rows.append(row)
    return elementwise_floats_of_rows(op, ctx, otherwise, compute, rows) if rows else otherwise


def _function(op: Operation) -> Compute | None:
    name = op.name.removeprefix("onnx.")
    if name not in ("Cast", "CastLike"):
        takes_two = name not in ("Max", "Min") or len(op.operands) == 2
        return _FUNCTIONS.get(name) if takes_two else None
    source, target = op.operands[0], op.results[0]
    names = (element_type_name(source), element_type_name(target))
    if all(each in _FOLLOWED for each in names):
        return OPERATIONS["cast"]
    if names[1] in _FOLLOWED and (names[0] == "i1" or integer_width(source) is not None):
        return from_integer(without_sign=names[0] == "i1")
    return to_integer(without_sign=False) if names[0] in _FOLLOWED and integer_width(target) is not None else None


def float_range(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a range of floats.

    The reference implementation subtracts in f64, and runtimes in the type of the result; both divide in f64. The error
    of the narrower type covers both.

    Raises:
        UnknownValueError: A number is unknown, or the step is no constant, or 0.
    """
    work, format = FloatComputation(op, ctx), format_of(op.results[0])
    if element_type_name(op.results[0]) not in _FOLLOWED:
        raise UnknownValueError("how many floats of less than 32 bits there are is not followed")
    start, end, step = (_number(ctx, each) for each in op.operands[:3])
    if step.exact is not TRUE or not step.numerator.is_constant or not step.numerator.constant:
        raise UnknownValueError("the step is no constant, or 0")
    distance = work.value_of(add_floats(end, negate_float(start), format))
    found = round_to_integer(work.value_of(divide_floats(distance, step, FORMATS["f64"])), "ceil", work.fresh)
    count = maximum(found.value if found.known is TRUE else choose(found.known, found.value, work.fresh(0)), 0)
    return work.with_assumptions(OpSemantics((_range(op, start, step, count),)))


def _range(op: Operation, start: Float, step: Float, count: Dim) -> Tensor:
    """Return the tensor, with the interval of its elements where these are integers."""
    shape = RankedShape.of([count])
    if start.exact is not TRUE or any(each.denominator.constant != 1 for each in (start, step)):
        return Tensor(shape)
    return range_tensor(op, shape, start.numerator, step.numerator, count)


def is_positive_constant(number: Float) -> bool:
    """Return whether a float is a positive number in the program."""
    parts = (number.numerator, number.denominator)
    return number.exact is TRUE and all(each.is_constant and each.constant > 0 for each in parts)


def scaled_extent(work: FloatComputation, extent: Dim, factor: Float) -> Dim:
    """Return an extent times a constant factor in f32, rounded down.

    The product is exact by the specification and in the reference implementation, and rounded to f32 by runtimes, which
    make 7 of 10 times 0.7. They agree for factors of few bits, but for extents too large for an image.
    """
    above, below = factor.numerator.constant, factor.denominator.constant
    exact = floordiv(extent * above, dim(below))
    if above <= _FEW and below.bit_count() == 1:
        return exact
    units = 2 ** FORMATS["f32"].precision
    low, high = (floordiv(extent * above * (units + sign) ** 2, dim(below * units**2)) for sign in (-1, 1))
    # Rounding never passes a whole number that f32 holds: only an extent, or a result, that it does not makes it less.
    low = choose(at_least(units, maximum(extent, exact)), exact, low)
    return exact if low is high else minimum(maximum(work.fresh(0), low), high)


def _number(ctx: RuleContext, value: Value) -> Float:
    """Return the one element of an operand.

    Raises:
        UnknownValueError: It is not known.
    """
    found = operand_elements(value, ctx)
    if not found or not isinstance(found[0], Float):
        raise UnknownValueError(f"{value.name} is not known")
    return found[0]
