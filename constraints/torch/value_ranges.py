"""What all elements of PyTorch's tensors lie between: of integers, and of floats that are exact."""

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

from ..transfer.elements import truths_as_numbers
from ..transfer.float_elements import HOLDS_SIZES
from ..transfer.floats import (
    FORMATS,
    ROUNDINGS,
    Format,
    Rounded,
    added,
    converted,
    extreme,
    multiplied,
    negated,
    of_integer,
)
from ..transfer.integers import NO_WRAP, WORD, fits_signed, fitting_ends
from ..transfer.intervals import Interval, IntervalEnvironment, join_intervals

Row = Sequence[Element | None]
"""One element of each operand; None for one that is left out."""

Compute = Callable[[Row], Element]

_WORDS, _TRUTHS = "i64", "i1"
_WIDTHS = {"i8": 8, "i16": 16, "i32": 32, _WORDS: WORD}
"""The signed integers. Where narrower ones than 64 bits would wrap, nothing is said of them."""

_FORMATS = {name: FORMATS[name] for name in ("f32", "f64")}
"""Types in which PyTorch computes as they are: what is narrower is computed in f32."""


@record
class Followed:
    """The elements of a result, None where nobody knows, or what all lie between.

    ``presumes``: where this is right; ``leans_on``: what that assumes in words.
    """

    elements: tuple[Element, ...] | None = None
    between: IntegerInterval | None = None
    presumes: Formula = TRUE
    leans_on: tuple[str, ...] = ()


_NOTHING = Followed()


def bounded(op: Operation, ctx: RuleContext, compute: Compute | None, operands: Sequence[Value]) -> Followed:
    """What the elements of a result lie between. ``compute`` makes a 64-bit integer of one of each of the operands."""
    work, result = _Elements(ctx), op.results[0]
    format, of_floats = _FORMATS.get(spelled(result)), _FLOATS.get(op.name.split(".")[2])
    try:
        width = _WIDTHS.get(spelled(result))
        if width is not None and compute is not None:
            value = compute([work.integer(each, width) for each in operands])
            return work.between_integers(value, width=width) if isinstance(value, Dim) else _NOTHING
        if spelled(result) == _TRUTHS and compute is not None and all(map(_is_whole, operands)):
            width = min(_WIDTHS.get(spelled(each), WORD) for each in operands)
            truth = compute([work.integer(each, width) for each in operands])
            return Followed(None, work.truth(truth)) if isinstance(truth, Formula) else _NOTHING
        if format is not None and of_floats is not None and not any(_is_other(each, result) for each in op.operands):
            return work.between_floats(of_floats([work.float(each, format) for each in op.operands], format), format)
    except UnknownValueError:
        pass
    return _NOTHING


def recast_bounds(value: Value, ctx: RuleContext, result: Value) -> Followed:
    """What the elements of a tensor lie between when they are turned into another type."""
    held, source, target = ctx.value(value), spelled(value), spelled(result)
    whole = whole_numbers_in(value, ctx)
    if whole is not None and target in _WIDTHS:
        return Followed(between=_held_in(whole, _WIDTHS[target]))
    work = _Elements(ctx)
    if whole is not None and target in _FORMATS:
        return work.between_floats(of_integer(work.unknown(value, whole), _FORMATS[target]), _FORMATS[target])
    if not isinstance(held, Tensor) or held.between is None or not {source, target} <= {_WORDS, *_FORMATS}:
        return _NOTHING
    if source == target:
        return Followed(between=held.between)
    element = work.float(value, _FORMATS[source])
    assert element is not None
    if target != _WORDS:
        return work.between_floats(converted(element, _FORMATS[target]), _FORMATS[target])
    return work.between_integers(ROUNDINGS["trunc"](element.numerator, element.denominator), element.exact)


def whole_numbers_in(value: Value, ctx: RuleContext) -> IntegerInterval | None:
    """What the elements of a tensor of signed integers lie between, or those of one of truth values as numbers."""
    found = ctx.value(value)
    if not isinstance(found, Tensor):
        return None
    if spelled(value) == _TRUTHS:
        return truths_as_numbers(found.between)
    return bounds_in(found) if spelled(value) in _WIDTHS else None


def width_of(value: Value) -> int | None:
    """How wide the signed integers of a tensor are; None where it holds others."""
    return _WIDTHS.get(spelled(value))


def _held_in(between: IntegerInterval, width: int) -> IntegerInterval:
    """Integers as those of a width, where that holds them."""
    if width == WORD:
        return between
    fit = (fits_signed(end, width) for end in (between.low, between.high))
    return replace(between, where=conjunction((between.where, *fit)))


def range_of_floats(value: Value, low: Dim, high: Dim) -> IntegerInterval | None:
    """Whole numbers as floats of a tensor's type, where that holds all of them."""
    format = _FORMATS.get(spelled(value))
    if format is None:
        return None
    ends = [of_integer(each, format) for each in (low, high)]
    return IntegerInterval(low, high, conjunction(part for end in ends for part in (end.value.exact, end.presumes)))


def _sum(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b, factor = _given(row, 3)
    return added(a, b if _is(factor, 1) else _not_followed(), format)


def _difference(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b, factor = _given(row, 3)
    return added(a, negated(b) if _is(factor, 1) else _not_followed(), format)


def _reversed_difference(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b, factor = _given(row, 3)
    return _difference((b, a, factor), format)


def _product(row: Sequence[Float | None], format: Format) -> Rounded:
    a, b = _given(row, 2)
    return multiplied(a, b, format)


def _quotient(row: Sequence[Float | None], format: Format) -> Rounded:
    """Of what is divided by a power of 2: whether PyTorch divides, or multiplies by an inverse, is the same there."""
    a, b = _given(row, 2)
    parts = (b.numerator, b.denominator)
    if b.exact is not TRUE or not all(each.is_constant and each.constant.bit_count() == 1 for each in parts):
        _not_followed()
    return multiplied(a, Float(b.denominator, b.numerator), format)


def _clamped(row: Sequence[Float | None], format: Format) -> Rounded:
    if len(row) != 3:
        _not_followed()
    number, lower, upper = row
    (found,) = _given([number], 1)
    found = found if lower is None else extreme(found, lower, "max")
    return Rounded(found if upper is None else extreme(found, upper, "min"))


def _extreme(which: str) -> Callable[[Sequence[Float | None], Format], Rounded]:
    def compute(row: Sequence[Float | None], format: Format) -> Rounded:
        a, b = _given(row, 2)
        return Rounded(extreme(a, b, which))

    return compute


def _whole(how: str) -> Callable[[Sequence[Float | None], Format], Rounded]:
    def compute(row: Sequence[Float | None], format: Format) -> Rounded:
        (number,) = _given(row, 1)
        whole = ROUNDINGS[how](number.numerator, number.denominator)
        return Rounded(Float(whole, exact=number.exact, whole=number.exact, error=None, defined=number.exact))

    return compute


def _given(row: Sequence[Float | None], count: int) -> list[Float]:
    """So many numbers, none of which is left out."""
    found = [each for each in row if each is not None]
    return found if len(found) == len(row) == count else _not_followed()


def _is(a: Float, number: int) -> bool:
    return a.exact is TRUE and a.denominator.is_constant and a.numerator is a.denominator * number


def _not_followed() -> Never:
    raise UnknownValueError("not followed")


_FLOATS: Mapping[str, Callable[[Sequence[Float | None], Format], Rounded]] = {
    "add": _sum,
    "sub": _difference,
    "rsub": _reversed_difference,
    "mul": _product,
    "div": _quotient,
    "neg": lambda row, _: Rounded(negated(*_given(row, 1))),
    "maximum": _extreme("max"),
    "minimum": _extreme("min"),
    "clamp": _clamped,
    "clamp_min": lambda row, format: _clamped([*row, None], format),
    "clamp_max": lambda row, format: _clamped([row[0], None, row[1]], format),
    "floor": _whole("floor"),
    "ceil": _whole("ceil"),
    "trunc": _whole("trunc"),
    "round": _whole("roundeven"),
}
"""What becomes of one float of each operand, by the name of the operator without its overload."""


def with_bounds_of_all(result: Value, found: Tensor, parts: Iterable[Abstract]) -> Tensor:
    """A result in which there are only elements of some tensors, if these are 64-bit integers that are bounded."""
    bounds = [bounds_in(each) for each in parts if isinstance(each, Tensor)] if spelled(result) == _WORDS else []
    known = [each for each in bounds if each is not None]
    if not known or len(known) != len(bounds):
        return found
    return replace(found, between=join_intervals([Interval.of(each) for each in known]).between)


def with_places(result: Value, found: Tensor, count: Dim) -> Tensor:
    """A result that holds places among so many, as far as it is one of 64-bit integers."""
    return replace(found, between=IntegerInterval(dim(0), count - 1)) if spelled(result) == _WORDS else found


def spelled(value: Value) -> str:
    """The type of a value, or of its elements."""
    return str(value.type.element) if isinstance(value.type, ShapedType) else str(value.type)


def _is_whole(value: Value) -> bool:
    """Whether a value is a number of Python's that is whole, or holds such numbers or truth values."""
    return spelled(value) in (*_WIDTHS, _TRUTHS, "!torch.int", "!torch.bool")


def _is_held(number: Dim, width: int) -> bool:
    """Whether integers of a width hold a number, whatever it is."""
    return width == WORD or fits_signed(number, width) is TRUE


def _is_other(value: Value, result: Value) -> bool:
    """Whether a tensor has another type of elements, and is converted first."""
    return isinstance(value.type, ShapedType) and spelled(value) != spelled(result)


@dataclass(slots=True, eq=False)
class _Elements:
    """One element of each of several tensors, which stands for all of them."""

    ctx: RuleContext
    inside: dict[Variable, IntegerInterval] = field(default_factory=dict[Variable, IntegerInterval])
    made: set[str] = field(default_factory=set[str])

    def unknown(self, value: Value, between: IntegerInterval | None) -> Dim:
        """An integer that is only bounded, or not even that."""
        element = self.ctx.fresh(f"{value.name}{ELEMENT}", None, None)
        # Of two tensors, not every pair of elements need meet. For sums it would do to know that of one of them.
        apart = between if between is None or not self.made else between.loosely
        if self.made:
            self.inside = {each: known.loosely for each, known in self.inside.items()}
        self.made |= {each.name for each in element.variables}
        if apart is not None:
            self.inside |= dict.fromkeys(element.variables, apart)
        return element

    def integer(self, value: Value, width: int) -> Dim | None:
        """An element of integers of at most a width, or the number that is given; None for none.

        What is wider, PyTorch may have wrapped before.
        """
        found = self.ctx.value(value)
        if _WIDTHS.get(spelled(value), 0) > width or (isinstance(found, Dim) and not _is_held(found, width)):
            raise UnknownValueError("a number is converted")
        if isinstance(found, Dim):
            return found
        if isinstance(found, NoneValue):
            return None
        if isinstance(found, Tensor) and spelled(value) == _TRUTHS:
            between = found.between
        else:
            between = bounds_of(value, self.ctx)
        return between.only if between is not None and between.only is not None else self.unknown(value, between)

    def float(self, value: Value, format: Format) -> Float | None:
        """An element of floats that are known to be exact, or a number in their type; None for none."""
        found = self.ctx.value(value)
        if isinstance(found, NoneValue):
            return None
        if isinstance(found, Dim):
            return self._exact(of_integer(found, format))
        if isinstance(found, Float):  # one of Python's
            return found if format is _FORMATS["f64"] else self._exact(converted(found, format))
        if not isinstance(found, Tensor) or found.between is None:
            raise UnknownValueError(f"what {value.name} holds is not known")
        between = found.between
        numerator = between.only
        if numerator is None:
            numerator = self.unknown(value, between)
        return Float(numerator, dim(between.denominator)).where(between.where)

    def _exact(self, rounded: Rounded) -> Float:
        if rounded.presumes is not TRUE:
            raise UnknownValueError("a number is rounded")
        return rounded.value

    def truth(self, formula: Formula) -> IntegerInterval | None:
        return IntervalEnvironment(self.inside, self.made).truth(formula)

    def between_integers(self, value: Dim, known: Formula = TRUE, width: int = WORD) -> Followed:
        bounds = IntervalEnvironment(self.inside, self.made)
        ends, where = bounds.ends(value), bounds.always(known)
        if where is None or ends.low is None or ends.high is None:
            return _NOTHING
        # What floats give is no arithmetic on words, of which the modelling presumes that it fits.
        sure, presumes = fitting_ends((ends.low, ends.high), width, by_words=known is TRUE)
        between = IntegerInterval(ends.low, ends.high, conjunction((where, ends.where, sure)), ends.step)
        return Followed(None, between, presumes, () if presumes is TRUE else (NO_WRAP,))

    def between_floats(self, rounded: Rounded, format: Format) -> Followed:
        bounds = IntervalEnvironment(self.inside, self.made)
        between, presumes = bounds.floats(rounded.value, format), bounds.always(rounded.presumes)
        if between is None or presumes is None:
            return _NOTHING
        return Followed(None, between, presumes, () if presumes is TRUE else (HOLDS_SIZES,))


def bounds_of(value: Value, ctx: RuleContext) -> IntegerInterval | None:
    """What the elements of a tensor of signed integers lie between."""
    found = ctx.value(value)
    return bounds_in(found) if isinstance(found, Tensor) and spelled(value) in _WIDTHS else None


def bounds_in(of: Tensor) -> IntegerInterval | None:
    """What the elements of a tensor lie between, also where each is known."""
    known = [each for each in of.elements or () if isinstance(each, Dim)]
    if known and len(known) == len(of.elements or ()):
        return IntegerInterval(minimum(*known), maximum(*known))
    return of.between
