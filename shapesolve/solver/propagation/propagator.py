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
from shapesolve.solver.limits import MAX_REFRESHED, MAX_RULE_TEXT, MAX_SPLITS, MAX_SUPPOSED
from shapesolve.solver.propagation.atoms import KnownAtoms, KnownBroadcasts, Zeros
from shapesolve.solver.propagation.intervals import Intervals
from shapesolve.solver.propagation.rewriting import EqualityRules, Simplifier, determined, exact_share, first_condition
from shapesolve.solver.propagation.trail import NOTHING, Trail, Why, merge
from shapesolve.symbolic.atoms import Maximum, Minimum, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Compatible, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, is_non_negative, is_zero, negation
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
        self.kept = Residue(self._trail)
        self._rules = EqualityRules(self._trail, self.simplifier)
        self._contradiction: dict[None, Why] = {}
        self._names = 0
        self._supposing = 0  # how many premises are tried
        self.shares: dict[Variable, Dim] = {}  # fresh variables that stand for an exact quotient
        self.lazy_bounds: dict[Formula, Why] = {}  # true, but not among the facts until a model breaks them
        self.broadcasts = KnownBroadcasts(self._trail, self._decided)
        self._zeros = Zeros(self._trail, self.simplifier, self.intervals, self.broadcasts)
        self._known_atoms = KnownAtoms(self._trail, self.simplifier, self.intervals, self._zeros.differs, self._decided)

    # Scopes ------------------------------------------------------------------------------------------------------

    def push(self) -> None:
        """Begin a scope; `pop` forgets everything learned since."""
        self._trail.mark()

    def pop(self) -> None:
        """End the innermost scope."""
        self._trail.back()
        self.simplifier.forget()

    # Looking -----------------------------------------------------------------------------------------------------

    @property
    def contradiction(self) -> Why | None:
        """The justification that the facts contradict each other, or None if no contradiction was noticed."""
        return self._contradiction.get(None)

    def residue(self) -> dict[Formula, Why]:
        """Return the facts that are no rewrite rules, rewritten, with justifications: the part that z3 must see."""
        return self.kept.formulas

    def mentioning(self, variable: Variable) -> Iterator[Formula]:
        """Yield the remaining constraints that mention a variable, latest first."""
        return self.kept.mentioning(variable)

    def definition(self, variable: Variable) -> tuple[Dim, Why] | None:
        """Return an eliminated variable in terms of variables that are not eliminated; None for any other variable."""
        if variable not in self.simplifier.solved:
            return None
        return self.simplifier.atom(variable)

    def left_of(self, variables: Iterable[Variable]) -> set[Variable]:
        """Return the variables that remain after substituting eliminated ones."""
        found: set[Variable] = set()
        for each in variables:
            definition = self.definition(each)
            found |= {each} if definition is None else definition[0].variables
        return found

    def simplify(self, formula: Formula) -> tuple[Formula, Why]:
        """Return a formula that is equivalent under the facts, and the justification of the equivalence."""
        simple, why = self.simplifier.formula(formula)
        while self._known_atoms.learn(simple):
            simple, more = self.simplifier.formula(simple)
            why = merge(why, more)
        return simple, why

    def _decided(self, claim: Formula) -> Why | None:
        return self.decide(claim, splits=0)

    # Learning ----------------------------------------------------------------------------------------------------

    def assume(self, formula: Formula, why: Why) -> bool:
        """Assume a formula. Return False, and learn nothing, if expressions would become too large."""
        return self.simplifier.attempt(lambda: self._assume(formula, why))

    def _assume(self, formula: Formula, why: Why) -> None:
        stack: list[tuple[Formula, Why]] = [(formula, why)]
        while stack:
            claim, reason = stack.pop()
            self._note_age(claim)
            simple, more = self.simplify(claim)
            reason = merge(reason, more)
            if isinstance(simple, And):
                stack.extend((part, reason) for part in reversed(simple.parts))
            elif simple is FALSE:
                self._trail.put(self._contradiction, None, reason)
            elif simple is not TRUE and simple not in self.kept.formulas:
                stack.extend(self._learn(simple, reason))

    def _note_age(self, formula: Formula) -> None:
        unseen = [each for each in formula.variables if each not in self._age]
        for each in sorted(unseen, key=lambda v: v.text) if len(unseen) > 1 else unseen:
            self._age[each] = len(self._age)

    def _learn(self, formula: Formula, why: Why) -> list[tuple[Formula, Why]]:
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
                self.kept.keep(formula, why)
            case Compatible(parts=parts):
                return self._learn_compatible(parts, formula, why)
            case Not(parts=(IsZero(parts=(size,)),)):
                return self._learn_nonzero(size, formula, why)
            case Or():
                return self._learn_alternatives(formula, why)
            case _:
                self.kept.keep(formula, why)
        return []

    def _learn_nonzero(self, size: Dim, formula: Formula, why: Why) -> list[tuple[Formula, Why]]:
        self._zeros.learn_nonzero(size, why)
        low = self.intervals.least(size)
        if low is not None and low[0] == 0:
            return [(is_non_negative(size - 1), merge(why, low[1]))]
        high = self.intervals.most(size)
        if high is not None and high[0] == 0:
            return [(is_non_negative(-size - 1), merge(why, high[1]))]
        self.kept.keep(formula, why)
        return []

    def _learn_alternatives(self, formula: Or, why: Why) -> list[tuple[Formula, Why]]:
        left: list[Formula] = []
        for part in formula.parts:
            refuted = self.decide(negation(part), splits=0)
            if refuted is None:
                left.append(part)
            else:
                why = merge(why, refuted)
        if len(left) == len(formula.parts):
            self.kept.keep(formula, why)
            return []
        return [(disjunction(left), why)]

    def _learn_compatible(self, parts: tuple[Dim, ...], formula: Formula, why: Why) -> list[tuple[Formula, Why]]:
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
        self.kept.keep(formula, why)
        return []

    def _learn_equality(self, size: Dim, formula: Formula, why: Why) -> list[tuple[Formula, Why]]:
        if len(str(size)) > MAX_RULE_TEXT:
            self.kept.keep(formula, why)
            return []
        exact = self._divisible(size, why)
        if exact is not None:
            return exact
        found = determined(size, self._age)
        if found is not None:
            return self._eliminate(*found, why)
        self.kept.keep(formula, why)
        return self._refresh(size, formula) if self._rules.add(size, formula, why) else []

    def _divisible(self, size: Dim, why: Why) -> list[tuple[Formula, Why]] | None:
        """Substitute b times a fresh size plus r for a, given ``a % b == r``.

        Then every quotient of a becomes an expression.
        """
        found = exact_share(size, self._names + 1)
        if found is None or determined(found.numerator - of_atom(found.share), self._age) is None:
            return None
        self._names += 1
        self.shares[found.share] = found.quotient
        return [(found.equality, why)]

    def _eliminate(self, chosen: Variable, value: Dim, why: Why) -> list[tuple[Formula, Why]]:
        affected = self.kept.all_mentioning(chosen)
        if self._supposing:  # the rest stay as they are, which is true as well
            affected = affected[-MAX_SUPPOSED:]
        for formula, _ in affected:
            self.kept.discard(formula)
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

    def _refresh(self, size: Dim, formula: Formula) -> list[tuple[Formula, Why]]:
        """Learn constraints again that the new rule may rewrite; the equality itself stays for z3."""
        affected: dict[Formula, Why] = {}
        for each in size.variables:
            for other in islice(self.mentioning(each), MAX_REFRESHED):
                if other is not formula:
                    affected[other] = self.kept.formulas[other]
        changed = [(other, why) for other, why in affected.items() if self.simplify(other)[0] is not other]
        for other, _ in changed:
            if not isinstance(other, IsZero):
                self.kept.discard(other)
        return [(other, why) for other, why in changed if not isinstance(other, IsZero)]

    # Deciding ----------------------------------------------------------------------------------------------------

    def decide(self, claim: Formula, *, splits: int = MAX_SPLITS) -> Why | None:
        """Return the justification of a claim, or None if it is not proved, which does not make it false."""
        if claim is TRUE:
            return NOTHING
        if self._contradiction:
            return self._contradiction[None]
        simple, why = self.simplify(claim)
        found = self._decide(simple, splits)
        return None if found is None else merge(why, found)

    def _decide(self, claim: Formula, splits: int) -> Why | None:
        if claim is TRUE:
            return NOTHING
        known = self.kept.formulas.get(claim)
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
                return self._decide_all(parts, splits)
            case Or(parts=parts):
                return self._decide_any(parts, splits)
            case _:
                return None
        if found is None and splits > 0:
            return self._by_cases(claim, splits)
        return found

    def _decide_all(self, parts: tuple[Formula, ...], splits: int) -> Why | None:
        whys: list[Why] = []
        for part in parts:
            why = self._decide(part, splits)
            if why is None:
                return None
            whys.append(why)
        return merge(*whys)

    def _decide_any(self, parts: tuple[Formula, ...], splits: int) -> Why | None:
        for part in parts:
            why = self._decide(part, 0)
            if why is not None:
                return why
        if splits <= 0 or len(parts) > 4:
            return None
        for index, part in enumerate(parts):
            others = conjunction(negation(other) for position, other in enumerate(parts) if position != index)
            why = self._under(others, part, splits - 1)
            if why is not None:
                return why
        return None

    def _under(self, premise: Formula, claim: Formula, splits: int) -> Why | None:
        """Return the justification of a claim wherever the premise holds, or None."""
        found = self._under_equation(premise, claim)
        if found is not None:
            return found
        self.push()
        self._supposing += 1
        try:
            self.assume(premise, NOTHING)
            return self.decide(claim, splits=splits)
        finally:
            self._supposing -= 1
            self.pop()

    def _under_equation(self, premise: Formula, claim: Formula) -> Why | None:
        """Justify the claim by substitution if the premise determines a variable; None if that does not suffice."""
        found = determined(premise.size, self._age) if isinstance(premise, IsZero) else None
        if found is None or found[0] not in claim.variables:
            return None
        return self.decide(Instantiation({found[0]: found[1]}).formula(claim), splits=0)

    def _by_cases(self, claim: Formula, splits: int) -> Why | None:
        condition = first_condition(claim)
        if condition is None:
            return self._by_extremes(claim, splits)
        decided = self.decide(condition, splits=0)
        whys: list[Why] = []
        for case in (condition, negation(condition)):
            if decided is not None and case is not condition:
                break
            why = self._under(case, claim, splits - 1)
            if why is None:
                return None
            whys.append(why)
        return merge(*whys) if decided is None else merge(decided, *whys)

    def _by_extremes(self, claim: Formula, splits: int) -> Why | None:
        whys: list[Why] = []
        for premise, part in extreme_cases(claim):
            why = self._under(premise, part, splits - 1)
            if why is None:
                return None
            whys.append(why)
        return merge(*whys) if whys else None


class Residue:
    """Formulas that hold, indexed by the variables that they mention, with their justifications."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self._mentions: dict[Variable, dict[Formula, None]] = {}
        self.formulas: dict[Formula, Why] = {}
        self.news: list[Formula] = []
        """What nobody has checked against a model yet."""

    def keep(self, formula: Formula, why: Why) -> None:
        """Add a formula that holds."""
        self._trail.put(self.formulas, formula, why)
        self.news.append(formula)
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

    def mentioning(self, variable: Variable) -> Iterator[Formula]:
        """Yield the formulas that mention a variable, latest first."""
        return reversed(self._mentions.get(variable, {}))

    def all_mentioning(self, variable: Variable) -> list[tuple[Formula, Why]]:
        """Return the formulas that mention a variable, in the order in which they were learned, with justifications."""
        return [(formula, self.formulas[formula]) for formula in self._mentions.get(variable, ())]


MOST_PARTS = 3


def extreme_cases(claim: Formula) -> list[tuple[Formula, Formula]]:
    """Return exhaustive conditions, each with the claim simplified under it; empty if no minimum or maximum occurs."""
    for atom in atoms_within(claim):
        if isinstance(atom, Minimum | Maximum) and len(atom.parts) <= MOST_PARTS:
            return [(where, With(atom, part).formula(claim)) for where, part in values_of(atom)]
    return []


def values_of(atom: Minimum | Maximum) -> list[tuple[Formula, Dim]]:
    """Return each operand of a minimum or maximum, with the condition under which it is the value."""
    return [(_is_extreme(atom, part), part) for part in atom.parts]


def _is_extreme(atom: Minimum | Maximum, part: Dim) -> Formula:
    others = (other for other in atom.parts if other is not part)
    if isinstance(atom, Minimum):
        return conjunction(at_least(other, part) for other in others)
    return conjunction(at_least(part, other) for other in others)
