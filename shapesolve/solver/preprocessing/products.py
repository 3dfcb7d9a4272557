"""Linearization of products: each becomes an unknown, about which lemmas say what a proof may need.

Every lemma holds for all sizes, so a contradiction that linear arithmetic finds is one of the query. This is
incremental linearization in one round. The lemmas are about sign (the bounds of a product), monotonicity
(``p*c <= p*d`` where ``c <= d``, and ``p*c + p <= p*d`` where ``c < d``), and comparisons times a factor that is not
negative. As two multiples of one divisor are equal or differ by at least that, ``(i + 1) % n`` is 0 or ``i % n + 1``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from math import gcd

from shapesolve.solver.models import sorting_key
from shapesolve.solver.preprocessing.division import DivisionFree, Multiple
from shapesolve.symbolic.atoms import Monomial, Variable, common_monomial, variables_in
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, of_atom, of_monomial
from shapesolve.symbolic.formula_kinds import TRUE, Formula, IsNonNegative, IsZero, Not
from shapesolve.symbolic.formulas import at_least, conjunction, implies, is_non_negative, is_zero, less_than
from shapesolve.symbolic.visitors import Instantiation, leaves_of, sizes_within

MOST_PRODUCTS = 60
"""Products of one query up to which lemmas are sought."""

MOST_FACTORS = 20
"""Factors of products by which sizes are compared."""

MOST_LEMMAS = 400
"""Lemmas of one query; leaving some out only weakens it."""


def linearized(parts: Sequence[DivisionFree], multiples: Sequence[Multiple]) -> list[DivisionFree] | None:
    """Return a linear query that is unsatisfiable only if a query is; None if it has no products, or too many.

    The lemmas are definitions of the first part.
    """
    pieces = list(dict.fromkeys(piece for part in parts for piece in part.pieces))
    products = list(dict.fromkeys(_products(pieces)))
    if not products or len(products) > MOST_PRODUCTS or any(part.shapes for part in parts):
        return None
    lemmas = islice(product_lemmas(pieces, products, multiples), MOST_LEMMAS)
    linear = _Linearization()
    found = [linear.part(part.formula, part.definitions) for part in parts]
    found[0] = linear.part(parts[0].formula, (*parts[0].definitions, *lemmas))
    return found


def product_lemmas(
    pieces: Sequence[Formula], products: Sequence[Monomial], multiples: Sequence[Multiple]
) -> Iterator[Formula]:
    """Yield formulas that hold for all sizes and speak of products that some formulas speak of."""
    seen: set[Formula] = {TRUE}
    for each in chain(_of_multiples(multiples), _of_order(products), _of_comparisons(pieces, products)):
        if each not in seen:
            seen.add(each)
            yield each


def _products(pieces: Iterable[Formula]) -> Iterator[Monomial]:
    for piece in pieces:
        for size in sizes_within(piece):
            yield from (monomial for monomial, _ in size.terms if monomial.degree > 1)


def _of_multiples(multiples: Sequence[Multiple]) -> Iterator[Formula]:
    """Yield that two multiples of one size that differ do so by that size at least."""
    for (a, p), (b, q) in combinations(multiples, 2):
        scaled = _scales(a, b)
        if scaled is None:
            continue
        unit, x, y = scaled
        yield from _ordered(unit, p * x, q * y)
        yield from _ordered(unit, q * y, p * x)


def _scales(a: Dim, b: Dim) -> tuple[Dim, int, int] | None:
    """Return ``(u, x, y)`` with ``a == g*u*x`` and ``b == g*u*y`` for a number g; None if there is none."""
    if a is b:
        return a, 1, 1
    if a.constant or b.constant or len(a.terms) != 1 or len(b.terms) != 1 or a.terms[0][0] is not b.terms[0][0]:
        return None
    (monomial, x), (_, y) = a.terms[0], b.terms[0]
    common = gcd(x, y)
    return of_monomial(monomial), x // common, y // common


def _of_order(products: Sequence[Monomial]) -> Iterator[Formula]:
    """Yield how products of one factor compare with each other, with the factor, and with 0."""
    for factor in _factors(products):
        shared = [cofactor for each in products if (cofactor := each.divided_by(factor)) is not None]
        cofactors = [ZERO, ONE, *(of_monomial(each) for each in shared if each.factors)]
        for c, d in combinations(cofactors, 2):
            yield from _ordered(of_monomial(factor), c, d)
            yield from _ordered(of_monomial(factor), d, c)


def _ordered(factor: Dim, c: Dim, d: Dim) -> Iterator[Formula]:
    """Yield ``factor*c <= factor*d`` where ``c <= d``, and that they differ by the factor where ``c < d``."""
    sign = is_non_negative(factor)
    yield implies(conjunction((sign, at_least(d, c))), at_least(factor * d, factor * c))
    yield implies(conjunction((sign, less_than(c, d))), at_least(factor * d, factor * c + factor))


def _factors(products: Sequence[Monomial]) -> list[Monomial]:
    """Return factors of products that are not negative: atoms, and what two products share."""
    atoms = dict.fromkeys(Monomial.of(((atom, 1),)) for each in products for atom, _ in each.factors)
    shared = dict.fromkeys(common_monomial(both) for both in combinations(products, 2))
    found = [
        each for each in {**atoms, **shared} if each.factors and (low := each.bounds()[0]) is not None and low >= 0
    ]
    return found[:MOST_FACTORS]


def _of_comparisons(pieces: Sequence[Formula], products: Sequence[Monomial]) -> Iterator[Formula]:
    """Yield comparisons times a factor, if that is about no other products."""
    known = frozenset(products)
    factors = _factors(products)
    comparisons = dict.fromkeys(each for piece in pieces for each in _comparisons(piece))
    for factor in factors:
        by = of_monomial(factor)
        for comparison in comparisons:
            product = by * comparison.size
            if all(monomial.degree < 2 or monomial in known for monomial, _ in product.terms):
                conclusion = is_zero if isinstance(comparison, IsZero) else is_non_negative
                yield implies(comparison, conclusion(product))
        for each in dict.fromkeys(atom for product in products for atom, _ in product.factors):
            if each.lower is not None and each.lower > 1 and factor.times(Monomial.of(((each, 1),))) in known:
                yield at_least(by * of_atom(each), by * each.lower)


def _comparisons(piece: Formula) -> Iterator[IsZero | IsNonNegative]:
    """Yield the comparisons in a formula, those of the bounds of its variables, and their negations."""
    for part in leaves_of(piece):
        match part:
            case Not(parts=(IsZero(parts=(size,)),)) | IsZero(parts=(size,)):
                candidates = (is_zero(size), is_non_negative(size), is_non_negative(-size))
            case IsNonNegative(parts=(size,)):
                candidates = (part, is_non_negative(-size - 1))
            case _:
                candidates = ()
        yield from (each for each in candidates if isinstance(each, IsZero | IsNonNegative))


class _Linearization(Instantiation):
    """Replaces every product of atoms by a variable within the product's bounds."""

    def __init__(self) -> None:
        super().__init__({})
        self._unknowns: dict[Monomial, Dim] = {}

    def part(self, formula: Formula, definitions: Iterable[Formula]) -> DivisionFree:
        """Return a linear formula with linear definitions."""
        linear, *others = (self.formula(each) for each in (formula, *definitions))
        found = variables_in((linear, *others))
        return DivisionFree(linear, tuple(others), tuple(sorted(found, key=sorting_key)), (), is_linear=True)

    def read_size(self, size: Dim) -> Dim:
        total = dim(size.constant)
        for monomial, coefficient in size.terms:
            single = monomial.single
            total += (self._unknown(monomial) if single is None else self.atom(single)) * coefficient
        return total

    def _unknown(self, product: Monomial) -> Dim:
        found = self._unknowns.get(product)
        if found is None:
            variable = Variable.of(f"product!{len(self._unknowns)}", *product.bounds())
            found = self._unknowns[product] = of_atom(variable)
        return found
