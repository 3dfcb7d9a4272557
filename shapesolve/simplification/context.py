"""Simplification of each condition under the others: ``a*n == b*n`` is ``a == b`` where another is ``n >= 1``.

The propagator rewrites, and decides what is settled; a result is taken only if it is shorter and proved to be
equivalent wherever the other conditions hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import lcm, prod

from shapesolve.simplification.boolean_minimization import cost
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails
from shapesolve.solver.polynomials import factored
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.rewriting import without_fresh_quotients
from shapesolve.solver.propagation.trail import NOTHING
from shapesolve.symbolic.atoms import Atom, Choice, Quotient
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    conjuncts,
    disjunction,
    divides,
    is_non_negative,
    is_zero,
    negation,
    unequal,
)
from shapesolve.symbolic.visitors import Instantiation, atoms_within, leaves_of

_LONGEST = 400
"""Characters of a condition; longer ones are left as they are, and put into no other."""

_LONGEST_WITH_CASES = 6_000
"""Characters of a condition with sizes that are chosen by cases; longer ones are unreadable whatever is settled."""

_MOST_CONDITIONS = 24
_MOST_PASSES = 4


def under_premises(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Return conditions that are equivalent under ``known``, each shortened under the others."""
    found = list(conditions)
    if len(found) > _MOST_CONDITIONS:
        return found
    for _ in range(_MOST_PASSES):
        before = found
        for condition in sorted(found, key=lambda each: -cost([each])):
            if condition in found:
                found = _with_one_shorter(found, condition, known)
        if found == before:
            break
    return found


def without_idle_alternatives(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Remove alternatives that the other conditions exclude, the longest first."""
    found = list(conditions)
    for place, condition in enumerate(conditions):
        if not isinstance(condition, Or) or len(str(condition)) > _LONGEST or len(found) > _MOST_CONDITIONS:
            continue
        others = [*known, *found[:place], *found[place + 1 :]]
        for part in sorted(condition.parts, key=lambda each: len(str(each)), reverse=True):
            rest = [each for each in _alternatives(found[place]) if each is not part]
            if rest and entails_within_budget(disjunction([*rest, negation(part)]), others):
                found[place] = disjunction(rest)
    return found


def _alternatives(condition: Formula) -> Sequence[Formula]:
    return condition.parts if isinstance(condition, Or) else (condition,)


def _with_one_shorter(conditions: list[Formula], condition: Formula, known: Sequence[Formula]) -> list[Formula]:
    """Return the conditions with one of them simplified under the rest."""
    place = conditions.index(condition)
    rest = [*known, *(each for each in conditions if each is not condition)]
    facts = [each for each in rest if len(str(each)) <= _LONGEST]
    if len(str(condition)) > _LONGEST or all(each.variables.isdisjoint(condition.variables) for each in facts):
        facts = []
    short = _Premises(facts).simplified(condition) if len(str(condition)) <= _LONGEST else condition
    pieces = list(conjuncts(short))
    if short is condition or not short.variables <= condition.variables.union(*(each.variables for each in facts)):
        return conditions
    if _weight(pieces) >= _weight([condition]) or not _are_equivalent(short, condition, rest):
        return conditions
    return list(dict.fromkeys([*conditions[:place], *pieces, *conditions[place + 1 :]]))


def _weight(conditions: Iterable[Formula]) -> tuple[int, int, int]:
    """Return the reading cost; ties are broken by fewer comparisons that are no equalities, then by fewer sizes."""
    parts = list(conditions)
    vague = sum(not isinstance(each, IsZero) for part in parts for each in leaves_of(part))
    return cost(parts), vague, sum(len(each.variables) for each in parts)


def _are_equivalent(a: Formula, b: Formula, known: Sequence[Formula]) -> bool:
    return all(
        entails_within_budget(claim, [*known, premise])
        for whole, premise in ((a, b), (b, a))
        for claim in conjuncts(whole)
    )


def entails_within_budget(claim: Formula, premises: Sequence[Formula]) -> bool:
    """Return whether premises entail a claim, as far as the budget of a simplification shows."""
    return entails(claim, premises, budget=budgets.MEDIUM)


def without_settled_cases(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Return conditions that are equivalent under ``known``, without comparisons that it settles, of any length.

    A size that is chosen by cases, ``select(n == 0, 1, n)``, is one of the two where the known facts tell which.
    """
    if not known or not any(map(_has_cases, conditions)):
        return list(conditions)
    premises = _Premises(known)
    try:
        return [_Settled(premises).formula(each) if _has_cases(each) else each for each in conditions]
    except ValueError:  # shapes of unknown rank
        return list(conditions)


def _has_cases(condition: Formula) -> bool:
    is_short = len(condition.text) <= _LONGEST_WITH_CASES
    return is_short and any(isinstance(each, Choice) for each in atoms_within(condition))


class _Numbers(Instantiation):
    """Replaces atoms by their known values."""

    def __init__(self, known: Callable[[Atom], Dim]) -> None:
        super().__init__({})
        self._known = known

    def read_atom(self, atom: Atom) -> Dim:
        value = self._known(atom)
        return value if value.is_constant else super().read_atom(atom)


class _Settled(Instantiation):
    """Replaces comparisons, also those that choose a size, by whether they hold, where facts show it at once."""

    def __init__(self, premises: _Premises) -> None:
        super().__init__({})
        self._premises = premises

    def read_formula(self, formula: Formula) -> Formula:
        if isinstance(formula, And | Or):
            return super().read_formula(formula)
        if self._premises.holds(formula):
            return TRUE
        if self._premises.holds(negation(formula)):
            return FALSE
        rebuilt = super().read_formula(formula)
        return rebuilt if rebuilt is formula else self.formula(rebuilt)


class _Premises:
    """Simplifies formulas under some facts."""

    def __init__(self, facts: Iterable[Formula]) -> None:
        self._propagator = Propagator()
        for each in facts:
            self._propagator.assume(each, NOTHING)

    def simplified(self, formula: Formula) -> Formula:
        """Return the formula with every part simplified where it matters."""
        match formula:
            case And(parts=parts):
                return conjunction(self._each(parts, lambda other: other))
            case Or(parts=parts):
                return disjunction(self._each(parts, negation))
            case _:
                return self._comparison(formula)

    def _each(self, parts: Sequence[Formula], where: Callable[[Formula], Formula]) -> list[Formula]:
        """Simplify each part where the others do not settle the whole."""
        found = list(parts)
        for number in range(len(found)):
            self._propagator.push()
            try:
                for other in (*found[:number], *found[number + 1 :]):
                    self._propagator.assume(where(other), NOTHING)
                found[number] = self.simplified(found[number])
            finally:
                self._propagator.pop()
        return found

    def _comparison(self, formula: Formula) -> Formula:
        if self.holds(formula):
            return TRUE
        if self.holds(negation(formula)):
            return FALSE
        rewritten = without_fresh_quotients(self._propagator.simplify(formula)[0], self._propagator.shares)
        candidates = [each for each in (formula, self._settled(formula), rewritten) if each is not None]
        candidates += [self._multiplied(each) for each in candidates]
        return min((self._reduced(each) for each in candidates), key=lambda each: _weight([each]))

    def _multiplied(self, formula: Formula) -> Formula:
        """Multiply a comparison by divisors that leave no remainder: of even sizes ``a//2 == b//2`` is ``a == b``."""
        if not isinstance(formula, IsZero | IsNonNegative):
            return formula
        rest, exact = formula.parts[0], list[tuple[Dim, Dim, int]]()
        for monomial, coefficient in rest.terms:
            atom = monomial.single
            if isinstance(atom, Quotient) and self._has_no_remainder(*atom.parts):
                exact.append((*atom.parts, coefficient))
                rest = rest - of_atom(atom) * coefficient
        factor = lcm(*(divisor.constant for _, divisor, _ in exact))
        terms = (whole * (coefficient * factor // divisor.constant) for whole, divisor, coefficient in exact)
        size = sum(terms, start=rest * factor)
        return is_zero(size) if isinstance(formula, IsZero) else is_non_negative(size)

    def _has_no_remainder(self, whole: Dim, divisor: Dim) -> bool:
        return divisor.is_constant and divisor.constant > 1 and self.holds(divides(divisor, whole))

    def _settled(self, formula: Formula) -> Formula | None:
        """Return the formula with its atoms replaced by their known values, and nothing else changed."""
        numbers = _Numbers(lambda atom: self._propagator.simplifier.size(of_atom(atom))[0])
        try:
            return numbers.formula(formula)
        except ValueError:  # shapes of unknown rank
            return None

    def holds(self, formula: Formula) -> bool:
        """Return whether the facts show a formula at once."""
        return self._propagator.prove(formula) is not None

    def _reduced(self, formula: Formula) -> Formula:
        """Remove factors that change nothing, and replace a bound that is met by an equality."""
        match formula:
            case IsZero(parts=(size,)):
                return is_zero(self._without(size, lambda each: unequal(each, 0)))
            case Not(parts=(IsZero(parts=(size,)),)):
                size = self._without(size, lambda each: unequal(each, 0))
                return is_non_negative(size - 1) if self.holds(is_non_negative(size)) else negation(is_zero(size))
            case IsNonNegative(parts=(size,)):
                return self._sign(size)
            case _:
                return formula

    def _sign(self, size: Dim) -> Formula:
        if self.holds(is_non_negative(-size)):
            return is_zero(self._without(size, lambda each: unequal(each, 0)))
        strict = int(size.constant == -1)  # ``a*n > b*n``
        return is_non_negative(self._without(size + strict, lambda each: at_least(each, 1)) - strict)

    def _without(self, size: Dim, is_idle: Callable[[Dim], Formula]) -> Dim:
        """Return a product without the factors for which ``is_idle`` holds."""
        factors = factored(size)
        left = [each for each in factors if each.is_constant or not self.holds(is_idle(each))]
        return size if len(left) == len(factors) else prod(left, start=dim(1))
