"""When a polynomial is never negative: with slack for what is bounded, and as a sum of squares."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from shapesolve.language.atoms import Atom, Variable
from shapesolve.language.dims import Dim, dim, of_atom

MOST_TERMS = 24
MOST_ATOMS = 8

Bound = tuple[Atom | None, int]
"""``(y, n)`` for what is at least ``y + n``; at least n where y is None."""


def is_never_negative_beyond(size: Dim, bounds: Mapping[Atom, Bound]) -> bool:
    """Whether a size is at least 0 wherever every atom is at least what its bound says.

    An atom is its bound plus a slack that is not negative; multiplied out, no term may then be subtracted. Bounds by
    other atoms must not go round in a circle.
    """
    if len(size.terms) > MOST_TERMS:
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


@lru_cache(maxsize=4096)
def is_sum_of_squares(size: Dim) -> bool:
    """Whether a polynomial of degree 2 is at least 0 for all real numbers that its atoms may be."""
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
    """By elimination: no pivot is negative, and what stands beside a pivot of 0 is 0."""
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
