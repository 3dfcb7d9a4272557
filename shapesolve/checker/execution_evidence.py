"""Evidence that executions give of a predicted failure, in words for people."""

from __future__ import annotations

from shapesolve.checker.checked_obligation import Confirmation, Shown
from shapesolve.execution.execution import Execution, ExecutionLimits, Outcome, one_paragraph
from shapesolve.ir.program import Function, Operation, ShapedType
from shapesolve.records import value_record

SILENT = "some undefined behavior is silent"
LEFT_OUT = "what it was lowered to does not check this"

ALWAYS_SEEN: dict[str, frozenset[str]] = {
    "tensor.cast": frozenset({"C2"}),
    "tensor.concat": frozenset({"C1"}),
    "tensor.insert_slice": frozenset({"C1"}),
}
"""Clauses of operations that a run with runtime checks cannot get past where they are false.

Other undefined behavior may be silent. This is knowledge about MLIR's verification and ours, not about the rules.
"""


@value_record
class Runs:
    """Executions of one call.

    Attributes:
        plain: The run of the program as it is compiled.
        checked: The run with runtime verification of every operation, if it was asked for.
        cut_after: Line after which the function was cut off; 0 if all of it ran.
    """

    plain: Execution
    checked: Execution | None = None
    cut_after: int = 0

    @property
    def returned(self) -> str:
        """The statement about a run that came to its end."""
        return f"the program went on past line {self.cut_after}" if self.cut_after else "the program returned"


def fails_at(execution: Execution | None, op: Operation) -> bool:
    """Return whether an execution was stopped at an operation."""
    if execution is None or execution.outcome is not Outcome.ABORTED:
        return False
    place = execution.failing_location
    if place is None:
        message = op.attributes.get("msg")
        return op.name == "cf.assert" and isinstance(message, str) and one_paragraph(message) == execution.message
    where = op.location
    # A column counts bytes there and characters here, so a name may stand in for it.
    return place[0] == where.line and (place[1] == where.column or execution.failing_op == op.name)


def limits(operations: int) -> ExecutionLimits:
    """Return the limits for executing a counterexample of a function with so many operations.

    Counterexamples are small: a run of seconds is mostly a loop that does not end. Some passes do not end either, for
    programs that are wrong; a short program that is right is lowered in a fraction of a second.
    """
    return ExecutionLimits(timeout_seconds=2.0, lowering_seconds=min(6.0 + operations / 20, 120.0))


def fail_alike(op: Operation, other: Operation) -> bool:
    """Return whether an execution stopped at ``op`` may seem to be stopped at the other operation."""
    if op is other or _is_its_body(op, other):
        return False
    here, there = op.location, other.location
    return here.line == there.line and (here.column == there.column or op.name == other.name)


def _is_its_body(op: Operation, named: Operation) -> bool:
    """Return whether MLIR synthesized ``op`` for the body of a named ``linalg`` operation; none is checked."""
    if op.location != named.location or not op.name.startswith(("arith.", "math.", "complex.", "linalg.yield")):
        return False
    return named.name.startswith("linalg.") and any(inner is op for inner in named.walk())


def confirmation(function: Function, op: Operation, runs: Runs, *, why_silent: str) -> Confirmation:
    """Compare the executions with a failure predicted at an operation.

    Args:
        why_silent: Why a run need not show the failure; "" if it must.
    """
    plain, checked = runs.plain, runs.checked
    if fails_at(plain, op):
        return Confirmation(Shown.FAILED_HERE, plain.message, plain)
    if checked is not None and fails_at(checked, op):
        text = f"with runtime checks: {checked.message}{_otherwise(function, runs)}"
        unverified = None if plain.outcome is Outcome.NOT_EXECUTABLE else plain
        return Confirmation(Shown.FAILED_HERE, text, checked, unverified, cut_after=runs.cut_after)
    executed = [run for run in (checked, plain) if run is not None]
    stopped = [run for run in executed if run.outcome is Outcome.ABORTED]
    if stopped and stopped[0].with_runtime_checks:
        return _elsewhere(stopped[0])
    wrong = "" if runs.cut_after else wrong_size(function, plain)
    if wrong:
        return Confirmation(Shown.WRONG_SIZE, f"the program returned {wrong}", plain)
    if stopped:
        return _elsewhere(stopped[0])
    for run in executed:
        if run.outcome is Outcome.CRASHED:
            return Confirmation(Shown.FAILED_SOMEWHERE, run.message, run)
    if plain.outcome is Outcome.NOT_EXECUTABLE:
        return Confirmation(Shown.NOT_EXECUTED, plain.message, plain)
    return _nothing(runs, why_silent)


def wrong_size(function: Function, execution: Execution) -> str:
    """Describe a result whose size is not the declared one: ``a result of size 3 where its type says 5``."""
    if execution.outcome is not Outcome.RETURNED:
        return ""
    for type, extents in zip(function.result_types, execution.result_extents, strict=False):
        if not isinstance(type, ShapedType) or type.extents is None or not isinstance(extents, tuple):
            continue
        for declared, extent in zip(type.extents, extents, strict=False):
            if declared is not None and declared != extent:
                return f"a result of size {_spelled(extents)} where its type says {_spelled(type.extents)}"
    return ""


def _elsewhere(execution: Execution) -> Confirmation:
    how = "with runtime checks, " if execution.with_runtime_checks else ""
    shown = Shown.LOWERING_FAILED if execution.failed_in_lowering else Shown.FAILED_ELSEWHERE
    return Confirmation(shown, f"{how}it failed at {_where(execution)}", execution)


def _where(execution: Execution) -> str:
    name = execution.failing_op if execution.failing_op not in execution.message else ""
    place = f"line {execution.failing_location[0]}" if execution.failing_location else "another operation"
    return f"{place}{f' ({name})' if name else ''}: {execution.message}"


def _otherwise(function: Function, runs: Runs) -> str:
    """Describe the run without the runtime checks that showed the failure."""
    plain = runs.plain
    match plain.outcome:
        case Outcome.RETURNED:
            wrong = "" if runs.cut_after else wrong_size(function, plain)
            return f"; without them {runs.returned} {wrong or 'as if nothing had happened'}"
        case Outcome.ABORTED:
            return f"; without them it is stopped only at {_where(plain)}"
        case Outcome.CRASHED | Outcome.TIMED_OUT:
            return f"; without them: {plain.message}"
        case Outcome.NOT_EXECUTABLE:
            return ""


def _nothing(runs: Runs, why_silent: str) -> Confirmation:
    plain, checked = runs.plain, runs.checked
    if plain.outcome is Outcome.TIMED_OUT:
        return Confirmation(Shown.NOTHING, plain.message, plain)
    text = f"{why_silent}: {runs.returned}" if why_silent else runs.returned
    if plain.result_extents and not runs.cut_after:
        text += f" {', '.join(_result(each) for each in plain.result_extents)}"
    if checked is not None and checked.outcome is Outcome.RETURNED:
        text += ", with runtime checks too"
    elif checked is not None:
        text += f", and with runtime checks: {checked.message}"
    return Confirmation(Shown.NOTHING, text, plain, verified=checked, cut_after=runs.cut_after)


def _result(size: tuple[int, ...] | int | None) -> str:
    if isinstance(size, tuple):
        return f"a result of size {_spelled(size)}"
    return "a number" if size is None else f"the number {size}"


def _spelled(extents: tuple[int | None, ...]) -> str:
    return "x".join("?" if each is None else str(each) for each in extents) or "()"
