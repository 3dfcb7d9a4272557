"""Satisfiability of the facts at a program point, witnessed by sizes that satisfy all of them.

One assignment is kept and repaired when a new fact violates it, so that most facts cost one evaluation.

Further witnesses come from counterexamples to earlier claims: a claim that is false for one of them is not proved, and
z3 need not be asked. A fact that a witness violates drops it, unless one variable of the fact can be another number;
the variables that an operation introduces mostly can, because a fact defines them.

`component` finds the facts that share variables with a claim.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice

from shapesolve.solver.models import Model, in_bounds, sorting_key
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification, merge
from shapesolve.solver.verdicts import GaveUp, Satisfiable, Solver, Unsatisfiable
from shapesolve.solver.witnesses import MOST_KEPT, Witnesses, boundaries
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import And, Formula
from shapesolve.symbolic.formulas import negation

TRIED = (1, 2, 3, 4, 8, 0, 16, 64)
"""Sizes tried in a repair before the solver is asked."""

GUESSED = ((1, 0), (2, 0), (4, 0), (8, 0), (64, 0), (0, 0), (1, 8), (64, -8))
"""The first size and the difference to the next one, where sizes for many variables at once are tried."""

MOST_RECALLED = 4
"""Answers of the solver that are tried again; of more the latest."""

MOST_REPAIRED = 20
"""Facts that are repaired one after the other where such an answer breaks them."""

MAX_RECHECKED = 400
"""A repair without the solver rechecks at most so many facts: all together take less than one question."""

MAX_GUESSED = 40
"""Sizes are guessed for all variables that are connected by at most so many facts."""

PATTERNS = ((2, 3), (1, 2), (2, 1), (1, 0))
"""The size of all variables at once, and that of a single one, where sizes against a claim are tried."""

MAX_PATTERNED = 4000
"""Facts that are evaluated for a pattern, at most."""

MOST_CHANGED = 6
"""Variables that are tried for each part of a claim that shall be false."""


class Reachability:
    """The kept assignment, over the variables that the propagator has not eliminated."""

    def __init__(self, propagator: Propagator, solver: Solver) -> None:
        self._propagator = propagator
        self._solver = solver
        self.model: Model = Model()
        self.witnesses = Witnesses(propagator)
        self._answered: deque[Model] = deque(maxlen=MOST_RECALLED)
        """Models from the solver, also of closed scopes: successive regions may need the same one."""
        self._saved: list[tuple[Model, list[Formula], tuple[Model, ...], int, Justification | None, int]] = []
        self._refuted: Justification | None = None
        """Justification of a contradiction that the solver found; further facts do not remove it."""
        self.unknown: GaveUp | None = None
        self._bounds_checked = 0
        self._adopted = 0
        """Number of times that the kept assignment was replaced by one built for a fact."""
        self.version = 0
        """Counter that changes whenever the kept assignment may have changed."""

    def push(self) -> None:
        """Begin a scope, before the propagator does."""
        eliminated = len(self._propagator.simplifier.solved)
        self._saved.append(
            (
                Model(self.model),
                list(self._propagator.constraints.unchecked),
                self.witnesses.kept,
                eliminated,
                self._refuted,
                self._adopted,
            )
        )

    def pop(self) -> None:
        """End the innermost scope, before the propagator does.

        Sizes that get to its end got to its beginning, so that witnesses found inside stay, and so does an assignment
        that was made for it: region after region of a model is entered where the same sizes are not 0.
        """
        model, is_known = self.model, self.unknown is None and self._refuted is self._propagator.contradiction is None
        self.model, news, witnesses, eliminated, self._refuted, adopted = self._saved.pop()
        inside = [each for each in self.witnesses.kept if all(each is not other for other in witnesses)]
        if is_known and self._adopted != adopted:
            inside.append(model)
        different = list[Model]()
        for each in (*self._outside(inside, eliminated), *witnesses):
            if all(not each.items() <= other.items() for other in different):  # repaired inside, it says more
                different.append(each)
        self.witnesses.kept = tuple(different[:MOST_KEPT])
        self._propagator.constraints.unchecked = news
        self._bounds_checked = -1
        self.version += 1
        self.unknown = None

    def _outside(self, inside: Sequence[Model], eliminated: int) -> list[Model]:
        """Return witnesses of a scope in terms of the variables that were not yet eliminated outside of it."""
        if not inside:
            return []
        self.witnesses.kept = tuple(inside)
        for fact in self._propagator.constraints.unchecked:
            if fact in self._propagator.remaining_constraints():
                self.witnesses.learn(fact)
        solved = self._propagator.simplifier.solved
        later = list(islice(reversed(solved), len(solved) - eliminated))
        definitions = {each: found[0] for each in later if (found := self._propagator.definition(each)) is not None}
        completed: list[Model] = []
        for each in self.witnesses.kept:
            values = {variable: evaluate(size, each) for variable, size in definitions.items()}
            if all(in_bounds(variable, value) for variable, value in values.items()):
                completed.append(Model({**each, **values}))
        return completed

    def adopt(self, model: Mapping[Variable, int | tuple[int, ...]]) -> None:
        """Replace the numbers of some variables; the caller guarantees that they satisfy the facts about these."""
        self.model.update(model)
        self._adopted += 1
        self._bounds_checked = -1
        self.version += 1

    def contradiction(self, budget: int) -> Justification | None:
        """Return the justification that the facts contradict each other, or None.

        None means that the model satisfies them, unless `unknown` says why not.
        """
        self.unknown = None
        while True:
            why = self._contradiction(budget)
            if why is not None or self.unknown is not None or not self._learned_bounds():
                return why

    @property
    def is_settled(self) -> bool:
        """True if the kept assignment is known to satisfy all facts and bounds, without a further look."""
        propagator = self._propagator
        is_open = propagator.constraints.unchecked or propagator.contradiction is not None
        is_unknown = self._refuted is not None or self.unknown is not None
        return not (is_open or is_unknown) and self._bounds_checked == len(propagator.lazy_bounds)

    def switch_to_witness(self, is_wanted: Callable[[Model], bool]) -> bool:
        """Keep a witness that is wanted, and satisfies all facts, instead of the assignment; return whether one was."""
        for each in self.witnesses.kept:
            if is_wanted(each) and self.witnesses.is_within_bounds(each):
                self.model = Model(each)
                self._bounds_checked = len(self._propagator.lazy_bounds)
                self.version += 1
                return True
        return False

    def settle(self, budget: int) -> None:
        """Find sizes that satisfy the facts, or that there are none; the end of a scope keeps them as a witness."""
        version = self.version
        if self.contradiction(budget) is None and self.unknown is None and self.version != version:
            self._adopted += 1

    def allows(self, claim: Formula) -> bool:
        """Return whether kept sizes satisfy the facts and a claim. False is inconclusive."""
        return holds(claim, self.model) or self.witnesses.allow(claim)

    def against(self, claim: Formula) -> Model | None:
        """Return the kept assignment, or one like it, that satisfies the facts and not a claim.

        None is inconclusive.
        """
        kept, version = self.model, self.version
        if not holds(claim, kept):
            return kept
        try:
            self.model = Model(kept)
            return self.model if self._repaired(negation(claim), is_known=False) else None
        finally:
            self.model, self.version = kept, version

    def nearby(self, claim: Formula) -> Model | None:
        """Return sizes that satisfy the facts and not a claim, made from kept ones by changing free variables.

        None is inconclusive. A negated claim that is a conjunction is satisfied one part after the other.
        """
        against = negation(claim)
        parts = against.parts if isinstance(against, And) else (against,)
        for kept in (self.model, *self.witnesses.kept):
            sizes = Model(kept)
            if self._satisfied(sizes, parts) and self.witnesses.is_within_bounds(sizes):
                self.witnesses.add(sizes, instead_of=kept)
                return sizes
        return None

    def patterned(self, claim: Formula) -> Model | None:
        """Return sizes that satisfy the facts and not a claim where all are equal but one, or None: inconclusive.

        Of many sizes that have to agree, one that differs is a counterexample, and hard to find for a solver. Those
        that few facts mention are tried first.
        """
        facts = [formula for formula, _ in component(self._propagator, claim.variables, limit=MAX_PATTERNED)]
        connected = claim.variables.union(*(each.variables for each in facts))
        if len(facts) == MAX_PATTERNED or any(isinstance(each, ShapeSymbol) for each in connected):
            return None
        mentions = {
            each: len(list(islice(self._propagator.constraints_on(each), MAX_RECHECKED))) for each in claim.variables
        }
        rare = list(islice(sorted(mentions, key=lambda each: (mentions[each], sorting_key(each))), MOST_CHANGED))
        for usual, other in PATTERNS:
            for variable in rare:
                sizes = Model({**self.model, **dict.fromkeys(connected, usual), variable: other})
                if not all(in_bounds(each, other if each is variable else usual) for each in connected):
                    continue
                if holds(claim, sizes) or not all(holds(each, sizes) for each in facts):
                    continue
                if self.witnesses.is_within_bounds(sizes):
                    return sizes
        return None

    def _satisfied(self, sizes: Model, parts: Sequence[Formula]) -> bool:
        done: list[Formula] = []
        for part in parts:
            done.append(part)
            if not holds(part, sizes) and not self._changed(sizes, part, done):
                return False
        return True

    def _changed(self, sizes: Model, part: Formula, also: Sequence[Formula]) -> bool:
        """Change one variable of a part so that all other facts still hold; try variables of few facts first."""
        bound = {
            each: list(islice(self._propagator.constraints_on(each), MAX_RECHECKED + 1)) for each in part.variables
        }
        for variable in islice(sorted(bound, key=lambda each: (len(bound[each]), each.text)), MOST_CHANGED):
            facts = (*also, *bound[variable])
            if isinstance(variable, ShapeSymbol) or len(bound[variable]) > MAX_RECHECKED:
                continue
            old = sizes[variable]
            for value in dict.fromkeys((*TRIED, *boundaries(part, variable, sizes))):
                sizes[variable] = value
                if in_bounds(variable, value) and all(holds(each, sizes) for each in facts):
                    return True
            sizes[variable] = old
        return False

    def _learned_bounds(self) -> bool:
        """Learn the bounds that the kept model violates. Return whether there was one."""
        if self._bounds_checked == len(self._propagator.lazy_bounds):
            return False
        self._bounds_checked = len(self._propagator.lazy_bounds)
        return self.learn_bounds(self.model)

    def learn_bounds(self, model: Model) -> bool:
        """Make facts of the bounds that a model violates. Return whether there was one."""
        learned = False
        for bound, why in list(self._propagator.lazy_bounds.items()):
            simple, more = self._propagator.simplify(bound)
            if simple not in self._propagator.remaining_constraints() and not holds(simple, model):
                learned = self._propagator.assume(simple, merge(why, more)) or learned
        return learned

    def _contradiction(self, budget: int) -> Justification | None:
        if self._propagator.contradiction is not None:
            return self._propagator.contradiction
        if self._refuted is not None:
            return self._refuted
        left: list[Formula] = []
        while self._propagator.constraints.unchecked:
            fact = self._propagator.constraints.unchecked.pop()
            if fact not in self._propagator.remaining_constraints():
                continue
            self.witnesses.learn(fact)
            if holds(fact, self.model) or self._repaired(fact):
                continue
            if (
                self.switch_to_witness(partial(holds, fact))
                or self._guessed(fact)
                or self._repaired(fact, is_known=False)
            ):
                continue
            why = self._solved(fact, budget)
            if why is not None:
                self._propagator.constraints.unchecked = [*left, fact]
                self._refuted = why
                return why
            if self.unknown is not None:
                left.append(fact)
        self._propagator.constraints.unchecked = left
        return None

    def _repaired(self, fact: Formula, *, is_known: bool = True, last: Container[Variable] = ()) -> bool:
        """Change one variable of the fact so that everything about it holds.

        Args:
            is_known: Whether the propagator has the fact.
            last: Variables that are changed only where no other one helps.
        """
        for variable in islice(sorted(fact.variables, key=lambda each: (each in last, each.text)), 3):
            if isinstance(variable, ShapeSymbol):
                continue
            facts = list(islice(self._propagator.constraints_on(variable), MAX_RECHECKED + 1))
            if len(facts) > MAX_RECHECKED:
                continue
            old = self.model[variable]
            self.version += 1
            for value in TRIED if is_known else dict.fromkeys((*TRIED, *boundaries(fact, variable, self.model))):
                if not in_bounds(variable, value):
                    continue
                self.model[variable] = value
                if (is_known or holds(fact, self.model)) and all(holds(each, self.model) for each in facts):
                    return True
            self.model[variable] = old
        return False

    def _guessed(self, fact: Formula) -> bool:
        """Give all variables that are connected to a fact one size, or ascending ones, such that everything holds."""
        facts = [formula for formula, _ in component(self._propagator, fact.variables, limit=MAX_GUESSED + 1)]
        variables = sorted(variables_in(facts), key=sorting_key)
        if len(facts) > MAX_GUESSED or any(isinstance(each, ShapeSymbol) for each in variables):
            return False
        for first, step in GUESSED:
            guess = {each: first + number * step for number, each in enumerate(variables)}
            if all(map(in_bounds, guess, guess.values())) and all(holds(each, guess) for each in facts):
                self.adopt(guess)
                return True
        return False

    def _recalled(self, facts: Sequence[Formula]) -> bool:
        """Restore the sizes that the solver found before, if everything holds then.

        Variables that it never saw are repaired: each is bound by what it was introduced for.
        """
        kept = self.model
        variables = variables_in(facts)
        for answer in reversed(self._answered):
            self.model = Model({**kept, **{each: answer[each] for each in variables if each in answer}})
            self.version += 1
            broken = [each for each in facts if not holds(each, self.model)]
            if len(broken) > MOST_REPAIRED:
                continue
            if all(holds(each, self.model) or self._repaired(each, last=answer) for each in broken):
                self._bounds_checked = -1
                return True
        self.model = kept
        return False

    def _solved(self, fact: Formula, budget: int) -> Justification | None:
        facts = component(self._propagator, fact.variables)
        if self._recalled([formula for formula, _ in facts]):
            return None
        query = [(number, formula) for number, (formula, _) in enumerate(facts)]
        answer = self._solver.check(query, name="reachable", budget=budget)
        match answer:
            case Unsatisfiable():
                return merge(*(facts[label][1] for label in sorted(answer.core)))
            case Satisfiable():
                self.adopt(answer.model)
                self._answered.append(Model(answer.model))
            case GaveUp():
                self.unknown = answer
        return None


SMALL_SLICE = 40
"""The first slice holds at most so many facts."""

MAX_PER_VARIABLE = 400
MAX_COMPONENT = 4000


def component(
    propagator: Propagator,
    variables: Iterable[Variable],
    *,
    limit: int = MAX_COMPONENT,
    per_variable: int = MAX_PER_VARIABLE,
) -> list[tuple[Formula, Justification]]:
    """Return the facts connected to the variables by shared variables; the nearest and latest first.

    At most ``limit`` of them: a smaller slice can still prove, but what it refutes must be checked against the rest.
    """
    residue = propagator.remaining_constraints()
    found: dict[Formula, Justification] = {}
    seen: set[Variable] = set()
    queue = deque(sorted(variables, key=lambda each: each.text))
    while queue and len(found) < limit:
        variable = queue.popleft()
        if variable in seen:
            continue
        seen.add(variable)
        for formula in islice(propagator.constraints_on(variable), per_variable):
            if formula not in found:
                found[formula] = residue[formula]
                more = formula.variables - seen
                queue.extend(sorted(more, key=lambda each: each.text) if len(more) > 1 else more)
    return list(islice(found.items(), limit))
