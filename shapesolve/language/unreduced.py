"""Sizes as sums in which quotients keep their coefficients.

The normal form writes ``8*(a//7)`` as ``a - a % 7 + a//7``, where nobody sees the factor 8 any more. Undone, it
is there.
"""

from __future__ import annotations

from math import gcd

from shapesolve.language.atoms import Atom, Remainder
from shapesolve.language.dims import ZERO, Dim, floordiv, of_monomial
from shapesolve.language.monomials import Monomial

_MOST_TERMS = 64  # more are given up: nothing depends on it but how much is simplified

Sum = dict[Monomial, int]
_UNIT = Monomial.of(())


def without_factor(a: Dim, divisor: int) -> tuple[int, Dim, int] | None:
    """``(g, x, c)`` with ``a == g*x + c``, where ``g > 1`` divides the divisor.

    It is a factor of all terms of ``a`` once every ``n % k`` is written as ``n - k*(n//k)``. None where there is none.
    """
    if all(_by_a_constant(atom) is None for atom in a.atoms()):
        return None
    terms = _unreduced(a)
    if terms is None:
        return None
    constant = terms.pop(_UNIT, 0)
    factor = divisor
    for coefficient in terms.values():
        factor = gcd(factor, coefficient)
        if factor == 1:
            return None
    inner = ZERO
    for monomial, coefficient in terms.items():
        inner = inner + of_monomial(monomial) * (coefficient // factor)
    return factor, inner, constant


def _by_a_constant(atom: Atom) -> tuple[Dim, int] | None:
    """``(n, k)`` of a remainder ``n % k`` by a positive constant."""
    if not isinstance(atom, Remainder):
        return None
    numerator, divisor = atom.parts
    return (numerator, divisor.constant) if divisor.is_constant and divisor.constant > 0 else None


def _unreduced(a: Dim) -> Sum | None:
    """The terms of a sum, the constant under the empty monomial; None where they become too many."""
    total: Sum = {_UNIT: a.constant} if a.constant else {}
    for monomial, coefficient in a.terms:
        product: Sum | None = {_UNIT: coefficient}
        for atom, power in monomial.factors:
            factor = _undone(atom)
            for _ in range(power):
                product = None if product is None else _product(product, factor)
        if product is None:
            return None
        for each, times in product.items():
            total[each] = total.get(each, 0) + times
    return {monomial: times for monomial, times in total.items() if times}


def _undone(atom: Atom) -> Sum:
    """``n - k*(n//k)`` for ``n % k``; any other atom as it is. Remainders inside ``n`` stay: there may be many."""
    parts = _by_a_constant(atom)
    quotient = None if parts is None else floordiv(*parts).atom
    if parts is None or quotient is None or len(parts[0].terms) > _MOST_TERMS:
        return {Monomial.of(((atom, 1),)): 1}
    total = dict(parts[0].terms)
    if parts[0].constant:
        total[_UNIT] = parts[0].constant
    single = Monomial.of(((quotient, 1),))
    total[single] = total.get(single, 0) - parts[1]
    return total


def _product(a: Sum, b: Sum) -> Sum | None:
    if len(a) * len(b) > _MOST_TERMS:
        return None
    total: Sum = {}
    for left, x in a.items():
        for right, y in b.items():
            both = left.times(right)
            total[both] = total.get(both, 0) + x * y
    return total
