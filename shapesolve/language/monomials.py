"""Monomials: products of powers of atoms, the terms of a size expression."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from shapesolve.language.atoms import Atom, Bound, Quotient, Variable
from shapesolve.language.interning import Interned
from shapesolve.language.limits import MAX_DEGREE, check_length, too_high_a_degree

_monomials: Interned[tuple[tuple[Atom, int], ...], Monomial] = Interned()


class Monomial:
    """A product of powers of atoms, hash-consed. Its factors are sorted by their text. Raises TooLarge."""

    __slots__ = ("__weakref__", "_bounds", "factors", "height", "key", "reducible", "variables")

    def __init__(self, factors: tuple[tuple[Atom, int], ...]) -> None:
        self.factors = factors
        degree = sum(power for _, power in factors)
        if degree > MAX_DEGREE:
            raise too_high_a_degree()
        check_length(sum(len(atom.text) for atom, _ in factors))
        self.height = max((atom.height for atom, _ in factors), default=0)
        texts = [
            (f"({atom.text})" if atom.precedence < 3 and (len(factors) > 1 or power > 1) else atom.text)
            + (f"**{power}" if power > 1 else "")
            for atom, power in factors
        ]
        self.key = (-degree, "*".join(texts))
        self.variables = (
            factors[0][0].variables
            if len(factors) == 1
            else frozenset[Variable]().union(*(atom.variables for atom, _ in factors))
        )
        # A quotient by a constant takes part in the relation  c * (a // c) == a - a % c  that `_reduced` applies.
        self.reducible = any(isinstance(atom, Quotient) and atom.parts[1].is_constant for atom, _ in factors)
        self._bounds: tuple[Bound, Bound] | None = None

    @staticmethod
    def of(factors: Iterable[tuple[Atom, int]]) -> Monomial:
        key = tuple(factors)
        if len(key) > 1:
            key = tuple(sorted(key, key=lambda factor: factor[0].text))
        found = _monomials.found(key)
        return _monomials.keep(key, Monomial(key)) if found is None else found

    @property
    def text(self) -> str:
        return self.key[1]

    @property
    def degree(self) -> int:
        return -self.key[0]

    @property
    def single(self) -> Atom | None:
        """The atom, where the monomial is just one atom."""
        return self.factors[0][0] if len(self.factors) == 1 and self.factors[0][1] == 1 else None

    def times(self, other: Monomial) -> Monomial:
        powers = dict(self.factors)
        for atom, power in other.factors:
            powers[atom] = powers.get(atom, 0) + power
        return Monomial.of(powers.items())

    def divided_by(self, other: Monomial) -> Monomial | None:
        """The cofactor, or None where ``other`` does not divide this; the empty monomial stands for 1."""
        powers = dict(self.factors)
        for atom, power in other.factors:
            left = powers.get(atom, 0) - power
            if left < 0:
                return None
            if left:
                powers[atom] = left
            else:
                del powers[atom]
        return Monomial.of(powers.items())

    def bounds(self) -> tuple[Bound, Bound]:
        """Bounds that hold whatever the variables are."""
        if self._bounds is None:
            lower: Bound = 1
            upper: Bound = 1
            for atom, power in self.factors:
                for _ in range(power):
                    lower, upper = multiply_bounds((lower, upper), (atom.lower, atom.upper))
                if power % 2 == 0 and (lower is None or lower < 0) and len(self.factors) == 1:
                    lower = 0
            self._bounds = (lower, upper)
        return self._bounds

    def __repr__(self) -> str:
        return self.text


def multiply_bounds(a: tuple[Bound, Bound], b: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    """Interval multiplication, None being infinite."""
    if a == (0, 0) or b == (0, 0):
        return 0, 0
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
    if a[0] is None or a[1] is None or b[0] is None or b[1] is None:
        return None, None
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(corners), max(corners)


def common_factor(terms: Iterable[tuple[Monomial, int]]) -> int:
    """The greatest common divisor of the coefficients."""
    factor = 0
    for _, coefficient in terms:
        factor = gcd(factor, coefficient)
    return factor
