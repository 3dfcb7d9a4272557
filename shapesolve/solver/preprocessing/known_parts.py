"""Replacement of parts of formulas by what is known of them: divisions, products, conditions."""

from __future__ import annotations

from shapesolve.symbolic.atoms import Monomial
from shapesolve.symbolic.dims import Dim, dim, of_monomial
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import negation
from shapesolve.symbolic.visitors import Instantiation


class DivisionKnown(Instantiation):
    """Replaces ``a // b`` by 0 and ``a % b`` by ``a``."""

    def __init__(self, a: Dim, b: Dim) -> None:
        super().__init__({})
        self._division = (a, b)

    def quotient(self, a: Dim, b: Dim) -> Dim:
        return dim(0) if self._is_known(a, b) else a // b

    def remainder(self, a: Dim, b: Dim) -> Dim:
        return a if self._is_known(a, b) else a % b

    def _is_known(self, a: Dim, b: Dim) -> bool:
        return a is self._division[0] and b is self._division[1]


class ProductReplaced(Instantiation):
    """Replaces ``c*m`` by an expression in all its multiples; some factor of ``m`` must not occur in the expression."""

    def __init__(self, monomial: Monomial, coefficient: int, by: Dim) -> None:
        super().__init__({})
        self._monomial, self._coefficient, self._by = monomial, coefficient, by

    def read_size(self, size: Dim) -> Dim:
        plain = super().read_size(size)
        total = dim(plain.constant)
        for monomial, coefficient in plain.terms:
            cofactor = monomial.divided_by(self._monomial)
            if cofactor is None or coefficient % self._coefficient:
                total += of_monomial(monomial) * coefficient
            else:
                replaced = of_monomial(cofactor) * self._by * (coefficient // self._coefficient)
                total += self.size(replaced)
        return total


class ConditionKnown(Instantiation):
    """Replaces a condition and its negation by what they are known to be."""

    def __init__(self, condition: Formula, value: Formula) -> None:
        super().__init__({})
        self._known = {condition: value, negation(condition): negation(value)}

    def formula(self, formula: Formula) -> Formula:
        found = self._known.get(formula)
        return super().formula(formula) if found is None else found
