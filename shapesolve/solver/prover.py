"""Decision of one claim: normal form, propagation, z3 on a slice of the facts, smallest counterexample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.int64 import MAX_SIZE
from shapesolve.reasons import Reason
from shapesolve.solver.assumptions import ApproximationTracker, OverflowAssumptions
from shapesolve.solver.budgets import FEW_QUESTIONS, MOST_QUESTIONS
from shapesolve.solver.fact_subsets import proof_from_subset
from shapesolve.solver.known_proofs import KnownProofs, WaitingFacts
from shapesolve.solver.limits import DEFAULT_BUDGET
from shapesolve.solver.models import Model
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification, merge
from shapesolve.solver.query_log import QuerySources, logged
from shapesolve.solver.reachability import MAX_COMPONENT, MAX_PER_VARIABLE, SMALL_SLICE, Reachability, component
from shapesolve.solver.refutation import RefutationBuilder
from shapesolve.solver.size_limits import SizeLimits
from shapesolve.solver.size_order import MOST_BELIEVABLE, is_believable
from shapesolve.solver.verdicts import (
    BELIEVABLE_FIRST,
    NOT_PROVED,
    NOT_SEEN,
    Answer,
    Detail,
    Effort,
    GaveUp,
    Proved,
    Satisfiable,
    SizeLimit,
    Solver,
    Undecided,
    UndecidedReason,
    Unreachable,
    Unsatisfiable,
    Verdict,
)
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import implies, negation
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.events import Fact, OverflowAssumption

MANY_VARIABLES = 16
"""A claim about more variables than this is tried with sizes that are equal but for one before a solver is asked."""

_BY_NORMAL_FORM = Proved("normal form")

Generalize = Callable[[Formula], Formula | None]
"""Returns what a claim on one iteration says of all of them; None if that is unknown."""


@dataclass(slots=True)
class _Scope:
    raised: list[int]
    approximate: str
    active: int  # how many facts held when it began
    path_variables: frozenset[Variable]  # what decides whether it is reached


class Prover:
    """Decides claims at one program point after another, under the facts that hold there.

    Args:
        inputs: The variables whose sizes a counterexample reports.
        approximated: The reasons of variables that are free because something was not modeled.
        undefined: Those of the approximated variables whose value is meaningless when the program is executed.
        extents: The least and the largest extent of an input of unknown rank in a counterexample; the sizes of
            other inputs have bounds of their own.
        deadline: Claims that are decided after it are undecided.
        known: Proofs of earlier checks, perhaps none yet: facts are propagated when a claim needs it that has none.
    """

    def __init__(
        self,
        solver: Solver,
        *,
        inputs: Sequence[Variable] = (),
        approximated: Mapping[Variable, Reason] | None = None,
        undefined: frozenset[Variable] = frozenset(),
        budget: int = DEFAULT_BUDGET,
        extents: tuple[int, int] = (0, MAX_SIZE),
        deadline: Deadline = NEVER,
        known: KnownProofs | None = None,
    ) -> None:
        self._deadline = deadline
        self._inputs = tuple(inputs)
        self._undefined = undefined
        self._budget = budget
        self._propagator = Propagator()
        self._facts: list[Fact] = []
        self._approximations = ApproximationTracker(self._propagator, self._facts, approximated or {})
        self._origins = QuerySources(self._propagator, self._facts)
        self._solver = solver.with_sources(self._origins)
        self._reach = Reachability(self._propagator, self._solver)
        self._overflow = OverflowAssumptions(self._propagator, self._reach, self._solver)
        self._active: list[int] = []
        self._scopes: list[_Scope] = []
        self._refutations = RefutationBuilder(
            self._propagator,
            self._reach,
            self._overflow,
            self._solver,
            facts=self._facts,
            active=self._active,
            inputs=self._inputs,
            extents=extents,
            budget=budget,
        )
        self._limits = SizeLimits(self._propagator, self._solver, self._inputs, budget)
        self._proved = set[Formula]()  # since the innermost scope began, or another one ended
        self._unreachable: Unreachable | None = None  # the latest such verdict: claims of one place share it
        self._known = known
        self._records = known is not None
        self._waiting = WaitingFacts(self._propagator, self._reach, self._overflow)
        self._numbers: dict[Formula, list[int]] = {}  # of the facts that hold here, where proofs are known
        self.proved: list[tuple[Formula, Proved]] = []
        """The claims that it proved, where earlier proofs may be used."""
        self._has_ended = False  # whether facts outside of all scopes contradict each other
        self._lost = ""  # why a fact that holds is not among those that are known

    # Facts and scopes --------------------------------------------------------------------------------------------

    @stage("prove")
    def assume(self, fact: Fact) -> None:
        """Assume a fact from here to the end of the innermost scope."""
        if fact.formula is TRUE:
            return
        number = len(self._facts)
        self._facts.append(fact)
        self._active.append(number)
        if fact.formula in self._proved:
            self._approximations.mark_implied(number)
        if self._scopes:
            self._scopes[-1].raised.append(number)
        if self._known is not None:
            self._numbers.setdefault(fact.formula, []).append(number)
        if self._deadline.passed or self._has_ended:  # nothing is judged any more, or everything is unreachable
            return
        if self._known is not None:
            if self._waiting.add_fact(fact.formula, number):
                return
            self._waiting.propagate()
        self._propagator.assume(fact.formula, number)
        self._has_ended = not self._scopes and self._propagator.contradiction is not None
        if self._known is not None:
            self._waiting.settle(self._budget)

    def assume_no_overflow(self, assumption: OverflowAssumption) -> None:
        """Add an overflow assumption from here to the end of the innermost scope."""
        if self._known is None or assumption.unlikely or not self._waiting.add_overflow_assumption(assumption):
            self._waiting.propagate()
            self._overflow.add(assumption)

    def enter(self, condition: Fact | None, approximate: str = "") -> None:
        """Begin a region, reached only where the condition holds."""
        if self._known is None or not self._waiting.begin(None if condition is None else condition.formula):
            self._waiting.propagate()
            self._reach.push()
            self._propagator.push()
            self._overflow.push()
        way = frozenset[Variable]() if condition is None else condition.formula.variables
        self._scopes.append(_Scope([], approximate, len(self._active), way))
        if condition is not None:
            self.assume(condition)
            self._scopes[-1].raised.clear()  # the condition itself says nothing afterwards

    def leave(self, runs: Formula | None, generalize: Generalize | None = None) -> None:
        """End the innermost region; its facts hold afterwards wherever ``runs`` does.

        ``generalize`` returns what a fact about the generic iteration of a loop says of all of them, or None.
        """
        scope = self._scopes.pop()
        lasting = None if scope.approximate else runs
        did_wait, waiting = self._waiting.end()
        if not did_wait:
            self._reach.pop()
            self._propagator.pop()
            self._overflow.pop(lasting)
        if self._known is not None:
            for number in reversed(self._active[scope.active :]):
                self._numbers[self._facts[number].formula].pop()
        del self._active[scope.active :]
        self._proved.clear()
        if lasting is None or self._has_ended:
            return
        for each in waiting:
            formula = implies(lasting, each.formula)
            self.assume_no_overflow(OverflowAssumption(formula, each.because, each.location))
        self._assume_lasting(scope, lasting, generalize)

    def _assume_lasting(self, scope: _Scope, runs: Formula, generalize: Generalize | None) -> None:
        """Assume the facts of a scope that has ended wherever ``runs`` holds."""
        for number in scope.raised:
            fact = self._facts[number]
            try:
                lasting = implies(runs, fact.formula)
            except TooLarge as limit:
                self._lost = limit.message
                continue
            if self._approximations.is_implied(number):
                self._proved.add(lasting)
            elif generalize is not None and fact.operation:
                self._assume_of_all(fact, runs, generalize)
            self.assume(replace(fact, formula=lasting, built_by=None))

    def _assume_of_all(self, fact: Fact, runs: Formula, generalize: Generalize) -> None:
        """Assume what a claim that was raised in every iteration says of all of them."""
        try:
            of_all = generalize(fact.formula)
            if of_all is not None and of_all is not fact.formula:
                self.assume(replace(fact, formula=implies(runs, of_all), built_by=None))
        except TooLarge as limit:
            self._lost = limit.message

    # Judging -----------------------------------------------------------------------------------------------------

    def reachable(self) -> Verdict | None:
        """Return `Unreachable` or `Undecided` if no sizes are known that get here, else None."""
        self._waiting.propagate()
        contradiction = self._reach.contradiction(self._budget)
        if contradiction is not None:
            if self._unreachable is None or not self._unreachable.is_because_of(contradiction):
                self._unreachable = Unreachable(contradiction, self._facts)
            return self._unreachable
        if self._reach.unknown is not None:
            why = self._reach.unknown
            late = why.reason_kind in (UndecidedReason.TIME, UndecidedReason.COMMAND)
            return Undecided(why.reason_kind if late else UndecidedReason.FACTS, why.reason)
        return None

    @logged
    def verdict_on(
        self,
        claim: Formula,
        *,
        name: str = "claim",
        line: int = 0,
        detail: Detail = Detail.SIZES,
        rivals: Sequence[Formula] = (),
    ) -> Verdict:
        """Return the verdict on a claim at this point.

        Args:
            name: Its name in what the solver writes.
            line: The line of its operation there.
            detail: How much to find out.
            rivals: Claims that hold at the sizes of a counterexample where there are such sizes.
        """
        self._refutations.rivals = tuple(rivals)
        self._origins.place = f"line {line}: {name}" if line else name
        if self._deadline.passed:
            return Undecided(UndecidedReason.COMMAND, TIME_LIMIT)
        try:
            known = self._verdict_at_once(claim, detail) if self._waiting.reached else None
            verdict = self._decide_claim(claim, name, detail) if known is None else known
            if isinstance(verdict, Proved):
                self._proved.add(claim)
            return verdict
        except TooLarge as limit:
            return Undecided(UndecidedReason.SIZE, limit.message)
        except RecursionError:
            return Undecided(UndecidedReason.SIZE, "expressions are nested too deep")

    def _verdict_at_once(self, claim: Formula, detail: Detail) -> Verdict | None:
        """Return the verdict that earlier proofs or the kept sizes show, which must get here; None if none does."""
        if self._known is None:
            return None
        if claim is TRUE:
            return _BY_NORMAL_FORM
        known = self._known.proof_of(claim, self._numbers, self._facts)
        if known is None and detail in (Detail.SIGHT, Detail.PROOF) and self._waiting.is_false_somewhere(claim):
            return NOT_PROVED if detail is Detail.PROOF else NOT_SEEN
        return known

    def _decide_claim(self, claim: Formula, name: str, detail: Detail) -> Verdict:
        """Decide a claim by normal form, earlier proofs, known sizes, propagation, or last by the solver."""
        unreached = self.reachable()
        if unreached is not None:
            return unreached
        blocking = self._overflow.blocking_verdict(self._budget)
        if blocking is not None:
            return blocking
        if claim is TRUE:
            return _BY_NORMAL_FORM
        known = None if self._known is None else self._known.proof_of(claim, self._numbers, self._facts)
        if known is not None:
            return known
        is_false = self._is_false_somewhere(claim)
        if detail in (Detail.SIGHT, Detail.PROOF) and is_false:
            return NOT_PROVED if detail is Detail.PROOF else NOT_SEEN
        why = None if is_false else self._propagator.prove(claim)
        if why is not None:
            return self._found(claim, Proved("propagation", why, self._facts))
        if detail is Detail.SIGHT:
            return NOT_SEEN
        simple, because = self._propagator.simplify(claim)
        if detail is Detail.EXTREMES:
            detail = Detail.PROOF if self._reach.allows(simple) else Detail.ALWAYS
        if detail is Detail.PROOF and self._reach.witnesses.breaks(simple):
            return NOT_PROVED
        against = self._reach.against(simple)
        if against is not None and detail is Detail.PROOF and self._reach.witnesses.is_within_bounds(against):
            return NOT_PROVED
        if against is None and detail is Detail.PROOF and self._reach.nearby(simple) is not None:
            return NOT_PROVED
        return self._by_solver(claim, simple, because, name, detail, self._tried(claim, simple, against))

    def _found(self, claim: Formula, proof: Proved) -> Proved:
        if self._records:
            self.proved.append((claim, proof))
        return proof

    def _tried(self, claim: Formula, simple: Formula, against: Model | None) -> Satisfiable | None:
        """Return sizes against the claim that evaluation found, as the answer of a solver, or None."""
        if against is None or simple is FALSE:
            return None
        answer = Satisfiable(against, "small sizes")
        return answer if self._refutations.violated(claim, self._refutations.completed(answer)) is None else None

    def _by_solver(
        self,
        claim: Formula,
        simple: Formula,
        because: Justification,
        name: str,
        detail: Detail,
        tried: Satisfiable | None,
    ) -> Verdict:
        """Decide a claim by a query of the facts connected to it: the nearest ones first, then more.

        Args:
            simple: The claim in its simplest form, which is equivalent to it by the facts that ``because`` names.
            tried: Sizes against the claim that were found without the solver, if any were.
        """
        self._origins.claim = simple
        variables = simple.variables
        if not variables:
            variables = frozenset(self._propagator.free_variables(claim.variables))
        limit: SizeLimit | None = None
        if tried is None and len(variables) > MANY_VARIABLES:
            tried = self._tried(claim, simple, self._reach.patterned(simple))
        if tried is None and detail in BELIEVABLE_FIRST and self._limits.is_expected:
            limit = self._limit(simple, name)
            near = None if limit is None else self._reach.nearby(simple)
            tried = self._tried(claim, simple, near)
        for most, per_variable in ((SMALL_SLICE, SMALL_SLICE), (MAX_COMPONENT, MAX_PER_VARIABLE)):
            facts = component(self._propagator, variables, limit=most, per_variable=per_variable)
            query = [(0, negation(simple))] + [(number + 1, formula) for number, (formula, _) in enumerate(facts)]
            answer = tried or self._check(query, name)
            if isinstance(answer, Unsatisfiable):
                used = [facts[label - 1][1] for label in sorted(answer.core) if label > 0]
                return self._found(claim, Proved(answer.strategy, merge(because, merge(*used)), self._facts))
            if detail is Detail.PROOF and self._is_broken(claim, answer):
                return NOT_PROVED
            if len(facts) < SMALL_SLICE:
                break
        proof = self._proof_from_subset(claim, name) if isinstance(answer, GaveUp) else None
        if proof is not None:
            return self._found(claim, proof)
        if detail is not Detail.PROOF:
            decisive = self._approximations.decisive(facts)
            return self._refuted_or_undecided(claim, answer, query, decisive, name, detail, limit)
        if not isinstance(answer, Satisfiable):
            return NOT_PROVED
        return (
            self._decide_claim(claim, name, detail)
            if self._reach.learn_bounds(self._refutations.completed(answer))
            else NOT_PROVED
        )

    def _proof_from_subset(self, claim: Formula, name: str) -> Proved | None:
        is_implied = self._approximations.is_implied
        return proof_from_subset(
            claim, self._facts, self._active, is_implied, self._solver, name=name, budget=self._budget
        )

    def _is_false_somewhere(self, claim: Formula) -> bool:
        """Return whether kept sizes get here and make the claim false, so that it cannot be proved."""
        simple, _ = self._propagator.simplify(claim)
        return not holds(simple, self._reach.model) or self._reach.witnesses.breaks(simple)

    def _is_broken(self, claim: Formula, answer: Answer) -> bool:
        """Return whether sizes that falsify the claim under some of the facts satisfy all of them."""
        sizes = self._refutations.completed(answer) if isinstance(answer, Satisfiable) else None
        if sizes is None or self._refutations.violated(claim, sizes) is not None:
            return False
        self._reach.witnesses.add(sizes)
        return True

    def _check(self, query: list[tuple[int, Formula]], name: str) -> Answer:
        if query[0][1] is TRUE:  # the claim is false outright: any sizes that get here refute it
            return Satisfiable(self._reach.model, "propagation")
        return self._solver.check(query, name=name, budget=self._budget)

    def _refuted_or_undecided(
        self,
        claim: Formula,
        answer: Answer,
        query: list[tuple[int, Formula]],
        decisive: list[Formula],
        name: str,
        detail: Detail,
        limit: SizeLimit | None,
    ) -> Verdict:
        if isinstance(answer, GaveUp):
            return Undecided(answer.reason_kind, answer.reason, limit=limit)
        assert isinstance(answer, Satisfiable)
        ways = (scope.path_variables for scope in self._scopes)
        involved = self._approximations.deciding_variables((claim, query[0][1], *decisive), ways, self._active)
        approximated = self._reasons_approximate() or self._approximations.reasons(involved)
        if approximated and limit is None and detail in BELIEVABLE_FIRST and not self._is_believable(answer):
            limit = self._limit(negation(query[0][1]), name)
        is_hopeless = limit is not None and limit.most >= MOST_BELIEVABLE
        questions = MOST_QUESTIONS if not approximated else 0 if is_hopeless else FEW_QUESTIONS
        wanted = Detail.VERDICT if approximated and detail is not Detail.SIZES else detail
        effort = Effort(questions, Detail.ALWAYS if wanted is Detail.WITNESS else wanted)
        refuted = self._refutations.smallest(claim, answer, query, name, effort)
        if wanted is Detail.WITNESS and isinstance(refuted, Undecided):  # smaller sizes may be no such obstacle
            refuted = self._refutations.smallest(claim, answer, query, name, Effort(questions, Detail.SHOWN))
        if isinstance(refuted, Undecided):
            return (
                self._decide_claim(claim, name, detail)
                if self._reach.learn_bounds(self._refutations.completed(answer))
                else refuted
            )
        if not approximated:
            return refuted
        if is_hopeless:
            self._reach.witnesses.add(self._refutations.completed(answer))
        return Undecided.approximated(approximated, refuted, self._undefined.isdisjoint(involved), limit)

    def _limit(self, simple: Formula, name: str) -> SizeLimit | None:
        """Return a limit on the inputs up to which a claim on unknown values is proved, or None."""
        unknown = simple.variables & self._approximations.causes.keys()
        limit = self._limits.limit(simple, unknown, name) if unknown else None
        if limit is None or not self._reach.allows(self._propagator.simplify(limit.condition)[0]):
            return None
        return limit

    def _is_believable(self, answer: Satisfiable) -> bool:
        numbered = [each for each in self._inputs if not isinstance(each, ShapeSymbol)]
        return is_believable(self._refutations.completed(answer), numbered)

    def _reasons_approximate(self) -> tuple[Reason, ...]:
        reason = self._lost or next((scope.approximate for scope in self._scopes if scope.approximate), "")
        return (reason,) if reason else ()

    def sample(self) -> Model:
        """Return sizes that get here, provided that `reachable` is None."""
        self._waiting.propagate()
        sizes = Model(self._reach.model)
        self._refutations.complete(sizes)
        return sizes

    def sizes_against(self, claim: Formula) -> Model | None:
        """Return kept sizes that get here and make a claim false, or None if there are none."""
        for kept in (self._reach.model, *self._reach.witnesses.kept):
            sizes = Model(kept)
            self._refutations.complete(sizes)
            if self._refutations.violated(claim, sizes) is None:
                return sizes
        return None

    def simplified_size(self, size: Dim) -> Dim:
        """Return a size simplified under the facts, in the variables that it and the facts mention."""
        self._waiting.propagate()
        simple, _ = self._propagator.simplifier.size(size)
        return simple if simple.variables.isdisjoint(self._propagator.shares) else size

    def simplified_formula(self, formula: Formula) -> Formula | None:
        """Return a formula simplified under the facts, or None if it becomes too large."""
        self._waiting.propagate()
        try:
            return self._propagator.simplify(formula)[0]
        except (TooLarge, RecursionError):
            return None

    @property
    def facts(self) -> Sequence[Fact]:
        """All facts that were ever assumed, by number."""
        return self._facts
