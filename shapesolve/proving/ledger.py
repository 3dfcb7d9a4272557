"""The ledger: the fast path. What is known, kept so that most claims are answered in microseconds, with reasons.

The ledger answers or passes; it never guesses. Equalities become rewriting rules, bounds become intervals, broadcasts
become pairs that are known to be compatible; everything else is kept as it is. What was not turned into a rewriting
rule is the *residue*: formulas that the solver needs to see, already rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from shapesolve.language.atoms import MAX_SIZE, Variable
from shapesolve.language.dims import Dim, dim, of_atom
from shapesolve.language.formulas import (
    FALSE,
    TRUE,
    And,
    Compatible,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    conjunction,
    disjunction,
    equal,
    is_non_negative,
    is_zero,
    negation,
)
from shapesolve.language.substitution import Instantiation
from shapesolve.proving.equalities import determined, exact_share
from shapesolve.proving.equality_rules import EqualityRules
from shapesolve.proving.extreme_cases import extreme_cases
from shapesolve.proving.intervals import Intervals
from shapesolve.proving.known_atoms import KnownAtoms
from shapesolve.proving.known_broadcasts import KnownBroadcasts
from shapesolve.proving.limits import MAX_REFRESHED, MAX_RULE_TEXT, MAX_SPLITS, MAX_SUPPOSED
from shapesolve.proving.ordering import first_condition
from shapesolve.proving.reasons import NOTHING, Why, joined
from shapesolve.proving.residue import Residue
from shapesolve.proving.simplifier import Simplifier
from shapesolve.proving.trail import Trail
from shapesolve.proving.zeros import Zeros


class Ledger:
    """What is known at one point of one function."""

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
        """Why the facts contradict each other, where the ledger noticed."""
        return self._contradiction.get(None)

    def residue(self) -> dict[Formula, Why]:
        """Every fact that is not a rewriting rule, rewritten, and why it holds."""
        return self.kept.formulas

    def mentioning(self, variable: Variable) -> Iterator[Formula]:
        """The residue that mentions a variable, latest first."""
        return self.kept.mentioning(variable)

    def definition(self, variable: Variable) -> tuple[Dim, Why] | None:
        """What an eliminated variable is, in terms of variables that are not."""
        if variable not in self.simplifier.solved:
            return None
        return self.simplifier.atom(variable)

    def left_of(self, variables: Iterable[Variable]) -> set[Variable]:
        """The variables that are left of some, after the eliminated ones are replaced."""
        found: set[Variable] = set()
        for each in variables:
            definition = self.definition(each)
            found |= {each} if definition is None else definition[0].variables
        return found

    def simplify(self, formula: Formula) -> tuple[Formula, Why]:
        """An equivalent formula by what is known, and why it is equivalent."""
        simple, why = self.simplifier.formula(formula)
        while self._known_atoms.learn(simple):
            simple, more = self.simplifier.formula(simple)
            why = joined(why, more)
        return simple, why

    def _decided(self, claim: Formula) -> Why | None:
        return self.decide(claim, splits=0)

    # Learning ----------------------------------------------------------------------------------------------------

    def assume(self, formula: Formula, why: Why) -> bool:
        """The formula holds. False, and nothing is learned, where that would take expressions that are too large."""
        return self.simplifier.attempt(lambda: self._assume(formula, why))

    def _assume(self, formula: Formula, why: Why) -> None:
        stack: list[tuple[Formula, Why]] = [(formula, why)]
        while stack:
            claim, reason = stack.pop()
            self._note_age(claim)
            simple, more = self.simplify(claim)
            reason = joined(reason, more)
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
                    reason = joined(why, opposite[1])
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
            return [(is_non_negative(size - 1), joined(why, low[1]))]
        high = self.intervals.most(size)
        if high is not None and high[0] == 0:
            return [(is_non_negative(-size - 1), joined(why, high[1]))]
        self.kept.keep(formula, why)
        return []

    def _learn_alternatives(self, formula: Or, why: Why) -> list[tuple[Formula, Why]]:
        left: list[Formula] = []
        for part in formula.parts:
            refuted = self.decide(negation(part), splits=0)
            if refuted is None:
                left.append(part)
            else:
                why = joined(why, refuted)
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
                    return [(alternatives, joined(why, other))]
                low = self.intervals.least(rest)
                if low is not None and low[0] >= 2:
                    return [(equal(rest, part), joined(why, other, low[1]))]
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
        """``a % b == r``: a is b times a fresh size, plus r. Then every quotient of a becomes an expression."""
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
        again = [(formula, joined(reason)) for formula, reason in affected]
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
        """Residue that the new rule may rewrite is learned again; the equality itself stays for the solver."""
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
        """Why the claim holds, or None: the ledger passes. Never wrong, often silent."""
        if claim is TRUE:
            return NOTHING
        if self._contradiction:
            return self._contradiction[None]
        simple, why = self.simplify(claim)
        found = self._decide(simple, splits)
        return None if found is None else joined(why, found)

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
        return joined(*whys)

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
        """Why the claim holds wherever the premise does."""
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
        """The same where the premise says what a variable is, and putting that into the claim is enough."""
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
        return joined(*whys) if decided is None else joined(decided, *whys)

    def _by_extremes(self, claim: Formula, splits: int) -> Why | None:
        whys: list[Why] = []
        for premise, part in extreme_cases(claim):
            why = self._under(premise, part, splits - 1)
            if why is None:
                return None
            whys.append(why)
        return joined(*whys) if whys else None
