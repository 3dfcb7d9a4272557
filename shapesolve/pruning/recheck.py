"""Recheck of a trace that assumes nothing a removal must not rely on.

The facts are those of types, preconditions, branches and definitions, and every check that was raised before: it still
stands, or it was proved from such facts. The definedness of earlier operations is assumed only on request. The claim of
an assertion that is no barrier does not justify removing one that is, nor a branch or a select (`trace.events`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import zip_longest

from shapesolve.checker.checked_obligation import CheckedObligation, may_become_fact
from shapesolve.checker.late_assumptions import LateAssumptions
from shapesolve.checker.obligation_checker import (
    NOT_CHECKED,
    Answer,
    ObligationChecker,
    Policy,
    Progress,
    Ways,
    always,
    assume_inputs,
    check_obligations,
    never,
    prover_of,
    solver_of,
)
from shapesolve.checker.report import first_certain_failure
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.program import Operation
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.solver.prover import Prover
from shapesolve.solver.query_cache import CachingSolver
from shapesolve.solver.verdicts import Detail, Proved, Refuted, Unreachable, Verdict
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.formulas import Formula, implies
from shapesolve.trace.events import Alternative, Fact, Kind, Obligation, Trace, has_facts_for_checks_only

AcceptedVerdicts = tuple[type[Proved] | type[Unreachable], ...]
"""The verdicts that suffice."""


@record
class FunctionRecheck:
    """Results for one entry point, by operation, one element for each time the interpreter reached it.

    Attributes:
        trace: The trace that was checked.
        contradiction: Contradictory assumptions on the inputs; empty if they are satisfiable.
        checked_obligations: The checked obligations.
        answers: The answers to fold queries about conditions.
        undefined_ops: The possibly undefined operations that the trace was interpreted with.
        fold_verdicts: The verdicts on folding to each alternative.
        not_asked: Operations that count as possibly undefined because no solver was asked.
        not_shrunk: Checks whose failing sizes, if any, were not made small.
    """

    trace: Trace
    contradiction: tuple[Fact, ...]
    checked_obligations: Mapping[Operation, Sequence[CheckedObligation]]
    answers: Mapping[Operation, Sequence[Answer]]
    undefined_ops: UndefinedOps = NO_UNDEFINED_OPS
    fold_verdicts: Mapping[Operation, Mapping[Alternative, Sequence[Verdict]]] = field(
        default_factory=dict[Operation, Ways]
    )
    not_asked: frozenset[Operation] = frozenset()
    not_shrunk: frozenset[Operation] = frozenset()

    def checks(self, op: Operation) -> list[CheckedObligation]:
        """Return the checked obligations of an operation that stop the program if they are false."""
        return [each for each in self.checked_obligations.get(op, ()) if each.obligation.kind is Kind.CHECK]

    def holds(self, op: Operation) -> bool:
        """Return whether the operation has checks and all of them are proved."""
        checks = self.checks(op)
        return bool(checks) and all(isinstance(each.verdict, Proved) for each in checks)

    @property
    def all(self) -> list[CheckedObligation]:
        """All checked obligations."""
        return [each for found in self.checked_obligations.values() for each in found]

    @property
    def has_unreachable(self) -> bool:
        """True if contradictory facts were met somewhere."""
        for found in (*self.checked_obligations.values(), *self.answers.values()):
            for each in found:
                if type(each.verdict) is Unreachable:
                    return True
        return False

    @property
    def out_of_reach(self) -> frozenset[Operation]:
        """Operations whose folding was asked about where facts contradict each other."""
        return frozenset(
            op
            for op, asked in self.fold_verdicts.items()
            if any(isinstance(each, Unreachable) for found in asked.values() for each in found)
        )

    @property
    def certain_failure(self) -> CheckedObligation | None:
        """The first claim that fails for all sizes that reach it, if every call reaches it unless it fails before."""
        return first_certain_failure(self.trace, self.all)

    def always(self, op: Operation, accepted: AcceptedVerdicts = (Proved,)) -> list[Alternative]:
        """Return the alternatives that an operation folds to each time it was reached."""
        times = self.trace.reached.get(op, 0)
        asked = self.fold_verdicts.get(op, {}).items()
        return [
            way for way, found in asked if len(found) == times and all(isinstance(each, accepted) for each in found)
        ]

    def is_defined(self, op: Operation) -> bool:
        """Return whether all requirements of the operation are proved, however often it was reached."""
        return all(isinstance(each.verdict, Proved) for each in self.checked_obligations.get(op, ()))


def never_holds(checked_obligation: CheckedObligation) -> bool:
    """Return whether a requirement is false for all sizes, of an operation that is no check."""
    is_demand = checked_obligation.obligation.kind is not Kind.CHECK
    return is_demand and isinstance(checked_obligation.verdict, Refuted) and checked_obligation.verdict.always


def only_whether_proved(_: Obligation) -> Detail:
    """Ask only whether an obligation is proved."""
    return Detail.PROOF


def which_verdict(_: Obligation) -> Detail:
    """Ask whether an obligation is proved or refuted, without small sizes."""
    return Detail.VERDICT


def recheck(
    trace: Trace,
    options: Options,
    progress: Progress | None = None,
    *,
    should_check: Callable[[Obligation], bool] = always,
    ask: bool = True,
    becomes_fact: Callable[[CheckedObligation, Options], bool] = may_become_fact,
    at_end: Callable[[Prover], None] = lambda prover: None,
    bare: bool = False,
    late: bool = False,
    detail: Callable[[Obligation], Detail] = only_whether_proved,
    compares: Callable[[Operation], bool] = always,
    folds_to: Mapping[Operation, Container[Alternative]] | None = None,
    ends_early: bool = False,
) -> FunctionRecheck:
    """Check a trace in program order.

    Where assumptions, or inserted checks, make facts contradict each other, a claim is proved that follows without the
    facts that contradict those before them, so that more facts do not prove less.

    Args:
        should_check: Which obligations to decide; others count as undecided.
        ask: Whether to answer fold queries about conditions.
        becomes_fact: Which raised claims become facts.
        at_end: Called with the prover after all events.
        bare: Assume nothing.
        late: Believe assumptions after the checks, as far as they agree with them. What is proved with them is no fact
            for what follows: if it goes, it must not count among the checks.
        detail: How much to find out about an obligation.
        compares: Operations whose folding to an alternative is decided.
        folds_to: The alternatives that alone are decided; None means all.
        ends_early: Stop after the last obligation that is worth deciding.
    """
    policy = Policy(
        should_check=should_check,
        detail=detail,
        becomes_fact=lambda checked: (
            not (late and isinstance(checked.verdict, Proved)) and becomes_fact(checked, options)
        ),
        answers=ask,
        may_fold=compares,
        folds_to=folds_to,
        bare=bare or late,
        late=LateAssumptions(trace.assumptions) if late else None,
        tolerant=late,
        removes=True,
    )
    most = sum(map(should_check, trace.obligations)) if ends_early else None
    found = _run(trace, options, policy, progress, at_end, most)
    assumes = options.trust_ub or options.tolerant or (trace.assumed and not policy.bare)
    if found.contradiction or not assumes or not found.has_unreachable:
        return found
    again = _recheck_consistent(found, options, policy)
    checked_obligations = {
        op: [_better(one, other) for one, other in zip_longest(all, again.get(op, ()))]
        for op, all in found.checked_obligations.items()
    }
    return replace(found, checked_obligations=checked_obligations)


def with_sizes_that_reach(found: FunctionRecheck, options: Options) -> FunctionRecheck:
    """Return the recheck with counterexamples of checks at which no operation before them is undefined, if any exist.

    A removal must not rely on what an earlier operation requires, but a run that stops there shows nothing.
    """
    unreached = frozenset(each for each in _unreached(found) if each.op not in found.not_shrunk)
    if not unreached:
        return found
    prover = _prover(found.trace, options)
    assume_inputs(prover, found.trace)
    again: dict[Obligation, Refuted] = {}
    checker = ObligationChecker(prover, Policy(should_check=unreached.__contains__))
    for each in check_obligations(found.trace, checker):
        if each.obligation in unreached and isinstance(each.verdict, Refuted):
            again[each.obligation] = each.verdict
    checked_obligations = {
        op: [
            replace(each, verdict=replace(again[each.obligation], always=each.verdict.always))
            if each.obligation in again and isinstance(each.verdict, Refuted)
            else each
            for each in all
        ]
        for op, all in found.checked_obligations.items()
    }
    return replace(found, checked_obligations=checked_obligations)


def _unreached(found: FunctionRecheck) -> Iterator[Obligation]:
    """Yield the refuted checks at whose sizes an operation before them is undefined."""
    verdicts = {each.obligation: each.verdict for each in found.all}
    required: list[Formula] = []
    for obligation in found.trace.obligations:
        verdict = verdicts.get(obligation)
        if obligation.kind is not Kind.CHECK:
            if not isinstance(verdict, Proved):
                required.append(implies(obligation.guard, obligation.claim))
        elif isinstance(verdict, Refuted) and any(
            holds_if_determined(each, verdict.sizes) is False for each in required
        ):
            yield obligation


def _better(found: CheckedObligation, tolerant: CheckedObligation | None) -> CheckedObligation:
    if tolerant is None or not isinstance(found.verdict, Unreachable):
        return found
    return tolerant if isinstance(tolerant.verdict, Proved) else found


def _recheck_consistent(
    found: FunctionRecheck, options: Options, policy: Policy
) -> Mapping[Operation, Sequence[CheckedObligation]]:
    """Recheck without facts that contradict earlier ones, as far as unreachable obligations need it.

    The results end with the last obligation that is cut off.
    """
    cut_off = [each.obligation for each in found.all if isinstance(each.verdict, Unreachable)]
    left, wanted = len(cut_off), frozenset(cut_off)

    def matters(obligation: Obligation) -> bool:
        if obligation in wanted or obligation.kind is not Kind.CHECK:
            return policy.should_check(obligation)
        is_known = policy.becomes_fact(CheckedObligation(obligation, NOT_CHECKED))  # whatever is found out about it
        return not is_known and policy.should_check(obligation)

    tolerant = replace(
        policy, should_check=matters, detail=only_whether_proved, answers=False, may_fold=never, tolerant=True
    )
    checker, _ = checker_of(found.trace, options, tolerant)
    by_operation: dict[Operation, list[CheckedObligation]] = {}
    for each in check_obligations(found.trace, checker):
        by_operation.setdefault(each.obligation.op, []).append(each)
        left -= each.obligation in wanted
        if not left:
            break
    return by_operation


def _run(
    trace: Trace,
    options: Options,
    policy: Policy,
    progress: Progress | None,
    at_end: Callable[[Prover], None],
    most: int | None,
) -> FunctionRecheck:
    """Check a trace once; ``most``: how many obligations to decide, None for all."""
    checker, contradiction = checker_of(trace, options, policy)
    by_operation: dict[Operation, list[CheckedObligation]] = {}
    left = most
    for each in check_obligations(trace, checker, progress):
        by_operation.setdefault(each.obligation.op, []).append(each)
        if left is not None:
            left -= each.verdict is not NOT_CHECKED
            if not left:
                break
    at_end(checker.provers[0])
    if options.answers is not None:
        for each in checker.provers:
            options.answers.proofs.learn(each.proved)
    return FunctionRecheck(trace, contradiction, by_operation, checker.answers, fold_verdicts=checker.ways)


def checker_of(trace: Trace, options: Options, policy: Policy) -> tuple[ObligationChecker, tuple[Fact, ...]]:
    """Return a checker that assumes what the inputs satisfy, and the assumptions that contradict each other, if any.

    It has a second prover, for everything but assertions that are no barriers, only if the trace needs one.
    """
    provers = [_prover(trace, options) for _ in range(1 + has_facts_for_checks_only(trace))]
    contradictions = [() if policy.bare else assume_inputs(each, trace) for each in provers]
    return ObligationChecker(provers[0], policy, *provers[1:]), contradictions[0]


def _prover(trace: Trace, options: Options) -> Prover:
    solver = solver_of(options)
    if options.answers is None:
        return prover_of(trace, solver, options)
    return prover_of(trace, CachingSolver(solver, options.answers), options, options.answers.proofs)
