"""Sizes that a query fixes to numbers: with the numbers in their place it is often linear, or no question any more."""

from __future__ import annotations

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import dim
from shapesolve.language.formulas import Formula, IsNonNegative, IsZero
from shapesolve.language.substitution import Instantiation
from shapesolve.proving.checking import Query


def with_numbers(query: Query) -> tuple[Query, dict[Variable, int]]:
    """The query with numbers for the variables that it fixes, and these numbers, which are within bounds."""
    numbers = _fixed(query)
    if not numbers:
        return query, numbers
    instantiation = Instantiation({variable: dim(number) for variable, number in numbers.items()})
    return [(label, instantiation.formula(formula)) for label, formula in query], numbers


def _fixed(query: Query) -> dict[Variable, int]:
    """Variables with the numbers that single formulas or a bound from below and one from above give them."""
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
    """``(x, s, c)`` for ``s*x + c == 0`` or ``s*x + c >= 0``, with s 1 or -1."""
    if not isinstance(formula, IsZero | IsNonNegative) or len(formula.size.terms) != 1:
        return None
    monomial, sign = formula.size.terms[0]
    variable = monomial.single
    return (variable, sign, formula.size.constant) if isinstance(variable, Variable) and abs(sign) == 1 else None
