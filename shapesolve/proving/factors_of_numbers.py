"""Equations that say that something with one unknown divides a number, of which there are only so many divisors."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, IsZero
from shapesolve.proving.algebra import slope_and_rest
from shapesolve.proving.factoring import divisors
from shapesolve.records import value_record

MOST_DIVISORS = 256
"""Divisors of a number are enumerated if there are no more of them."""

MOST_TERMS = 24
"""Longer equations are left alone."""

MOST_DEGREE = 8
"""Powers above are left alone."""


@value_record
class Factor:
    """``(scale*variable + shift)**power`` divides the ``number``, which is not 0; scale and power are positive."""

    variable: Variable
    number: int
    scale: int = 1
    shift: int = 0
    power: int = 1

    def values(self) -> list[int] | None:
        """What the variable can be within its bounds; None where these are too many, or the divisors are not known."""
        found = divisors(self.number, MOST_DIVISORS)
        if found is None:
            return None
        fitting = [each for each in found if self.number % each**self.power == 0]
        solutions = (each - self.shift for divisor in fitting for each in (divisor, -divisor))
        return [each // self.scale for each in solutions if each % self.scale == 0 and self._allows(each // self.scale)]

    def _allows(self, value: int) -> bool:
        low, high = self.variable.lower, self.variable.upper
        return (low is None or low <= value) and (high is None or value <= high)


def factors_of_numbers(formula: Formula) -> Iterator[Factor]:
    """What an equation says so: ``a*b == a*c + 10`` of a, ``a*b + a + b == 10`` of a + 1 and b + 1.

    And ``b*(3*a - 4) == 3*a**2 - 5*a + 4`` of ``3*a - 4``, which divides 24.
    """
    if not isinstance(formula, IsZero) or formula.size.is_linear or len(formula.size.terms) > MOST_TERMS:
        return
    size = formula.size
    if size.constant:
        yield from _common_factors(size)
    for variable in dict.fromkeys(atom for atom in size.atoms() if isinstance(atom, Variable)):
        parts = slope_and_rest(size, variable)
        if parts is None or parts[0].is_constant:
            continue
        found = _linear_factor(variable, *parts) or _slope(*parts)
        if found is not None:
            yield found


def _common_factors(size: Dim) -> Iterator[Factor]:
    powers = dict(size.terms[0][0].factors)
    for monomial, _ in size.terms[1:]:
        others = dict(monomial.factors)
        powers = {atom: min(power, others[atom]) for atom, power in powers.items() if atom in others}
    for atom, power in powers.items():
        if isinstance(atom, Variable):
            yield Factor(atom, size.constant, power=power)


def _linear_factor(variable: Variable, slope: Dim, rest: Dim) -> Factor | None:
    """Where ``x*p + q == 0``, and ``c*q - t*p`` is a number r: then ``p*(c*x + t) == -r``."""
    leader, coefficient = slope.terms[0]
    other = dict(rest.terms).get(leader, 0)
    common = gcd(coefficient, other) * (1 if coefficient > 0 else -1)
    scale, shift = coefficient // common, other // common
    left = rest * scale - slope * shift
    if not left.is_constant or not left.constant:
        return None
    return Factor(variable, left.constant, scale, shift)


def _slope(slope: Dim, rest: Dim) -> Factor | None:
    """Where ``x*p + q == 0``, p is ``s*y + t``, and q is of y alone, of degree n: then p divides ``s**n * q(-t/s)``."""
    if len(slope.terms) != 1:
        return None
    (monomial, scale), shift = slope.terms[0], slope.constant
    variable = monomial.single
    if not isinstance(variable, Variable):
        return None
    coefficients = {0: rest.constant}
    for each, coefficient in rest.terms:
        if len(each.factors) != 1 or each.factors[0][0] is not variable:
            return None
        coefficients[each.factors[0][1]] = coefficient
    degree = max(coefficients)
    if degree > MOST_DEGREE:
        return None
    number = sum(each * (-shift) ** power * scale ** (degree - power) for power, each in coefficients.items())
    sign = 1 if scale > 0 else -1
    return Factor(variable, number, sign * scale, sign * shift) if number else None
