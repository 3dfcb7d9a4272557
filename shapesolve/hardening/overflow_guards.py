"""What keeps products of sizes within 64 bits: conditions that follow from others only where no product wraps around.

Of checks `a < 2**31` and `b < 2**31` and, of sizes that are at least 1, `a*b <= 100` the last one says it all, in whole
numbers. What is written computes `a*b` in 64 bits: 2**32 times 2**32 is 0 there, and passes. So a check of the program
follows from what is written only where it does whatever the products are.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.contract import Condition, FunctionContract
from shapesolve.contracts.demands import Demand
from shapesolve.contracts.shortest import said
from shapesolve.contracts.suggestions import scope_of
from shapesolve.hardening.writing import fits
from shapesolve.index_type import MAX_SIZE, MIN_INDEX
from shapesolve.language.atoms import Atom
from shapesolve.language.dims import Dim, dim, of_monomial, variable
from shapesolve.language.folding import Fold, Rebuilder, rebuilt_sum
from shapesolve.language.formulas import Formula, conjuncts
from shapesolve.language.monomials import Monomial
from shapesolve.walking.obligations import Kind


def overflow_guards(contract: FunctionContract, needed: Sequence[Demand]) -> list[Condition]:
    """The program's own checks that do not follow from the contract whatever its products are.

    ``needed`` is what the obligations that are not proved demand of the inputs.
    """
    from shapesolve.solving import follows

    opaque = _OpaqueProducts()
    known = [opaque.formula(fact.formula) for fact in contract.report.assumptions]
    written = [opaque.formula(each.formula) for each in contract.conditions]
    if not opaque.found:
        return []
    scope = scope_of(contract.report.trace)
    guards: list[Condition] = []
    for demand in needed:
        for part in conjuncts(demand.formula) if demand.obligation.kind is Kind.CHECK else ():
            alike = opaque.formula(part)
            if not follows(alike, [*known, *written]):
                written.append(alike)
                guards.append(Condition(part, said(part, scope), (demand.obligation,), necessary=True))
    return guards


class _OpaqueProducts(Fold[Dim, Formula], Rebuilder):
    """Puts a variable of 64 bits in the place of each product of sizes that may not fit there."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[Monomial, Dim] = {}

    def read_size(self, size: Dim) -> Dim:
        return sum((self._product(each) * times for each, times in size.terms), dim(size.constant))

    def read_atom(self, atom: Atom) -> Dim:
        return atom.rebuilt(self)

    def read_formula(self, formula: Formula) -> Formula:
        return formula.rebuilt(self)

    def _product(self, monomial: Monomial) -> Dim:
        product = of_monomial(monomial)
        if monomial.degree < 2 or fits(product):
            return rebuilt_sum(product, self.atom)
        found = self.found.get(monomial)
        if found is None:
            found = self.found[monomial] = variable(f"({monomial.text} in 64 bits)", MIN_INDEX, MAX_SIZE)
        return found
