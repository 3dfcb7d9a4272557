"""Equalities without a variable to solve for, as rewriting rules for their largest atom or product."""

from __future__ import annotations

from shapesolve.language.atoms import Atom
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula
from shapesolve.language.monomials import Monomial
from shapesolve.proving.equalities import largest_side
from shapesolve.proving.reasons import Why
from shapesolve.proving.simplifier import Simplifier
from shapesolve.proving.trail import Trail


class EqualityRules:
    """The rules that came from equalities which stay facts beside them."""

    def __init__(self, trail: Trail, simplifier: Simplifier) -> None:
        self._trail = trail
        self._simplifier = simplifier
        self._left: dict[Formula, Atom | Monomial] = {}

    def add(self, size: Dim, formula: Formula, why: Why) -> bool:
        """Rewrite the largest side of ``size == 0``, which is the formula; False where it has none."""
        rule = largest_side(size)
        if rule is None:
            return False
        left, value = rule
        if isinstance(left, Monomial):
            self._simplifier.rewrite_product(left, value, why)
        else:
            self._simplifier.rewrite_atom(left, value, why)
        self._trail.put(self._left, formula, left)
        return True

    def drop(self, formula: Formula) -> None:
        """The rule that came from an equality goes, if there is one; the equality is learned again in its new form."""
        left = self._left.get(formula)
        if isinstance(left, Monomial):
            self._trail.drop(self._simplifier.products, left)
        elif left is not None:
            self._trail.drop(self._simplifier.atoms, left)
        self._trail.drop(self._left, formula)
