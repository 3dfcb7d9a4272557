"""One obligation, one verdict: normal form, ledger, solver on a slice of the facts, smallest counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.language.atoms import MAX_SIZE, ShapeSymbol, Variable
from shapesolve.language.dims import Dim, of_atom
from shapesolve.language.evaluation import evaluate, holds
from shapesolve.language.formulas import FALSE, TRUE, Formula, equal, implies, negation
from shapesolve.language.limits import TooLarge
from shapesolve.measuring import stage
from shapesolve.proving.checking import out_of_bounds
from shapesolve.proving.counterexamples import FEW_QUESTIONS, MOST_QUESTIONS, Counterexample, smallest
from shapesolve.proving.detail import MADE_SMALL, Detail, Effort
from shapesolve.proving.equalities import without_shares
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.limits import DEFAULT_BUDGET
from shapesolve.proving.models import Model
from shapesolve.proving.not_modelled import NotModelled
from shapesolve.proving.observing import judging
from shapesolve.proving.origins import Origins
from shapesolve.proving.presumptions import Presumptions, only_where_it_wraps
from shapesolve.proving.reachability import Reachability
from shapesolve.proving.reasons import Why, all_of, joined
from shapesolve.proving.slicing import MAX_COMPONENT, MAX_PER_VARIABLE, component
from shapesolve.proving.solver import Answer, GaveUp, Satisfiable, Solver, Unsatisfiable
from shapesolve.proving.variations import free_sizes, smaller_too
from shapesolve.proving.verdicts import (
    NOT_PROVED,
    NOT_SEEN,
    Obstacle,
    Proved,
    Refuted,
    Sizes,
    Undecided,
    Unreachable,
    Verdict,
)
from shapesolve.proving.wrapping import BY_WRAPPING
from shapesolve.walking.obligations import Fact, Presumption

SMALL_SLICE = 40
"""The first slice holds at most so many facts."""


@dataclass(slots=True)
class _Scope:
    raised: list[int]
    approximate: str
    active: int  # how many facts held when it began
    way: frozenset[Variable]  # what decides whether it is reached


class Prover:
    """Knows the facts of one place after another, and judges claims there.

    ``inputs`` are the variables whose sizes a counterexample reports; ``approximated`` maps variables that are free
    because something was not modelled to what that was, and those of them that are ``undefined`` mean nothing when
    they are executed. ``extents`` are the least and the most that an extent of an
    input of unknown rank is in a counterexample; the sizes of other inputs have bounds of their own.
    Claims that are judged after the ``deadline`` are undecided.
    """

    def __init__(
        self,
        solver: Solver,
        *,
        inputs: Sequence[Variable] = (),
        approximated: dict[Variable, str] | None = None,
        undefined: frozenset[Variable] = frozenset(),
        budget: int = DEFAULT_BUDGET,
        extents: tuple[int, int] = (0, MAX_SIZE),
        deadline: Deadline = NEVER,
    ) -> None:
        self._deadline = deadline
        self._extents = extents
        self._inputs = tuple(inputs)
        self._undefined = undefined
        self._budget = budget
        self._ledger = Ledger()
        self._facts: list[Fact] = []
        self._not_modelled = NotModelled(self._ledger, self._facts, approximated or {})
        self._origins = Origins(self._ledger, self._facts)
        self._solver = solver.told(self._origins)
        self._reach = Reachability(self._ledger, self._solver)
        self._presumed = Presumptions(self._ledger, self._reach, self._solver)
        self._active: list[int] = []
        self._scopes: list[_Scope] = []
        self._lost = ""  # why a fact that holds is not among those that are known

    # Facts and scopes --------------------------------------------------------------------------------------------

    @stage("prove")
    def assume(self, fact: Fact) -> None:
        """The fact holds from here to the end of the innermost scope."""
        if fact.formula is TRUE:
            return
        number = len(self._facts)
        self._facts.append(fact)
        self._active.append(number)
        if self._scopes:
            self._scopes[-1].raised.append(number)
        if self._deadline.passed:  # nothing is judged any more
            return
        self._ledger.assume(fact.formula, number)

    def presume(self, presumption: Presumption) -> None:
        """Something is taken for granted from here to the end of the innermost scope."""
        self._presumed.add(presumption)

    def enter(self, condition: Fact | None, approximate: str = "") -> None:
        """A region begins, reached only where the condition holds."""
        self._reach.push()
        self._ledger.push()
        self._presumed.push()
        way = frozenset[Variable]() if condition is None else condition.formula.variables
        self._scopes.append(_Scope([], approximate, len(self._active), way))
        if condition is not None:
            self.assume(condition)
            self._scopes[-1].raised.clear()  # the condition itself says nothing afterwards

    def leave(self, runs: Formula | None) -> None:
        """The region ends; what it established holds afterwards wherever ``runs`` does."""
        scope = self._scopes.pop()
        self._ledger.pop()
        self._reach.pop()
        self._presumed.pop(None if scope.approximate else runs)
        del self._active[scope.active :]
        if runs is None or scope.approximate:
            return
        for number in scope.raised:
            fact = self._facts[number]
            try:
                lasting = implies(runs, fact.formula)
            except TooLarge as limit:
                self._lost = limit.message
                continue
            self.assume(Fact(lasting, fact.source, fact.because, fact.location))

    # Judging -----------------------------------------------------------------------------------------------------

    def reachable(self) -> Verdict | None:
        """`Unreachable` or `Undecided` where no sizes are known that get here; None where some are."""
        contradiction = self._reach.contradiction(self._budget)
        if contradiction is not None:
            return Unreachable(contradiction, self._facts)
        if self._reach.unknown is not None:
            why = self._reach.unknown
            late = why.obstacle in (Obstacle.TIME, Obstacle.COMMAND)
            return Undecided(why.obstacle if late else Obstacle.FACTS, why.reason)
        return None

    @judging
    def judge(self, claim: Formula, *, name: str = "claim", line: int = 0, detail: Detail = Detail.SIZES) -> Verdict:
        """The verdict on a claim at this point. ``name`` and ``line`` are for what the solver writes about it."""
        self._origins.place = f"line {line}: {name}" if line else name
        if self._deadline.passed:
            return Undecided(Obstacle.COMMAND, TIME_LIMIT)
        try:
            return self._judge(claim, name, detail)
        except TooLarge as limit:
            return Undecided(Obstacle.SIZE, limit.message)
        except RecursionError:
            return Undecided(Obstacle.SIZE, "expressions are nested too deep")

    def _judge(self, claim: Formula, name: str, detail: Detail) -> Verdict:
        unreached = self.reachable()
        if unreached is not None:
            return unreached
        objection = self._presumed.objection(self._budget)
        if objection is not None:
            return objection
        if claim is TRUE:
            return Proved("normal form")
        if detail in (Detail.SIGHT, Detail.PROOF) and self._is_false_somewhere(claim):
            return NOT_PROVED if detail is Detail.PROOF else NOT_SEEN
        why = self._ledger.decide(claim)
        if why is not None:
            return Proved("ledger", why, self._facts)
        if detail is Detail.SIGHT:
            return NOT_SEEN
        simple, because = self._ledger.simplify(claim)
        if detail is Detail.EXTREMES:
            detail = Detail.PROOF if self._reach.allows(simple) else Detail.ALWAYS
        if detail is Detail.PROOF and self._reach.witnesses.breaks(simple):
            return NOT_PROVED
        against = self._reach.against(simple)
        if against is not None and detail is Detail.PROOF and self._reach.witnesses.is_within_bounds(against):
            return NOT_PROVED
        return self._by_solver(claim, simple, because, name, detail, self._tried(claim, simple, against))

    def _tried(self, claim: Formula, simple: Formula, against: Model | None) -> Satisfiable | None:
        """Sizes against the claim that were found by trying some, as the answer of a solver."""
        if against is None or simple is FALSE:
            return None
        answer = Satisfiable(against, "small sizes")
        return answer if self._broken(claim, self._completed(answer)) is None else None

    def _by_solver(
        self, claim: Formula, simple: Formula, because: Why, name: str, detail: Detail, tried: Satisfiable | None
    ) -> Verdict:
        self._origins.claim = simple
        variables = simple.variables
        if not variables:
            variables = frozenset(self._ledger.left_of(claim.variables))
        for most, per_variable in ((SMALL_SLICE, SMALL_SLICE), (MAX_COMPONENT, MAX_PER_VARIABLE)):
            facts = component(self._ledger, variables, limit=most, per_variable=per_variable)
            query = [(0, negation(simple))] + [(number + 1, formula) for number, (formula, _) in enumerate(facts)]
            answer = tried or self._check(query, name)
            if isinstance(answer, Unsatisfiable):
                used = [facts[label - 1][1] for label in sorted(answer.core) if label > 0]
                return Proved(answer.rung, joined(because, all_of(used)), self._facts)
            if detail is Detail.PROOF and self._is_broken(claim, answer):
                return NOT_PROVED
            if len(facts) < SMALL_SLICE:
                break
        if detail is not Detail.PROOF:
            decisive = self._not_modelled.decisive(facts)
            return self._refuted_or_undecided(claim, answer, query, decisive, name, detail)
        if not isinstance(answer, Satisfiable):
            return NOT_PROVED
        return self._judge(claim, name, detail) if self._reach.learn_bounds(self._completed(answer)) else NOT_PROVED

    def _is_false_somewhere(self, claim: Formula) -> bool:
        """Whether sizes are kept that get here and make the claim false, so that nothing proves it."""
        simple, _ = self._ledger.simplify(claim)
        return not holds(simple, self._reach.model) or self._reach.witnesses.breaks(simple)

    def _is_broken(self, claim: Formula, answer: Answer) -> bool:
        """Whether sizes that were found against the claim on some of the facts satisfy all of them."""
        sizes = self._completed(answer) if isinstance(answer, Satisfiable) else None
        if sizes is None or self._broken(claim, sizes) is not None:
            return False
        self._reach.witnesses.add(sizes)
        return True

    def _check(self, query: list[tuple[int, Formula]], name: str) -> Answer:
        if query[0][1] is TRUE:  # the claim is false outright: any sizes that get here refute it
            return Satisfiable(self._reach.model, "ledger")
        return self._solver.check(query, name=name, budget=self._budget)

    def _refuted_or_undecided(
        self,
        claim: Formula,
        answer: Answer,
        query: list[tuple[int, Formula]],
        decisive: list[Formula],
        name: str,
        detail: Detail,
    ) -> Verdict:
        if isinstance(answer, GaveUp):
            return Undecided(answer.obstacle, answer.reason)
        assert isinstance(answer, Satisfiable)
        ways = (scope.way for scope in self._scopes)
        involved = self._not_modelled.involved((claim, query[0][1], *decisive), ways, self._active)
        approximated = self._lost or self._approximate_scope() or self._not_modelled.cause(involved)
        questions = FEW_QUESTIONS if approximated else MOST_QUESTIONS
        wanted = Detail.VERDICT if approximated and detail is Detail.SHOWN else detail
        refuted = self._smallest(claim, answer, query, name, Effort(questions, wanted))
        if isinstance(refuted, Undecided):
            return self._judge(claim, name, detail) if self._reach.learn_bounds(self._completed(answer)) else refuted
        if not approximated:
            return refuted
        return Undecided(Obstacle.APPROXIMATION, approximated, refuted, self._undefined.isdisjoint(involved))

    def _approximate_scope(self) -> str:
        return next((scope.approximate for scope in self._scopes if scope.approximate), "")

    def _completed(self, answer: Satisfiable) -> Model:
        sizes = Model({**self._reach.model, **answer.model})
        self._complete(sizes)
        return sizes

    def _smallest(
        self, claim: Formula, answer: Satisfiable, query: list[tuple[int, Formula]], name: str, effort: Effort
    ) -> Refuted | Undecided:
        """Sizes that break the claim: small ones where somebody will look at them."""
        extended = list(query)
        if query[0][1] is TRUE:  # whatever gets here fails, so that only the facts say which sizes are small
            facts = component(self._ledger, self._ledger.left_of(self._inputs), limit=SMALL_SLICE)
            extended = list(enumerate([TRUE, *(formula for formula, _ in facts)]))
        present = frozenset[Variable]().union(*(formula.variables for _, formula in extended))
        inputs: list[Variable] = []
        for each in self._inputs:
            definition = self._ledger.definition(each)
            if definition is None:
                if each in present:
                    inputs.append(each)
            elif definition[0].variables & present and each.lower is not None:
                extended.append((len(extended), equal(of_atom(each), definition[0])))
                inputs.append(each)
        start = self._completed(answer)
        start.update({each: start[each] for each in present})  # a model has a number for what it does not name, too
        tried: list[Counterexample] = []
        if effort.detail in MADE_SMALL and answer.rung != BY_WRAPPING:
            made_small = smallest(
                self._solver, extended, inputs, budget=self._budget, name=name, start=start, questions=effort.questions
            )
            tried.append(made_small)
        tried.append(Counterexample(start, smallest=False, needs=None))
        broken: str | None = None
        for least in tried:
            sizes = Model({**self._reach.model, **least.model})
            self._complete(sizes)
            broken = self._broken(claim, sizes)
            wraps = self._presumed.broken(sizes) if broken is None else None
            if wraps is not None:
                return self._elsewhere(claim, query, name, effort, wraps)
            if broken is None:
                always = effort.detail is not Detail.VERDICT and self._always_fails(query, name)
                condition = without_shares(negation(query[0][1]), self._ledger.shares)
                refuted = Refuted(answer.rung, self._reported(sizes), least.smallest, least.needs, always, condition)
                formulas = [formula for _, formula in extended]
                if always or effort.detail not in MADE_SMALL:
                    return refuted
                return self._varied(refuted, claim, formulas, inputs, sizes, name)
        return Undecided(Obstacle.NOTHING_FOUND, f"the sizes that were found do not satisfy {broken}")

    def _varied(
        self,
        refuted: Refuted,
        claim: Formula,
        query: list[Formula],
        inputs: Sequence[Variable],
        sizes: Model,
        name: str,
    ) -> Refuted:
        """The refutation, with what its sizes might be as well. ``inputs`` are those that the query speaks of."""
        if any(isinstance(each, ShapeSymbol) for each in self._inputs):
            return refuted
        free = free_sizes(self._solver, query, inputs, sizes, budget=self._budget, name=name)
        apart = [each for each in self._inputs if each not in inputs and self._is_open(each)]
        shown = [each for each in inputs if each not in free and each.lower is not None and each.lower >= 0]
        floor = min((number for each in shown if isinstance(number := sizes[each], int)), default=None)
        also: Sizes | None = None
        if floor is not None and floor > 0:

            def fails(other: Model) -> bool:
                self._complete(other)
                return self._broken(claim, other) is None and self._presumed.broken(other) is None

            also = smaller_too(shown, sizes, fails)
        floor = None if floor is None else min(floor, 2)
        return replace(refuted, floor=floor, also=also, free=frozenset((*free, *apart)))

    def _is_open(self, variable: Variable) -> bool:
        """Whether the facts leave a variable more than one number, as far as they say so outright."""
        definition = self._ledger.definition(variable)
        return definition is None or not definition[0].is_constant

    def _elsewhere(
        self, claim: Formula, query: list[tuple[int, Formula]], name: str, effort: Effort, wraps: Presumption
    ) -> Refuted | Undecided:
        """Sizes that break the claim and nothing that is taken for granted, where the first ones broke that."""
        presumed = self._presumed.formulas()
        given = {formula for _, formula in query}
        if given.issuperset(presumed):
            return only_where_it_wraps(wraps)
        variables = frozenset[Variable]().union(*(formula.variables for formula in (*given, *presumed)))
        facts = [formula for formula, _ in component(self._ledger, variables)]
        query = [query[0], *enumerate(dict.fromkeys((*presumed, *facts)), 1)]
        answer = self._solver.check(query, name=f"{name}-presumed", budget=self._budget)
        if isinstance(answer, Satisfiable):
            return self._smallest(claim, answer, query, name, effort)
        if isinstance(answer, Unsatisfiable):
            return only_where_it_wraps(wraps)
        return Undecided(Obstacle.BUDGET if "budget" in answer.reason else Obstacle.NOTHING_FOUND, answer.reason)

    def _complete(self, sizes: Model) -> None:
        """Give every eliminated variable the number that its definition says."""
        for variable in list(self._ledger.simplifier.solved):
            definition = self._ledger.definition(variable)
            assert definition is not None
            sizes[variable] = evaluate(definition[0], sizes)

    def _broken(self, claim: Formula, sizes: Model) -> str | None:
        """What the sizes violate of everything they should satisfy; None when they refute the claim for real."""
        if holds(claim, sizes):
            return "the negated claim"
        for number in self._active:
            if not holds(self._facts[number].formula, sizes):
                return f"`{self._facts[number].formula}`"
        return out_of_bounds(sizes, self._inputs, self._extents)

    def _always_fails(self, query: list[tuple[int, Formula]], name: str) -> bool:
        if self._reach.witnesses.allow(negation(query[0][1])) or self._reach.against(query[0][1]) is not None:
            return False
        if self._ledger.decide(query[0][1]) is not None:
            return True
        turned = [(0, negation(query[0][1])), *query[1:]]
        answer = self._solver.check(turned, name=f"{name}-always", budget=self._budget, wants_core=False)
        return isinstance(answer, Unsatisfiable)

    def _reported(self, sizes: Model) -> Model:
        return Model({variable: sizes[variable] for variable in self._inputs} if self._inputs else sizes)

    def sample(self) -> Model:
        """Sizes that get here, where `reachable` has nothing to say against it."""
        sizes = Model(self._reach.model)
        self._complete(sizes)
        return sizes

    def simplified(self, size: Dim) -> Dim:
        """What a size comes to where the facts hold, in the variables that it and the facts are about."""
        simple, _ = self._ledger.simplifier.size(size)
        return simple if simple.variables.isdisjoint(self._ledger.shares) else size

    @property
    def facts(self) -> Sequence[Fact]:
        """All facts that were ever assumed, by number."""
        return self._facts
