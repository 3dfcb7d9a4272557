"""Rewriting of sizes and formulas by the known equalities, with justifications.

Three kinds of equality are applied: a variable is an expression of other variables, an atom (a quotient, a broadcast
extent) is a smaller expression, a product of atoms is a sum of smaller products. The right side never contains the
left side, and every rule decreases a fixed order from large to small, so rewriting terminates. An equality without a
variable to solve for becomes a rule for its largest atom or product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from shapesolve.records import record
from shapesolve.solver.propagation.trail import NOTHING, Justification, Trail, merge
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Monomial,
    Quotient,
    Remainder,
    ShapeFold,
    ShapeSymbol,
    Variable,
)
from shapesolve.symbolic.dims import Dim, dim, of_atom, of_monomial, variable
from shapesolve.symbolic.formula_kinds import CompatibleShapes, Formula, SameShape
from shapesolve.symbolic.formulas import is_zero
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.segments import folded
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.shapes import compatible_extents, same_extents
from shapesolve.symbolic.visitors import Instantiation, Transformer, with_sizes

MAX_DEPTH = 60
"""Largest depth to which an expression is rewritten; the rest stays equal, but less simple."""

MAX_STEPS = 300
"""Largest number of expressions that one call rewrites, since rules may feed each other and expressions may grow."""


class Simplifier:
    """The known equalities of one function, as rewrite rules."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self.solved: dict[Variable, tuple[Dim, Justification]] = {}
        self.atoms: dict[Atom, tuple[Dim, Justification]] = {}
        self.products: dict[Monomial, tuple[Dim, Justification]] = {}
        self._touched: dict[Variable, int] = {}  # variables of left sides; others need no rewriting
        self._memo: dict[Dim, tuple[Dim, Justification]] = {}
        self._depth = 0
        self._steps = 0
        self.version = 0
        """Counter that changes whenever the equalities may have changed."""
        self.undone = 0
        """Counter that changes whenever some of them may have been forgotten."""

    # Learning ----------------------------------------------------------------------------------------------------

    def solve(self, variable: Variable, value: Dim, why: Justification) -> None:
        """Replace the variable by this expression, which does not contain it, from now on."""
        self._trail.put(self.solved, variable, (value, why))
        self._touch((variable,))

    def rewrite_atom(self, atom: Atom, value: Dim, why: Justification) -> None:
        """Replace the atom by this smaller expression from now on."""
        self._trail.put(self.atoms, atom, (value, why))
        self._touch(atom.variables)

    def rewrite_product(self, product: Monomial, value: Dim, why: Justification) -> None:
        """Replace the product by this sum of smaller products from now on."""
        self._trail.put(self.products, product, (value, why))
        self._touch(product.variables)

    def _touch(self, variables: Iterable[Variable]) -> None:
        for each in variables:
            self._trail.put(self._touched, each, 1)
        self.forget()

    def attempt(self, learn: Callable[[], None]) -> bool:
        """Run ``learn`` and return True; roll back and return False if expressions became too large."""
        self._trail.mark()
        try:
            learn()
        except (TooLarge, RecursionError):
            self._trail.back()
            self.undo()
            return False
        self._trail.keep()
        return True

    def undo(self) -> None:
        """Clear the caches; called whenever equalities were forgotten."""
        self.undone += 1
        self.forget()

    def forget(self) -> None:
        """Clear the caches; called whenever the equalities change."""
        self.version += 1
        if self._memo:
            self._memo = {}

    # Rewriting ---------------------------------------------------------------------------------------------------

    def size(self, size: Dim) -> tuple[Dim, Justification]:
        """Rewrite a size by the known equalities; return it and the justification of the equality."""
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

    def _size(self, size: Dim) -> tuple[Dim, Justification]:
        total = dim(size.constant)
        whys: list[Justification] = []
        for monomial, coefficient in size.terms:
            value, why = self._monomial(monomial)
            whys.append(why)
            total = total + value * coefficient
        if total is size:
            return size, NOTHING
        again, why = self.size(total)  # a rewriting may have brought up something that another rule rewrites
        return again, merge(*whys, why)

    def _monomial(self, monomial: Monomial) -> tuple[Dim, Justification]:
        if self._touched.keys().isdisjoint(monomial.variables):
            return of_monomial(monomial), NOTHING
        rewritten = self._product_rule(monomial)
        if rewritten is not None:
            return rewritten
        value = dim(1)
        whys: list[Justification] = []
        for atom, power in monomial.factors:
            factor, why = self.atom(atom)
            whys.append(why)
            value = value * factor**power
        return value, merge(*whys)

    def _product_rule(self, monomial: Monomial) -> tuple[Dim, Justification] | None:
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

    def atom(self, atom: Atom) -> tuple[Dim, Justification]:
        """Rewrite an atom by the known equalities; return the size and the justification of the equality."""
        if isinstance(atom, Variable):
            return self._variable(atom)
        known = self.atoms.get(atom)
        if known is not None:
            return known
        if self._touched.keys().isdisjoint(atom.variables):
            return of_atom(atom), NOTHING
        rewriting = _Rewriting(self)
        return atom.rebuilt(rewriting), rewriting.justification

    def _variable(self, variable: Variable) -> tuple[Dim, Justification]:
        known = self.solved.get(variable)
        if known is None:
            return of_atom(variable), NOTHING
        value, why = known
        final, more = self.size(value)
        if final is not value:
            why = merge(why, more)
            self._trail.put(self.solved, variable, (final, why))
        return final, why

    def formula(self, formula: Formula) -> tuple[Formula, Justification]:
        """Rewrite a formula by the known equalities; return it and the justification of the equivalence."""
        if self._touched.keys().isdisjoint(formula.variables):
            return formula, NOTHING
        rewriting = _Rewriting(self)
        return formula.rebuilt(rewriting), rewriting.justification


class _Rewriting(Transformer):
    """Transformer that rewrites the parts of one atom or formula and collects the justifications."""

    def __init__(self, simplifier: Simplifier) -> None:
        self._simplifier = simplifier
        self._whys: list[Justification] = []

    @property
    def justification(self) -> Justification:
        return merge(*self._whys)

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


def determined(size: Dim, age: Mapping[Variable, int]) -> tuple[Variable, Dim] | None:
    """Return the youngest variable that ``size == 0`` determines, and its value.

    Variables without an age are the youngest.
    """
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
class ExactDivision:
    """``numerator == divisor * share + rest``, where ``share`` is a fresh name for ``quotient``."""

    share: Variable
    quotient: Dim
    numerator: Dim
    equality: Formula


def exact_division(size: Dim, number: int) -> ExactDivision | None:
    """Return ``size == 0`` of the form ``a % b == rest`` as an exact division; ``number`` makes the fresh name unique.

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
    return ExactDivision(cast("Variable", share.atom), a // b, a, is_zero(a - b * share - rest))


def without_fresh_quotients(claim: Formula, shares: Mapping[Variable, Dim]) -> Formula | None:
    """Substitute the quotients for their fresh names in a claim; None if no single formula can express the result."""
    for _ in range(len(shares) + 1):
        own = {each: value for each, value in shares.items() if each in claim.variables}
        if not own:
            return claim
        if any(isinstance(each, ShapeSymbol) for each in claim.variables):
            return None
        claim = Instantiation(own).formula(claim)
    return None


def largest_side(size: Dim) -> tuple[Atom | Monomial, Dim] | None:
    """Return the largest atom or product of ``size == 0`` and the smaller rest that it equals, or None."""
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


class EqualityRules:
    """Rewrite rules of equalities that also stay facts."""

    def __init__(self, trail: Trail, simplifier: Simplifier) -> None:
        self._trail = trail
        self._simplifier = simplifier
        self._left: dict[Formula, Atom | Monomial] = {}

    def add(self, size: Dim, formula: Formula, why: Justification) -> bool:
        """Add the rule that rewrites the largest side of ``size == 0``, which is the formula.

        Returns False if it has none.
        """
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
        """Remove the rule of an equality, if there is one; the equality is learned again in its new form."""
        left = self._left.get(formula)
        if isinstance(left, Monomial):
            self._trail.drop(self._simplifier.products, left)
        elif left is not None:
            self._trail.drop(self._simplifier.atoms, left)
        self._trail.drop(self._left, formula)


def weight(term: tuple[Monomial, int]) -> tuple[int, int, str]:
    """Return the key of a term in the order by which equalities are oriented: degree, variables first, length."""
    monomial = term[0]
    single = monomial.single
    return (monomial.degree, 0 if isinstance(single, Variable) else len(monomial.text), monomial.text)


def holds_as_large(atom: object, monomial: Monomial) -> bool:
    """Return whether rewriting to a monomial could bring the atom back: it contains an atom as large."""
    text = str(atom)
    return any(
        not isinstance(other, Variable) and (len(other.text), other.text) >= (len(text), text)
        for other, _ in monomial.factors
    )


def hides_any(product: Monomial, monomial: Monomial) -> bool:
    """Return whether a monomial has a variable of the product inside another atom, so that it could reappear."""
    return any(
        not isinstance(atom, Variable) and not atom.variables.isdisjoint(product.variables)
        for atom, _ in monomial.factors
    )


def first_choice(claim: Formula) -> Choice | None:
    """Return the first select in a claim, to split cases by its condition, or None."""
    stack: list[object] = [claim]
    while stack:
        item = stack.pop()
        if isinstance(item, Formula):
            stack.extend(reversed(item.parts))
        elif isinstance(item, Dim):
            for atom in item.atoms():
                if isinstance(atom, Choice):
                    return atom
                if isinstance(atom, Quotient | Remainder | BroadcastExtent):
                    stack.extend(atom.parts)
    return None
