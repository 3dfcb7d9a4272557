"""Float arithmetic on numbers that come from sizes.

A float is represented as a quotient of integers. Every operation computes the exact quotient and rounds it to the
nearest float of its type, ties to even. Rounding is exact if the numerator has at most as many bits as the significand
and the denominator is a power of two. For another denominator the float is not the quotient, but it lies between the
same integers: the next integer is at least 1/denominator away, and rounding moves the quotient by less than that as
long as the numerator has fewer bits than the significand. Elsewhere the relative error is 2 to the minus that number
of bits.

It is assumed that f64 holds sizes exactly (no tensor has 2^53 elements) if the numerator is not much more than a size;
for narrower types the result is a case distinction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import gcd, isqrt

from shapesolve.domain.values import ANY_FLOAT, Float
from shapesolve.records import record, value_record
from shapesolve.symbolic.dims import ONE, ZERO, Dim, ceildiv, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies
from shapesolve.symbolic.linear import polynomial_content
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.symbolic.visitors import sizes_within

LARGEST_EXPONENT = 200
"""Constants above two to this, or below its inverse, are not modeled."""

MODEST = 2**16
"""The largest sum of the coefficients of a numerator that f64 is assumed to hold exactly."""

LARGEST_SIZE = 2**53
"""The largest number of elements of a tensor, by assumption."""


_INFINITE = replace(ANY_FLOAT, infinite=True)
"""Either infinity, as a constant of the program; nothing is computed with it."""


@value_record
class Format:
    """A float type.

    Attributes:
        precision: The bits of its significand.
        least: The negated exponent of its least normal number.
        greatest: The exponent of its greatest number.
    """

    precision: int
    least: int
    greatest: int

    @property
    def unit(self) -> Fraction:
        """The relative error of one rounding."""
        return Fraction(1, 2**self.precision)

    @property
    def grain(self) -> int:
        """The inverse of the least positive number: every finite number is a multiple of one over this."""
        return 2 ** (self.least + self.precision - 1)

    @property
    def holds_sizes(self) -> bool:
        """True if the type is assumed to hold sizes exactly."""
        return self.precision >= 53

    def holds(self, other: Format) -> bool:
        """Return whether every number of another type is a number of this one."""
        return self.precision >= other.precision and self.least >= other.least and self.greatest >= other.greatest


FORMATS = {
    "f64": Format(53, 1022, 1023),
    "f32": Format(24, 126, 127),
    "f16": Format(11, 14, 15),
    "bf16": Format(8, 126, 127),
    "!torch.float": Format(53, 1022, 1023),
}
"""The formats of float types, by their names; the last is Python's."""


ROOT_ERROR = 8
"""The most units by which a square root that is no fraction is believed to be off."""


@record
class Rounded:
    """The rounded result of an operation.

    Attributes:
        value: The float.
        no_overflow: The assumption under which its description is right.
    """

    value: Float
    no_overflow: Formula = TRUE


def constant(value: float) -> Float:
    """Return the float of a number in the program."""
    if value in (float("inf"), float("-inf")):
        return _INFINITE
    if value != value:
        return ANY_FLOAT
    return _of_fraction(Fraction(value))


def _of_fraction(value: Fraction) -> Float:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST_EXPONENT:
        return ANY_FLOAT
    return Float(dim(value.numerator), dim(value.denominator))


def of_integer(value: Dim, format: Format) -> Rounded:
    """Convert an integer to a float."""
    return _nearest(value, ONE, format, TRUE, TRUE, Fraction(0))


def convert_float(a: Float, format: Format) -> Rounded:
    """Convert a float to another type, whose ``format`` is given."""
    return _nearest(a.numerator, a.denominator, format, a.exact, a.defined, a.error)


def add_floats(a: Float, b: Float, format: Format) -> Rounded:
    """Return the sum of two floats."""
    for number, other in ((a, b), (b, a)):
        if number.exact is TRUE and number.numerator is ZERO:
            return Rounded(other)
    if a.denominator is b.denominator:
        numerator, denominator = a.numerator + b.numerator, a.denominator
    else:
        numerator = a.numerator * b.denominator + b.numerator * a.denominator
        denominator = a.denominator * b.denominator
    return _nearest(numerator, denominator, format, *_both(a, b), _of_sum(a, b))


def multiply_floats(a: Float, b: Float, format: Format) -> Rounded:
    """Return the product of two floats."""
    for number, other in ((a, b), (b, a)):
        if _is_one(number):
            return Rounded(other)
    error = None if a.error is None or b.error is None else (1 + a.error) * (1 + b.error) - 1
    return _nearest(a.numerator * b.numerator, a.denominator * b.denominator, format, *_both(a, b), error)


def divide_floats(a: Float, b: Float, format: Format) -> Rounded:
    """Return the quotient of two floats.

    It is defined for a positive divisor, or for a negative one if the divisor is never positive.
    """
    if _is_one(b):
        return Rounded(a)
    if b.numerator is ZERO:
        return Rounded(ANY_FLOAT)
    _, high = b.numerator.bounds()
    if high is not None and high <= 0:
        a, b = negate_float(a), negate_float(b)
    exact, defined = _both(a, b)
    positive = at_least(b.numerator, 1)
    exact, defined = conjunction((exact, positive)), conjunction((defined, positive))
    error = None
    if a.error is not None and b.error is not None and b.error < 1:
        error = (1 + a.error) / (1 - b.error) - 1
    return _nearest(a.numerator * b.denominator, a.denominator * b.numerator, format, exact, defined, error)


def negate_float(a: Float) -> Float:
    """Return the negative of a float."""
    return Float(-a.numerator, a.denominator, a.exact, a.whole, a.error, a.defined)


def magnitude(a: Float) -> Float:
    """Return the absolute value of a float."""
    size = choose(at_least(a.numerator, 0), a.numerator, -a.numerator)
    return Float(size, a.denominator, a.exact, a.whole, a.error, a.defined)


def square_root(a: Float, format: Format) -> Float | None:
    """Return the square root of a known number, or None.

    The root of the square of a fraction is a float of the same type, so that IEEE's square root is exactly that. Any
    other is believed within `ROOT_ERROR` units: not every machine rounds it to the nearest.
    """
    if not (a.numerator.is_constant and a.denominator.is_constant and a.numerator.constant >= 0):
        return None
    value = Fraction(a.numerator.constant, a.denominator.constant)
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if a.exact is TRUE and root**2 == value:
        return _of_fraction(root)
    if a.error is None or a.defined is not TRUE or value < Fraction(1, 2**format.least):
        return None
    places = max(0, 64 + (value.denominator.bit_length() - value.numerator.bit_length()) // 2)
    near = _of_fraction(Fraction(isqrt(value.numerator * 4**places // value.denominator), 2**places))
    error = (1 + a.error) * (1 + ROOT_ERROR * format.unit) - 1
    return ANY_FLOAT if near is ANY_FLOAT else Float(near.numerator, near.denominator, FALSE, FALSE, error)


def min_or_max(a: Float, b: Float, which: str) -> Float:
    """Return the maximum ("max") or minimum ("min") of two floats."""
    pick = maximum if which == "max" else minimum
    if a.denominator is b.denominator:
        numerator, denominator = pick(a.numerator, b.numerator), a.denominator
    else:
        numerator = pick(a.numerator * b.denominator, b.numerator * a.denominator)
        denominator = a.denominator * b.denominator
    numerator, denominator = _reduced(numerator, denominator)
    exact, defined = _both(a, b)
    return Float(numerator, denominator, exact, conjunction((a.whole, b.whole)), _of_sum(a, b), defined)


def _is_one(a: Float) -> bool:
    return a.exact is TRUE and a.numerator is ONE and a.denominator is ONE


def _both(a: Float, b: Float) -> tuple[Formula, Formula]:
    """Return the conditions under which both are exact, and under which both are defined."""
    return conjunction((a.exact, b.exact)), conjunction((a.defined, b.defined))


def _of_sum(a: Float, b: Float) -> Fraction | None:
    """Return the relative error of the sum before it is rounded, or None if it is unbounded.

    Summands of different signs may cancel, which leaves their errors.
    """
    if a.error == b.error == 0:
        return Fraction(0)
    alike = _sign(a) * _sign(b) > 0  # otherwise the sum may be small where the errors are not
    return max(a.error, b.error) if alike and a.error is not None and b.error is not None else None


def _sign(a: Float) -> int:
    """Return 1 for a number that is never negative, -1 for one that is never positive, else 0."""
    low, high = a.numerator.bounds()
    return 1 if low is not None and low >= 0 else -1 if high is not None and high <= 0 else 0


# Rounding ----------------------------------------------------------------------------------------------------------


def _nearest(
    numerator: Dim, denominator: Dim, format: Format, exact: Formula, defined: Formula, error: Fraction | None
) -> Rounded:
    """Round a quotient to the nearest float of a type.

    Args:
        numerator: The numerator of the quotient.
        format: The format of the result.
        exact: The condition under which the operand is the quotient.
        defined: The condition under which it is a number.
        error: The relative error of the operand where it is not exact, None if unbounded.
    """
    numerator, denominator = _reduced(numerator, denominator)
    if numerator.is_constant and denominator.is_constant and exact is TRUE:
        value = _rounded(Fraction(numerator.constant, denominator.constant), format)
        return Rounded(ANY_FLOAT if value is None else _of_fraction(value))
    finite = _within(numerator, denominator * 2 ** min(format.greatest - 1, LARGEST_EXPONENT))
    exact, defined = conjunction((exact, finite)), conjunction((defined, finite))
    # Multiples of the grain that are less than normal numbers are numbers of the type.
    is_grained = error == 0 and denominator.is_constant and format.grain % denominator.constant == 0
    error = None if error is None else (1 + error) * (1 + format.unit) - 1
    if not (is_grained or _is_normal(denominator, format)) or (error is not None and error >= 1):
        error = None
    is_dyadic = denominator.is_constant and denominator.constant.bit_count() == 1
    if is_dyadic and denominator.constant <= 2**format.least:
        held = _within(_odd_part(numerator), dim(2**format.precision))
        kept, no_overflow = _held_or_assumed(held, numerator, denominator, format, exact)
        return Rounded(
            Float(numerator, denominator, kept, kept, error if kept is not TRUE else Fraction(0), defined), no_overflow
        )
    held = _within(numerator, dim(2**format.precision - 1))
    if not denominator.is_constant:
        held = conjunction((held, at_least(2**format.least, denominator)))
    elif denominator.constant > 2**format.least:
        held = FALSE
    kept, no_overflow = _held_or_assumed(held, numerator, denominator, format, exact)
    return Rounded(Float(numerator, denominator, FALSE, kept, error, defined), no_overflow)


def _held_or_assumed(
    held: Formula, numerator: Dim, denominator: Dim, format: Format, exact: Formula
) -> tuple[Formula, Formula]:
    """Return the condition under which an ``exact`` quotient is representable, and the assumption of that condition."""
    modest = _is_modest(numerator) and _weight(denominator) + denominator.constant <= MODEST
    if held is TRUE or not format.holds_sizes or not modest or held is FALSE:
        return conjunction((exact, held)), TRUE
    return exact, implies(exact, held)


def _weight(value: Dim) -> int:
    return sum(abs(coefficient) for _, coefficient in value.terms)


def _is_modest(value: Dim) -> bool:
    """Return whether a value is not much more than sizes, nor contains a constant above every size.

    All alternatives of a select count. A negative number read without its sign is above.
    """
    return all(_weight(each) <= MODEST and abs(each.constant) <= LARGEST_SIZE for each in sizes_within(value))


def _within(value: Dim, most: Dim) -> Formula:
    return conjunction((at_least(value, -most), at_least(most, value)))


def _is_normal(denominator: Dim, format: Format) -> bool:
    """Return whether one over the denominator is at least the least normal number."""
    _, high = denominator.bounds()
    return high is not None and high <= 2**format.least


def _reduced(numerator: Dim, denominator: Dim) -> tuple[Dim, Dim]:
    common = gcd(polynomial_content(numerator), polynomial_content(denominator))
    return (numerator, denominator) if common <= 1 else (floordiv(numerator, common), floordiv(denominator, common))


def _odd_part(value: Dim) -> Dim:
    content = polynomial_content(value)
    return floordiv(value, content & -content) if content else value


def _rounded(value: Fraction, format: Format) -> Fraction | None:
    """Return the nearest float of a type, ties to even, or None if it is not a normal number."""
    if value == 0:
        return value
    exponent = abs(value).numerator.bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    step = Fraction(2) ** (exponent - format.precision + 1)
    nearest = round(value / step) * step
    if abs(nearest) < Fraction(1, 2**format.least) or abs(nearest) >= Fraction(2) ** (format.greatest + 1):
        return None
    return nearest


# Integers ----------------------------------------------------------------------------------------------------------


def _truncated(a: Dim, b: Dim) -> Dim:
    # In this form, the bounds of the quotient rounded up are as tight as those of the one rounded down.
    up = floordiv(a + b - 1, b) if b.is_constant else -floordiv(-a, b)
    return choose(at_least(a, 0), floordiv(a, b), up)


def _half_away(a: Dim, b: Dim) -> Dim:
    twice = b * 2
    return choose(at_least(a, 0), floordiv(a * 2 + b, twice), -floordiv(b - a * 2, twice))


def _half_even(a: Dim, b: Dim) -> Dim:
    up = floordiv(a * 2 + b, b * 2)
    is_tie = equal(remainder(a * 2 + b, b * 2), 0)
    return choose(conjunction((is_tie, equal(remainder(up, 2), 1))), up - 1, up)


ROUNDINGS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "floor": floordiv,
    "ceil": ceildiv,
    "trunc": _truncated,
    "round": _half_away,
    "roundeven": _half_even,
}
"""Roundings to an integer: down, up, towards zero, to the nearest with ties away from zero, or with ties to even."""


@record
class RoundedInteger:
    """A float rounded to an integer.

    Attributes:
        value: The integer.
        known: The condition under which the float rounds to it.
    """

    value: Dim
    known: Formula


def round_to_integer(a: Float, how: str, fresh: Callable[[], Dim]) -> RoundedInteger:
    """Round a float to an integer by one of the `ROUNDINGS`.

    ``fresh`` returns an unknown integer, which stands for the result of an inexact operand, within its error bounds.
    """
    by = ROUNDINGS[how]
    value = by(a.numerator, a.denominator)
    right = a.exact if how in ("round", "roundeven") else disjunction((a.exact, a.whole))
    if a.error is None or right is TRUE:
        return RoundedInteger(value, right)
    least, most = (
        (a.numerator * (a.error.denominator + sign * a.error.numerator), a.denominator * a.error.denominator)
        for sign in (-1, 1)
    )
    low = minimum(by(*least), by(*most))
    high = maximum(by(*least), by(*most))
    return RoundedInteger(choose(right, value, minimum(maximum(fresh(), low), high)), a.defined)


def compare_floats(predicate: str, a: Float, b: Float) -> tuple[Formula, Formula]:
    """Return the comparison of two floats by "eq", "ne", "lt", "le", "gt" or "ge", and where its outcome is known."""
    x, y = a.numerator * b.denominator, b.numerator * a.denominator
    known = conjunction((a.exact, b.exact))
    for number, other in ((a, b), (b, a)):
        if number.denominator is ONE:
            known = disjunction((known, conjunction((number.exact, other.whole))))
    if _are_disjoint(a, b):
        known = TRUE
    match predicate:
        case "eq" | "ne":
            formula = equal(x, y)
            return (formula if predicate == "eq" else ~formula), known
        case "lt":
            return at_least(y, x + 1), known
        case "le":
            return at_least(y, x), known
        case "gt":
            return at_least(x, y + 1), known
        case _:
            return at_least(x, y), known


def _are_disjoint(a: Float, b: Float) -> bool:
    """Return whether two numbers of known errors compare as their descriptions do."""
    intervals: list[tuple[Fraction, Fraction]] = []
    for each in (a, b):
        if not (each.numerator.is_constant and each.denominator.is_constant and each.defined is TRUE):
            return False
        error = Fraction(0) if each.exact is TRUE else each.error
        if error is None:
            return False
        value = Fraction(each.numerator.constant, each.denominator.constant)
        intervals.append((value - abs(value) * error, value + abs(value) * error))
    (low, high), (other_low, other_high) = intervals
    return high < other_low or other_high < low
