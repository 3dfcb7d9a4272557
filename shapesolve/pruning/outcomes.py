"""Outcomes of runtime checks and folds, with their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from shapesolve.checker.obligation_checker import never
from shapesolve.ir.program import Operation, Program, Value
from shapesolve.options import Options
from shapesolve.pruning.call_coverage import CallCoverage
from shapesolve.pruning.decisions import Decision, Decisions
from shapesolve.pruning.justifications import TRUSTED, Justifications
from shapesolve.pruning.recheck import FunctionRecheck, recheck
from shapesolve.pruning.result import CheckOutcome, CheckStatus
from shapesolve.rewriting.checks import ASSUMING_ALL, check_name, checks_of, message_of
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.solver.verdicts import Proved, Verdict
from shapesolve.trace.events import Obligation, Source

_FAILING = (CheckStatus.REFUTED, CheckStatus.UNDECIDED)


def assume_no_ub(
    entries: Sequence[FunctionRecheck], decisions: Decisions, justifications: Justifications, options: Options
) -> Mapping[Operation, str]:
    """Return the kept checks that would be proved if no operation were undefined, with the reason for each."""
    if options.trust_ub:
        return {}
    stays = {op for op, each in decisions.all.items() if not each.is_removed and each.verdict in _FAILING}
    if not stays:
        return {}

    def should_check(obligation: Obligation) -> bool:
        return obligation.op in stays

    verdicts: dict[Operation, list[Verdict]] = {}
    for each in entries:
        checked = recheck(
            each.trace,
            replace(options, trust_ub=True),
            should_check=should_check,
            ask=False,
            compares=never,
            ends_early=True,
        )
        for op in stays & checked.checked_obligations.keys():
            verdicts.setdefault(op, []).extend(checked_obligation.verdict for checked_obligation in checked.checks(op))
    return {
        op: _ub_reason(found, justifications) for op, found in verdicts.items() if found and all(map(_is_proved, found))
    }


def _is_proved(verdict: Verdict) -> bool:
    return isinstance(verdict, Proved)


def _ub_reason(verdicts: Sequence[Verdict], justifications: Justifications) -> str:
    facts = [fact for verdict in verdicts if isinstance(verdict, Proved) for fact in verdict.facts]
    trusted = [fact for fact in facts if fact.source in (Source.UB, Source.TYPE) and fact.operation]
    if not trusted:
        return justifications.ub_reason(None)
    first = trusted[0]
    return (
        f"redundant only if {justifications.describe_op(first.operation, first.location)} is not undefined; {TRUSTED}"
    )


def outcomes_of(
    program: Program,
    decisions: Decisions,
    coverage: CallCoverage,
    trusted: Mapping[Operation, str],
    gone: set[int],
    dropped: Mapping[int, str],
    registry: RuleRegistry,
) -> dict[int, CheckOutcome]:
    """Return the outcome of every check and fold, by operation number.

    Args:
        gone: Numbers of the operations that were removed.
        dropped: Operations that went with a branch around them, with the reason.
    """
    outcomes: dict[int, CheckOutcome] = {}
    handed_on = {each for op in program.operation.walk() if op.number in decisions.replacements for each in op.results}
    others = (op for op in program.operation.walk() if op.number in decisions.folds and op.number in gone)
    for op in dict.fromkeys((*checks_of(program, registry), *others)):
        removed = op.number in gone or op.number in dropped
        decision = decisions.all.get(op) or _structural(op, removed, handed_on)
        verdict, reason = decision.verdict, decision.reason
        if op.number in dropped:
            reason = dropped[op.number]
        elif decision.is_removed and not removed:
            reason = "it was proved, but has a form that cannot be removed"
        elif not removed and op in trusted:
            reason += f"; {trusted[op]}"
        function = coverage.function_of(op)
        name = check_name(op, registry) or op.name
        path = f"{function.name if function is not None else ''}/{op.name}"
        always = decision.always_fails and op.number not in dropped
        outcomes[op.number] = CheckOutcome(
            name, op.location, path, op.number, message_of(op), removed, verdict, reason, always, decision.remedies
        )
    return outcomes


def _structural(op: Operation, removed: bool, handed_on: Set[Value]) -> Decision:
    """Decide about an operation that only combines witnesses.

    Args:
        handed_on: Witnesses in whose place the operation uses replacements.
    """
    if removed:
        joins = "it joins at most one witness that may fail"
        return Decision(True, CheckStatus.PROVED, joins if op.name == ASSUMING_ALL else "its witness passes")
    if any(each in handed_on for each in op.operands):
        return Decision(
            False, CheckStatus.OPEN, "what its witness says follows from another one, which it waits for now"
        )
    missing = "not all its witnesses are" if op.name == ASSUMING_ALL else "its witness is not"
    return Decision(False, CheckStatus.OPEN, f"{missing} proved to pass")
