"""The normal form of ``a // b`` and ``a % b``.

By a constant, every multiple of it is taken out, common factors are cancelled and nested divisions are joined. By an
expression, whole multiples are taken out only where the divisor cannot be 0.
"""

from __future__ import annotations

from functools import lru_cache

from shapesolve.language.atoms import Bound, Quotient, Remainder
from shapesolve.language.dims import ONE, ZERO, Dim, dim, of_atom, of_monomial
from shapesolve.language.monomials import Monomial, common_factor
from shapesolve.language.unreduced import without_factor


def divide(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """``(a // b, a % b)``; ``(0, a)`` where ``b`` is 0."""
    if b.is_constant:
        return _by_constant(a, b.constant)
    low, high = b.bounds()
    nonzero = (low is not None and low > 0) or (high is not None and high < 0)
    if a is ZERO:
        return ZERO, ZERO
    if nonzero:
        whole, rest = whole_multiples(a, b)
        if whole is not ZERO:
            quotient, left = divide(rest, b)
            return whole + quotient, left
        if a.bounds()[0] is not None and _surely_less(a, b):
            return ZERO, a
    return of_atom(_quotient(a, b)), of_atom(_remainder(a, b))


def _surely_less(a: Dim, b: Dim) -> bool:
    low, _ = a.bounds()
    _, gap = (a - b).bounds()
    return low is not None and low >= 0 and gap is not None and gap < 0


@lru_cache(maxsize=1 << 14)  # numbers that wrap around are divided by the same power of 2 again and again
def _by_constant(a: Dim, divisor: int) -> tuple[Dim, Dim]:
    if divisor == 0:
        return ZERO, a
    if divisor < 0:
        quotient, rest = _by_constant(-a, -divisor)
        return quotient, -rest
    if a.is_constant:
        return dim(a.constant // divisor), dim(a.constant % divisor)
    if divisor == 1:
        return a, ZERO
    whole, rest = _split(a, divisor)
    for _ in range(4):  # taking multiples out may rewrite a quotient inside, and bring new multiples out
        more, rest = _split(rest, divisor)
        if more is ZERO:
            break
        whole = whole + more
    if rest.is_constant:
        return whole, rest
    low, high = rest.bounds()
    if low is not None and high is not None and low // divisor == high // divisor:
        known = low // divisor
        return whole + known, rest - known * divisor
    hidden = without_factor(rest, divisor)
    if hidden is not None:
        factor, inner, constant = hidden
        quotient, left = _by_constant(inner + constant // factor, divisor // factor)
        return whole + quotient, left * factor + constant % factor
    return whole + _quotient_by(rest, divisor), _remainder_by(rest, divisor)


def _split(a: Dim, divisor: int) -> tuple[Dim, Dim]:
    """``(q, r)`` with ``a == divisor*q + r`` and small coefficients in ``r``."""
    whole = dim(a.constant // divisor)
    rest = dim(a.constant % divisor)
    for monomial, coefficient in a.terms:
        multiple = coefficient // divisor
        if monomial.reducible and multiple < 0:  # keep the sign that the normal form of quotients chose
            multiple = -(-coefficient // divisor)
        if multiple:
            whole = whole + of_monomial(monomial) * multiple
        rest = rest + of_monomial(monomial) * (coefficient - multiple * divisor)
    return whole, rest


def _quotient_by(a: Dim, divisor: int) -> Dim:
    factor = common_factor((*a.terms, (Monomial.of(()), divisor)))
    if factor > 1:
        inner = _divided_terms(a, factor) + a.constant // factor
        return _by_constant(inner, divisor // factor)[0]
    atom = a.terms[0][0].single if len(a.terms) == 1 and a.terms[0][1] == 1 else None
    if isinstance(atom, Quotient) and atom.parts[1].is_constant and atom.parts[1].constant > 0:
        inner_divisor = atom.parts[1].constant
        return _by_constant(atom.parts[0] + a.constant * inner_divisor, divisor * inner_divisor)[0]
    return of_atom(_quotient(a, dim(divisor)))


def _remainder_by(a: Dim, divisor: int) -> Dim:
    factor = common_factor((*a.terms, (Monomial.of(()), divisor)))
    if factor > 1:
        inner = _divided_terms(a, factor) + a.constant // factor
        return _by_constant(inner, divisor // factor)[1] * factor + a.constant % factor
    flattened = a
    for monomial, coefficient in a.terms:
        atom = monomial.single
        if isinstance(atom, Remainder) and atom.parts[1].is_constant and atom.parts[1].constant % divisor == 0:
            flattened = flattened + (atom.parts[0] - of_atom(atom)) * coefficient
    if divisor == 2:
        flattened = _without_powers(flattened)
    if flattened is not a:
        return _by_constant(flattened, divisor)[1]
    return of_atom(_remainder(a, dim(divisor)))


def _without_powers(a: Dim) -> Dim:
    """A sum that is odd where another one is: ``n**2`` is odd where ``n`` is, so that ``n**2 + n`` never is."""
    if all(power == 1 for monomial, _ in a.terms for _, power in monomial.factors):
        return a
    total = dim(a.constant)
    for monomial, coefficient in a.terms:
        total = total + of_monomial(Monomial.of(tuple((atom, 1) for atom, _ in monomial.factors))) * coefficient
    return total


def _divided_terms(a: Dim, factor: int) -> Dim:
    total = ZERO
    for monomial, coefficient in a.terms:
        total = total + of_monomial(monomial) * (coefficient // factor)
    return total


def whole_multiples(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """``(q, r)`` with ``a == b*q + r``, for a divisor that is one monomial or equal to ``a``."""
    if a is b:
        return ONE, ZERO
    if b.constant or len(b.terms) != 1:
        return ZERO, a
    divisor, scale = b.terms[0]
    whole = ZERO
    rest = dim(a.constant)
    for monomial, coefficient in a.terms:
        cofactor = monomial.divided_by(divisor)
        if cofactor is None or coefficient % scale:
            rest = rest + of_monomial(monomial) * coefficient
        else:
            whole = whole + of_monomial(cofactor) * (coefficient // scale)
    return whole, rest


def _quotient(a: Dim, b: Dim) -> Quotient:
    low, high = a.bounds()
    lower: Bound = None
    upper: Bound = None
    if b.is_constant:
        lower = None if low is None else low // b.constant
        upper = None if high is None else high // b.constant
    else:
        least = b.bounds()[0]
        if least is not None and least >= 0:  # it is 0 where the divisor is
            lower = None if low is None else min(low, 0)
            upper = None if high is None else max(high, 0)
    return Quotient.made((a, b), lower, upper)


def _remainder(a: Dim, b: Dim) -> Remainder:
    low, high = a.bounds()
    if b.is_constant:
        return Remainder.made((a, b), 0, b.constant - 1)
    least, most = b.bounds()
    if least is not None and least > 0:
        return Remainder.made((a, b), 0, None if most is None else most - 1)
    if least is not None and least >= 0 and low is not None and low >= 0:
        return Remainder.made((a, b), 0, high)
    if least is not None and least >= 0 and low is not None:
        return Remainder.made((a, b), low, None if most is None or high is None else max(high, most - 1))
    return Remainder.made((a, b), None, None)
