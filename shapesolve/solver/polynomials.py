"""Polynomials over the atoms of a size: factors, solving for a variable, claims split into claims about their parts.

Includes prime factors of numbers, for as long as they are cheap to find. FLINT is imported when a polynomial or a
large number needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from math import gcd, isqrt, prod
from typing import TYPE_CHECKING

from shapesolve.symbolic.atoms import Atom, Choice, Monomial, Quotient, Variable, common_factor, common_monomial
from shapesolve.symbolic.dims import Dim, dim, of_atom, weighted_sum
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, either, is_non_negative, is_zero, negation
from shapesolve.symbolic.normal_forms import split_multiples
from shapesolve.symbolic.visitors import on_comparisons

if TYPE_CHECKING:
    from flint import fmpq_mpoly, fmpz_mpoly


# Polynomials beyond these are not worth the time that factoring them takes.
_MAX_TERMS = 60
_MAX_DEGREE = 12
_MAX_ATOMS = 12


def factored(size: Dim) -> tuple[Dim, ...]:
    """Return factors whose product is the size, a constant other than 1 first; the size alone if it has none.

    The atoms count as unknowns of a polynomial, so that a relation between two of them is not used.
    """
    if size.is_constant:
        return (size,)
    content = gcd(common_factor(size.terms), size.constant)
    if size.terms[0][1] < 0:
        content = -content
    shared = Monomial.of(()) if size.constant else common_monomial(monomial for monomial, _ in size.terms)
    cofactors = ((monomial.cofactor(shared), coefficient // content) for monomial, coefficient in size.terms)
    rest = weighted_sum(cofactors, size.constant // content)
    factors = [of_atom(atom) for atom, power in shared.factors for _ in range(power)]
    if rest.is_constant:
        content *= rest.constant
    else:
        constant, others = _irreducible(rest)
        content *= constant
        factors += others
    factors.sort(key=lambda factor: (len(factor.terms), bool(factor.constant), str(factor)))
    return (dim(content), *factors) if content != 1 else tuple(factors)


def _irreducible(size: Dim) -> tuple[int, list[Dim]]:
    """Return a constant and irreducible factors whose product is the size; a large size is not factored."""
    if size.is_linear or _is_large(size):
        return 1, [size]
    atoms = _atoms(size)
    polynomial = _polynomial(size, atoms)
    try:
        constant, factors = polynomial.factor()
    except OverflowError:  # python-flint 0.9.0 sorts the factors by their coefficients as C integers
        constant, factors = _rational(polynomial).factor()
    return int(constant), [_size(factor, atoms) for factor, power in factors for _ in range(int(power))]


def _is_large(*sizes: Dim) -> bool:
    terms = [monomial for size in sizes for monomial, _ in size.terms]
    degree = max((monomial.degree for monomial in terms), default=0)
    return len(terms) > _MAX_TERMS or degree > _MAX_DEGREE or len(_atoms(*sizes)) > _MAX_ATOMS


def _atoms(*sizes: Dim) -> list[Atom]:
    return sorted({atom for size in sizes for atom in size.atoms()}, key=lambda atom: atom.text)


def _polynomial(size: Dim, atoms: list[Atom]) -> fmpz_mpoly:
    """Return a size as a polynomial with integer coefficients in the atoms."""
    import flint

    coefficients: dict[tuple[int, ...], int] = {(0,) * len(atoms): size.constant}
    for monomial, coefficient in size.terms:
        powers = dict(monomial.factors)
        coefficients[tuple(powers.get(atom, 0) for atom in atoms)] = coefficient
    return flint.fmpz_mpoly_ctx.get(("x", len(atoms)), flint.Ordering.lex).from_dict(coefficients)


def _rational(polynomial: fmpz_mpoly) -> fmpq_mpoly:
    """Return the same polynomial over the rationals, which has the same factors: integer ones, by Gauss's lemma."""
    import flint

    context = flint.fmpq_mpoly_ctx.get(polynomial.context().names(), flint.Ordering.lex)
    return context.from_dict(polynomial.to_dict())


def _size(polynomial: fmpz_mpoly | fmpq_mpoly, atoms: list[Atom]) -> Dim:
    factors = [
        (Monomial.of((atom, power) for atom, power in zip(atoms, powers, strict=True) if power), int(coefficient))
        for powers, coefficient in polynomial.terms()
    ]
    return weighted_sum(factors)


# Solving ---------------------------------------------------------------------------------------------------------


def slope_and_rest(size: Dim, variable: Variable) -> tuple[Dim, Dim] | None:
    """Return ``(p, q)`` with ``size == variable*p + q``, the variable in neither; None if the size is not linear."""
    slope, rest = split_multiples(size, of_atom(variable))
    return None if variable in slope.variables or variable in rest.variables else (slope, rest)


# Claims taken apart --------------------------------------------------------------------------------------------------


def decompose(formula: Formula) -> Formula:
    """Split claims about products, quotients and selects into claims about their parts."""
    return on_comparisons(formula, _spread)


def _spread(formula: Formula) -> Formula:
    match formula:
        case IsZero(parts=(size,)):
            return _spread_zero(size, formula)
        case IsNonNegative(parts=(size,)):
            return _spread_sign(size, formula)
        case _:
            return formula


def _spread_zero(size: Dim, formula: Formula) -> Formula:
    factors = [factor for factor in factored(size) if not factor.is_constant]
    if len(factors) > 1:
        return disjunction(decompose(is_zero(factor)) for factor in factors)

    def of_quotient(quotient: Quotient, sign: int) -> Formula:
        value = -size.constant * sign
        return conjunction((_quotient_at_least(quotient, value), negation(_quotient_at_least(quotient, value + 1))))

    return _spread_single(size, formula, of_quotient)


def _spread_sign(size: Dim, formula: Formula) -> Formula:
    """``p*q >= 0`` with ``p`` never negative is ``p == 0 or q >= 0``."""
    factors = list(factored(size))
    if len([factor for factor in factors if not factor.is_constant]) > 1:
        return _sign_of_product(factors)

    def of_quotient(quotient: Quotient, sign: int) -> Formula:
        claim = _quotient_at_least(quotient, size.constant + 1 if sign < 0 else -size.constant)
        return negation(claim) if sign < 0 else claim

    return _spread_single(size, formula, of_quotient)


def _spread_single(size: Dim, formula: Formula, of_quotient: Callable[[Quotient, int], Formula]) -> Formula:
    """Split a claim about a lone select or quotient by a number, with its sign; return any other as it is."""
    single = _single(size)
    if single is None:
        return formula
    atom, sign = single
    if isinstance(atom, Choice):
        return _spread_choice(atom, size, sign, formula)
    if isinstance(atom, Quotient) and atom.parts[1].is_constant and atom.parts[1].constant > 1:
        return of_quotient(atom, sign)
    return formula


def _sign_of_product(factors: list[Dim]) -> Formula:
    zeros: list[Formula] = []
    unsigned: list[Dim] = []
    sign = 1
    for factor, power in Counter(factors).items():
        low, high = factor.bounds()
        if power % 2 == 0 or (low is not None and low >= 0):
            zeros.append(decompose(is_zero(factor)))
        elif high is not None and high <= 0:
            zeros.append(decompose(is_zero(factor)))
            sign = -sign
        else:
            unsigned.append(factor)
    rest = is_non_negative(prod(unsigned, start=dim(sign)))
    return disjunction((*zeros, decompose(rest) if len(unsigned) == 1 else rest))


def _single(size: Dim) -> tuple[Atom, int] | None:
    """Return the atom and the sign of a size such as ``3 - N//2``, or None."""
    if len(size.terms) != 1:
        return None
    monomial, sign = size.terms[0]
    return (monomial.single, sign) if monomial.single is not None and sign in (1, -1) else None


def _spread_choice(atom: Choice, size: Dim, sign: int, formula: Formula) -> Formula:
    condition, a, b = atom.parts
    if not (a.is_constant and b.is_constant):
        return formula
    make = is_zero if isinstance(formula, IsZero) else is_non_negative
    return either(decompose(condition), make(a * sign + size.constant), make(b * sign + size.constant))


def _quotient_at_least(quotient: Quotient, value: int) -> Formula:
    """Return ``a // c >= value`` as a claim about ``a``."""
    return decompose(at_least(quotient.parts[0], quotient.parts[1] * value))


LARGEST = 2**80
"""Bound below which numbers are factored, which takes FLINT some milliseconds at most."""

_SMALL = [number for number in range(2, 1000) if all(number % each for each in range(2, isqrt(number) + 1))]


@lru_cache(maxsize=1024)
def prime_factors(number: int) -> dict[int, int] | None:
    """Return the primes of a positive number with their powers; None if finding them would take too long."""
    if not 0 < number < LARGEST:
        return None
    found: dict[int, int] = {}
    for prime in _SMALL:
        while number % prime == 0:
            found[prime] = found.get(prime, 0) + 1
            number //= prime
    if number >= _SMALL[-1] ** 2:
        return found | _large_factors(number)
    return found | {number: 1} if number > 1 else found


def _large_factors(number: int) -> dict[int, int]:
    import flint

    return {int(prime): int(power) for prime, power in flint.fmpz(number).factor()}


def divisors(number: int, most: int) -> list[int] | None:
    """Return the positive divisors of a number other than 0, ascending; None if more than ``most``, or unknown."""
    primes = prime_factors(abs(number))
    if primes is None:
        return None
    found = [1]
    for prime, power in primes.items():
        found = [each * prime**exponent for each in found for exponent in range(power + 1)]
        if len(found) > most:
            return None
    return sorted(found)


def root_of(number: int, degree: int) -> int | None:
    """Return the integer whose power a number is, or None if there is none. ``degree`` is positive."""
    if number < 0:
        root = root_of(-number, degree) if degree % 2 else None
        return None if root is None else -root
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None
