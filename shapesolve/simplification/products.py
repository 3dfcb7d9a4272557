"""Conditions on a product of sizes, shortened as conditions on one number: ``b*t > (b*t)//4`` is ``b*t >= 1``."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.symbolic.atoms import Monomial, Variable
from shapesolve.symbolic.dims import Dim, of_monomial, variable, weighted_sum
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.visitors import Instantiation, sizes_within


def over_product(condition: Formula, shorten: Callable[[Formula], Formula]) -> Formula:
    """Return an equivalent condition, shortened with its one product of variables as a single variable.

    The condition is returned as it is if its variables occur outside of the product, too.
    """
    product = _product(condition)
    if product is None:
        return condition
    lower, _ = of_monomial(product).bounds()
    single = variable(f"({product})", lower, None)
    (atom,) = single.variables
    try:
        lifted = _WithoutProduct(product, single).formula(condition)
        if lifted.variables != single.variables:
            return condition
        return Instantiation({atom: of_monomial(product)}).formula(shorten(lifted))
    except ValueError:  # shapes of unknown rank
        return condition


def _product(condition: Formula) -> Monomial | None:
    """Return the first product of variables in a condition."""
    for size in sizes_within(condition):
        for monomial, _ in size.terms:
            if monomial.single is None and all(isinstance(atom, Variable) for atom, _ in monomial.factors):
                return monomial
    return None


class _WithoutProduct(Instantiation):
    """Replaces a product by a size."""

    def __init__(self, product: Monomial, single: Dim) -> None:
        super().__init__({})
        self._product, self._single = product, single

    def read_size(self, size: Dim) -> Dim:
        coefficient = sum(count for monomial, count in size.terms if monomial is self._product)
        rest = weighted_sum((each for each in size.terms if each[0] is not self._product), size.constant)
        return super().read_size(rest) + coefficient * self._single
