"""What an equality between sizes determines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from shapesolve.language.atoms import Atom, Remainder, ShapeSymbol, Variable
from shapesolve.language.dims import Dim, of_atom, of_monomial, variable
from shapesolve.language.formulas import Formula, is_zero
from shapesolve.language.monomials import Monomial
from shapesolve.language.substitution import Instantiation
from shapesolve.proving.ordering import hides_any, holds_as_large, weight
from shapesolve.records import record


def determined(size: Dim, age: Mapping[Variable, int]) -> tuple[Variable, Dim] | None:
    """The youngest variable that ``size == 0`` determines, and what it is; unknown variables are the youngest."""
    best: tuple[int, Variable, int] | None = None
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if not isinstance(atom, Variable) or coefficient not in (1, -1) or atom.lower is None:
            continue
        if any(atom in other.variables for other, _ in size.terms if other is not monomial):
            continue
        years = age.get(atom, len(age))
        if best is None or years > best[0]:
            best = (years, atom, coefficient)
    if best is None:
        return None
    _, chosen, sign = best
    return chosen, (of_atom(chosen) - size if sign == 1 else of_atom(chosen) + size)


@record
class ExactShare:
    """``numerator == divisor * share + rest``, where ``share`` is a fresh name for ``quotient``."""

    share: Variable
    quotient: Dim
    numerator: Dim
    equality: Formula


def exact_share(size: Dim, number: int) -> ExactShare | None:
    """What ``size == 0`` says where it has the form ``a % b == rest``; ``number`` makes the fresh name unique.

    Where ``b`` is 0 the remainder is ``a``, so ``a == 0`` and the share is 0: the equality holds there too.
    """
    if len(size.terms) != 1 or size.constant > 0 or size.terms[0][1] != 1:
        return None
    left = size.terms[0][0].single
    if not isinstance(left, Remainder):
        return None
    a, b = left.parts
    rest = -size.constant
    if not b.is_constant and rest:
        return None
    low, high = a.bounds()
    divisor_low = b.bounds()[0]
    least = most = None
    if b.is_constant:
        least = None if low is None else low // b.constant
        most = None if high is None else high // b.constant
    elif low is not None and low >= 0 and divisor_low is not None and divisor_low >= 0:
        least, most = 0, high
    share = variable(f"{a.as_factor()}//{b.as_factor()}'{number}", least, most)
    return ExactShare(cast("Variable", share.atom), a // b, a, is_zero(a - b * share - rest))


def without_shares(claim: Formula, shares: Mapping[Variable, Dim]) -> Formula | None:
    """The claim with what they stand for instead of fresh names; None where that cannot be said in one formula."""
    for _ in range(len(shares) + 1):
        own = {each: value for each, value in shares.items() if each in claim.variables}
        if not own:
            return claim
        if any(isinstance(each, ShapeSymbol) for each in claim.variables):
            return None
        claim = Instantiation(own).formula(claim)
    return None


def largest_side(size: Dim) -> tuple[Atom | Monomial, Dim] | None:
    """The largest atom or product of ``size == 0``, where it can be rewritten to what is left, which is smaller."""
    ordered = sorted(size.terms, key=weight, reverse=True)
    (leader, coefficient), rest = ordered[0], ordered[1:]
    if coefficient not in (1, -1):
        return None
    value = (of_monomial(leader) - size) if coefficient == 1 else (of_monomial(leader) + size)
    atom = leader.single
    if atom is None:
        if any(other.degree > leader.degree or hides_any(leader, other) for other, _ in rest):
            return None
        return leader, value
    if isinstance(atom, Variable) or any(holds_as_large(atom, other) for other, _ in rest):
        return None
    return atom, value
