"""Bounds of products of sums of bounded numbers, which bounds term by term lose.

``(x - 8)*(y - 8)`` lies between -56 and 64 where ``x`` and ``y`` lie between 0 and 15; term by term it would lie
between -176 and 289. Numbers of narrow integer types are such sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapesolve.symbolic.atoms import Atom, Bound, Monomial

MOST_TERMS = 8
MOST_ATOMS = 3
"""Limits of the polynomials whose bounds are looked for."""

Terms = Sequence[tuple["Monomial", int]]


def polynomial_bounds(terms: Terms, constant: int) -> tuple[Bound, Bound]:
    """Return bounds of a polynomial over the ranges of its atoms; none where they are not looked for.

    A polynomial of degree 1 in each of its atoms has its extremes at the ends of their ranges, one of degree 2 in its
    only atom there or beside the vertex.
    """
    if len(terms) > MOST_TERMS:
        return None, None
    powers: dict[Atom, int] = {}
    for monomial, _ in terms:
        for atom, power in monomial.factors:
            powers[atom] = max(power, powers.get(atom, 0))
    if len(powers) == 1 and max(powers.values()) == 2:
        return _parabola_bounds(terms, constant)
    if len(powers) > MOST_ATOMS or max(powers.values()) > 1:
        return None, None
    ranges: list[tuple[int, int]] = []
    for atom in powers:
        if atom.lower is None or atom.upper is None:
            return None, None
        ranges.append((atom.lower, atom.upper))
    values = [_value(terms, constant, dict(zip(powers, corner, strict=True))) for corner in product(*ranges)]
    return min(values), max(values)


def _value(terms: Terms, constant: int, numbers: dict[Atom, int]) -> int:
    total = constant
    for monomial, coefficient in terms:
        for atom, _ in monomial.factors:
            coefficient *= numbers[atom]
        total += coefficient
    return total


def _parabola_bounds(terms: Terms, constant: int) -> tuple[Bound, Bound]:
    """Return bounds of ``a*x**2 + b*x + c`` for integers ``x`` of a range."""
    a = b = 0
    low: Bound = None
    high: Bound = None
    for monomial, coefficient in terms:
        ((atom, power),) = monomial.factors
        low, high = atom.lower, atom.upper
        a, b = (coefficient, b) if power == 2 else (a, coefficient)

    def value(x: int) -> int:
        return a * x * x + b * x + constant

    vertex = -b // (2 * a)
    beside = [_into(x, low, high) for x in (vertex, vertex + 1)]
    nearest = (min if a > 0 else max)(map(value, beside))
    farthest = None if low is None or high is None else (max if a > 0 else min)(value(low), value(high))
    return (nearest, farthest) if a > 0 else (farthest, nearest)


def _into(number: int, low: Bound, high: Bound) -> int:
    """Return the number of a range that is nearest to a number."""
    number = number if low is None else max(number, low)
    return number if high is None else min(number, high)
