"""Between which numbers floats lie that are off from quotients of sizes.

Every finite float of a type is a multiple of the least one that is positive, so that what is rounded is followed from
there on as an exact number of these, of which nothing but the ends is known.
"""

from __future__ import annotations

from fractions import Fraction

from shapesolve.language.dims import ZERO, Dim, ceildiv, of_monomial
from shapesolve.language.division import whole_multiples
from shapesolve.language.extremes import minimum
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction
from shapesolve.walking.values import Between

from .ends import Ends
from .float_numbers import Format

_STEPS = 16
"""Of the long division of two sums."""

PARTS = 64
"""Ends are rounded outwards to multiples of one over this: floats that are not large hold them."""


def between_floats(ends: Ends, denominator: Dim, error: Fraction, format: Format) -> Between | None:
    """What floats lie between that are off by at most ``error`` times a quotient, of which the numerator has ends.

    As ``Float`` has it; the divisor is positive, or nothing is said.
    """
    if ends.low is None or ends.high is None:
        return None
    high, below = _at_most(ends.high, denominator, error, format)
    low, above = _at_most(-ends.low, denominator, error, format)
    where = conjunction((ends.where, at_least(denominator, 1), below, above))
    return Between(-low, high, where, denominator=format.grain)


def _at_most(numerator: Dim, denominator: Dim, error: Fraction, format: Format) -> tuple[Dim, Formula]:
    """What no such float exceeds if its quotient does not exceed this one, and where."""
    if numerator is ZERO:
        return ZERO, TRUE
    whole, rest, short = _divided(numerator, denominator)
    if short:
        # The quotient is whole * (1 - short / denominator), and off by less than what it is short of.
        return whole * format.grain - 1, conjunction((at_least(whole, 1), at_least(int(short / error), denominator)))
    parts = whole * PARTS + ceildiv(rest * PARTS, denominator)
    once = error <= format.unit  # rounding keeps the order, and what is a float stays as it is
    most = 2**format.precision if once else int(1 / error)
    where = conjunction((at_least(parts, -most), at_least(most, parts)))
    end = parts if once else parts + 1
    _, greatest = numerator.bounds()
    if greatest is not None and greatest <= 0:
        end = minimum(end, ZERO)  # no rounding changes the sign
    return end * (format.grain // PARTS), where


def _divided(numerator: Dim, denominator: Dim) -> tuple[Dim, Dim, int]:
    """``(w, r, k)`` with ``numerator == w * denominator + r``, by long division as long as something comes of it.

    That is a number k > 0 for which ``r == -w * k``, or that nothing is left; else k is 0.
    """
    first = whole, rest = whole_multiples(numerator, denominator)
    lead, scale = denominator.terms[0] if denominator.terms else (None, 0)
    for _ in range(_STEPS):
        short = _multiple(-rest, whole)
        if short is not None or rest is ZERO:
            return whole, rest, short or 0
        divided = [(each.divided_by(lead), coefficient) for each, coefficient in rest.terms if lead is not None]
        step = next((of_monomial(by) * (of // scale) for by, of in divided if by is not None and of % scale == 0), None)
        if step is None:
            break
        whole, rest = whole + step, rest - step * denominator
    return *first, 0


def _multiple(value: Dim, of: Dim) -> int | None:
    """How many times a number a value is, whatever the sizes are, if it is so a positive number of times."""
    if not of.terms or not value.terms:
        return None
    times, rest = divmod(value.terms[0][1], of.terms[0][1])
    return times if times > 0 and not rest and value is of * times else None
