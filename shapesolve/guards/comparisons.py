"""Ways to compare two sums of sizes in 64 bits, of which some are exact where others wrap around."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from shapesolve.pruning.justifications import fits
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Column,
    Maximum,
    Minimum,
    Quotient,
    Rank,
    Remainder,
    Variable,
)
from shapesolve.symbolic.dims import Dim, weighted_sum
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import conjuncts

if TYPE_CHECKING:
    from shapesolve.guards.dialects import Relation

MOST_TERMS = 4
"""Most terms of a size that is compared in other ways than the usual one, if that may overflow."""


def may_overflow(formula: Formula) -> bool:
    """Return whether a part of a condition can be written in no way in which no sum overflows, whatever is known."""
    for part in conjuncts(formula):
        if isinstance(part, IsZero | IsNonNegative):
            ways = comparisons(part.size, "==" if isinstance(part, IsZero) else ">=")
            if not any(fits(left) and fits(right) for left, _, right in ways):
                return True
    return False


def has_free_number(size: Dim) -> bool:
    """Return whether a variable of a size may be negative, as a number that is no extent may."""
    return any(each.lower is None or each.lower < 0 for each in size.variables)


def fits_wide(size: Dim) -> bool:
    """Return whether a polynomial in numbers of 64 bits is computed in 128 bits without overflow."""
    most = abs(size.constant)
    for monomial, coefficient in size.terms:
        if not all(_is_exact(atom) for atom, _ in monomial.factors):
            return False
        most += abs(coefficient) << 63 * monomial.degree
    return most < 2**127


def _is_exact(atom: Atom) -> bool:
    """Return whether an atom is computed in 64 bits without overflow."""
    match atom:
        case Quotient() | Remainder():
            dividend, divisor = atom.parts
            return fits(dividend) and fits(divisor) and (divisor.bounds()[0] or 0) > 0
        case Maximum() | Minimum() | BroadcastExtent():
            return all(map(fits, atom.parts))
        case _:
            return isinstance(atom, Variable | Rank | Column)


def comparisons(size: Dim, relation: Relation) -> Iterator[tuple[Dim, Relation, Dim]]:
    """Yield the ways to compare a size with 0, the usual one first.

    Usually negative terms go to the other side, so that nothing negative is computed without need. Of sizes ``a`` and
    ``b`` and any number ``n``, only ``a - b > n`` is exact for ``a > b + n``: for a great ``n`` the sum wraps around.
    """
    for count in range(len(size.terms) + 1 if len(size.terms) <= MOST_TERMS else 1):
        for moved in combinations(size.terms, count):
            left = weighted_sum(term for term in size.terms if (term[1] > 0) is not (term in moved))
            right = -weighted_sum(term for term in size.terms if (term[1] > 0) is (term in moved))
            yield from _beside_constant(left, relation, right, size.constant)


def _beside_constant(left: Dim, relation: Relation, right: Dim, constant: int) -> Iterator[tuple[Dim, Relation, Dim]]:
    """Yield the ways to compare ``left + constant`` with ``right``, the usual one first."""
    yield left + max(constant, 0), relation, right + max(-constant, 0)
    if constant < 0 and relation == ">=":
        yield left, ">", right + (-constant - 1)
    if constant < 0:
        yield left + constant, relation, right
    if constant > 0:
        yield left, relation, right - constant
