"""Bounds of quotients and remainders in terms of their dividends, and non-negativity of polynomials.

A polynomial is never negative if it is so with a slack variable for every bound, or if it is a sum of squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb

from shapesolve.records import value_record
from shapesolve.solver.propagation.trail import NOTHING, Justification, merge
from shapesolve.symbolic.atoms import Atom, Monomial, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, of_monomial

NonNegative = Callable[[Dim], "Justification | None"]
"""Returns the justification that an expression is not negative, or None."""


@value_record
class DivisionBound:
    """The bound ``scale * term >= value`` for a term of a sum, with its justification."""

    value: Dim
    scale: int
    justification: Justification


def division_bounds(monomial: Monomial, coefficient: int, non_negative: NonNegative) -> Iterator[DivisionBound]:
    """Yield lower bounds of ``coefficient * monomial``, a quotient, a remainder, or a quotient times its divisor."""
    for atom, power in monomial.factors:
        if power != 1 or not isinstance(atom, Quotient | Remainder):
            continue
        rest = monomial.divided_by(Monomial.of(((atom, 1),)))
        a, b = atom.parts
        if b.is_constant and b.constant > 0 and rest is not None and not rest.factors:
            yield from _by_number(atom, coefficient, non_negative)
        elif not b.is_constant and rest is not None:
            yield from _by_size(atom, a, b, rest, coefficient, non_negative)


def _by_number(atom: Quotient | Remainder, coefficient: int, non_negative: NonNegative) -> Iterator[DivisionBound]:
    a, divisor = atom.parts[0], atom.parts[1].constant
    if isinstance(atom, Quotient):
        # a - divisor + 1 <= divisor * (a // divisor) <= a
        value = a - (divisor - 1) if coefficient > 0 else a
        yield DivisionBound(value * coefficient, divisor, NOTHING)
    elif coefficient < 0:
        why = non_negative(a)
        if why is not None:
            yield DivisionBound(a * coefficient, 1, why)


def _by_size(
    atom: Quotient | Remainder, a: Dim, b: Dim, rest: Monomial, coefficient: int, non_negative: NonNegative
) -> Iterator[DivisionBound]:
    positive = non_negative(b - 1)
    if positive is None:
        return
    if isinstance(atom, Remainder):
        if rest.factors:
            return
        if coefficient > 0:
            yield DivisionBound(dim(0), 1, positive)
            return
        yield DivisionBound((b - 1) * coefficient, 1, positive)
        dividend = non_negative(a)
        if dividend is not None:
            yield DivisionBound(a * coefficient, 1, merge(positive, dividend))
    elif rest.factors and _equals(b, rest):
        value = a - b + 1 if coefficient > 0 else a
        yield DivisionBound(value * coefficient, 1, positive)
    elif not rest.factors:
        dividend = non_negative(a)
        if dividend is not None:
            yield DivisionBound(a * coefficient if coefficient < 0 else dim(0), 1, merge(positive, dividend))


def _equals(size: Dim, monomial: Monomial) -> bool:
    """Return whether a size is exactly a product."""
    return len(size.terms) == 1 and not size.constant and size.terms[0] == (monomial, 1)


def known_division(atom: Quotient | Remainder, non_negative: NonNegative) -> tuple[Dim, Justification] | None:
    """Return the value of ``a // b`` or ``a % b`` if ``0 <= a < b`` is known (0, or a), with its justification.

    By a number, multiples of it are taken from a first, so that no coefficient is larger than half of it: ``-x`` modulo
    ``2**32`` is written ``(2**32 - 1)*x`` in normal form.
    """
    a, b = atom.parts
    whole, rest = centered(a, b.constant) if b.is_constant and b.constant > 1 else (dim(0), a)
    below = non_negative(b - rest - 1)
    least = None if below is None else non_negative(rest)
    if below is None or least is None:
        return None
    return (whole if isinstance(atom, Quotient) else rest), merge(below, least)


def centered(a: Dim, divisor: int) -> tuple[Dim, Dim]:
    """Return ``(q, r)`` with ``a == divisor*q + r``, coefficients of r between minus and plus half of the divisor."""
    whole = dim(0)
    for monomial, coefficient in a.terms:
        times = (coefficient + divisor // 2 - 1) // divisor
        if times:
            whole = whole + of_monomial(monomial) * times
    return whole, a - whole * divisor


MOST_TERMS = 24
FEW_FACTORS = 3
"""The most atoms of products that are multiplied out without another look."""
MOST_ATOMS = 8

Bound = tuple[Atom | None, int]
"""``(y, n)`` for what is at least ``y + n``; at least n where y is None."""


def is_never_negative_beyond(size: Dim, bounds: Mapping[Atom, Bound]) -> bool:
    """Return whether a size is at least 0 wherever every atom is at least its bound.

    An atom is its bound plus a slack that is not negative; multiplied out, no term may then be subtracted. Bounds by
    other atoms must not go round in a circle. A product of many atoms has exponentially many terms: it is only
    multiplied out if none of those that are known without that is subtracted.

    Raises:
        TooLarge: A product has too many terms.
    """
    if len(size.terms) > MOST_TERMS:
        return False
    if any(len(monomial.factors) > FEW_FACTORS for monomial, _ in size.terms) and _has_subtracted_term(size, bounds):
        return False
    slack: dict[Atom, Dim] = {}

    def value(atom: Atom) -> Dim:
        found = slack.get(atom)
        if found is None:
            bound = bounds.get(atom)
            own = of_atom(Variable.of(f"slack!{len(slack)}", None if bound is None else 0, None))
            slack[atom] = own  # a name for it, before its bound asks for others
            other, least = bound or (None, 0)
            found = slack[atom] = own + least if other is None else own + least + value(other)
        return found

    total = dim(size.constant)
    for monomial, coefficient in size.terms:
        product = dim(coefficient)
        for atom, power in monomial.factors:
            product = product * value(atom) ** power
        total = total + product
    low = total.bounds()[0]
    return low is not None and low >= 0


def _has_subtracted_term(size: Dim, bounds: Mapping[Atom, Bound]) -> bool:
    """Return whether one of the highest terms is subtracted, or one of a degree less, if all bounds are numbers.

    The coefficient of a product of slacks comes from the size's terms that the same product of atoms divides.
    """
    atoms = {atom for monomial, _ in size.terms for atom, _ in monomial.factors}
    known = {atom: bounds[atom] for atom in atoms if atom in bounds}
    if len(known) < len(atoms) or any(other is not None for other, _ in known.values()):
        return False
    terms = [(dict(monomial.factors), coefficient) for monomial, coefficient in size.terms]

    def is_subtracted(powers: Mapping[Atom, int]) -> bool:
        total = 0 if any(powers.values()) else size.constant
        for factors, coefficient in terms:
            if all(factors.get(atom, 0) >= power for atom, power in powers.items()):
                for atom, power in factors.items():
                    wanted = powers.get(atom, 0)
                    coefficient *= comb(power, wanted) * known[atom][1] ** (power - wanted)
                total += coefficient
        return total < 0

    def is_lower(factors: Mapping[Atom, int]) -> bool:
        return any(is_subtracted({**factors, atom: power - 1}) for atom, power in factors.items())

    return any(is_subtracted(factors) or is_lower(factors) for factors, _ in terms)


@lru_cache(maxsize=4096)
def is_sum_of_squares(size: Dim) -> bool:
    """Return whether a polynomial of degree 2 is at least 0 for all real values of its atoms."""
    atoms = list(dict.fromkeys(size.atoms()))
    if size.is_linear or len(atoms) > MOST_ATOMS or any(monomial.degree > 2 for monomial, _ in size.terms):
        return False
    places = {atom: place for place, atom in enumerate(atoms, 1)}
    form = [[Fraction(0)] * (len(atoms) + 1) for _ in range(len(atoms) + 1)]
    form[0][0] = Fraction(size.constant)
    for monomial, coefficient in size.terms:
        factors = [places[atom] for atom, power in monomial.factors for _ in range(power)]
        row, column = factors if len(factors) == 2 else (0, factors[0])
        form[row][column] += Fraction(coefficient, 2)
        form[column][row] += Fraction(coefficient, 2)
    return _is_positive_semidefinite(form)


def _is_positive_semidefinite(form: list[list[Fraction]]) -> bool:
    """Return whether a quadratic form is positive semidefinite.

    By elimination: no pivot is negative, and what stands beside a pivot of 0 is 0.
    """
    count = len(form)
    for pivot in range(count):
        head = form[pivot][pivot]
        if head < 0 or (head == 0 and any(form[pivot][column] for column in range(pivot + 1, count))):
            return False
        for row in range(pivot + 1, count) if head else ():
            factor = form[row][pivot] / head
            for column in range(pivot + 1, count):
                form[row][column] -= factor * form[pivot][column]
    return True
