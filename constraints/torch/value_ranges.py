"""Interval analysis of the elements of tensors: integers, and floats that are exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Never

from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.domain.values import Abstract, Element, Float, IntegerInterval, NoneValue, Tensor
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.trace.trust import HOLDS_SIZES, NO_WRAP

from ..transfer.elements import boolean_interval
from ..transfer.floats import (
    FORMATS,
    ROUNDINGS,
    Format,
    Rounded,
    add_floats,
    convert_float,
    min_or_max,
    multiply_floats,
    negate_float,
    of_integer,
)
from ..transfer.integers import WORD, fits_signed, fitting_ends
from ..transfer.intervals import Interval, IntervalEnvironment, join_intervals

Row = Sequence[Element | None]
"""One element per operand; None for an omitted one."""

Compute = Callable[[Row], Element]

_I64, _BOOLEAN = "i64", "i1"
_WIDTHS = {"i8": 8, "i16": 16, "i32": 32, _I64: WORD}
"""Signed integer types. Results narrower than 64 bits have no interval where they may wrap."""

_FORMATS = {name: FORMATS[name] for name in ("f32", "f64")}
"""Float types in which PyTorch computes; narrower ones are computed in f32."""


@record
class ElementValues:
    """Abstract elements of a result.

    Attributes:
        elements: Each element, or None if they are not known one by one.
        between: The interval of all elements, or None.
        no_overflow: The condition under which this is right.
        modeling: The modeling assumptions that the condition stands for, in words.
    """

    elements: tuple[Element, ...] | None = None
    between: IntegerInterval | None = None
    no_overflow: Formula = TRUE
    modeling: tuple[str, ...] = ()


_UNKNOWN = ElementValues()


def elementwise_interval(
    op: Operation, ctx: RuleContext, compute: Compute | None, operands: Sequence[Value], name: str
) -> ElementValues:
    """Return the interval of the elements of an element-wise result.

    Args:
        compute: The function that computes an integer or truth value from an element per operand; None if unmodeled.
        operands: The operands that it takes.
        name: The name of PyTorch's operator that computes such floats.
    """
    work, result = _GenericElements(ctx), op.results[0]
    format, of_floats = _FORMATS.get(element_type_name(result)), _FLOAT_FUNCTIONS.get(name)
    try:
        width = _WIDTHS.get(element_type_name(result))
        if width is not None and compute is not None:
            value = compute([work.integer(each, width) for each in operands])
            return work.between_integers(value, width=width) if isinstance(value, Dim) else _UNKNOWN
        if element_type_name(result) == _BOOLEAN and compute is not None and all(map(_is_integral, operands)):
            width = min(_WIDTHS.get(element_type_name(each), WORD) for each in operands)
            truth = compute([work.integer(each, width) for each in operands])
            return ElementValues(None, work.truth(truth)) if isinstance(truth, Formula) else _UNKNOWN
        if (
            format is not None
            and of_floats is not None
            and not any(_needs_conversion(each, result) for each in op.operands)
        ):
            return work.between_floats(of_floats([work.float(each, format) for each in op.operands], format), format)
    except UnknownValueError:
        pass
    return _UNKNOWN


def cast_interval(value: Value, ctx: RuleContext, result: Value) -> ElementValues:
    """Return the interval of the elements of a tensor after a conversion to the result's type."""
    held, source, target = ctx.value(value), element_type_name(value), element_type_name(result)
    whole = integer_interval(value, ctx)
    if whole is not None and target in _WIDTHS:
        return ElementValues(between=_restricted_to_width(whole, _WIDTHS[target]))
    work = _GenericElements(ctx)
    if whole is not None and target in _FORMATS:
        return work.between_floats(of_integer(work.fresh_element(value, whole), _FORMATS[target]), _FORMATS[target])
    if not isinstance(held, Tensor) or held.between is None or not {source, target} <= {_I64, *_FORMATS}:
        return _UNKNOWN
    if source == target:
        return ElementValues(between=held.between)
    element = work.float(value, _FORMATS[source])
    assert element is not None
    if target != _I64:
        return work.between_floats(convert_float(element, _FORMATS[target]), _FORMATS[target])
    return work.between_integers(ROUNDINGS["trunc"](element.numerator, element.denominator), element.exact)


def integer_interval(value: Value, ctx: RuleContext) -> IntegerInterval | None:
    """Return the interval of the elements of a signed integer tensor, or of a boolean one as numbers."""
    found = ctx.value(value)
    if not isinstance(found, Tensor):
        return None
    if element_type_name(value) == _BOOLEAN:
        return boolean_interval(found.between)
    return tensor_interval(found) if element_type_name(value) in _WIDTHS else None


def integer_width(value: Value) -> int | None:
    """Return the width of the elements of a signed integer tensor; None for others."""
    return _WIDTHS.get(element_type_name(value))


def _restricted_to_width(between: IntegerInterval, width: int) -> IntegerInterval:
    """Return the interval under the condition that integers of this width hold its ends."""
    if width == WORD:
        return between
    fit = (fits_signed(end, width) for end in (between.low, between.high))
    return replace(between, where=conjunction((between.where, *fit)))


def exact_float_interval(value: Value, low: Dim, high: Dim) -> IntegerInterval | None:
    """Return an interval of integers as floats of the tensor's type, where they are exact; None for others."""
    format = _FORMATS.get(element_type_name(value))
    if format is None:
        return None
    ends = [of_integer(each, format) for each in (low, high)]
    return IntegerInterval(low, high, conjunction(part for end in ends for part in (end.value.exact, end.no_overflow)))


def _sum(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b, factor = _require_all(row, 3)
    return add_floats(a, b if _is_constant(factor, 1) else _unmodeled(), format)


def _difference(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b, factor = _require_all(row, 3)
    return add_floats(a, negate_float(b) if _is_constant(factor, 1) else _unmodeled(), format)


def _reversed_difference(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b, factor = _require_all(row, 3)
    return _difference((b, a, factor), format)


def _product(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b = _require_all(row, 2)
    return multiply_floats(a, b, format)


def _quotient(row: Sequence[Float | None], format: Format) -> Rounded:
    """Return a quotient by a power of 2, as a product with its inverse.

    PyTorch may divide or multiply by the inverse: the results agree there.

    Raises:
        UnknownValueError: The divisor is no exact power of 2.
    """
    a, b = _require_all(row, 2)
    parts = (b.numerator, b.denominator)
    if b.exact is not TRUE or not all(each.is_constant and each.constant.bit_count() == 1 for each in parts):
        _unmodeled()
    return multiply_floats(a, Float(b.denominator, b.numerator), format)


def _clamped(row: Sequence[Float | None], format: Format) -> Rounded:
    if len(row) != 3:
        _unmodeled()
    number, lower, upper = row
    (found,) = _require_all([number], 1)
    found = found if lower is None else min_or_max(found, lower, "max")
    return Rounded(found if upper is None else min_or_max(found, upper, "min"))


def _extreme(which: str) -> Callable[[Sequence[Float | None], Format], Rounded]:
    def compute(row: Sequence[Float | None], format: Format) -> Rounded:
        a, b = _require_all(row, 2)
        return Rounded(min_or_max(a, b, which))

    return compute


def _rounding(how: str) -> Callable[[Sequence[Float | None], Format], Rounded]:
    def compute(row: Sequence[Float | None], format: Format) -> Rounded:
        (number,) = _require_all(row, 1)
        whole = ROUNDINGS[how](number.numerator, number.denominator)
        return Rounded(Float(whole, exact=number.exact, whole=number.exact, error=None, defined=number.exact))

    return compute


def _require_all(row: Sequence[Float | None], count: int) -> list[Float]:
    """Return exactly ``count`` numbers, none of them omitted.

    Raises:
        UnknownValueError: A number is omitted, or there are more or fewer.
    """
    found = [each for each in row if each is not None]
    return found if len(found) == len(row) == count else _unmodeled()


def _is_constant(a: Float, number: int) -> bool:
    return a.exact is TRUE and a.denominator.is_constant and a.numerator is a.denominator * number


def _unmodeled() -> Never:
    raise UnknownValueError("not followed")


_FLOAT_FUNCTIONS: Mapping[str, Callable[[Sequence[Float | None], Format], Rounded]] = {
    "add": _sum,
    "sub": _difference,
    "rsub": _reversed_difference,
    "mul": _product,
    "div": _quotient,
    "neg": lambda row, _: Rounded(negate_float(*_require_all(row, 1))),
    "maximum": _extreme("max"),
    "minimum": _extreme("min"),
    "clamp": _clamped,
    "clamp_min": lambda row, format: _clamped([*row, None], format),
    "clamp_max": lambda row, format: _clamped([row[0], None, row[1]], format),
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "trunc": _rounding("trunc"),
    "round": _rounding("roundeven"),
}
"""Operator without its overload -> function of one float per operand."""


def with_joined_intervals(result: Value, found: Tensor, parts: Iterable[Abstract]) -> Tensor:
    """Return the tensor with the join of the intervals of the tensors that its elements are taken from.

    Only tensors of i64 get it, and only if all of these intervals are known.
    """
    bounds = (
        [tensor_interval(each) for each in parts if isinstance(each, Tensor)]
        if element_type_name(result) == _I64
        else []
    )
    known = [each for each in bounds if each is not None]
    if not known or len(known) != len(bounds):
        return found
    return replace(found, between=join_intervals([Interval.of(each) for each in known]).between)


def with_index_interval(result: Value, found: Tensor, count: Dim) -> Tensor:
    """Return the tensor with the interval [0, count - 1] of an index (i64 only)."""
    return replace(found, between=IntegerInterval(dim(0), count - 1)) if element_type_name(result) == _I64 else found


def element_type_name(value: Value) -> str:
    """Return the name of a value's type, or of its element type."""
    return str(value.type.element) if isinstance(value.type, ShapedType) else str(value.type)


def _is_integral(value: Value) -> bool:
    """Return whether a value is, or consists of, integers or truth values."""
    return element_type_name(value) in (*_WIDTHS, _BOOLEAN, "!torch.int", "!torch.bool")


def _always_fits(number: Dim, width: int) -> bool:
    """Return whether integers of this width always hold a number."""
    return width == WORD or fits_signed(number, width) is TRUE


def _needs_conversion(value: Value, result: Value) -> bool:
    """Return whether a tensor has another element type than the result, so is converted first."""
    return isinstance(value.type, ShapedType) and element_type_name(value) != element_type_name(result)


@dataclass(slots=True, eq=False)
class _GenericElements:
    """Generic elements: one unknown element per tensor operand, which stands for all of them.

    Attributes:
        ctx: The context of the rule.
        intervals: The interval of each generic element, by its variable.
        fresh_names: The names of the variables made so far.
    """

    ctx: RuleContext
    intervals: dict[Variable, IntegerInterval] = field(default_factory=dict[Variable, IntegerInterval])
    fresh_names: set[str] = field(default_factory=set[str])

    def fresh_element(self, value: Value, between: IntegerInterval | None) -> Dim:
        """Return a fresh integer with this interval, or without bounds."""
        element = self.ctx.fresh(f"{value.name}{ELEMENT}", None, None)
        # With two tensors, not every pair of elements occurs, so no bound is known to be attained.
        apart = between if between is None or not self.fresh_names else between.subset_bounds
        if self.fresh_names:
            self.intervals = {each: known.subset_bounds for each, known in self.intervals.items()}
        self.fresh_names |= {each.name for each in element.variables}
        if apart is not None:
            self.intervals |= dict.fromkeys(element.variables, apart)
        return element

    def integer(self, value: Value, width: int) -> Dim | None:
        """Return a generic element of an integer operand, or the operand if it is a number; None if it is omitted.

        Raises:
            UnknownValueError: The operand may not fit into ``width``, so that PyTorch may have wrapped it before.
        """
        found = self.ctx.value(value)
        if _WIDTHS.get(element_type_name(value), 0) > width or (
            isinstance(found, Dim) and not _always_fits(found, width)
        ):
            raise UnknownValueError("a number is converted")
        if isinstance(found, Dim):
            return found
        if isinstance(found, NoneValue):
            return None
        if isinstance(found, Tensor) and element_type_name(value) == _BOOLEAN:
            between = found.between
        else:
            between = signed_interval(value, self.ctx)
        return (
            between.single_value
            if between is not None and between.single_value is not None
            else self.fresh_element(value, between)
        )

    def float(self, value: Value, format: Format) -> Float | None:
        """Return a generic element of a float operand, or a number in that format; None if it is omitted.

        Raises:
            UnknownValueError: Nothing is known of the elements, or the number would be rounded.
        """
        found = self.ctx.value(value)
        if isinstance(found, NoneValue):
            return None
        if isinstance(found, Dim):
            return self._exact(of_integer(found, format))
        if isinstance(found, Float):  # a Python float, which is f64
            return found if format is _FORMATS["f64"] else self._exact(convert_float(found, format))
        if not isinstance(found, Tensor) or found.between is None:
            raise UnknownValueError(f"what {value.name} holds is not known")
        between = found.between
        numerator = between.single_value
        if numerator is None:
            numerator = self.fresh_element(value, between)
        return Float(numerator, dim(between.denominator)).where(between.where)

    def _exact(self, rounded: Rounded) -> Float:
        if rounded.no_overflow is not TRUE:
            raise UnknownValueError("a number is rounded")
        return rounded.value

    def truth(self, formula: Formula) -> IntegerInterval | None:
        """Return the interval of truth values of a formula over generic elements, or None."""
        return IntervalEnvironment(self.intervals, self.fresh_names).truth(formula)

    def between_integers(self, value: Dim, known: Formula = TRUE, width: int = WORD) -> ElementValues:
        """Return the interval of an integer over generic elements.

        Args:
            value: The integer.
            known: The condition under which the value is right, for all elements; TRUE for integer arithmetic.
            width: The width of the result's elements.
        """
        bounds = IntervalEnvironment(self.intervals, self.fresh_names)
        ends, where = bounds.interval(value), bounds.condition_for(known)
        if where is None or ends.low is None or ends.high is None:
            return _UNKNOWN
        # Only integer arithmetic is assumed not to overflow; a converted float must be proved to fit.
        sure, no_overflow = fitting_ends((ends.low, ends.high), width, by_words=known is TRUE)
        between = IntegerInterval(ends.low, ends.high, conjunction((where, ends.where, sure)), ends.step)
        return ElementValues(None, between, no_overflow, () if no_overflow is TRUE else (NO_WRAP,))

    def between_floats(self, rounded: Rounded, format: Format) -> ElementValues:
        """Return the interval of a float over generic elements, in this format."""
        bounds = IntervalEnvironment(self.intervals, self.fresh_names)
        between, no_overflow = bounds.floats(rounded.value, format), bounds.condition_for(rounded.no_overflow)
        if between is None or no_overflow is None:
            return _UNKNOWN
        return ElementValues(None, between, no_overflow, () if no_overflow is TRUE else (HOLDS_SIZES,))


def signed_interval(value: Value, ctx: RuleContext) -> IntegerInterval | None:
    """Return the interval of the elements of a signed integer tensor, or None."""
    found = ctx.value(value)
    return tensor_interval(found) if isinstance(found, Tensor) and element_type_name(value) in _WIDTHS else None


def tensor_interval(of: Tensor) -> IntegerInterval | None:
    """Return the interval of the elements of a tensor, computed from the elements if all are known."""
    known = [each for each in of.elements or () if isinstance(each, Dim)]
    if known and len(known) == len(of.elements or ()):
        return IntegerInterval(minimum(*known), maximum(*known))
    return of.between
