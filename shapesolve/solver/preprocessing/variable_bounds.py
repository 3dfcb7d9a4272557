"""Numeric bounds of single variables, and substitution of the variables that a query fixes to numbers.

With the numbers in their place a query is often linear, or trivial.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shapesolve.records import value_record
from shapesolve.solver.models import Query
from shapesolve.solver.verdicts import Label
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero
from shapesolve.symbolic.visitors import Instantiation


def substitute_fixed_variables(query: Query) -> tuple[Query, dict[Variable, int]]:
    """Substitute the variables that a query fixes; return the query and their numbers, which are within bounds."""
    numbers = _fixed(query)
    if not numbers:
        return query, numbers
    instantiation = Instantiation({variable: dim(number) for variable, number in numbers.items()})
    return [(label, instantiation.formula(formula)) for label, formula in query], numbers


def _fixed(query: Query) -> dict[Variable, int]:
    """Return the values of variables fixed by an equation, or by a lower bound that meets an upper bound."""
    least: dict[Variable, int] = {}
    most: dict[Variable, int] = {}
    for _, formula in query:
        single = _single(formula)
        if single is None:
            continue
        variable, sign, constant = single
        if isinstance(formula, IsZero) or sign > 0:
            least[variable] = max(-sign * constant, least.get(variable, -sign * constant))
        if isinstance(formula, IsZero) or sign < 0:
            most[variable] = min(-sign * constant, most.get(variable, -sign * constant))
    for variable in (*least, *most):
        if variable.lower is not None:
            least[variable] = max(variable.lower, least.get(variable, variable.lower))
    return {
        each: number
        for each, number in least.items()
        if most.get(each) == number and (each.upper is None or number <= each.upper)
    }


def _single(formula: Formula) -> tuple[Variable, int, int] | None:
    """Return ``(x, s, c)`` for ``s*x + c == 0`` or ``s*x + c >= 0``, with s 1 or -1, or None."""
    if not isinstance(formula, IsZero | IsNonNegative) or len(formula.size.terms) != 1:
        return None
    monomial, sign = formula.size.terms[0]
    variable = monomial.single
    return (variable, sign, formula.size.constant) if isinstance(variable, Variable) and abs(sign) == 1 else None


Origin = frozenset[Label]


@value_record
class Range:
    """Inclusive numeric bounds of a variable.

    Attributes:
        low, high: The bounds, or None if unbounded.
        low_origin, high_origin: The labels of the formulas that state them.
    """

    low: int | None = None
    high: int | None = None
    low_origin: Origin = frozenset()
    high_origin: Origin = frozenset()

    @property
    def origin(self) -> Origin:
        return self.low_origin | self.high_origin

    def holds(self, value: int) -> bool:
        """Return whether the value lies in the range."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def _from(self, low: int, origin: Origin) -> Range:
        return self if self.low is not None and self.low >= low else replace(self, low=low, low_origin=origin)

    def _to(self, high: int, origin: Origin) -> Range:
        return self if self.high is not None and self.high <= high else replace(self, high=high, high_origin=origin)

    def narrowed(self, slope: int, constant: int, origin: Origin) -> Range:
        """Return the range of ``x`` narrowed by ``slope*x + constant >= 0``."""
        return self._from(-(constant // slope), origin) if slope > 0 else self._to(constant // -slope, origin)


def ranges(formulas: Iterable[tuple[Formula, Origin]]) -> dict[Variable, Range]:
    """Return the ranges of all variables that single formulas bound."""
    found: dict[Variable, Range] = {}
    for formula, origin in formulas:
        if isinstance(formula, IsNonNegative) and len(formula.size.terms) == 1:
            ((monomial, slope),) = formula.size.terms
            variable = monomial.single
            if isinstance(variable, Variable):
                found[variable] = found.get(variable, Range()).narrowed(slope, formula.size.constant, origin)
    return found
