"""Decision of a trace's obligations in program order, each under the facts that hold where it stands.

A `Policy` chooses which obligations to decide and how closely, which raised claims become facts for what follows, and
what is assumed. `Agreement` leaves out facts that contradict those before them: a fact that contradicts does so as long
as what it contradicts is known, and the same check fails in layer after layer of a model, so rejected facts are
remembered in normal form and no solver is asked for them again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.late_assumptions import LateAssumptions
from shapesolve.ir.program import Operation
from shapesolve.options import Options
from shapesolve.records import record, value_record
from shapesolve.simplification.completed_loops import generalization
from shapesolve.solver.known_proofs import KnownProofs
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Solver, Undecided, UndecidedReason, Unreachable, Verdict
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.statistics import stage
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import implies, negation
from shapesolve.trace.events import (
    Alternative,
    Fact,
    FoldQuery,
    Obligation,
    OverflowAssumption,
    Source,
    Trace,
    facts_for_non_checks,
    may_use_facts_for_checks,
)
from shapesolve.trace.visitor import Around, Handler, Made, Scope, handled_events


def solver_of(options: Options) -> Z3Solver:
    """Return a solver for one function."""
    return Z3Solver(seed=options.seed, dump_directory=options.dump_directory, deadline=options.deadline)


def prover_of(trace: Trace, solver: Solver, options: Options, known: KnownProofs | None = None) -> Prover:
    """Return a prover that knows which values of a trace are approximations, and perhaps earlier proofs."""
    approximated = {each: a.named_cause for a in trace.approximations for each in a.free}
    undefined = frozenset(each for a in trace.approximations if a.is_undefined for each in a.free)
    return Prover(
        solver,
        inputs=trace.input_variables,
        approximated=approximated,
        undefined=undefined,
        budget=options.budget,
        extents=(options.min_size, options.max_size),
        deadline=options.deadline,
        known=known,
    )


@stage("prove")
def assume_inputs(prover: Prover, trace: Trace) -> tuple[Fact, ...]:
    """Assume the facts about the inputs; return those that contradict each other, if they do."""
    for fact in trace.assumptions:
        prover.assume(fact)
    verdict = prover.reachable()
    return verdict.facts if isinstance(verdict, Unreachable) else ()


class FactRecorder(Handler[Made]):
    """Passes facts and scopes to provers. Fold queries and events that may not return imply nothing."""

    def __init__(self, *provers: Prover) -> None:
        self.provers = provers

    def fact(self, fact: Fact, around: Around) -> Made | None:
        for each in self.provers:
            each.assume(fact)

    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> Made | None:
        for each in self.provers:
            each.assume_no_overflow(assumption)

    def enter(self, scope: Scope, around: Around) -> Made | None:
        for each in self.provers:
            each.enter(scope.enter.condition, scope.enter.approximate)

    def leave(self, scope: Scope, around: Around) -> Made | None:
        for each in self.provers:
            each.leave(scope.leave.runs, generalization(scope.leave))


class Ask(Protocol):
    """Decides a claim at the current point."""

    def __call__(self, claim: Formula, /, *, name: str, detail: Detail) -> Verdict: ...


Progress = Callable[[str, int, int], None]
"""Callback with the function being checked, the number of obligations done, and their total."""

NOT_CHECKED = Undecided(UndecidedReason.NOTHING_FOUND, "it was not judged")
"""The verdict on an obligation that the policy leaves out."""


def always(_: object) -> bool:
    """Return True for any argument."""
    return True


def never(_: object) -> bool:
    """Return False for any argument."""
    return False


def all_sizes(_: Obligation) -> Detail:
    """Ask for small failing sizes of every obligation."""
    return Detail.SIZES


@value_record
class Policy:
    """Selection of a trace's obligations to decide, their level of detail, and what is assumed.

    Attributes:
        should_check: Whether to decide an obligation; others count as undecided.
        detail: How much to find out about an obligation.
        becomes_fact: Whether a checked obligation becomes a fact for what follows: one mistake is reported once.
        answers: Whether to answer fold queries about conditions.
        may_fold: Operations whose fold queries about alternatives are answered.
        folds_to: The alternatives of these operations that are asked about; None means all.
        bare: Leave out the assumptions that the program states.
        late: Believe these assumptions at each obligation, as far as they agree with the facts there; with ``bare``.
        tolerant: Leave out facts that contradict those before them.
        removes: Proved checks may be removed from the program, so a check that is a barrier relies on barriers only:
            what comes after it rests on it. Requirements of other operations are decided under all known facts.
    """

    should_check: Callable[[Obligation], bool] = always
    detail: Callable[[Obligation], Detail] = all_sizes
    becomes_fact: Callable[[CheckedObligation], bool] = always
    answers: bool = False
    may_fold: Callable[[Operation], bool] = never
    folds_to: Mapping[Operation, Container[Alternative]] | None = None
    bare: bool = False
    late: LateAssumptions | None = None
    tolerant: bool = False
    removes: bool = False


CHECK_ALL = Policy()


@record
class Answer:
    """Answer to one fold query about a condition.

    Attributes:
        truth: True if it always holds, False if it never does, None otherwise.
        verdict: The verdict that shows it.
    """

    truth: bool | None
    verdict: Verdict


Ways = dict[Alternative, list[Verdict]]
"""Verdicts on an operation's folding to each of its alternatives, one for each time it was asked."""


class ObligationChecker(FactRecorder[CheckedObligation]):
    """Decides the obligations and fold queries of a trace.

    ``apart`` is the prover for obligations that are no checks, where a trace needs a second account (`trace.events`).
    """

    def __init__(self, prover: Prover, policy: Policy = CHECK_ALL, apart: Prover | None = None) -> None:
        super().__init__(*((prover,) if apart is None else (prover, apart)))
        self._prover = prover
        self._policy = policy
        self._apart = apart
        self._agreement = {each: Agreement(each) for each in self.provers} if policy.tolerant else {}
        self._answers: dict[Operation, list[Answer]] = defaultdict(list)
        self._skipped: list[Mapping[Prover, Proved]] = []
        """For each open scope, the proofs under late assumptions that no run enters it, from each prover's facts."""
        self.ways: dict[Operation, Ways] = {}
        self.rivals: Mapping[Obligation, Sequence[Formula]] = {}
        """Formulas that a counterexample to an obligation should satisfy if some sizes do, by obligation."""

    @property
    def answers(self) -> Mapping[Operation, Sequence[Answer]]:
        """The answers by operation, one for each time that the interpreter reached it."""
        return self._answers

    def fact(self, fact: Fact, around: Around) -> None:
        if not (self._policy.bare and fact.source is Source.ASSUMPTION):
            for each in self.provers:
                self._record_fact(each, fact)

    def enter(self, scope: Scope, around: Around) -> None:
        self._skipped.append(self._skip_proofs(scope))
        for each in self.provers:
            condition = scope.enter.condition
            is_known = condition is None or self._agrees(each, condition)
            each.enter(condition if is_known else None, scope.enter.approximate)
        for agreement in self._agreement.values():
            agreement.enter()

    def leave(self, scope: Scope, around: Around) -> None:
        super().leave(scope, around)
        self._skipped.pop()
        for agreement in self._agreement.values():
            agreement.leave()

    def fold_query(self, question: FoldQuery, around: Around) -> None:
        if question.alternative is not None:
            if self._policy.may_fold(question.op):
                asked = self.ways.setdefault(question.op, {})
                only = self._policy.folds_to
                if only is None or question.alternative in only[question.op]:
                    _decide_alternative(partial(self._ask, self.provers[-1]), question, question.alternative, asked)
        elif self._policy.answers:
            self._answers[question.op].append(_answered(partial(self._ask, self.provers[-1]), question))

    def obligation(self, obligation: Obligation, around: Around) -> CheckedObligation:
        verdict = self._verdict(obligation) if self._policy.should_check(obligation) else NOT_CHECKED
        checked_obligation = CheckedObligation(obligation, verdict)
        if obligation.claim is not TRUE and self._policy.becomes_fact(checked_obligation):
            self._record_claim(obligation)
        return checked_obligation

    def _verdict(self, obligation: Obligation) -> Verdict:
        prover, claim = self._prover, obligation.claim
        is_for_checks = may_use_facts_for_checks(obligation)
        if self._policy.removes:
            is_for_checks = not (is_for_checks and obligation.is_barrier)
        if self._apart is not None and not is_for_checks:
            prover, claim = self._apart, implies(obligation.guard, claim)
        detail = self._policy.detail(obligation)
        rivals = self.rivals.get(obligation, ())
        place = obligation.location.line
        return self._ask(prover, claim, name=obligation.identity, detail=detail, line=place, rivals=rivals)

    def _ask(
        self,
        prover: Prover,
        claim: Formula,
        *,
        name: str,
        detail: Detail,
        line: int = 0,
        rivals: Sequence[Formula] = (),
    ) -> Verdict:
        ask = partial(prover.verdict_on, claim, name=name, detail=detail, line=line, rivals=rivals)
        if self._policy.late is None:
            return ask()
        skipped = self._skipped[-1].get(prover) if self._skipped else None
        return self._policy.late.verdict(prover, ask) if skipped is None else skipped

    def _skip_proofs(self, scope: Scope) -> Mapping[Prover, Proved]:
        """Return proofs that no run enters a scope if assumptions come before its condition: it may exclude them.

        They say nothing of a callee, which may be called from elsewhere once this call is gone.
        """
        condition = scope.enter.condition
        if self._policy.late is None or condition is None:
            return {}
        found = dict(self._skipped[-1]) if self._skipped else {}
        for each in self.provers:
            if each not in found:
                ask = partial(each.verdict_on, negation(condition.formula), detail=Detail.PROOF)
                verdict = self._policy.late.verdict(each, ask)
                if isinstance(verdict, Proved):
                    found[each] = verdict
        return found

    def _record_claim(self, obligation: Obligation) -> None:
        self._record_fact(self._prover, obligation.as_fact())
        weakened = None if self._apart is None else facts_for_non_checks(obligation)
        if self._apart is not None and weakened is not None:
            fact, given = weakened
            self._record_fact(self._apart, replace(fact, formula=implies(given, fact.formula), built_by=None))

    def _record_fact(self, prover: Prover, fact: Fact) -> None:
        if self._agrees(prover, fact):
            prover.assume(fact)

    def _agrees(self, prover: Prover, fact: Fact) -> bool:
        return not self._agreement or self._agreement[prover].has(fact)


def check_obligations(
    trace: Trace, checker: ObligationChecker, progress: Progress | None = None
) -> Iterator[CheckedObligation]:
    """Yield the checked obligations of a trace in program order."""
    total = len(trace.obligations)
    for done, checked_obligation in enumerate(handled_events(trace, checker), 1):
        yield checked_obligation
        if progress is not None:
            progress(trace.function.name, done, total)


def _decide_alternative(ask: Ask, question: FoldQuery, way: Alternative, asked: Ways) -> None:
    """Decide whether an operation folds to an alternative, unless it failed before or another one is proved."""
    verdicts = asked.setdefault(way, [])
    is_settled = way.gives is not None and any(
        len(each) > len(verdicts) and isinstance(each[-1], Proved) for each in asked.values()
    )
    if not is_settled and all(isinstance(each, Proved) for each in verdicts):
        name = f"{question.op.name}#{question.op.number}/way {way.number}"
        verdicts.append(ask(_asked(question), name=name, detail=Detail.PROOF))


def _asked(question: FoldQuery) -> Formula:
    return implies(question.guard, question.condition)


def _answered(ask: Ask, question: FoldQuery) -> Answer:
    name = f"{question.op.name}#{question.op.number}"
    verdict = ask(_asked(question), name=f"{name}/always", detail=Detail.PROOF)
    if isinstance(verdict, Proved):
        return Answer(True, verdict)
    if isinstance(verdict, Unreachable):
        return Answer(None, verdict)
    opposite = implies(question.guard, negation(question.condition))
    never = ask(opposite, name=f"{name}/never", detail=Detail.PROOF)
    return Answer(False, never) if isinstance(never, Proved) else Answer(None, verdict)


class Agreement:
    """Decides for one fact after another whether it agrees with what a prover knows at that point."""

    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self._left_out: list[set[Formula]] = [set()]
        """For each open scope, the normal forms of the facts that contradict what is known there."""

    def enter(self) -> None:
        """Open a scope."""
        self._left_out.append(set())

    def leave(self) -> None:
        """Close the innermost scope and forget what was rejected in it."""
        self._left_out.pop()

    def has(self, fact: Fact) -> bool:
        """Return whether some sizes that reach this point satisfy a fact."""
        prover = self._prover
        if prover.reachable() is None and holds(fact.formula, prover.sample()):
            return True
        prover.enter(None)
        simplified = prover.simplified_formula(fact.formula)
        agrees = not any(simplified in each for each in self._left_out)
        if agrees:
            prover.assume(fact)
            agrees = not isinstance(prover.reachable(), Unreachable)
        prover.leave(None)
        if not agrees and simplified is not None:
            self._left_out[-1].add(simplified)
        return agrees
