"""Incremental decision procedure for the facts at one program point, with justifications.

It answers most claims in microseconds. Sound and incomplete: it proves a claim or gives no answer. Equalities become
rewrite rules, bounds become intervals, broadcasts become compatible pairs. The *remaining constraints* are the facts
that became no rewrite rule, in rewritten form: the part that z3 must see. A claim about a minimum or maximum is proved
by cases, one for each operand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from shapesolve.int64 import MAX_SIZE
from shapesolve.solver.limits import MAX_CASE_SPLITS, MAX_REFRESHED, MAX_RULE_TEXT, MAX_SUPPOSED
from shapesolve.solver.propagation.atoms import KnownAtoms, KnownBroadcasts, Zeros
from shapesolve.solver.propagation.intervals import Intervals
from shapesolve.solver.propagation.rewriting import EqualityRules, Simplifier, determined, exact_division, first_choice
from shapesolve.solver.propagation.trail import NOTHING, Justification, Trail, merge
from shapesolve.symbolic.atoms import Choice, Maximum, Minimum, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Compatible, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, is_non_negative, is_zero, negation
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.visitors import Instantiation, With, atoms_within


class Propagator:
    """Incremental decision procedure for the facts at one program point.

    Scopes follow the assertion stack of SMT solvers.
    """

    def __init__(self) -> None:
        self._trail = Trail()
        self.simplifier = Simplifier(self._trail)
        self.intervals = Intervals(self._trail)
        self._age: dict[Variable, int] = {}
        self.constraints = RemainingConstraints(self._trail)
        self._rules = EqualityRules(self._trail, self.simplifier)
        self._contradiction: dict[None, Justification] = {}
        self._names = 0
        self._supposing = 0  # how many premises are tried
        self.shares: dict[Variable, Dim] = {}  # fresh variables that stand for an exact quotient
        self.lazy_bounds: dict[Formula, Justification] = {}  # true, but not among the facts until a model breaks them
        self.broadcasts = KnownBroadcasts(self._trail, self._prove_without_splits)
        self._zeros = Zeros(self._trail, self.simplifier, self.intervals, self.broadcasts)
        self._known_atoms = KnownAtoms(
            self._trail, self.simplifier, self.intervals, self._zeros.differs, self._prove_without_splits
        )

    # Scopes ------------------------------------------------------------------------------------------------------

    def push(self) -> None:
        """Begin a scope; `pop` forgets everything learned since."""
        self._trail.mark()

    def pop(self) -> None:
        """End the innermost scope."""
        self._trail.back()
        self.simplifier.undo()

    # Looking -----------------------------------------------------------------------------------------------------

    @property
    def contradiction(self) -> Justification | None:
        """The justification that the facts contradict each other, or None if no contradiction was noticed."""
        return self._contradiction.get(None)

    def remaining_constraints(self) -> dict[Formula, Justification]:
        """Return the facts that are no rewrite rules, rewritten, with justifications: the part that z3 must see."""
        return self.constraints.formulas

    def constraints_on(self, variable: Variable) -> Iterator[Formula]:
        """Yield the remaining constraints that mention a variable, latest first."""
        return self.constraints.constraints_on(variable)

    def definition(self, variable: Variable) -> tuple[Dim, Justification] | None:
        """Return an eliminated variable in terms of variables that are not eliminated; None for any other variable."""
        if variable not in self.simplifier.solved:
            return None
        return self.simplifier.atom(variable)

    def free_variables(self, variables: Iterable[Variable]) -> set[Variable]:
        """Return the variables that remain after substituting eliminated ones."""
        found: set[Variable] = set()
        for each in variables:
            definition = self.definition(each)
            found |= {each} if definition is None else definition[0].variables
        return found

    def simplify(self, formula: Formula) -> tuple[Formula, Justification]:
        """Return a formula that is equivalent under the facts, and the justification of the equivalence."""
        simple, why = self.simplifier.formula(formula)
        while self._known_atoms.learn(simple):
            simple, more = self.simplifier.formula(simple)
            why = merge(why, more)
        return simple, why

    def _prove_without_splits(self, claim: Formula) -> Justification | None:
        return self.prove(claim, max_case_splits=0)

    # Learning ----------------------------------------------------------------------------------------------------

    def assume(self, formula: Formula, why: Justification) -> bool:
        """Assume a formula. Return False, and learn nothing, if expressions would become too large."""
        return self.simplifier.attempt(lambda: self._assume(formula, why))

    def _assume(self, formula: Formula, why: Justification) -> None:
        stack: list[tuple[Formula, Justification]] = [(formula, why)]
        while stack:
            claim, reason = stack.pop()
            self._note_age(claim)
            simple, more = self.simplify(claim)
            reason = merge(reason, more)
            if isinstance(simple, And):
                stack.extend((part, reason) for part in reversed(simple.parts))
            elif simple is FALSE:
                self._trail.put(self._contradiction, None, reason)
            elif simple is not TRUE and simple not in self.constraints.formulas:
                stack.extend(self._learn(simple, reason))

    def _note_age(self, formula: Formula) -> None:
        unseen = [each for each in formula.variables if each not in self._age]
        for each in sorted(unseen, key=lambda v: v.text) if len(unseen) > 1 else unseen:
            self._age[each] = len(self._age)

    def _learn(self, formula: Formula, why: Justification) -> list[tuple[Formula, Justification]]:
        match formula:
            case IsZero(parts=(size,)):
                return self._learn_equality(size, formula, why)
            case IsNonNegative(parts=(size,)):
                opposite = self.intervals.least(-size)
                if opposite is not None and opposite[0] >= 0:
                    reason = merge(why, opposite[1])
                    if opposite[0] > 0:
                        return [(FALSE, reason)]
                    return [(is_zero(size), reason)]
                self.intervals.learn(size, why)
                self.constraints.keep(formula, why)
            case Compatible(parts=parts):
                return self._learn_compatible(parts, formula, why)
            case Not(parts=(IsZero(parts=(size,)),)):
                return self._learn_nonzero(size, formula, why)
            case Or():
                return self._learn_alternatives(formula, why)
            case _:
                self.constraints.keep(formula, why)
        return []

    def _learn_nonzero(self, size: Dim, formula: Formula, why: Justification) -> list[tuple[Formula, Justification]]:
        self._zeros.learn_nonzero(size, why)
        low = self.intervals.least(size)
        if low is not None and low[0] == 0:
            return [(is_non_negative(size - 1), merge(why, low[1]))]
        high = self.intervals.most(size)
        if high is not None and high[0] == 0:
            return [(is_non_negative(-size - 1), merge(why, high[1]))]
        self.constraints.keep(formula, why)
        return []

    def _learn_alternatives(self, formula: Or, why: Justification) -> list[tuple[Formula, Justification]]:
        left: list[Formula] = []
        for part in formula.parts:
            refuted = self.prove(negation(part), max_case_splits=0)
            if refuted is None:
                left.append(part)
            else:
                why = merge(why, refuted)
        if len(left) == len(formula.parts):
            self.constraints.keep(formula, why)
            return []
        return [(disjunction(left), why)]

    def _learn_compatible(
        self, parts: tuple[Dim, ...], formula: Formula, why: Justification
    ) -> list[tuple[Formula, Justification]]:
        for part in parts:
            other = self._zeros.is_not_one(part)
            if other is not None and len(parts) == 2:
                rest = parts[0] if part is parts[1] else parts[1]
                alternatives = disjunction((equal(rest, 1), equal(rest, part)))
                if not isinstance(alternatives, Or):
                    return [(alternatives, merge(why, other))]
                low = self.intervals.least(rest)
                if low is not None and low[0] >= 2:
                    return [(equal(rest, part), merge(why, other, low[1]))]
        self.broadcasts.learn(parts, why)
        self.constraints.keep(formula, why)
        return []

    def _learn_equality(self, size: Dim, formula: Formula, why: Justification) -> list[tuple[Formula, Justification]]:
        if len(str(size)) > MAX_RULE_TEXT:
            self.constraints.keep(formula, why)
            return []
        exact = self._divisible(size, why)
        if exact is not None:
            return exact
        found = determined(size, self._age)
        if found is not None:
            return self._eliminate(*found, why)
        self.constraints.keep(formula, why)
        return self._refresh(size, formula) if self._rules.add(size, formula, why) else []

    def _divisible(self, size: Dim, why: Justification) -> list[tuple[Formula, Justification]] | None:
        """Substitute b times a fresh size plus r for a, given ``a % b == r``.

        Then every quotient of a becomes an expression.
        """
        found = exact_division(size, self._names + 1)
        if found is None or determined(found.numerator - of_atom(found.share), self._age) is None:
            return None
        self._names += 1
        self.shares[found.share] = found.quotient
        return [(found.equality, why)]

    def _eliminate(self, chosen: Variable, value: Dim, why: Justification) -> list[tuple[Formula, Justification]]:
        affected = self.constraints.all_constraints_on(chosen)
        if self._supposing:  # the rest stay as they are, which is true as well
            affected = affected[-MAX_SUPPOSED:]
        for formula, _ in affected:
            self.constraints.discard(formula)
            self._rules.drop(formula)
        self.simplifier.solve(chosen, value, why)
        again = [(formula, merge(reason)) for formula, reason in affected]
        if chosen.lower is not None:
            again.append((is_non_negative(value - chosen.lower), why))
        if chosen.upper is not None:
            bound = is_non_negative(dim(chosen.upper) - value)
            if chosen.upper < MAX_SIZE:
                again.append((bound, why))
            elif bound is not TRUE:  # seldom in the way, and slow to reason about: learned when a model breaks it
                self._trail.put(self.lazy_bounds, bound, why)
        return again

    def _refresh(self, size: Dim, formula: Formula) -> list[tuple[Formula, Justification]]:
        """Learn constraints again that the new rule may rewrite; the equality itself stays for z3."""
        affected: dict[Formula, Justification] = {}
        for each in size.variables:
            for other in islice(self.constraints_on(each), MAX_REFRESHED):
                if other is not formula:
                    affected[other] = self.constraints.formulas[other]
        changed = [(other, why) for other, why in affected.items() if self.simplify(other)[0] is not other]
        for other, _ in changed:
            if not isinstance(other, IsZero):
                self.constraints.discard(other)
        return [(other, why) for other, why in changed if not isinstance(other, IsZero)]

    # Deciding ----------------------------------------------------------------------------------------------------

    def prove(self, claim: Formula, *, max_case_splits: int = MAX_CASE_SPLITS) -> Justification | None:
        """Return the justification of a claim, or None if it is not proved, which does not make it false."""
        if claim is TRUE:
            return NOTHING
        if self._contradiction:
            return self._contradiction[None]
        simple, why = self.simplify(claim)
        found = self._prove(simple, max_case_splits)
        return None if found is None else merge(why, found)

    def _prove(self, claim: Formula, max_case_splits: int) -> Justification | None:
        if claim is TRUE:
            return NOTHING
        known = self.constraints.formulas.get(claim)
        if known is not None:
            return known
        match claim:
            case IsZero(parts=(size,)):
                found = self._zeros.zero(size)
            case IsNonNegative(parts=(size,)):
                found = self.intervals.non_negative(size)
            case Compatible(parts=parts):
                found = self.broadcasts.all_compatible(parts)
            case Not(parts=(IsZero(parts=(size,)),)):
                found = self._zeros.differs(size)
            case And(parts=parts):
                return self._prove_all(parts, max_case_splits)
            case Or(parts=parts):
                return self._prove_any(parts, max_case_splits)
            case _:
                return None
        if found is None and max_case_splits > 0:
            return self._prove_by_cases(claim, max_case_splits)
        return found

    def _prove_all(self, parts: tuple[Formula, ...], max_case_splits: int) -> Justification | None:
        whys: list[Justification] = []
        for part in parts:
            why = self._prove(part, max_case_splits)
            if why is None:
                return None
            whys.append(why)
        return merge(*whys)

    def _prove_any(self, parts: tuple[Formula, ...], max_case_splits: int) -> Justification | None:
        for part in parts:
            why = self._prove(part, 0)
            if why is not None:
                return why
        if max_case_splits <= 0 or len(parts) > 4:
            return None
        for index, part in enumerate(parts):
            others = conjunction(negation(other) for position, other in enumerate(parts) if position != index)
            why = self._prove_under(others, part, max_case_splits - 1)
            if why is not None:
                return why
        return None

    def _prove_under(self, premise: Formula, claim: Formula, max_case_splits: int) -> Justification | None:
        """Return the justification of a claim wherever the premise holds, or None."""
        found = self._prove_under_equation(premise, claim)
        if found is not None:
            return found
        self.push()
        self._supposing += 1
        try:
            self.assume(premise, NOTHING)
            return self.prove(claim, max_case_splits=max_case_splits)
        finally:
            self._supposing -= 1
            self.pop()

    def _prove_under_equation(self, premise: Formula, claim: Formula) -> Justification | None:
        """Justify the claim by substitution if the premise determines a variable; None if that does not suffice."""
        found = determined(premise.size, self._age) if isinstance(premise, IsZero) else None
        if found is None or found[0] not in claim.variables:
            return None
        return self.prove(Instantiation({found[0]: found[1]}).formula(claim), max_case_splits=0)

    def _prove_by_cases(self, claim: Formula, max_case_splits: int) -> Justification | None:
        choice = first_choice(claim)
        if choice is None:
            return self._prove_by_min_max_cases(claim, max_case_splits)
        condition, value, otherwise = choice.parts
        decided = self.prove(condition, max_case_splits=0)
        whys: list[Justification] = []
        for case, chosen in ((condition, value), (negation(condition), otherwise)):
            if decided is not None and case is not condition:
                break
            why = self._prove_with(choice, chosen, claim)
            why = self._prove_under(case, claim, max_case_splits - 1) if why is None else why
            if why is None:
                return None
            whys.append(why)
        return merge(*whys) if decided is None else merge(decided, *whys)

    def _prove_with(self, choice: Choice, value: Dim, claim: Formula) -> Justification | None:
        """Justify a claim with one value of a select, wherever the select has it or not; most need no more."""
        try:
            return self.prove(With(choice, value).formula(claim), max_case_splits=0)
        except TooLarge:
            return None

    def _prove_by_min_max_cases(self, claim: Formula, max_case_splits: int) -> Justification | None:
        whys: list[Justification] = []
        for premise, part in min_max_cases(claim):
            why = self._prove_under(premise, part, max_case_splits - 1)
            if why is None:
                return None
            whys.append(why)
        return merge(*whys) if whys else None


class RemainingConstraints:
    """Formulas that hold, indexed by the variables that they mention, with their justifications."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self._mentions: dict[Variable, dict[Formula, None]] = {}
        self.formulas: dict[Formula, Justification] = {}
        self.unchecked: list[Formula] = []
        """Constraints that were not checked against a model yet."""

    def keep(self, formula: Formula, why: Justification) -> None:
        """Add a formula that holds."""
        self._trail.put(self.formulas, formula, why)
        self.unchecked.append(formula)
        for each in formula.variables:
            there = self._mentions.get(each)
            if there is None:
                there = dict[Formula, None]()
                self._trail.put(self._mentions, each, there)
            self._trail.put(there, formula, None)

    def discard(self, formula: Formula) -> None:
        """Remove a formula that another one subsumes."""
        self._trail.drop(self.formulas, formula)
        for each in formula.variables:
            self._trail.drop(self._mentions.get(each, {}), formula)

    def constraints_on(self, variable: Variable) -> Iterator[Formula]:
        """Yield the formulas that mention a variable, latest first."""
        return reversed(self._mentions.get(variable, {}))

    def all_constraints_on(self, variable: Variable) -> list[tuple[Formula, Justification]]:
        """Return the formulas that mention a variable, in the order in which they were learned, with justifications."""
        return [(formula, self.formulas[formula]) for formula in self._mentions.get(variable, ())]


MOST_PARTS = 3


def min_max_cases(claim: Formula) -> list[tuple[Formula, Formula]]:
    """Return exhaustive conditions, each with the claim simplified under it; empty if no minimum or maximum occurs."""
    for atom in atoms_within(claim):
        if isinstance(atom, Minimum | Maximum) and len(atom.parts) <= MOST_PARTS:
            return [(where, With(atom, part).formula(claim)) for where, part in values_of(atom)]
    return []


def values_of(atom: Minimum | Maximum) -> list[tuple[Formula, Dim]]:
    """Return each operand of a minimum or maximum, with the condition under which it is the value."""
    return [(_is_value(atom, part), part) for part in atom.parts]


def _is_value(atom: Minimum | Maximum, part: Dim) -> Formula:
    others = (other for other in atom.parts if other is not part)
    if isinstance(atom, Minimum):
        return conjunction(at_least(other, part) for other in others)
    return conjunction(at_least(part, other) for other in others)
