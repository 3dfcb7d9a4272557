"""Ways to compare two sums of sizes in 64 bits, of which some are exact where others wrap around."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

from shapesolve.int64 import MAX_SIZE, MIN_INDEX
from shapesolve.pruning.justifications import OpaqueProducts, fits
from shapesolve.records import value_record
from shapesolve.solver.entailment import entails
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
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, is_non_negative, is_zero

if TYPE_CHECKING:
    from shapesolve.guards.dialects import Relation

IsKnown = Callable[[Formula, Sequence[Formula]], bool]
"""Whether a formula follows from others, beside what is checked before."""

MOST_TERMS = 4
"""Most terms of a size that is compared in other ways than the usual one, if that may overflow."""
_MODULUS = 1 << 64
"""Sums in 64 bits are exact up to its multiples."""


@value_record
class Comparison:
    """Comparison of two sums."""

    left: Dim
    relation: Relation
    right: Dim


def known_from(checked: Sequence[Formula]) -> IsKnown:
    """Return what follows from checks, whatever the values of their products are: those may wrap around."""
    opaque = OpaqueProducts()
    return lambda formula, given: entails(opaque.formula(formula), map(opaque.formula, (*checked, *given)))


def may_overflow(formula: Formula) -> bool:
    """Return whether a part of a condition can be written in no way in which no sum overflows, whatever is known."""
    for part in conjuncts(formula):
        if isinstance(part, IsZero | IsNonNegative):
            ways = comparisons(part.size, "==" if isinstance(part, IsZero) else ">=")
            if not any(fits(each.left) and fits(each.right) for each in ways):
                return True
    return False


def is_sum(size: Dim) -> bool:
    """Return whether a size has no products."""
    return all(monomial.degree == 1 for monomial, _ in size.terms)


def has_free_number(size: Dim) -> bool:
    """Return whether a variable of a size may be negative, as a number that is no extent may."""
    return any(each.lower is None or each.lower < 0 for each in size.variables)


def fits_wide(size: Dim) -> bool:
    """Return whether a polynomial in numbers of 64 bits is computed in 128 bits without overflow."""
    most = abs(size.constant)
    for monomial, coefficient in size.terms:
        if not all(_is_exact_atom(atom) for atom, _ in monomial.factors):
            return False
        most += abs(coefficient) << 63 * monomial.degree
    return most < 2**127


def _is_exact_atom(atom: Atom) -> bool:
    """Return whether an atom is computed in 64 bits without overflow."""
    match atom:
        case Quotient() | Remainder():
            dividend, divisor = atom.parts
            return fits(dividend) and fits(divisor) and (divisor.bounds()[0] or 0) > 0
        case Maximum() | Minimum() | BroadcastExtent():
            return all(map(fits, atom.parts))
        case _:
            return isinstance(atom, Variable | Rank | Column)


def exact_comparisons(
    size: Dim, relation: Relation, is_known: IsKnown, computed: Container[object] = ()
) -> list[Comparison] | None:
    """Return comparisons that together say that a size is 0, or at least 0, and of which no sum wraps around.

    Where no single one is, consequences are compared first: of ``a + b + c <= d`` that ``a <= d`` and ``a + b <= d``,
    and of ``2*n == d`` that ``n >= 0``. None where that does not suffice.

    Args:
        size: A sum.
        relation: What it is to 0.
        is_known: What is checked before.
        computed: Numbers that the program computes in every run, and so takes not to overflow.
    """
    found: list[Comparison] = []
    shown: list[Formula] = []
    whole = is_zero(size) if relation == "==" else is_non_negative(size)
    single = _exact(size, relation, shown, is_known, computed)
    if single is not None or not is_sum(size):
        return None if single is None else [single]
    for each in _consequences(size):
        formula = is_non_negative(each)
        if formula in shown or is_known(formula, shown) or not is_known(formula, [*shown, whole]):
            continue
        way = _exact(each, ">=", shown, is_known, computed)
        if way is not None:
            found.append(way)
            shown.append(formula)
            single = _exact(size, relation, shown, is_known, computed)
            if single is not None:
                return [*found, single]
    return None


def _exact(
    size: Dim, relation: Relation, shown: Sequence[Formula], is_known: IsKnown, computed: Container[object]
) -> Comparison | None:
    """Return one comparison of a size with 0 that is exact, given what is shown before; None if there is none."""

    def is_within(number: Dim, least: int, greatest: int) -> bool:
        low, high = number.bounds()
        if low is not None and high is not None and least <= low and high <= greatest:
            return True
        return is_known(conjunction((at_least(number, least), at_least(greatest, number))), shown)

    def is_simple(number: Dim) -> bool:
        return fits(number) or number in computed or _is_atom(number)

    def is_exact(number: Dim) -> bool:
        return is_simple(number) or is_within(number, MIN_INDEX, MAX_SIZE)

    ways = list(comparisons(size, relation))
    for way in ways:
        if is_simple(way.left) and is_simple(way.right):
            return way
    if not is_sum(size):
        return None
    if relation == "==" and is_within(size, 1 - _MODULUS, _MODULUS - 1):
        return ways[0]
    return next((way for way in ways if is_exact(way.left) and is_exact(way.right)), None)


def _is_atom(number: Dim) -> bool:
    """Return whether a number is neither a sum nor a product."""
    return number.constant == 0 and len(number.terms) == 1 and number.terms[0][1] == 1 and is_sum(number)


def _consequences(size: Dim) -> Iterator[Dim]:
    """Yield what may not be negative where a size is not: its terms, what bounds them, and beginnings of its sum."""
    for monomial, times in size.terms:
        term = weighted_sum([(monomial, 1)])
        yield term
        if abs(times) > 1:
            yield (MAX_SIZE + abs(size.constant)) // abs(times) - term
    added = [term for term in size.terms if term[1] > 0]
    subtracted = [term for term in size.terms if term[1] < 0]
    for part in accumulate(([each] for each in subtracted[:-1]), initial=added):
        if len(part) > len(added):
            yield weighted_sum(part) + size.constant


def comparisons(size: Dim, relation: Relation) -> Iterator[Comparison]:
    """Yield the ways to compare a size with 0, the usual one first.

    Usually negative terms go to the other side, so that nothing negative is computed without need. Of sizes ``a`` and
    ``b`` and any number ``n``, only ``a - b > n`` is exact for ``a > b + n``: for a great ``n`` the sum wraps around.
    """
    for count in range(len(size.terms) + 1 if len(size.terms) <= MOST_TERMS else 1):
        for moved in combinations(size.terms, count):
            left = weighted_sum(term for term in size.terms if (term[1] > 0) is not (term in moved))
            right = -weighted_sum(term for term in size.terms if (term[1] > 0) is (term in moved))
            yield from _beside_constant(left, relation, right, size.constant)


def _beside_constant(left: Dim, relation: Relation, right: Dim, constant: int) -> Iterator[Comparison]:
    """Yield the ways to compare ``left + constant`` with ``right``, the usual one first."""
    yield Comparison(left + max(constant, 0), relation, right + max(-constant, 0))
    if constant < 0 and relation == ">=":
        yield Comparison(left, ">", right + (-constant - 1))
    if constant < 0:
        yield Comparison(left + constant, relation, right)
    if constant > 0:
        yield Comparison(left, relation, right - constant)
