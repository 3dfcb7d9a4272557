"""Conditions that a sum or a remainder is 0, by conditions on their parts, equivalent for all sizes.

A sum of terms of one sign is 0 where each of them is, and a product where one of its factors is. Sizes beside their
remainders become what they are made of, ``n`` is ``4*(n//4) + n % 4``, so that more sums are of one sign. So
``(H % 4)*(W % 4) == (H % 4)*W + H*(W % 4)`` is ``H == 0 or W == 0 or H % 4 == 0 and W % 4 == 0``.

``(8*b*t) % (16*b) == 0`` is ``b == 0 or t % 2 == 0``: the remainder by 0 is the dividend, which is 0 there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from shapesolve.symbolic.atoms import Atom, Remainder, Variable, common_factor, common_monomial
from shapesolve.symbolic.dims import Dim, of_atom, weighted_sum
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, less_than
from shapesolve.symbolic.visitors import rebuilt_sum

_MOST_TERMS = 4
"""Terms of a sum that are looked at."""

_MOST_CHOICES = 64
"""Choices of one factor for each term that are looked at."""


def zero_of_parts(size: Dim) -> Formula | None:
    """Return a condition on the parts of a size that holds exactly where it is 0, or None if none is known."""
    atom = size.atom
    return _zero_remainder(*atom.parts) if isinstance(atom, Remainder) else _zero_sum(size)


def _zero_remainder(a: Dim, b: Dim) -> Formula | None:
    """Cancel a common factor, which may be 0, and the sign of the divisor."""
    if b.is_constant or a.constant or b.constant:
        return None
    terms = (*a.terms, *b.terms)
    shared, number = common_monomial(monomial for monomial, _ in terms), common_factor(terms)
    if not shared.factors:
        return None
    shorter, divisor = (
        weighted_sum((monomial.cofactor(shared), times // number) for monomial, times in size.terms) for size in (a, b)
    )
    return disjunction((*(equal(of_atom(atom), 0) for atom, _ in shared.factors), equal(shorter % divisor, 0)))


def _is_size(atom: Atom) -> bool:
    return atom.lower is not None and atom.lower >= 0


def _zero_sum(size: Dim) -> Formula | None:
    if size.constant or size.is_linear or not 1 < len(size.terms) <= _MOST_TERMS:
        return None
    taken = _Decomposition(size)
    whole = taken.whole
    signs = {times > 0 for _, times in whole.terms}
    if whole.constant or len(signs) != 1:
        return None
    terms = [[atom for atom, _ in monomial.factors] for monomial, _ in whole.terms]
    if not all(_is_size(atom) for factors in terms for atom in factors):
        return None
    if prod(map(len, terms)) > _MOST_CHOICES:
        return None
    by_terms = conjunction(disjunction(map(taken.zero, factors)) for factors in terms)
    by_choices = disjunction(conjunction(taken.all_zero(chosen)) for chosen in _least(map(frozenset, product(*terms))))
    return min(by_choices, by_terms, key=lambda each: len(str(each)))


def _least(sets: Iterable[frozenset[Atom]]) -> list[frozenset[Atom]]:
    """Return the sets of which no other one is a part."""
    found = list(dict.fromkeys(sets))
    return [each for each in found if not any(other < each for other in found)]


class _Decomposition:
    """A sum in which sizes that stand beside their remainders by a number are written by quotient and remainder."""

    def __init__(self, size: Dim) -> None:
        self._zero_where: dict[Atom, Formula] = {}
        self._whole_zero: dict[frozenset[Atom], Formula] = {}
        atoms = list(size.atoms())
        self._parts: dict[Atom, Dim] = {}
        for each in atoms:
            if isinstance(each, Remainder) and self._is_of_variable(each) and each.parts[0].atom not in self._parts:
                self._decompose(each, atoms)
        self.whole = rebuilt_sum(size, lambda atom: self._parts.get(atom, of_atom(atom)))

    @staticmethod
    def _is_of_variable(atom: Remainder) -> bool:
        number, divisor = atom.parts
        return (
            isinstance(number.atom, Variable) and _is_size(number.atom) and divisor.is_constant and divisor.constant > 1
        )

    def _decompose(self, remainder: Remainder, atoms: Sequence[Atom]) -> None:
        number, divisor = remainder.parts
        assert number.atom is not None
        rest = Variable.of(f"{remainder.text}'", 0, divisor.constant - 1)
        count = Variable.of(f"{number.as_factor()}//{divisor}'", 0, None)
        self._parts[number.atom] = of_atom(count) * divisor + of_atom(rest)
        self._parts[remainder] = of_atom(rest)
        quotient = (number // divisor).atom
        if quotient is not None and quotient in atoms:
            self._parts[quotient] = of_atom(count)
        self._zero_where[rest] = equal(of_atom(remainder), 0)
        self._zero_where[count] = less_than(number, divisor)
        self._whole_zero[frozenset((rest, count))] = equal(number, 0)

    def zero(self, atom: Atom) -> Formula:
        """Return that an atom of the sum is 0."""
        return self._zero_where[atom] if atom in self._zero_where else equal(of_atom(atom), 0)

    def all_zero(self, chosen: frozenset[Atom]) -> list[Formula]:
        """Return that some atoms of the sum are 0."""
        found: list[Formula] = []
        for parts, formula in self._whole_zero.items():
            if parts <= chosen:
                found.append(formula)
                chosen -= parts
        return [*found, *map(self.zero, sorted(chosen, key=lambda each: each.text))]
