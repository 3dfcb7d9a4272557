"""Consequences of polynomial equations over the integers.

Three methods give a claim that holds for the same sizes as the equation, a fourth one claims that follow from it. Atoms
count as unknown integers: what holds of all integers holds of the values of the atoms.

`factors_of_numbers` finds equations by which a term with one unknown divides a number, which has few divisors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import gcd

from shapesolve.records import value_record
from shapesolve.solver.polynomials import divisors, prime_factors, root_of, slope_and_rest
from shapesolve.symbolic.atoms import Atom, Monomial, Variable, common_monomial
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, Formula, IsZero
from shapesolve.symbolic.formulas import conjunction, disjunction, is_zero, negation

MOST_RESIDUES = 6_000
"""Largest number of combinations of residues of all unknowns that are tried for one modulus."""

MODULI = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16)
PRIMES = (2, 3, 5, 7, 11, 13)


@lru_cache(maxsize=4096)
def simplify_over_integers(size: Dim) -> Formula | None:
    """Return a simpler claim equivalent to ``size == 0`` over the integers; None if no method finds one."""
    if size.is_linear or len(size.terms) > MOST_TERMS:
        return None
    if _has_no_root(size):
        return FALSE
    if _only_zero(size):
        return conjunction(is_zero(of_atom(atom)) for atom in unknowns(size))
    return None if _valuations_fit(size) else conjunction(_vanishes(monomial) for monomial, _ in _two_sides(size))


def unknowns(size: Dim) -> list[Atom]:
    """Return the distinct atoms of an expression."""
    return list(dict.fromkeys(size.atoms()))


def _vanishes(monomial: Monomial) -> Formula:
    return disjunction(is_zero(of_atom(atom)) for atom, _ in monomial.factors)


# Valuations ------------------------------------------------------------------------------------------------------


def _two_sides(size: Dim) -> tuple[tuple[Monomial, int], ...]:
    return (*size.terms, (Monomial.of(()), size.constant)) if size.constant else size.terms


def _valuations_fit(size: Dim) -> bool:
    """Return whether ``p*m == q*n`` is possible for nonzero products m and n, as far as prime valuations tell.

    Then ``m/n`` is the fraction ``-q/p``, and for every prime the sum of the powers that it has in the unknowns, each
    as often as this is a factor, is the power that it has in the fraction: ``a*a == 2*b*b`` wants 1 to be even.
    """
    sides = _two_sides(size)
    if len(sides) != 2:
        return True
    (left, p), (right, q) = sides
    powers = dict(left.factors)
    for atom, power in right.factors:
        powers[atom] = powers.get(atom, 0) - power
    exponents = [power for power in powers.values() if power]
    if all(power < 0 for power in exponents):
        exponents, p, q = [-power for power in exponents], q, p
    common = gcd(p, q)
    above, below = -q // common, p // common
    if below < 0:
        above, below = -above, -below
    degree = gcd(*exponents)
    if root_of(above, degree) is None or root_of(below, degree) is None:
        return False
    return not all(power > 0 for power in exponents) or (below == 1 and _is_product_of_powers(abs(above), exponents))


def _is_product_of_powers(number: int, exponents: Sequence[int]) -> bool:
    """Return whether a product of powers with these exponents can be the number, as far as its primes are known."""
    primes = None if 1 in exponents else prime_factors(number)
    return primes is None or all(_is_sum_of(power, exponents) for power in primes.values())


def _is_sum_of(number: int, parts: Sequence[int]) -> bool:
    reached = {0}
    for each in range(1, number + 1):
        if any(each - part in reached for part in parts):
            reached.add(each)
    return number in reached


# Residues --------------------------------------------------------------------------------------------------------


def _has_no_root(size: Dim) -> bool:
    """Return whether for some modulus no residues make the expression 0."""
    moduli = (each for each in MODULI if size.constant % each)
    return any(not any(True for _ in _roots(size, modulus)) for modulus in moduli if _is_few(size, modulus))


def _is_few(size: Dim, modulus: int) -> bool:
    count = len(_present(size, modulus))
    return count <= 12 and modulus**count <= MOST_RESIDUES


def _present(size: Dim, modulus: int) -> list[Atom]:
    """Return the unknowns that do not vanish modulo the modulus."""
    terms = (monomial for monomial, coefficient in size.terms if coefficient % modulus)
    return list(dict.fromkeys(atom for monomial in terms for atom, _ in monomial.factors))


def _roots(size: Dim, modulus: int) -> Iterator[tuple[int, ...]]:
    """Yield the residues of the present unknowns that make the expression a multiple of the modulus."""
    atoms = _present(size, modulus)
    places = {atom: place for place, atom in enumerate(atoms)}
    terms = [
        (coefficient % modulus, [(places[atom], power) for atom, power in monomial.factors])
        for monomial, coefficient in size.terms
        if coefficient % modulus
    ]
    highest = max((power for _, factors in terms for _, power in factors), default=0)
    table = [[pow(residue, power, modulus) for power in range(highest + 1)] for residue in range(modulus)]
    for residues in product(range(modulus), repeat=len(atoms)):
        total = size.constant
        for coefficient, factors in terms:
            value = coefficient
            for place, power in factors:
                value = value * table[residues[place]][power]
            total += value
        if total % modulus == 0:
            yield residues


# Descent ---------------------------------------------------------------------------------------------------------


def _only_zero(size: Dim) -> bool:
    """Return whether a homogeneous polynomial vanishes only if all unknowns are 0, by infinite descent.

    If modulo some ``p**k`` all roots are multiples of p, there is none but 0: divided by the highest power of p that
    divides all of it, a root is a root again, of which not all is a multiple of p.
    """
    degree = size.terms[0][0].degree
    if size.constant or len(size.terms) < 2 or any(monomial.degree != degree for monomial, _ in size.terms):
        return False
    atoms = unknowns(size)
    for prime in PRIMES:
        for power in range(1, degree + 1):
            modulus = prime**power
            if modulus ** len(atoms) > MOST_RESIDUES:
                break
            if len(_present(size, modulus)) < len(atoms):
                continue
            if not any(any(residue % prime for residue in root) for root in _roots(size, modulus)):
                return True
    return False


# Primes ----------------------------------------------------------------------------------------------------------


@value_record
class PrimeFact:
    """A consequence of an equation modulo a prime, about the atoms of one product."""

    prime: int
    product: Monomial
    claim: Formula


@lru_cache(maxsize=4096)
def modulo_primes(size: Dim) -> tuple[PrimeFact, ...]:
    """Return consequences of ``size == 0`` modulo primes that divide all coefficients but one (Euclid's lemma).

    From ``a*b == 7*c``: 7 divides a or b. From ``a*b == 7*c + 1``: it divides neither.
    """
    if size.is_linear or len(size.terms) > MOST_TERMS:
        return ()
    found: list[PrimeFact] = []
    for whole, coefficient in size.terms:
        common = gcd(*(other for monomial, other in size.terms if monomial is not whole))
        for prime in (prime_factors(common) or ()) if whole.single is None else ():
            if coefficient % prime:
                zeros = [is_zero(of_atom(atom) % prime) for atom, _ in whole.factors]
                claim = conjunction(map(negation, zeros)) if size.constant % prime else disjunction(zeros)
                found.append(PrimeFact(prime, whole, claim))
    return tuple(found)


MOST_DIVISORS = 256
"""Largest number of divisors of a number that are enumerated."""

MOST_TERMS = 24
"""Largest number of terms of an equation that is examined."""

MOST_DEGREE = 8
"""Largest degree of an equation that is examined."""


@value_record
class Factor:
    """``(scale*variable + shift)**power`` divides the ``number``, which is not 0; scale and power are positive."""

    variable: Variable
    number: int
    scale: int = 1
    shift: int = 0
    power: int = 1

    def values(self) -> list[int] | None:
        """Return the values of the variable within its bounds; None if there are too many, or divisors are unknown."""
        found = divisors(self.number, MOST_DIVISORS)
        if found is None:
            return None
        fitting = [each for each in found if self.number % each**self.power == 0]
        solutions = (each - self.shift for divisor in fitting for each in (divisor, -divisor))
        return [each // self.scale for each in solutions if each % self.scale == 0 and self._allows(each // self.scale)]

    def _allows(self, value: int) -> bool:
        low, high = self.variable.lower, self.variable.upper
        return (low is None or low <= value) and (high is None or value <= high)


def factors_of_numbers(formula: Formula) -> Iterator[Factor]:
    """Yield terms with one unknown that divide a number by an equation.

    From ``a*b == a*c + 10``: a divides 10. From ``a*b + a + b == 10``: so a + 1 and b + 1 divide 11. From
    ``b*(3*a - 4) == 3*a**2 - 5*a + 4``: ``3*a - 4`` divides 24.
    """
    if not isinstance(formula, IsZero) or formula.size.is_linear or len(formula.size.terms) > MOST_TERMS:
        return
    size = formula.size
    if size.constant:
        shared = common_monomial(monomial for monomial, _ in size.terms)
        for atom, power in shared.factors:
            if isinstance(atom, Variable):
                yield Factor(atom, size.constant, power=power)
    for variable in dict.fromkeys(atom for atom in size.atoms() if isinstance(atom, Variable)):
        parts = slope_and_rest(size, variable)
        if parts is None or parts[0].is_constant:
            continue
        found = _linear_factor(variable, *parts) or _slope(*parts)
        if found is not None:
            yield found


def _linear_factor(variable: Variable, slope: Dim, rest: Dim) -> Factor | None:
    """Return the factor ``c*x + t`` of the number ``-r`` if ``x*p + q == 0`` and ``c*q - t*p`` is a number r.

    Then ``p*(c*x + t) == -r``.
    """
    leader, coefficient = slope.terms[0]
    other = dict(rest.terms).get(leader, 0)
    common = gcd(coefficient, other) * (1 if coefficient > 0 else -1)
    scale, shift = coefficient // common, other // common
    left = rest * scale - slope * shift
    if not left.is_constant or not left.constant:
        return None
    return Factor(variable, left.constant, scale, shift)


def _slope(slope: Dim, rest: Dim) -> Factor | None:
    """Return the factor p of a number if ``x*p + q == 0``, p is ``s*y + t``, and q is of y alone, of degree n.

    Then p divides ``s**n * q(-t/s)``.
    """
    if len(slope.terms) != 1:
        return None
    (monomial, scale), shift = slope.terms[0], slope.constant
    variable = monomial.single
    if not isinstance(variable, Variable):
        return None
    coefficients = {0: rest.constant}
    for each, coefficient in rest.terms:
        if len(each.factors) != 1 or each.factors[0][0] is not variable:
            return None
        coefficients[each.factors[0][1]] = coefficient
    degree = max(coefficients)
    if degree > MOST_DEGREE:
        return None
    number = sum(each * (-shift) ** power * scale ** (degree - power) for power, each in coefficients.items())
    sign = 1 if scale > 0 else -1
    return Factor(variable, number, sign * scale, sign * shift) if number else None
