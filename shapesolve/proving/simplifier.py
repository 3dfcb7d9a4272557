"""Rewriting sizes and formulas by the equalities that are known, with the reasons for every rewriting.

Three kinds of equality are applied: a variable is an expression of other variables, an atom (a quotient, a broadcast
extent) is a smaller expression, a product of atoms is a sum of smaller products. The right side never holds what the
left side is, and every rule goes down in a fixed order, so rewriting ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shapesolve.language.atoms import Atom, ShapeFold, Variable
from shapesolve.language.dims import Dim, dim, of_atom, of_monomial
from shapesolve.language.folding import Rebuilder
from shapesolve.language.formula_kinds import CompatibleShapes, Formula, SameShape
from shapesolve.language.limits import TooLarge
from shapesolve.language.monomials import Monomial
from shapesolve.language.segments import folded
from shapesolve.language.shapes import Shape, compatible_extents, same_extents
from shapesolve.language.substitution import with_sizes
from shapesolve.proving.reasons import NOTHING, Why, joined
from shapesolve.proving.trail import Trail

MAX_DEPTH = 60
"""How deep rewriting goes into an expression; what is left is still equal, only less simple."""

MAX_STEPS = 300
"""How many expressions one call rewrites: rules may feed each other, and growing is not simplifying."""


class Simplifier:
    """The known equalities of one function, and what they make of an expression."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self.solved: dict[Variable, tuple[Dim, Why]] = {}
        self.atoms: dict[Atom, tuple[Dim, Why]] = {}
        self.products: dict[Monomial, tuple[Dim, Why]] = {}
        self._touched: dict[Variable, int] = {}  # variables of left sides; others need no rewriting
        self._memo: dict[Dim, tuple[Dim, Why]] = {}
        self._depth = 0
        self._steps = 0

    # Learning ----------------------------------------------------------------------------------------------------

    def solve(self, variable: Variable, value: Dim, why: Why) -> None:
        """From now on the variable is this expression, which does not hold it."""
        self._trail.put(self.solved, variable, (value, why))
        self._touch((variable,))

    def rewrite_atom(self, atom: Atom, value: Dim, why: Why) -> None:
        """From now on the atom is this smaller expression."""
        self._trail.put(self.atoms, atom, (value, why))
        self._touch(atom.variables)

    def rewrite_product(self, product: Monomial, value: Dim, why: Why) -> None:
        """From now on the product is this sum of smaller products."""
        self._trail.put(self.products, product, (value, why))
        self._touch(product.variables)

    def _touch(self, variables: Iterable[Variable]) -> None:
        for variable in variables:
            self._trail.put(self._touched, variable, 1)
        self.forget()

    def attempt(self, learn: Callable[[], None]) -> bool:
        """Whether something could be learned; where expressions became too large, everything is as it was before."""
        self._trail.mark()
        try:
            learn()
        except (TooLarge, RecursionError):
            self._trail.back()
            self.forget()
            return False
        self._trail.keep()
        return True

    def forget(self) -> None:
        """Drop remembered results; called whenever the equalities change."""
        if self._memo:
            self._memo = {}

    # Rewriting ---------------------------------------------------------------------------------------------------

    def size(self, size: Dim) -> tuple[Dim, Why]:
        """The expression by the known equalities, and why the two are equal."""
        if self._touched.keys().isdisjoint(size.variables):
            return size, NOTHING
        found = self._memo.get(size)
        if found is None:
            if self._depth == 0:
                self._steps = 0
            self._steps += 1
            if self._depth > MAX_DEPTH or self._steps > MAX_STEPS:
                return size, NOTHING
            self._depth += 1
            try:
                found = self._memo[size] = self._size(size)
            finally:
                self._depth -= 1
        return found

    def _size(self, size: Dim) -> tuple[Dim, Why]:
        total = dim(size.constant)
        whys: list[Why] = []
        for monomial, coefficient in size.terms:
            value, why = self._monomial(monomial)
            whys.append(why)
            total = total + value * coefficient
        if total is size:
            return size, NOTHING
        again, why = self.size(total)  # a rewriting may have brought up something that another rule rewrites
        return again, joined(*whys, why)

    def _monomial(self, monomial: Monomial) -> tuple[Dim, Why]:
        if self._touched.keys().isdisjoint(monomial.variables):
            return of_monomial(monomial), NOTHING
        rewritten = self._product_rule(monomial)
        if rewritten is not None:
            return rewritten
        value = dim(1)
        whys: list[Why] = []
        for atom, power in monomial.factors:
            factor, why = self.atom(atom)
            whys.append(why)
            value = value * factor**power
        return value, joined(*whys)

    def _product_rule(self, monomial: Monomial) -> tuple[Dim, Why] | None:
        if not self.products or (len(monomial.factors) < 2 and monomial.degree < 2):
            return None
        exact = self.products.get(monomial)
        if exact is not None:
            return exact
        if len(self.products) <= 32:
            for product, (value, why) in self.products.items():
                cofactor = monomial.divided_by(product) if product.degree < monomial.degree else None
                if cofactor is not None:
                    return value * of_monomial(cofactor), why
        return None

    def atom(self, atom: Atom) -> tuple[Dim, Why]:
        """What an atom is by the known equalities."""
        if isinstance(atom, Variable):
            return self._variable(atom)
        known = self.atoms.get(atom)
        if known is not None:
            return known
        if self._touched.keys().isdisjoint(atom.variables):
            return of_atom(atom), NOTHING
        rewriting = _Rewriting(self)
        return atom.rebuilt(rewriting), rewriting.why

    def _variable(self, variable: Variable) -> tuple[Dim, Why]:
        known = self.solved.get(variable)
        if known is None:
            return of_atom(variable), NOTHING
        value, why = known
        final, more = self.size(value)
        if final is not value:
            why = joined(why, more)
            self._trail.put(self.solved, variable, (final, why))
        return final, why

    def formula(self, formula: Formula) -> tuple[Formula, Why]:
        """An equivalent formula by the known equalities, and why the two are equivalent."""
        if self._touched.keys().isdisjoint(formula.variables):
            return formula, NOTHING
        rewriting = _Rewriting(self)
        return formula.rebuilt(rewriting), rewriting.why


class _Rewriting(Rebuilder):
    """The parts of one atom or formula by the known equalities, with the reasons for all of them."""

    def __init__(self, simplifier: Simplifier) -> None:
        self._simplifier = simplifier
        self._whys: list[Why] = []

    @property
    def why(self) -> Why:
        return joined(*self._whys)

    def size(self, size: Dim) -> Dim:
        value, why = self._simplifier.size(size)
        self._whys.append(why)
        return value

    def formula(self, formula: Formula) -> Formula:
        value, why = self._simplifier.formula(formula)
        self._whys.append(why)
        return value

    def rank(self, whole: Shape) -> Dim:
        return self._whole(whole).rank

    def column(self, whole: Shape, index: Dim) -> Dim:
        return self._whole(whole).column(index)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        return folded(kind, self._whole(whole))

    def same_shape(self, formula: SameShape) -> Formula:
        return same_extents(*map(self._whole, formula.parts))

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        return compatible_extents(map(self._whole, formula.parts))

    def _whole(self, whole: Shape) -> Shape:
        return with_sizes(whole, self.size)
