"""What follows whatever the products of sizes are that 64 bits may not hold.

`a*b <= 100` says something of `a`, in whole numbers. A program that compares the product computes it in 64 bits: 2**32
times 2**32 is 0 there, and passes.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.index_type import MAX_SIZE, MIN_INDEX
from shapesolve.language.atoms import Atom, Variable
from shapesolve.language.dims import Dim, dim, of_monomial, variable
from shapesolve.language.folding import Fold, Rebuilder, rebuilt_sum
from shapesolve.language.formulas import Formula
from shapesolve.language.monomials import Monomial


def holds_in_64_bits(
    claim: Formula, computed: Iterable[Formula], others: Iterable[Formula], *, at_sight: bool = True
) -> bool:
    """Whether a claim that follows from formulas does so whatever the products are in those that are ``computed``.

    ``at_sight``: these are all that it follows from, so that nothing need be asked where there is no product in them.
    """
    from shapesolve.solving import follows

    opaque = OpaqueProducts()
    premises = [opaque.formula(each) for each in computed]
    if at_sight and not opaque.found:
        return True
    return follows(opaque.formula(claim), [*premises, *map(opaque.formula, others)])


class OpaqueProducts(Fold[Dim, Formula], Rebuilder):
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


def fits(size: Dim) -> bool:
    """Whether a number is computed in 64 bits as it is: what is read is, and sums are where they end within bounds."""
    if size.constant == 0 and len(size.terms) == 1:
        ((monomial, coefficient),) = size.terms
        if coefficient == 1 and isinstance(monomial.single, Variable):
            return True
    low, high = size.bounds()
    return low is not None and high is not None and low >= MIN_INDEX and high <= MAX_SIZE
