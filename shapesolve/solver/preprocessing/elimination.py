"""Elimination of equations by substitution and of divisions by case splits.

A claim such as "M divides A + B where it divides both" is hard for a solver and easy on paper: put A = M*p and
B = M*q. This module does what one does on paper: it substitutes equations, names the quotients of exact divisions,
lets the normal form do the rest, and splits into cases where a divisor may be 0 or where only residues matter.
Every step keeps the query's meaning: a case is satisfiable where the query is and the case's condition holds, and the
conditions cover everything. Each derived formula remembers the labels that it came from.

Includes reduction of an equation modulo a size by which something is divided. A divisor that is a sum becomes a
variable, and a product that is a multiple of a divisor is replaced where no variable can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from shapesolve.records import value_record
from shapesolve.solver.models import default
from shapesolve.solver.polynomials import factored
from shapesolve.solver.preprocessing.diophantine import factors_of_numbers, modulo_primes, simplify_over_integers
from shapesolve.solver.preprocessing.known_parts import ConditionKnown, DivisionKnown, ProductReplaced
from shapesolve.solver.preprocessing.variable_bounds import Origin, Range, ranges
from shapesolve.solver.verdicts import Label
from shapesolve.symbolic.atoms import Atom, Choice, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import ZERO, Dim, dim, of_atom, of_monomial
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import conjuncts, divides, is_non_negative, is_zero, negation
from shapesolve.symbolic.normal_forms import split_multiples
from shapesolve.symbolic.visitors import Instantiation, atoms_within, on_comparisons, sizes_within

Derived = tuple[Formula, Origin]

LARGEST_MODULUS = 16
"""Residues of a non-linear expression are enumerated for divisors up to this."""

HUGE = 2**31
"""Upper bounds from here on are not carried along: leaving them out only weakens the query."""


@value_record
class Case:
    """A part of a query.

    Attributes:
        formulas: The formulas with the labels that they were derived from.
        replaced: The substitutions made so far, in order.
    """

    formulas: tuple[Derived, ...]
    replaced: tuple[tuple[Variable, Dim], ...] = ()

    @property
    def contradiction(self) -> Origin | None:
        """Return the labels behind a formula that never holds, or None."""
        origins = [origin for formula, origin in self.formulas if formula is FALSE]
        return min(origins, key=lambda origin: (len(origin), sorted(origin))) if origins else None

    def with_replaced(self, variable: Variable, by: Dim, origin: Origin = frozenset()) -> Case:
        """Substitute an expression for a variable; the variable's bounds become facts about the expression."""
        substitution = Instantiation({variable: by})
        formulas: dict[Formula, Origin] = {}
        for formula, before in self.formulas:
            after = substitution.formula(formula)
            for piece in conjuncts(after):
                known = formulas.get(piece)
                joined = before if after is formula else before | origin
                formulas[piece] = joined if known is None or len(joined) < len(known) else known
        for bound in _bounds_of(variable, by):
            formulas.setdefault(bound, origin)
        return Case(tuple(formulas.items()), (*self.replaced, (variable, by)))

    def substituted(self, substitution: Instantiation, origin: Origin) -> Case:
        """Return the case after replacing parts of its formulas for a reason."""
        formulas: dict[Formula, Origin] = {}
        for formula, before in self.formulas:
            after = substitution.formula(formula)
            for piece in conjuncts(after):
                formulas.setdefault(piece, before if after is formula else before | origin)
        return Case(tuple(formulas.items()), self.replaced)

    def plus(self, formula: Formula, origin: Origin) -> Case:
        """Return the case with one more formula."""
        return self if formula is TRUE else Case((*self.formulas, (formula, origin)), self.replaced)

    def with_known(self, condition: Formula, value: Formula) -> Case:
        """Add a condition, or that it is false, and put what it is in its place."""
        found = self.substituted(ConditionKnown(condition, value), frozenset())
        for piece in conjuncts(condition if value is TRUE else negation(condition)):
            found = found.plus(piece, frozenset())
        return found

    def sizes(self, model: Mapping[Variable, int]) -> dict[Variable, int]:
        """Return the model of the case as a model of the query.

        Eliminated variables that the model does not determine get the least value.
        """
        found = dict(model)
        for variable, by in reversed(self.replaced):
            for missing in by.variables - found.keys():
                found[missing] = default(missing)
            found[variable] = evaluate(by, found)
        return found


def _bounds_of(variable: Variable, by: Dim) -> Iterator[Formula]:
    if variable.lower is not None:
        yield is_non_negative(by - variable.lower)
    if variable.upper is not None and variable.upper < HUGE:
        yield is_non_negative(variable.upper - by)


def starting_case(query: Sequence[tuple[Label, Formula]]) -> Case:
    """Return a whole query as one case."""
    pieces = {piece: frozenset((label,)) for label, formula in reversed(query) for piece in conjuncts(formula)}
    return Case(tuple(pieces.items()))


class Eliminator:
    """Simplifies and splits cases. ``taken`` are the variables of the query; fresh ones get other names."""

    def __init__(self, taken: Collection[Variable]) -> None:
        self._fresh = 0
        self._mark = "!"
        while any(self._mark in variable.name for variable in taken):
            self._mark += "!"

    def _variable(self, lower: int | None) -> Dim:
        self._fresh += 1
        return of_atom(Variable.of(f"part{self._mark}{self._fresh}", lower, None))

    def simplified(self, case: Case) -> Case:
        """Return the case after all substitutions that equations allow."""
        for _ in range(40):
            if case.contradiction is not None:
                return case
            step = self._step(case)
            if step is None:
                return case
            case = step
        return case

    def _step(self, case: Case) -> Case | None:
        return (
            self._solved_equation(case)
            or self._sign_known(case)
            or self._exact_division(case)
            or self._small_dividend(case)
            or _cancelled(case)
            or self._shifted_divisor(case)
            or _modulo_primes(case)
            or _modulo_divisors(case)
        )

    def _solved_equation(self, case: Case) -> Case | None:
        for formula, origin in case.formulas:
            if isinstance(formula, IsZero):
                solved = _solve(formula.size)
                if solved is not None:
                    return case.with_replaced(*solved, origin)
        return None

    def _sign_known(self, case: Case) -> Case | None:
        """Substitute a variable with a least value for one that a formula bounds and whose declared sign is open.

        Normal forms and the other steps read the bounds of variables, and no formulas.
        """
        for variable, range_ in ranges(case.formulas).items():
            if range_.low is not None and range_.low >= 0 and (variable.lower is None or variable.lower < 0):
                self._fresh += 1
                bounded = Variable.of(f"{variable.name}{self._mark}{self._fresh}", range_.low, variable.upper)
                return case.with_replaced(variable, of_atom(bounded), range_.low_origin)
        return None

    def _exact_division(self, case: Case) -> Case | None:
        """Substitute ``b*q + c`` for ``a``, given ``a % b == c``; valid for a ``b`` of 0 too."""
        for formula, origin in case.formulas:
            known = _known_remainder(formula)
            if known is None:
                continue
            a, b, rest = known
            quotient = self._variable(0 if _least(a, 0) and _least(b, 0) else None)
            solved = _solve(a - rest - b * quotient, avoid=quotient.variables)
            if solved is not None:
                return case.with_replaced(*solved, origin)
            if rest >= 0 and _least(b, 1):
                replaced = _with_product_replaced(case, formula, a - rest, b * quotient)
                if replaced is not None:
                    return replaced.plus(is_non_negative(b - rest - 1), origin)
        return None

    def _small_dividend(self, case: Case) -> Case | None:
        """Replace ``a // b`` by 0 if ``0 <= a < b`` is a fact."""
        for atom in divisions(case):
            a, b = atom.parts
            if b.is_constant or not _least(a, 0):
                continue
            gap = b - a - 1
            for formula, origin in case.formulas:
                if isinstance(formula, IsNonNegative) and _least(gap - formula.size, 0):
                    return case.substituted(DivisionKnown(a, b), origin)
        return None

    def _shifted_divisor(self, case: Case) -> Case | None:
        """Substitute ``b - e`` for ``x`` where a divisor is ``x + e``: multiples of ``b`` are seen by normal forms."""
        divisors = {atom.parts[1]: None for atom in divisions(case) if not atom.parts[1].is_constant}
        sums = _sums_in(divisors)
        for each in sums:
            lower, upper = each.bounds()
            if lower is None or lower < 0:
                continue
            self._fresh += 1
            whole = Variable.of(f"divisor{self._mark}{self._fresh}", lower, upper)
            solved = _solve(each - of_atom(whole), avoid=frozenset((whole,)))
            if solved is not None:
                shifted = Instantiation({solved[0]: solved[1]})
                if len(_sums_in(map(shifted.size, divisors))) < len(sums):
                    return case.with_replaced(*solved)
        return None

    def split_at_zero(self, case: Case) -> list[Case] | None:
        """Split into a case where a divisor or common factor is 0 and one where it is not; None if there is none."""
        for variable in _worth_splitting(case):
            if variable.lower == 0:
                self._fresh += 1
                positive = Variable.of(f"{variable.name}{self._mark}{self._fresh}", 1, variable.upper)
                return [case.with_replaced(variable, by) for by in (dim(0), of_atom(positive))]
        return None

    def split_by_condition(self, case: Case) -> list[Case] | None:
        """Split by the condition of a choice in a product or a division; None if there is none."""
        for formula, _ in case.formulas:
            for size in sizes_within(formula):
                for condition in _conditions_in_products(size):
                    return [case.with_known(condition, TRUE), case.with_known(condition, FALSE)]
        return None

    def split_by_divisor(self, case: Case) -> list[Case] | None:
        """Return one case for each value of a variable that divides a number; None if there is no such variable."""
        best: tuple[Variable, list[int], Origin] | None = None
        within = ranges(case.formulas)
        for formula, origin in case.formulas:
            for factor in factors_of_numbers(formula):
                values, range_ = factor.values(), within.get(factor.variable, Range())
                if values is not None:
                    fitting = [each for each in values if range_.holds(each)]
                    if best is None or len(fitting) < len(best[1]):
                        best = (factor.variable, fitting, origin | range_.origin)
        if best is None:
            return None
        variable, values, origin = best
        cases = [case.with_replaced(variable, dim(each), origin) for each in values]
        return cases or [Case(((FALSE, origin),), case.replaced)]

    def split_by_residue(self, case: Case) -> list[Case] | None:
        """Return one case for each residue of a variable in a product divided by a number; None if there is none."""
        for atom in divisions(case):
            a, b = atom.parts
            if b.is_constant and b.constant <= LARGEST_MODULUS and not a.is_linear:
                variable = next(_multiplied_variables(a), None)
                if variable is not None:
                    part = self._variable(0 if variable.lower is not None and variable.lower >= 0 else None)
                    return [case.with_replaced(variable, part * b.constant + r) for r in range(b.constant)]
        return None

    def expanded(self, case: Case) -> list[Case] | None:
        """Substitute ``b*q + r`` for a variable that a positive ``b`` divides; None if there is none."""
        for atom in divisions(case):
            a, b = atom.parts
            variable = a.atom
            if isinstance(variable, Variable) and not b.is_constant and _least(b, 1) and variable.lower == 0:
                if variable in b.variables:
                    continue
                rest = self._variable(0)
                grown = case.with_replaced(variable, b * self._variable(0) + rest)
                return [Case((*grown.formulas, (is_non_negative(b - rest - 1), frozenset())), grown.replaced)]
        return None


def divisions(case: Case) -> list[Quotient | Remainder]:
    """Return the divisions in a case, the largest expressions last."""
    found: dict[Quotient | Remainder, None] = {}
    for formula, _ in case.formulas:
        for atom in atoms_within(formula):
            _collect(atom, found)
    return list(found)


def _collect(atom: Atom, found: dict[Quotient | Remainder, None]) -> None:
    if isinstance(atom, Quotient | Remainder) and atom not in found:
        for part in atom.parts:
            for inner in part.atoms():
                _collect(inner, found)
        found[atom] = None


def _least(size: Dim, least: int) -> bool:
    low = size.bounds()[0]
    return low is not None and low >= least


def _solve(size: Dim, avoid: frozenset[Variable] = frozenset()) -> tuple[Variable, Dim] | None:
    """Return ``(x, e)`` with ``size == 0`` exactly where ``x == e``, for a variable that stands alone in ``size``."""
    for monomial, coefficient in size.terms:
        variable = monomial.single
        if abs(coefficient) != 1 or not isinstance(variable, Variable) or variable in avoid:
            continue
        rest = size - of_monomial(monomial) * coefficient
        if variable not in rest.variables:
            return variable, rest * -coefficient
    return None


def _known_remainder(formula: Formula) -> tuple[Dim, Dim, int] | None:
    """Return ``(a, b, c)`` for a formula ``a % b == c`` with a number ``c``, or None."""
    if not isinstance(formula, IsZero) or len(formula.size.terms) != 1:
        return None
    monomial, coefficient = formula.size.terms[0]
    atom = monomial.single
    if not isinstance(atom, Remainder) or coefficient != 1:
        return None
    a, b = atom.parts
    return a, b, -formula.size.constant


def _sums_in(sizes: Iterable[Dim]) -> list[Dim]:
    """Return the factors of sizes that are sums."""
    composite = (each for each in sizes if len(each.terms) > 1 or each.constant)
    factors = dict.fromkeys(factor for each in composite for factor in factored(each))
    return [each for each in factors if len(each.terms) > 1 or (each.terms and each.constant)]


def _with_product_replaced(case: Case, known: Formula, a: Dim, multiple: Dim) -> Case | None:
    """Replace a product in ``a`` by what ``a == multiple`` says of it. The equation takes the place of ``known``."""
    for monomial, coefficient in a.terms:
        by = (multiple - a) + of_monomial(monomial) * coefficient
        if all(atom.variables <= by.variables for atom, _ in monomial.factors):
            continue  # or replacing might never end
        substitution = ProductReplaced(monomial, coefficient, by)
        origin = next(labels for formula, labels in case.formulas if formula is known)
        others = Case(tuple(each for each in case.formulas if each[0] is not known), case.replaced)
        return others.substituted(substitution, origin).plus(is_zero(a - multiple), origin)
    return None


def _cancelled(case: Case) -> Case | None:
    """Cancel a positive factor in an equation or a comparison with a number."""
    formulas: dict[Formula, Origin] = {}
    changed = False
    for formula, origin in case.formulas:
        reduced = on_comparisons(formula, _reduced)
        changed = changed or reduced is not formula
        for piece in conjuncts(reduced):
            formulas.setdefault(piece, origin)
    return Case(tuple(formulas.items()), case.replaced) if changed else None


def _modulo_primes(case: Case) -> Case | None:
    """Add the consequences of an equation modulo a prime by which a part of it is divided elsewhere."""
    divided = [(atom.variables, atom.parts[1].constant) for atom in divisions(case) if atom.parts[1].is_constant]
    known = {formula for formula, _ in case.formulas}
    for formula, origin in case.formulas if divided else ():
        for fact in modulo_primes(formula.size) if isinstance(formula, IsZero) else ():
            new = [piece for piece in conjuncts(fact.claim) if piece not in known]
            if new and any(not by % fact.prime and fact.product.variables & variables for variables, by in divided):
                return Case((*case.formulas, *((piece, origin) for piece in new)), case.replaced)
    return None


def _modulo_divisors(case: Case) -> Case | None:
    """Add the consequences of an equation modulo a size by which something is divided elsewhere."""
    divisors = dict.fromkeys(atom.parts[1] for atom in divisions(case) if not atom.parts[1].is_constant)
    known = {formula for formula, _ in case.formulas if divisors}
    for formula, origin in case.formulas if divisors else ():
        claims = (modulo_divisor(formula.size, each) for each in divisors) if isinstance(formula, IsZero) else ()
        new = next((claim for claim in claims if claim is not None and claim not in known), None)
        if new is not None:
            return Case((*case.formulas, (new, origin)), case.replaced)
    return None


def _reduced(formula: Formula) -> Formula:
    whole = simplify_over_integers(formula.size) if isinstance(formula, IsZero) else None
    if whole is not None:
        return whole
    match formula:
        case IsZero(parts=(size,)) if not size.constant:
            cofactor = _without_positive_factor(size)
            return formula if cofactor is None else is_zero(cofactor)
        case IsNonNegative(parts=(size,)) if size.constant in (0, -1):
            # f*g >= 0 exactly where g >= 0, and f*g >= 1 exactly where g >= 1, for a factor f >= 1.
            cofactor = _without_positive_factor(size - size.constant)
            return formula if cofactor is None else is_non_negative(cofactor + size.constant)
        case _:
            return formula


def _without_positive_factor(size: Dim) -> Dim | None:
    return next((cofactor for atom, cofactor in _common_factors(size) if _at_least(atom, 1)), None)


def _at_least(atom: Atom, least: int) -> bool:
    return atom.lower is not None and atom.lower >= least


def _common_factors(size: Dim) -> Iterator[tuple[Atom, Dim]]:
    """Yield the atoms that divide every term of a sum of products, each with the cofactor of the sum."""
    if not size.terms or size.constant or size.terms[0][0].single is not None:
        return
    for atom, _ in size.terms[0][0].factors:
        cofactor, rest = split_multiples(size, of_atom(atom))
        if rest is ZERO:
            yield atom, cofactor


def _worth_splitting(case: Case) -> Iterator[Variable]:
    """Yield variables that may be 0 and whose case split simplifies the rest."""
    for division in divisions(case):
        yield from _plain_variables(division.parts[1])
    for formula, _ in case.formulas:
        for size in sizes_within(formula, closed=(Quotient, Remainder)):
            if size.constant in (0, -1):
                for atom, _ in _common_factors(size - size.constant):
                    if isinstance(atom, Variable):
                        yield atom


def _conditions_in_products(size: Dim) -> Iterator[Formula]:
    """Yield the conditions of choices that are multiplied, or that a division takes apart."""
    for monomial, _ in size.terms:
        for atom, _ in monomial.factors:
            if isinstance(atom, Choice) and monomial.single is None:
                yield atom.parts[0]
            if isinstance(atom, Quotient | Remainder):
                yield from (each.parts[0] for part in atom.parts for each in part.atoms() if isinstance(each, Choice))


def _plain_variables(size: Dim) -> Iterator[Variable]:
    if len(size.terms) == 1 and not size.constant:
        for atom, _ in size.terms[0][0].factors:
            if isinstance(atom, Variable):
                yield atom


def _multiplied_variables(size: Dim) -> Iterator[Variable]:
    for monomial, _ in size.terms:
        if monomial.single is None:
            for atom, _ in monomial.factors:
                if isinstance(atom, Variable):
                    yield atom


def modulo_divisor(size: Dim, divisor: Dim) -> Formula | None:
    """Return ``r % b == 0``, given ``size == 0`` and ``size == b*q + r``; None if b divides no term, or all.

    Where b is 0 so is r, and ``r % 0`` is r: the claim holds there too.
    """
    whole, rest = split_multiples(size, divisor)
    if whole is ZERO or rest is ZERO:
        return None
    claim = divides(divisor, rest)
    return None if claim is TRUE else claim
