"""The queries that decide a refinement.

A run of the source is undefined, aborts or returns. If it returns, every requirement of the target has to hold and the
results have to have the same sizes. If a check of the source is the first failure, some check of the target has to fail
before anything undefined happens there. In both cases the target has to end: a loop of it that may not end, or a call
of itself, has to be one that the source got past: the same operation on the same values, by value number. If the source
is undefined nothing is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import CHECK_ALL, ObligationChecker, Policy, Progress, check_obligations
from shapesolve.contracts.weakest_preconditions import weakest_preconditions
from shapesolve.elements.candidates import Candidate
from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.refinement.element_results import compared_elements
from shapesolve.refinement.loop_instances import Chosen, LoopInstances
from shapesolve.refinement.loops import Guarded, guarded_events, guarded_overflow_assumptions
from shapesolve.refinement.outcome import Behavior, Ending, Finding
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.refinement.results import agreements
from shapesolve.refinement.signatures import Entry
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Refuted, Undecided, UndecidedReason, Unreachable, Verdict
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, negation
from shapesolve.trace.events import Fact, Kind, MayNotReturn, Obligation, Source
from shapesolve.trace.visitor import Around, Scope

RETURNS = Behavior(Ending.RETURNS)
CONTRADICTORY = "what the two programs compute contradicts itself"
ONE_ITERATION = "what is returned depends on an iteration of which it is not known which one"


class Comparison:
    """The queries about two interpreted programs.

    Args:
        prover: A prover without facts.
        in_step: The target once more, with the iterations of the source.
        returned_facts: Facts that hold only where the source returns.
        shapes_only: Whether elements are not compared.
        for_runs: Whether programs will be run where elements are not shown to be equal.
    """

    def __init__(
        self,
        prover: Prover,
        source: Interpretation,
        target: Interpretation,
        in_step: Interpretation,
        entries: Sequence[Entry],
        progress: Progress | None = None,
        returned_facts: Sequence[Fact] = (),
        *,
        shapes_only: bool = False,
        for_runs: bool = True,
    ) -> None:
        self._sides = None if shapes_only else (source, in_step)
        self._results = source, in_step
        self._for_runs = for_runs
        self._prover = prover
        self._returned_facts = returned_facts
        self._source = source.trace
        self._target = target.trace
        self._in_step = in_step.trace
        self._iterations = frozenset(in_step.iterations)
        self._termination = TerminationCheck(source, target)
        self._termination_in_step = TerminationCheck(source, in_step)
        self._entries = entries
        self._events = tuple(guarded_events(self._source))
        self._ends = tuple(boundary_facts(source))
        self._repeated = LoopInstances(source, self._events, frozenset(target.iterations))
        stepped = LoopInstances(in_step, tuple(guarded_events(self._in_step)), frozenset(target.iterations))
        theirs = tuple(guarded_events(self._target))
        self._theirs = LoopInstances(target, theirs, frozenset(source.iterations), stepped)
        self._same_checks = SameChecks(theirs)
        self._nests, self._nests_in_step = self._theirs.nests(), stepped.nests()
        self._progress = progress
        self.source_returns = True
        self.compared: set[str] = set()
        """The compared integers that are no sizes."""
        self.reorders = False
        """Whether reductions with equal elements may combine them in another order."""
        self.candidates: Sequence[Candidate] = ()
        """Results and buffers with elements that are not shown to be equal, for runs to look at."""
        self.elements: dict[int, str] = {}
        """For results whose elements were compared, "" if they are equal, else why that is not known."""
        self.memory: str | None = None
        """"" if memory that is written otherwise is left the same, else why that is not known; None: not compared."""
        self.contradiction: Unreachable | None = None

    def admits_input(self) -> bool:
        """Assume the preconditions of both; return whether any arguments may satisfy them."""
        facts = (*self._source.assumptions, *self._target.assumptions)
        for fact in facts:
            self._prover.assume(fact)
        reached = self._prover.reachable() if facts else None
        if isinstance(reached, Unreachable):
            self.contradiction = reached
        return self.contradiction is None

    def run(self, *, allow_lost_checks: bool) -> Iterator[Finding]:
        """Yield the findings, in the order of the queries."""
        if not self.admits_input():
            return
        for assumption in guarded_overflow_assumptions(self._source):
            self._prover.assume_no_overflow(assumption)
        yield from self._where_source_returns()
        if not allow_lost_checks:
            yield from self._where_source_aborts()

    # The source returns ------------------------------------------------------------------------------------------

    def _where_source_returns(self) -> Iterator[Finding]:
        self._prover.enter(None)
        for each in self._events:
            if each.fact is not None:
                self._prover.assume(each.fact)
        for fact in (*self._ends, *self._repeated.in_all(self._nests_in_step), *self._returned_facts):
            self._prover.assume(fact)
        if isinstance(self._prover.reachable(), Unreachable):
            self.source_returns = False
        else:
            findings: list[Finding] = []
            for finding in self._returning():
                findings.append(finding)
                yield finding
            yield from self._unless_contradictory(findings)
        self._prover.leave(None)

    def _returning(self) -> Iterator[Finding]:
        yield from self._entry_findings(RETURNS)
        total = len(self._in_step.obligations)
        checker = _TargetChecker(self._prover, self._termination_in_step, self._possible_stops(self._events), RETURNS)
        for done, checked_obligation in enumerate(check_obligations(self._in_step, checker), 1):
            demand = checked_obligation.obligation
            yield Finding(_requirement_text(demand), checked_obligation.verdict, RETURNS, Behavior.of(demand))
            self._report_progress(done, total)
        yield from checker.findings
        for each in agreements(*self._results):
            if each.claim is None:
                verdict = Undecided(UndecidedReason.APPROXIMATION, each.reason_kind)
            elif each.claim.variables & self._iterations:  # no result is known to be made of such a number so far
                verdict = Undecided(UndecidedReason.APPROXIMATION, ONE_ITERATION)
            else:
                verdict = self._prover.verdict_on(each.claim, name=each.words)
            if each.is_content:
                if isinstance(verdict, Undecided):
                    continue
                self.compared.add(each.words)
            question = f"{each.words} is the same"
            yield Finding(question, verdict, RETURNS, each.difference, compared=each.compared, result=each.result)
        if self._sides is not None:
            self.elements, self.memory, found = compared_elements(
                *self._sides, self._prover, self.compared, for_runs=self._for_runs
            )
            if found is not None:
                self.reorders, self.candidates = found.reorders, found.candidates

    def _unless_contradictory(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Yield a finding unless some run satisfies all facts that the proofs used."""
        if not all(isinstance(each.verdict, Proved | Unreachable) for each in findings):
            return
        verdict = self._prover.reachable()
        if isinstance(verdict, Unreachable):
            verdict = Undecided(UndecidedReason.FACTS, CONTRADICTORY)
        if verdict is not None:
            yield Finding("both programs can return", verdict, RETURNS, RETURNS)

    # The source aborts -------------------------------------------------------------------------------------------

    def _where_source_aborts(self) -> Iterator[Finding]:
        checks = sum(_is_check(each) for each in self._events)
        done = 0
        if checks > 1:
            self._prove_requirements()
        for position, each in enumerate(self._events):
            if isinstance(each.event, Obligation) and _is_check(each):
                yield from self._aborting(position, each, each.event)
                done += 1
                self._report_progress(done, checks)
            if each.fact is not None:
                self._prover.assume(each.fact)

    def _aborting(self, position: int, check: Guarded, obligation: Obligation) -> Iterator[Finding]:
        fails = conjunction((check.guard, negation(obligation.claim)))
        words = f"the source's {obligation.op.name} fails"
        self._prover.enter(Fact(fails, Source.BRANCH, words, obligation.location), check.approximate)
        if not isinstance(self._prover.reachable(), Unreachable):
            for fact in self._repeated.before(check, position, self._nests):
                self._prover.assume(fact)
            yield from self._target_aborts_too(
                Behavior.of(obligation), self._possible_stops(self._events[:position]), check
            )
        self._prover.leave(None)

    def _target_aborts_too(self, source: Behavior, passed: Passed, check: Guarded) -> Iterator[Finding]:
        """Assume that no check of the target fails: then no run may be left."""
        yield from self._entry_findings(source)
        question = f"the target aborts where the source {source.words}"
        if self._same_checks.is_first_to_fail(check):
            yield Finding(question, Proved("normal form"), source, RETURNS)
            return
        again = _FailingIterations(self._theirs, self._repeated.around(check))
        checker = _UntilUnreachable(self._prover, self._termination, passed, source, again)
        for checked_obligation in check_obligations(self._target, checker):
            demand = checked_obligation.obligation
            if demand.kind is not Kind.CHECK and not isinstance(checked_obligation.verdict, Unreachable):
                yield Finding(_requirement_text(demand), checked_obligation.verdict, source, Behavior.of(demand))
        yield from checker.findings
        yield Finding(question, _as_abort_verdict(self._prover.verdict_on(FALSE, name="aborts")), source, RETURNS)

    def _prove_requirements(self) -> None:
        """Find out once which demands of the target hold after its checks, whatever the source does."""
        self._prover.enter(None)
        checker = ObligationChecker(
            self._prover, Policy(lambda each: each.kind is not Kind.CHECK, _only_whether_proved)
        )
        for each in check_obligations(self._target, checker):
            if isinstance(each.verdict, Proved):
                self._same_checks.held.add(each.obligation)
        self._prover.leave(None)

    # Both --------------------------------------------------------------------------------------------------------

    def _entry_findings(self, source: Behavior) -> Iterator[Finding]:
        for entry in self._entries:
            verdict = self._prover.verdict_on(entry.holds, name="entry")
            yield Finding(entry.requirement, verdict, source, Behavior(Ending.UNDEFINED, detail=entry.broken))
            self._prover.assume(Fact(entry.holds, Source.TYPE, entry.because))

    @staticmethod
    def _possible_stops(events: Iterable[Guarded]) -> Passed:
        return [each for each in events if isinstance(each.event, MayNotReturn)]

    def _report_progress(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(self._source.function.name, done, total)


class SameChecks:
    """The target's checks by what they claim, to find the one that fails where a check of the source does.

    For most checks of the source there is one, and the target need not be walked again for each.

    Attributes:
        held: Demands of the target that are known to hold if its checks before them do.
    """

    def __init__(self, events: Sequence[Guarded]) -> None:
        self.held: set[Obligation] = set()
        self._events = events
        self._passed = 0  # the events of the target before which nothing is known to stop it but a check
        self._positions: dict[tuple[Formula, Formula], int] = {}
        for position, each in enumerate(events):
            if isinstance(each.event, Obligation) and _is_check(each) and not _is_repeated_or_unknown(each):
                self._positions.setdefault((each.guard, each.event.as_fact().formula), position)

    def is_first_to_fail(self, check: Guarded) -> bool:
        """Return whether a run in which a check of the source fails ends in a check of the target, this one at last."""
        if _is_repeated_or_unknown(check) or not isinstance(check.event, Obligation):
            return False
        found = (self._positions.get((guard, check.event.claim)) for guard in (TRUE, check.guard))
        position = min((each for each in found if each is not None), default=None)
        if position is None:
            return False
        while self._passed < position and self._is_passed(self._events[self._passed]):
            self._passed += 1
        return position <= self._passed

    def _is_passed(self, each: Guarded) -> bool:
        if isinstance(each.event, Obligation):
            return _is_check(each) or each.event.claim is TRUE or each.event in self.held
        return not isinstance(each.event, MayNotReturn)


def _is_repeated_or_unknown(each: Guarded) -> bool:
    return bool(each.approximate) or any(scope.enter.repeats for scope in each.around)


def _only_whether_proved(_: Obligation) -> Detail:
    return Detail.PROOF


class _TargetChecker(ObligationChecker):
    """Checks the target, and whether its runs get past what may not end, where the source behaves like ``source``."""

    def __init__(
        self, prover: Prover, endings: TerminationCheck, passed: Passed, source: Behavior, policy: Policy = CHECK_ALL
    ) -> None:
        super().__init__(prover, policy)
        self._termination = endings
        self._passed = passed
        self._behavior = source
        self.findings: list[Finding] = []

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
        found = self._termination.finding(self._prover, stop, self._passed, self._behavior)
        if found is not None:
            self.findings.append(found)


class _FailingIterations(NamedTuple):
    """The target's repetitions, and the iterations in which the source fails.

    Attributes:
        repeated: The repetitions.
        failing: The iterations.
    """

    repeated: LoopInstances
    failing: Chosen


class _UntilUnreachable(_TargetChecker):
    """Checks everything but checks until nothing of the program is reachable any more."""

    def __init__(
        self, prover: Prover, endings: TerminationCheck, passed: Passed, source: Behavior, again: _FailingIterations
    ) -> None:
        policy = Policy(should_check=lambda obligation: obligation.kind is not Kind.CHECK)
        super().__init__(prover, endings, passed, source, policy)
        self._again = again
        self._done = False

    @property
    def done(self) -> bool:
        return self._done

    def enter(self, scope: Scope, around: Around) -> None:
        super().enter(scope, around)
        for fact in self._again.repeated.earlier(around, scope, self._again.failing):
            self._prover.assume(fact)

    def leave(self, scope: Scope, around: Around) -> None:
        super().leave(scope, around)
        for fact in self._again.repeated.left(around, scope, self._again.failing):
            self._prover.assume(fact)

    def obligation(self, obligation: Obligation, around: Around) -> CheckedObligation:
        checked_obligation = super().obligation(obligation, around)
        self._done = not around and isinstance(checked_obligation.verdict, Unreachable)
        return checked_obligation


def _is_check(each: Guarded) -> bool:
    return isinstance(each.event, Obligation) and each.event.kind is Kind.CHECK


def _requirement_text(obligation: Obligation) -> str:
    place = f" (line {obligation.location.line})" if obligation.location.line else ""
    return f"the target does not fail at {obligation.label}{place}"


def _as_abort_verdict(verdict: Verdict) -> Verdict:
    """Return the verdict on `FALSE` as one on the claim that no run is left."""
    if isinstance(verdict, Unreachable):
        return Proved("contradiction")
    if isinstance(verdict, Refuted):
        return Refuted(verdict.strategy, verdict.sizes, verdict.smallest, verdict.needs)
    return verdict


Passed = Sequence[Guarded]
"""The operations that may not return which the source got past, if it reached them."""


@record
class TerminationCheck:
    """Termination of the target's runs, compared with the source's."""

    source: Interpretation
    target: Interpretation

    def finding(self, prover: Prover, stop: MayNotReturn, passed: Passed, source: Behavior) -> Finding | None:
        """Decide whether the target gets past an operation that may not return; None if it is not reached."""
        if isinstance(prover.reachable(), Unreachable):
            return None
        place = f"line {stop.op.location.line}: " if stop.op.location.line else ""
        question = f"{place}the target gets past {stop.op.name}"
        return Finding(question, self._verdict(prover, stop, passed), source, Behavior(Ending.RETURNS))

    def _verdict(self, prover: Prover, stop: MayNotReturn, passed: Passed) -> Verdict:
        for places in self._the_same(stop.op, passed):
            verdict = prover.verdict_on(conjunction(each.guard for each in places))
            if isinstance(verdict, Proved):
                return verdict
        reason = f"{stop.because}, and the source is not known to have got past the same"
        return Undecided(UndecidedReason.APPROXIMATION, reason)

    def _the_same(self, op: Operation, passed: Passed) -> Iterable[Sequence[Guarded]]:
        """Yield the same operations in the source, each with every place where the source got past it."""
        numbers = self.target.numbers(op)
        places: dict[Operation, list[Guarded]] = {}
        for each in passed:
            if isinstance(each.event, MayNotReturn) and numbers and self.source.numbers(each.event.op) == numbers:
                places.setdefault(each.event.op, []).append(each)
        return [found for found in places.values() if not any(each.approximate for each in found)]


def boundary_facts(interpretation: Interpretation) -> Iterator[Fact]:
    """Yield what holds of the inputs where a program returns, from its boundary iterations."""
    if not interpretation.iterations:
        return
    inputs, iterations = set(interpretation.trace.input_variables), interpretation.iterations.keys()
    demanded = weakest_preconditions(interpretation.trace)
    for each in guarded_events(interpretation.trace):
        obligation = each.event
        demand = demanded.get(obligation) if isinstance(obligation, Obligation) else None
        if demand is None or not demand.exact or each.approximate:  # it may never have been asked
            continue
        inner = (each.guard.variables | demand.obligation.claim.variables) - inputs
        if inner and inner <= iterations:  # of anything else it is not known that it occurs
            yield replace(demand.obligation.as_fact(), formula=demand.formula)
