"""Verdicts on refutations and candidates after their execution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from shapesolve.checker.checked_obligation import CheckedObligation, Confirmation, Shown
from shapesolve.checker.execution_evidence import (
    ALWAYS_SEEN,
    LEFT_OUT,
    SILENT,
    Runs,
    confirmation,
    fail_alike,
    fails_at,
)
from shapesolve.checker.rival_claims import named_clause
from shapesolve.execution.execution import Execution, Input, Outcome, TensorInput
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Operation, Program, ScalarType, ShapedType, Type
from shapesolve.records import value_record
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason, Unreachable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.formulas import implies
from shapesolve.trace.events import Kind, Obligation, Trace
from shapesolve.trace.visitor import enclosing_regions

_TORCH = "torch."
_OF_INDICES = ("index must be smaller than dim size", "index must be larger or equal to 0")
"""Messages of torch-mlir's assertions on elements that are used as indices, where PyTorch raises."""

DID_NOT_FAIL = "predicted to fail, but the execution did not"

STOPPED = "predicted to fail here, but the execution failed before"

Arguments = tuple[Input, ...]


@value_record
class Case:
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


class RunVerdicts:
    """Verdicts of one function's checked obligations, given what executions at their sizes showed."""

    def __init__(self, program: Program, trace: Trace, checked_obligations: Sequence[CheckedObligation]) -> None:
        self._program = program
        self._trace = trace
        self._checked_obligations = checked_obligations
        self._around = enclosing_regions(trace)
        self._unmodeled = frozenset[Variable]().union(*(each.free for each in trace.approximations))

    def answer(self, case: Case, call: Arguments, runs: Runs, zero: Execution | None) -> CheckedObligation:
        """Return a checked obligation, confirmed or withdrawn.

        Args:
            case: The obligation with the executed sizes.
            call: The arguments of these sizes.
            runs: The executions on them, without and with runtime checks.
            zero: The execution on tensors full of zeros, if there was one.
        """
        checked_obligation = case.checked_obligation
        silent = "" if case.is_candidate else _reason_for_silence(checked_obligation.obligation)
        seen = confirmation(self._trace.function, case.op, runs, why_silent=silent)
        if case.is_candidate:
            return self._answer_candidate(case, call, runs, zero, seen)
        contradiction = self._contradiction(case, runs, seen)
        if contradiction:
            verdict = Undecided(UndecidedReason.EXECUTION, contradiction, case.sizes)
            return replace(checked_obligation, verdict=verdict, confirmation=seen)
        if self._fails_later(case, seen):
            seen = replace(seen, shown=Shown.FAILED_LATER)
        return replace(checked_obligation, confirmation=self._of_this_claim(case, seen))

    def _of_this_claim(self, case: Case, seen: Confirmation) -> Confirmation:
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

    def _fails_later(self, case: Case, seen: Confirmation) -> bool:
        """Return whether the run got past the operation and failed later at an operation with the same claim.

        An operation whose result is not used is removed before the program runs.
        """
        if seen.shown is not Shown.FAILED_ELSEWHERE or seen.execution is None or not self.is_certain(case):
            return False
        claim = case.checked_obligation.obligation.claim
        there = [each.obligation for each in self._checked_obligations if fails_at(seen.execution, each.obligation.op)]
        return any(each.claim == claim for each in there) and all(
            each.op.number > case.op.number
            and (each.claim == claim or holds_if_determined(each.claim, case.sizes.sizes) is True)
            for each in there
        )

    def _contradiction(self, case: Case, runs: Runs, seen: Confirmation) -> str:
        """Return how an execution contradicts a predicted failure; "" if it does not."""
        if seen.shown is Shown.FAILED_ELSEWHERE and seen.execution is not None:
            stopped = self._stopped_before(case, seen.execution)
            if stopped is not None:
                return stopped
        if not self._must_be_seen(case, runs) or not self.is_certain(case):
            return ""
        if seen.shown is Shown.FAILED_ELSEWHERE:
            return f"{DID_NOT_FAIL}: {seen.text}"
        returned = seen.shown in (Shown.NOTHING, Shown.WRONG_SIZE) and runs.plain.outcome is Outcome.RETURNED
        return DID_NOT_FAIL if returned else ""

    def _must_be_seen(self, case: Case, runs: Runs) -> bool:
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

    def _stopped_before(self, case: Case, execution: Execution) -> str | None:
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

    def _answer_candidate(
        self, case: Case, call: Arguments, runs: Runs, zero: Execution | None, seen: Confirmation
    ) -> CheckedObligation:
        first = first_failure(runs)
        with_ones, with_zeros = fails_at(first, case.op), fails_at(zero, case.op)
        if zero is None or not (with_ones or with_zeros):
            explains_itself = seen.shown in (Shown.NOT_EXECUTED, Shown.FAILED_ELSEWHERE, Shown.LOWERING_FAILED)
            text = seen.text if explains_itself else f"not confirmed: {seen.text}"
            return replace(case.checked_obligation, confirmation=replace(seen, text=text))
        if (first is not None and first.failed_in_lowered_form) or zero.failed_in_lowered_form:
            text = f"not confirmed: what the operation was lowered to may demand more than it does itself: {seen.text}"
            return replace(case.checked_obligation, confirmation=Confirmation(Shown.NOTHING, text, seen.execution))
        if not (with_ones and with_zeros) and not self.is_of_sizes(case) and not self.is_certain(case):
            text = f"it failed with some contents of the tensors and not with others: {seen.text}"
            failed = first if with_ones else zero
            return replace(case.checked_obligation, confirmation=Confirmation(Shown.NOTHING, text, failed))
        if not with_ones:
            seen = Confirmation(
                Shown.FAILED_HERE, f"{'with runtime checks: ' * zero.with_runtime_checks}{zero.message}", zero
            )
        if not self._is_alone(case, runs, zero):
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

    def _is_alone(self, case: Case, runs: Runs, zero: Execution | None) -> bool:
        """Return whether only this claim explains the failure, at sizes that the assumptions allow.

        An operation that was reached several times does not qualify, even if its other claims were proved.
        """
        obligation, sizes = case.checked_obligation.obligation, case.sizes.sizes
        if self._trace.reached.get(obligation.op, 1) > 1 or self._shares_its_place(obligation):
            return False
        if any(holds_if_determined(fact.formula, sizes) is not True for fact in self._trace.assumptions):
            return False
        if self._may_be_its_lowering(case, runs, zero):
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

    def _may_be_its_lowering(self, case: Case, runs: Runs, zero: Execution | None) -> bool:
        """Return whether the lowering of a PyTorch operator may have failed in a way of its own."""
        if not case.op.name.startswith(_TORCH) or self.is_certain(case):
            return False
        failed = [each for each in (runs.plain, first_failure(runs), zero) if each is not None]
        return any(each.message not in _OF_INDICES for each in failed)

    def _shares_its_place(self, obligation: Obligation) -> bool:
        return any(fail_alike(op, obligation.op) for op in self._program.operation.walk())

    def is_of_sizes(self, case: Case) -> bool:
        """Return whether nothing unmodeled is in the claim, so that only whether control gets there is in question.

        A run that fails there refutes it, whatever the tensors hold.
        """
        return case.is_candidate and not case.checked_obligation.obligation.claim.variables & self._unmodeled

    def is_certain(self, case: Case) -> bool:
        """Return whether the sizes alone say that the claim is reached and false."""
        sizes = case.sizes.sizes
        return holds_if_determined(case.checked_obligation.obligation.claim, sizes) is False and all(
            not each.enter.approximate and holds_if_determined(each.condition, sizes) is True
            for each in self._around[case.checked_obligation.obligation]
        )


def _holds_integers(type: Type) -> bool:
    return isinstance(type, ShapedType) and isinstance(type.element, ScalarType) and type.element.kind != "float"


def _reason_for_silence(obligation: Obligation) -> str:
    """Return why a run may get past a false claim; "" if none may."""
    if obligation.kind is not Kind.CHECK:
        return SILENT
    return LEFT_OUT if obligation.may_be_dropped else ""


def first_failure(runs: Runs) -> Execution | None:
    """Return the execution that stopped at the first failure; without runtime checks it may pass silent ones."""
    checked = runs.checked
    return runs.plain if checked is None or checked.outcome is Outcome.NOT_EXECUTABLE else checked
