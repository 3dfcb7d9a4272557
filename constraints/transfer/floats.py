"""What float arithmetic makes of numbers that come from sizes.

A float is followed as a quotient of integers. Every operation computes the exact quotient and rounds it to the nearest
float of its type, ties to even. Nothing is lost where the numerator has at most as many bits as the type keeps and the
denominator is a power of two. Of another denominator the float is not the quotient, but lies among the integers where
the quotient lies: the next integer is at least 1/denominator away, and rounding moves the quotient by less than that
as long as the numerator has fewer bits than the type keeps. Elsewhere it is off by a part in 2 to that number of bits.

That f64 holds sizes is presumed (no tensor has 2^53 elements), where the numerator is not much more than sizes; for
narrower types it is a case of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import gcd

from shapesolve.domain.values import ANY_FLOAT, Float
from shapesolve.records import record, value_record
from shapesolve.symbolic.dims import ONE, ZERO, Dim, ceildiv, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.symbolic.visitors import sizes_within

LARGEST_EXPONENT = 200
"""Constants beyond two to this, or below its inverse, are not followed."""

MODEST = 2**16
"""The numerators of which f64 is presumed to hold all: coefficients that add up to this, on sizes."""

LARGEST_SIZE = 2**53
"""No tensor has more elements, it is presumed."""


_INFINITE = replace(ANY_FLOAT, infinite=True)
"""Either infinity, where the program writes it down; nothing is computed with it."""


@value_record
class Format:
    """A float type: bits of its significand, and the exponents of its least normal and of its greatest number."""

    precision: int
    least: int
    greatest: int

    @property
    def unit(self) -> Fraction:
        """The relative error of one rounding."""
        return Fraction(1, 2**self.precision)

    @property
    def grain(self) -> int:
        """Every finite number of the type is a multiple of one over this."""
        return 2 ** (self.least + self.precision - 1)

    @property
    def holds_sizes(self) -> bool:
        return self.precision >= 53

    def holds(self, other: Format) -> bool:
        """Whether every number of another type is one of this."""
        return self.precision >= other.precision and self.least >= other.least and self.greatest >= other.greatest


FORMATS = {
    "f64": Format(53, 1022, 1023),
    "f32": Format(24, 126, 127),
    "f16": Format(11, 14, 15),
    "bf16": Format(8, 126, 127),
    "!torch.float": Format(53, 1022, 1023),
}
"""How float types keep numbers, by their spelling; the last is Python's."""


@record
class Rounded:
    """A float, and the formula under which it is what is said of it."""

    value: Float
    presumes: Formula = TRUE


def constant(value: float) -> Float:
    """A number that the program writes down."""
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
    """An integer as a float."""
    return _nearest(value, ONE, format, TRUE, TRUE, Fraction(0))


def converted(a: Float, format: Format) -> Rounded:
    """A float in another type; ``format`` is that type's."""
    return _nearest(a.numerator, a.denominator, format, a.exact, a.defined, a.error)


def added(a: Float, b: Float, format: Format) -> Rounded:
    """The sum of two floats."""
    for number, other in ((a, b), (b, a)):
        if number.exact is TRUE and number.numerator is ZERO:
            return Rounded(other)
    if a.denominator is b.denominator:
        numerator, denominator = a.numerator + b.numerator, a.denominator
    else:
        numerator = a.numerator * b.denominator + b.numerator * a.denominator
        denominator = a.denominator * b.denominator
    return _nearest(numerator, denominator, format, *_both(a, b), _of_sum(a, b))


def multiplied(a: Float, b: Float, format: Format) -> Rounded:
    """The product of two floats."""
    for number, other in ((a, b), (b, a)):
        if _is_one(number):
            return Rounded(other)
    error = None if a.error is None or b.error is None else (1 + a.error) * (1 + b.error) - 1
    return _nearest(a.numerator * b.numerator, a.denominator * b.denominator, format, *_both(a, b), error)


def divided(a: Float, b: Float, format: Format) -> Rounded:
    """The quotient of two floats, where the divisor is positive; where it is negative, if it never is positive."""
    if _is_one(b):
        return Rounded(a)
    if b.numerator is ZERO:
        return Rounded(ANY_FLOAT)
    _, high = b.numerator.bounds()
    if high is not None and high <= 0:
        a, b = negated(a), negated(b)
    exact, defined = _both(a, b)
    positive = at_least(b.numerator, 1)
    exact, defined = conjunction((exact, positive)), conjunction((defined, positive))
    error = None
    if a.error is not None and b.error is not None and b.error < 1:
        error = (1 + a.error) / (1 - b.error) - 1
    return _nearest(a.numerator * b.denominator, a.denominator * b.numerator, format, exact, defined, error)


def negated(a: Float) -> Float:
    """The negative of a float."""
    return Float(-a.numerator, a.denominator, a.exact, a.whole, a.error, a.defined)


def magnitude(a: Float) -> Float:
    """The absolute value of a float."""
    size = choose(at_least(a.numerator, 0), a.numerator, -a.numerator)
    return Float(size, a.denominator, a.exact, a.whole, a.error, a.defined)


def extreme(a: Float, b: Float, which: str) -> Float:
    """The greater ("max") or the lesser ("min") of two floats."""
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
    """Where both are exact, and where both are defined."""
    return conjunction((a.exact, b.exact)), conjunction((a.defined, b.defined))


def _of_sum(a: Float, b: Float) -> Fraction | None:
    """How far the sum of two floats is from the sum of the quotients, before it is rounded."""
    if a.error == b.error == 0:
        return Fraction(0)
    alike = _sign(a) * _sign(b) > 0  # otherwise the sum may be small where the errors are not
    return max(a.error, b.error) if alike and a.error is not None and b.error is not None else None


def _sign(a: Float) -> int:
    """1 where a number is never negative, -1 where it is never positive, else 0."""
    low, high = a.numerator.bounds()
    return 1 if low is not None and low >= 0 else -1 if high is not None and high <= 0 else 0


# Rounding ----------------------------------------------------------------------------------------------------------


def _nearest(
    numerator: Dim, denominator: Dim, format: Format, exact: Formula, defined: Formula, error: Fraction | None
) -> Rounded:
    """The float of a type that is nearest to a quotient.

    ``exact``: where the quotient is what is rounded; elsewhere what is rounded is off by ``error``.
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
        kept, presumes = _presumed(held, numerator, denominator, format, exact)
        return Rounded(
            Float(numerator, denominator, kept, kept, error if kept is not TRUE else Fraction(0), defined), presumes
        )
    held = _within(numerator, dim(2**format.precision - 1))
    if not denominator.is_constant:
        held = conjunction((held, at_least(2**format.least, denominator)))
    elif denominator.constant > 2**format.least:
        held = FALSE
    kept, presumes = _presumed(held, numerator, denominator, format, exact)
    return Rounded(Float(numerator, denominator, FALSE, kept, error, defined), presumes)


def _presumed(
    held: Formula, numerator: Dim, denominator: Dim, format: Format, exact: Formula
) -> tuple[Formula, Formula]:
    """Where no digit is lost of a quotient that is ``exact``, and what has to be presumed for that."""
    modest = _is_modest(numerator) and _weight(denominator) + denominator.constant <= MODEST
    if held is TRUE or not format.holds_sizes or not modest or held is FALSE:
        return conjunction((exact, held)), TRUE
    return exact, implies(exact, held)


def _weight(value: Dim) -> int:
    return sum(abs(coefficient) for _, coefficient in value.terms)


def _is_modest(value: Dim) -> bool:
    """Whether a value is not much more than sizes, whatever it is chosen from, nor made of a number that no size is.

    The word that a negative number is, read without its sign, is more.
    """
    return all(_weight(each) <= MODEST and abs(each.constant) <= LARGEST_SIZE for each in sizes_within(value))


def _within(value: Dim, most: Dim) -> Formula:
    return conjunction((at_least(value, -most), at_least(most, value)))


def _is_normal(denominator: Dim, format: Format) -> bool:
    """Whether one over the denominator is no less than the least number with all bits of precision."""
    _, high = denominator.bounds()
    return high is not None and high <= 2**format.least


def _content(value: Dim) -> int:
    """The greatest number that divides every coefficient."""
    return gcd(value.constant, *(coefficient for _, coefficient in value.terms))


def _reduced(numerator: Dim, denominator: Dim) -> tuple[Dim, Dim]:
    common = gcd(_content(numerator), _content(denominator))
    return (numerator, denominator) if common <= 1 else (floordiv(numerator, common), floordiv(denominator, common))


def _odd_part(value: Dim) -> Dim:
    content = _content(value)
    return floordiv(value, content & -content) if content else value


def _rounded(value: Fraction, format: Format) -> Fraction | None:
    """The nearest float of a type, ties to even; None where it is not a normal number."""
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
    # Written so, the quotient that is rounded up has bounds as close as that which is rounded down.
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
"""To an integer: down, up, towards zero, to the nearest with ties away from zero, or with ties to even."""


@record
class Integral:
    """A float rounded to an integer: it is ``value`` wherever ``known`` holds."""

    value: Dim
    known: Formula


def integral(a: Float, how: str, fresh: Callable[[], Dim]) -> Integral:
    """A float rounded to an integer. ``fresh`` gives an unknown integer for what rounding before made of it."""
    by = ROUNDINGS[how]
    value = by(a.numerator, a.denominator)
    right = a.exact if how in ("round", "roundeven") else disjunction((a.exact, a.whole))
    if a.error is None or right is TRUE:
        return Integral(value, right)
    least, most = (
        (a.numerator * (a.error.denominator + sign * a.error.numerator), a.denominator * a.error.denominator)
        for sign in (-1, 1)
    )
    low = minimum(by(*least), by(*most))
    high = maximum(by(*least), by(*most))
    return Integral(choose(right, value, minimum(maximum(fresh(), low), high)), a.defined)


def compared(predicate: str, a: Float, b: Float) -> tuple[Formula, Formula]:
    """Whether two floats compare as "eq", "ne", "lt", "le", "gt" or "ge" says, and where that is known."""
    x, y = a.numerator * b.denominator, b.numerator * a.denominator
    known = conjunction((a.exact, b.exact))
    for number, other in ((a, b), (b, a)):
        if number.denominator is ONE:
            known = disjunction((known, conjunction((number.exact, other.whole))))
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
