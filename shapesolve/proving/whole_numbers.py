"""What an equation between products says because its unknowns are whole numbers.

Three ways give a claim that holds for the same sizes as the equation, a fourth one claims that follow from it. Atoms
count as unknown integers: what is said of all integers is said of what the atoms are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import gcd

from shapesolve.language.atoms import Atom
from shapesolve.language.dims import Dim, of_atom
from shapesolve.language.formulas import FALSE, Formula, conjunction, disjunction, is_zero, negation
from shapesolve.language.monomials import Monomial
from shapesolve.proving.factoring import prime_factors, root_of
from shapesolve.records import value_record

MOST_RESIDUES = 6_000
"""So many residues of all unknowns together are tried for one modulus."""

MODULI = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16)
PRIMES = (2, 3, 5, 7, 11, 13)
MOST_TERMS = 24


@lru_cache(maxsize=4096)
def among_whole_numbers(size: Dim) -> Formula | None:
    """A simpler claim that holds exactly where ``size == 0`` does; None where these ways find none."""
    if size.is_linear or len(size.terms) > MOST_TERMS:
        return None
    if _has_no_root(size):
        return FALSE
    if _only_zero(size):
        return conjunction(is_zero(of_atom(atom)) for atom in unknowns(size))
    return None if _valuations_fit(size) else conjunction(_vanishes(monomial) for monomial, _ in _two_sides(size))


def unknowns(size: Dim) -> list[Atom]:
    """The atoms of an expression, each once."""
    return list(dict.fromkeys(size.atoms()))


def _vanishes(monomial: Monomial) -> Formula:
    return disjunction(is_zero(of_atom(atom)) for atom, _ in monomial.factors)


# Valuations ------------------------------------------------------------------------------------------------------


def _two_sides(size: Dim) -> tuple[tuple[Monomial, int], ...]:
    return (*size.terms, (Monomial.of(()), size.constant)) if size.constant else size.terms


def _valuations_fit(size: Dim) -> bool:
    """Whether ``p*m == q*n`` can hold of products m and n that are not 0, as far as the powers of primes tell.

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
    return not all(power > 0 for power in exponents) or (below == 1 and _is_made_of(abs(above), exponents))


def _is_made_of(number: int, exponents: Sequence[int]) -> bool:
    """Whether a product of powers with these exponents can be the number, as far as its primes are known."""
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
    """Whether for some modulus no residues make the expression 0."""
    moduli = (each for each in MODULI if size.constant % each)
    return any(not any(True for _ in _roots(size, modulus)) for modulus in moduli if _is_few(size, modulus))


def _is_few(size: Dim, modulus: int) -> bool:
    count = len(_present(size, modulus))
    return count <= 12 and modulus**count <= MOST_RESIDUES


def _present(size: Dim, modulus: int) -> list[Atom]:
    """The unknowns that a multiple of the modulus does not take away."""
    terms = (monomial for monomial, coefficient in size.terms if coefficient % modulus)
    return list(dict.fromkeys(atom for monomial in terms for atom, _ in monomial.factors))


def _roots(size: Dim, modulus: int) -> Iterator[tuple[int, ...]]:
    """The residues of the present unknowns that make the expression a multiple of the modulus."""
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
    """Whether a sum of products of one degree is 0 only where all unknowns are, by infinite descent.

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
    """What an equation says modulo a prime of the atoms of one product."""

    prime: int
    product: Monomial
    claim: Formula


@lru_cache(maxsize=4096)
def modulo_primes(size: Dim) -> tuple[PrimeFact, ...]:
    """What ``size == 0`` says modulo primes that divide the coefficients of all products but one (Euclid's lemma).

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
