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
    """What an equation says so: ``a*b == a*c + 10`` of a, and ``a*b + a + b == 10`` of a + 1 and b + 1."""
    if not isinstance(formula, IsZero) or formula.size.is_linear or len(formula.size.terms) > MOST_TERMS:
        return
    size = formula.size
    if size.constant:
        yield from _common_factors(size)
    for variable in dict.fromkeys(atom for atom in size.atoms() if isinstance(atom, Variable)):
        found = _linear_factor(size, variable)
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


def _linear_factor(size: Dim, variable: Variable) -> Factor | None:
    """Where ``size`` is ``x*p + q``, and ``c*q - t*p`` is a number r: then ``p*(c*x + t) == -r``."""
    parts = slope_and_rest(size, variable)
    if parts is None or parts[0].is_constant:
        return None
    slope, rest = parts
    leader, coefficient = slope.terms[0]
    other = dict(rest.terms).get(leader, 0)
    common = gcd(coefficient, other) * (1 if coefficient > 0 else -1)
    scale, shift = coefficient // common, other // common
    left = rest * scale - slope * shift
    if not left.is_constant or not left.constant:
        return None
    return Factor(variable, left.constant, scale, shift)
