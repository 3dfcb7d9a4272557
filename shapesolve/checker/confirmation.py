"""Confirmation of refutations and candidates by execution.

A counterexample whose execution shows nothing stays one: undefined behavior can be silent. Two things change a verdict.
An execution that contradicts the prediction makes it undecided: a failure that must be seen and was not, or one that
came before although everything there had been shown to hold. A candidate (sizes that fail unless something unmodeled
prevents it) is refuted where its execution fails at the very operation whatever the contents of the tensors are. Where
the sizes alone falsify its claim, contents with which the program gets there are enough: requirements on earlier
contents must not hide what is wrong with the sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from shapesolve.checker.checked_obligation import CheckedObligation, Confirmation, Shown
from shapesolve.checker.executed_part import place_of, suspect_range
from shapesolve.checker.execution_evidence import (
    ALWAYS_SEEN,
    LEFT_OUT,
    SILENT,
    Runs,
    confirmation,
    fail_alike,
    fails_at,
    limits,
)
from shapesolve.checker.rival_claims import named_clause
from shapesolve.checker.size_dependence import SizeDependence
from shapesolve.checker.trial_sizes import trial_sizes
from shapesolve.deadline import NEVER, Deadline
from shapesolve.execution.execution import Execution, ExecutionLimits, Input, Outcome, TensorInput, arguments
from shapesolve.execution.protocol import execution_request
from shapesolve.execution.runner import ExecutionRequest, Work, run_to_completion
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Operation, Program, ScalarType, ShapedType, Type
from shapesolve.records import value_record
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason, Unreachable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.formulas import implies
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.events import Kind, Obligation, Trace
from shapesolve.trace.visitor import enclosing_regions

MOST_EXECUTED = 16
"""Largest number of different counterexamples of one function that are executed."""

CUT_ABOVE = 400
"""Number of operations above which a function is lowered only up to the last one that may fail.

A shorter function is cut off only where it cannot be lowered as a whole.
"""

MOST_BEFORE_CANDIDATE = 2_000
"""Largest number of preceding operations with which a candidate is executed.

For a model of twelve layers lowering took 20 seconds and a gigabyte, mostly to show that the program goes on.
"""

MOST_RANK = 32
"""The largest rank of an argument that is executed: lowering takes a time that grows with its square and more."""

_TORCH = "torch."
_OF_INDICES = ("index must be smaller than dim size", "index must be larger or equal to 0")
"""Messages of torch-mlir's assertions on elements that are used as indices, where PyTorch raises."""

DID_NOT_FAIL = "predicted to fail, but the execution did not"

STOPPED = "predicted to fail here, but the execution failed before"

Arguments = tuple[Input, ...]


def confirmed(
    program: Program, trace: Trace, checked_obligations: tuple[CheckedObligation, ...], deadline: Deadline = NEVER
) -> tuple[CheckedObligation, ...]:
    """Return the checked obligations, confirmed or withdrawn by executions until the deadline."""
    return run_to_completion(confirmation_work(program, trace, checked_obligations, deadline))


def confirmation_work(
    program: Program,
    trace: Trace,
    checked_obligations: tuple[CheckedObligation, ...],
    deadline: Deadline = NEVER,
    *,
    ahead: bool = False,
) -> Work[tuple[CheckedObligation, ...]]:
    """Confirm the checked obligations as work that lets others proceed while it waits.

    Args:
        ahead: Execute what will probably be needed next at the same time; changes nothing but the time.
    """
    return _Confirmer(program, trace, checked_obligations, deadline).run(ahead=ahead)


@value_record
class _How:
    """Mode of execution: with runtime checks of operations or not, on tensors full of zeros or not."""

    runtime_checks: bool
    zero: bool = False


_PLAIN, _CHECKED = _How(runtime_checks=False), _How(runtime_checks=True)


@value_record
class _Case:
    """A checked obligation with sizes to execute, and the arguments of these sizes or why there are none.

    Attributes:
        is_decided_by_sizes: Whether a run at these sizes tells the same whatever the contents are.
    """

    checked_obligation: CheckedObligation
    sizes: Refuted
    arguments: Arguments | str
    is_decided_by_sizes: bool = False

    @property
    def op(self) -> Operation:
        return self.checked_obligation.obligation.op

    @property
    def is_candidate(self) -> bool:
        return isinstance(self.checked_obligation.verdict, Undecided)


class _Confirmer:
    """Executes the counterexamples and candidates of one function and revises the verdicts."""

    def __init__(
        self, program: Program, trace: Trace, checked_obligations: tuple[CheckedObligation, ...], deadline: Deadline
    ) -> None:
        self._program = program
        self._deadline = deadline
        self._trace = trace
        self._checked_obligations = checked_obligations
        self._cases: dict[CheckedObligation, _Case] = {}
        for each in checked_obligations:
            sizes = _sizes(each)
            if sizes is not None:
                why_not = _too_deep(trace) or _too_late(each, trace)
                given = why_not or arguments(trace, sizes.sizes, ExecutionLimits().memory_limit_bytes)
                self._cases[each] = _Case(each, sizes, given)
        executed = [case for case in self._cases.values() if not isinstance(case.arguments, str)]
        self._first, self._latest = suspect_range(trace, [case.op for case in executed])
        self._last = self._latest if len(trace.reached) > CUT_ABOVE else None
        self._runs: dict[Arguments, Runs] = {}
        self._zero_filled: dict[Arguments, Execution] = {}
        self._around = enclosing_regions(trace)
        self._unmodeled = frozenset[Variable]().union(*(each.free for each in trace.approximations))

    def run(self, *, ahead: bool) -> Work[tuple[CheckedObligation, ...]]:
        yield from self._execute(ahead=ahead)
        yield from self._execute_trials()
        return tuple(
            self._answer(self._cases[each]) if each in self._cases else each for each in self._checked_obligations
        )

    # Executing ---------------------------------------------------------------------------------------------------

    def _execute(self, *, ahead: bool) -> Work[None]:
        refutations = [case for case in self._cases.values() if not case.is_candidate]
        candidates = [case for case in self._cases.values() if case.is_candidate]
        chosen = list(dict.fromkeys(case.arguments for case in (*refutations, *candidates)))
        calls = [each for each in chosen if not isinstance(each, str)][:MOST_EXECUTED]
        early = [call for call in calls if self._is_likely_to_need_checks(call)] if ahead else []
        plain, checked = yield from self._called((calls, _PLAIN), (early, _CHECKED))
        if self._last is None and all(each.outcome is Outcome.NOT_EXECUTABLE for each in plain.values()):
            plain, checked = (yield from self._cut_off(calls)) or plain, {}
        cut_after = self._last.location.line if self._last else 0
        self._runs = {call: Runs(run, cut_after=cut_after) for call, run in plain.items()}
        unclear = [call for call in calls if self._needs_checks(call)]
        if any(each.outcome is Outcome.TIMED_OUT for each in checked.values()):
            checked = {}  # after that others are not called any more, which must not depend on what was asked together
        (more,) = yield from self._called(([call for call in unclear if call not in checked], _CHECKED))
        for call in unclear:
            self._runs[call] = replace(self._runs[call], checked=({**checked, **more})[call])
        for runtime_checks in (False, True):
            again = [
                call
                for call, runs in self._runs.items()
                if (first := _first_failure(runs)) is not None
                and first.with_runtime_checks is runtime_checks
                and any(case.arguments == call and self._may_be_shown(case, first) for case in candidates)
            ]
            (found,) = yield from self._called((again, _How(runtime_checks, zero=True)))
            self._zero_filled.update(found)

    def _execute_trials(self) -> Work[None]:
        """Execute the function at a few other small sizes where the candidates' own runs showed nothing.

        A candidate at whose operation such a run fails is replaced by the sizes of that run. What contents decide is
        left out: a run would show a failure for those that were passed, no more.
        """
        still_open = [case for case in self._cases.values() if self._showed_nothing(case)]
        if still_open:
            dependence = SizeDependence(self._program, self._trace.function)
            still_open = [case for case in still_open if dependence.is_decided_by_sizes(case.op)]
        if not still_open:
            return
        sizes: dict[Arguments, NamedSizes] = {}
        for each in trial_sizes(self._trace, still_open[0].sizes.sizes):
            call = arguments(self._trace, each, ExecutionLimits().memory_limit_bytes)
            if not isinstance(call, str) and call not in self._runs:
                sizes.setdefault(call, each)
        (found,) = yield from self._called((list(sizes), _CHECKED))
        for case in still_open:
            call = next((call for call, run in found.items() if fails_at(run, case.op)), None)
            if call is not None:
                shown = Refuted("execution", sizes[call], condition=case.sizes.condition)
                self._cases[case.checked_obligation] = replace(
                    case, sizes=shown, arguments=call, is_decided_by_sizes=True
                )
        failing = [each for each in found if any(case.arguments == each for case in self._cases.values())]
        plain, zero = yield from self._called((failing, _PLAIN), (failing, _How(runtime_checks=True, zero=True)))
        cut_after = self._last.location.line if self._last else 0
        self._runs.update({call: Runs(plain[call], found[call], cut_after=cut_after) for call in failing})
        self._zero_filled.update(zero)

    def _showed_nothing(self, case: _Case) -> bool:
        """Return whether a candidate's own run came to an end, and did not fail at its operation."""
        runs = None if isinstance(case.arguments, str) else self._runs.get(case.arguments)
        first = None if runs is None or not case.is_candidate else _first_failure(runs)
        ended = first is not None and first.outcome in (Outcome.RETURNED, Outcome.ABORTED)
        return ended and not fails_at(first, case.op)

    def _cut_off(self, calls: Sequence[Arguments]) -> Work[dict[Arguments, Execution]]:
        """Execute the function up to the last operation in question: what follows may prevent the lowering.

        Returns nothing if there is no such operation, or if that part cannot be lowered either.
        """
        self._last = self._latest
        if self._last is None:
            return {}
        (found,) = yield from self._called((calls, _PLAIN))
        if any(each.outcome is not Outcome.NOT_EXECUTABLE for each in found.values()):
            return found
        self._last = None
        return {}

    def _may_be_shown(self, case: _Case, first: Execution) -> bool:
        """Return whether other tensor contents would tell more than the first execution did."""
        stopped = first.outcome in (Outcome.ABORTED, Outcome.CRASHED)
        if fails_at(first, case.op) or (stopped and self._is_certain(case)):
            return True
        return first.outcome in (Outcome.RETURNED, Outcome.ABORTED) and self._is_of_sizes(case)

    def _needs_checks(self, call: Arguments) -> bool:
        plain = self._runs[call].plain
        return plain.outcome is not Outcome.NOT_EXECUTABLE and any(
            case.is_candidate or not fails_at(plain, case.op) for case in self._cases.values() if case.arguments == call
        )

    def _is_likely_to_need_checks(self, call: Arguments) -> bool:
        return any(
            case.is_candidate or case.checked_obligation.obligation.kind is not Kind.CHECK
            for case in self._cases.values()
            if case.arguments == call
        )

    def _called(self, *batches: tuple[Sequence[Arguments], _How]) -> Work[list[dict[Arguments, Execution]]]:
        """Return the executions of each batch of calls; all batches run at the same time."""
        wanted = [self._wanted(calls, how) for calls, how in batches if calls]
        found = iter((yield wanted) if wanted else ())
        return [dict(zip(calls, next(found), strict=True)) if calls else {} for calls, _ in batches]

    def _wanted(self, calls: Sequence[Arguments], how: _How) -> ExecutionRequest:
        asked = execution_request(
            self._program.executable,
            self._trace.function.name,
            calls,
            limits(len(self._trace.positions)),
            runtime_checks=how.runtime_checks,
            integer_fill=0 if how.zero else 1,
            zero_floats=how.zero,
            last=place_of(self._last),
            first=place_of(self._first),
        )
        return ExecutionRequest(asked, self._deadline)

    # Answering ---------------------------------------------------------------------------------------------------

    def _answer(self, case: _Case) -> CheckedObligation:
        checked_obligation = case.checked_obligation
        if isinstance(case.arguments, str):
            return replace(checked_obligation, confirmation=Confirmation(Shown.NOT_EXECUTED, case.arguments))
        runs = self._runs.get(case.arguments)
        if runs is None:
            text = f"only the first {MOST_EXECUTED} counterexamples of a function are executed"
            return replace(checked_obligation, confirmation=Confirmation(Shown.NOT_EXECUTED, text))
        silent = "" if case.is_candidate else _reason_for_silence(checked_obligation.obligation)
        seen = confirmation(self._trace.function, case.op, runs, why_silent=silent)
        if case.is_candidate:
            return self._answer_candidate(case, case.arguments, seen)
        contradiction = self._contradiction(case, runs, seen)
        if contradiction:
            verdict = Undecided(UndecidedReason.EXECUTION, contradiction, case.sizes)
            return replace(checked_obligation, verdict=verdict, confirmation=seen)
        if self._fails_later(case, seen):
            seen = replace(seen, shown=Shown.FAILED_LATER)
        return replace(checked_obligation, confirmation=self._of_this_claim(case, seen))

    def _of_this_claim(self, case: _Case, seen: Confirmation) -> Confirmation:
        """Return the evidence, marked where another claim of the operation may have stopped the run."""
        if seen.shown is not Shown.FAILED_HERE or seen.execution is None:
            return seen
        obligation, sizes = case.checked_obligation.obligation, case.sizes.sizes
        named = named_clause(case.op, seen.execution.message)
        if named is None or named == obligation.clause or (named, obligation.clause) == ("C2", "C3"):
            at = self._checked_obligations.index(case.checked_obligation)
            later = takewhile(lambda each: each.obligation.op is case.op, self._checked_obligations[at + 1 :])
            if not any(
                holds_if_determined(implies(each.obligation.guard, each.obligation.claim), sizes) is False
                for each in later
                if not isinstance(each.verdict, (Proved, Unreachable))
                and each.obligation.claim is not obligation.claim
                and named in (None, each.obligation.clause)
            ):
                return seen
        return replace(seen, shown=Shown.ANOTHER_CLAIM)

    def _fails_later(self, case: _Case, seen: Confirmation) -> bool:
        """Return whether the run got past the operation and failed later at an operation with the same claim.

        An operation whose result is not used is removed before the program runs.
        """
        if seen.shown is not Shown.FAILED_ELSEWHERE or seen.execution is None or not self._is_certain(case):
            return False
        claim = case.checked_obligation.obligation.claim
        there = [each.obligation for each in self._checked_obligations if fails_at(seen.execution, each.obligation.op)]
        return any(each.claim == claim for each in there) and all(
            each.op.number > case.op.number
            and (each.claim == claim or holds_if_determined(each.claim, case.sizes.sizes) is True)
            for each in there
        )

    # Contradictions ----------------------------------------------------------------------------------------------

    def _contradiction(self, case: _Case, runs: Runs, seen: Confirmation) -> str:
        """Return how an execution contradicts a predicted failure; "" if it does not."""
        if seen.shown is Shown.FAILED_ELSEWHERE and seen.execution is not None:
            stopped = self._stopped_before(case, seen.execution)
            if stopped is not None:
                return stopped
        if not self._must_be_seen(case, runs) or not self._is_certain(case):
            return ""
        if seen.shown is Shown.FAILED_ELSEWHERE:
            return f"{DID_NOT_FAIL}: {seen.text}"
        returned = seen.shown in (Shown.NOTHING, Shown.WRONG_SIZE) and runs.plain.outcome is Outcome.RETURNED
        return DID_NOT_FAIL if returned else ""

    def _must_be_seen(self, case: _Case, runs: Runs) -> bool:
        """Return whether the predicted failure ends every execution that reaches it."""
        obligation = case.checked_obligation.obligation
        if obligation.kind is Kind.CHECK:
            return not obligation.may_be_dropped
        checked = runs.checked
        return (
            checked is not None
            and checked.outcome in (Outcome.RETURNED, Outcome.ABORTED)
            and obligation.clause in ALWAYS_SEEN.get(obligation.op.name, ())
            and self._is_used(obligation.op)
        )

    def _is_used(self, op: Operation) -> bool:
        """Return whether an operation has a use: without one MLIR removes it before there are runtime checks."""
        users = places_in(self._program).users
        return any(result in users for result in op.results)

    def _stopped_before(self, case: _Case, execution: Execution) -> str | None:
        """Return the contradiction of a failure at an earlier operation; None if the failure comes later.

        Tensor contents that no size describes may decide an earlier check, so that other contents get further.
        """
        at = self._checked_obligations.index(case.checked_obligation)
        there = [each for each in self._checked_obligations[:at] if fails_at(execution, each.obligation.op)]
        if not there:
            later = any(fails_at(execution, each.obligation.op) for each in self._checked_obligations[at:])
            earlier = any(fails_at(execution, op) for op in self._trace.reached if op.number < case.op.number)
            return f"{STOPPED}, at an operation that nothing is known of" if earlier and not later else None
        if all(isinstance(each.verdict, Proved) for each in there):
            return f"{STOPPED}; this contradicts the proof for that operation"
        held = all(holds_if_determined(each.obligation.claim, case.sizes.sizes) is True for each in there)
        return f"{STOPPED}, where nothing was predicted to fail" if held else ""

    def _answer_candidate(self, case: _Case, call: Arguments, seen: Confirmation) -> CheckedObligation:
        first = _first_failure(self._runs[call])
        zero = self._zero_filled.get(call)
        with_ones, with_zeros = fails_at(first, case.op), fails_at(zero, case.op)
        if zero is None or not (with_ones or with_zeros):
            explains_itself = seen.shown in (Shown.NOT_EXECUTED, Shown.FAILED_ELSEWHERE, Shown.LOWERING_FAILED)
            text = seen.text if explains_itself else f"not confirmed: {seen.text}"
            return replace(case.checked_obligation, confirmation=replace(seen, text=text))
        if (first is not None and first.failed_in_lowered_form) or zero.failed_in_lowered_form:
            text = f"not confirmed: what the operation was lowered to may demand more than it does itself: {seen.text}"
            return replace(case.checked_obligation, confirmation=Confirmation(Shown.NOTHING, text, seen.execution))
        if not (with_ones and with_zeros) and not self._is_of_sizes(case) and not self._is_certain(case):
            text = f"it failed with some contents of the tensors and not with others: {seen.text}"
            return replace(case.checked_obligation, confirmation=Confirmation(Shown.NOTHING, text, zero))
        if not with_ones:
            seen = Confirmation(
                Shown.FAILED_HERE, f"{'with runtime checks: ' * zero.with_runtime_checks}{zero.message}", zero
            )
        if not self._is_alone(case):
            text = f"the operation failed, but which of its claims did is not known: {seen.text}"
            return replace(case.checked_obligation, confirmation=Confirmation(seen.shown, text, seen.execution))
        contents = self._contents(call, with_ones=with_ones, with_zeros=with_zeros)
        text = seen.text if case.is_decided_by_sizes else f"{seen.text}; {contents}"
        contents = "" if with_ones and with_zeros else contents
        # What was found of other sizes may need other contents, or none may do.
        verdict = Refuted("execution", case.sizes.sizes, always=case.sizes.always, condition=case.sizes.condition)
        seen = replace(seen, text=text, contents=contents)
        return replace(case.checked_obligation, verdict=verdict, confirmation=seen)

    def _contents(self, call: Arguments, *, with_ones: bool, with_zeros: bool) -> str:
        """Return the tensor contents with which the operation failed, in words."""
        if with_ones and with_zeros:
            return "with tensors full of zeros too"
        filled = [
            argument.name
            for argument, given in zip(self._trace.function.arguments, call, strict=True)
            if isinstance(given, TensorInput) and given.values is None and _holds_integers(argument.type)
        ]
        return f"with {' and '.join(filled) or 'the contents of all tensors'} all {1 if with_ones else 0}"

    def _is_alone(self, case: _Case) -> bool:
        """Return whether only this claim explains the failure, at sizes that the assumptions allow.

        An operation that was reached several times does not qualify, even if its other claims were proved.
        """
        obligation, sizes = case.checked_obligation.obligation, case.sizes.sizes
        if self._trace.reached.get(obligation.op, 1) > 1 or self._shares_its_place(obligation):
            return False
        if any(holds_if_determined(fact.formula, sizes) is not True for fact in self._trace.assumptions):
            return False
        if self._may_be_its_lowering(case):
            return False
        others = [
            each
            for each in self._checked_obligations
            if each.obligation.op is obligation.op and each is not case.checked_obligation
        ]
        return all(
            isinstance(each.verdict, (Proved, Unreachable)) or holds_if_determined(each.obligation.claim, sizes) is True
            for each in others
        )

    def _may_be_its_lowering(self, case: _Case) -> bool:
        """Return whether the lowering of a PyTorch operator may have failed in a way of its own."""
        if not case.op.name.startswith(_TORCH) or isinstance(case.arguments, str) or self._is_certain(case):
            return False
        runs, zero = self._runs[case.arguments], self._zero_filled.get(case.arguments)
        failed = [each for each in (runs.plain, _first_failure(runs), zero) if each is not None]
        return any(each.message not in _OF_INDICES for each in failed)

    def _shares_its_place(self, obligation: Obligation) -> bool:
        return any(fail_alike(op, obligation.op) for op in self._program.operation.walk())

    def _is_of_sizes(self, case: _Case) -> bool:
        """Return whether nothing unmodeled is in the claim, so that only whether control gets there is in question.

        A run that fails there refutes it, whatever the tensors hold.
        """
        return case.is_candidate and not case.checked_obligation.obligation.claim.variables & self._unmodeled

    def _is_certain(self, case: _Case) -> bool:
        """Return whether the sizes alone say that the claim is reached and false."""
        sizes = case.sizes.sizes
        return holds_if_determined(case.checked_obligation.obligation.claim, sizes) is False and all(
            not each.enter.approximate and holds_if_determined(each.condition, sizes) is True
            for each in self._around[case.checked_obligation.obligation]
        )


def _too_deep(trace: Trace) -> str:
    """Return why nothing is executed for an argument of very high rank (a memref descriptor grows with it), or ""."""
    types = (argument.type for argument in trace.function.arguments)
    ranks = (len(each.extents) for each in types if isinstance(each, ShapedType) and each.extents is not None)
    return f"an argument has a rank above {MOST_RANK}" if max(ranks, default=0) > MOST_RANK else ""


def _too_late(checked_obligation: CheckedObligation, trace: Trace) -> str:
    """Return why a candidate far into the function is not executed, or ""."""
    before = checked_obligation.obligation.op.number - trace.function.operation.number
    if not isinstance(checked_obligation.verdict, Undecided) or before <= MOST_BEFORE_CANDIDATE:
        return ""
    return f"it only may fail, and more than {MOST_BEFORE_CANDIDATE:,} operations come before it"


def _holds_integers(type: Type) -> bool:
    return isinstance(type, ShapedType) and isinstance(type.element, ScalarType) and type.element.kind != "float"


def _sizes(checked_obligation: CheckedObligation) -> Refuted | None:
    match checked_obligation.verdict:
        case Refuted() as refuted:
            return refuted
        case Undecided(candidate=candidate, can_be_executed=True):
            return candidate
        case _:
            return None


def _reason_for_silence(obligation: Obligation) -> str:
    """Return why a run may get past a false claim; "" if none may."""
    if obligation.kind is not Kind.CHECK:
        return SILENT
    return LEFT_OUT if obligation.may_be_dropped else ""


def _first_failure(runs: Runs) -> Execution | None:
    """Return the execution that stopped at the first failure; without runtime checks it may pass silent ones."""
    checked = runs.checked
    return runs.plain if checked is None or checked.outcome is Outcome.NOT_EXECUTABLE else checked
