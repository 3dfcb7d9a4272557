"""Running both programs of a counterexample for real."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.executing.arguments import arguments
from shapesolve.executing.execution import Execution, ExecutionLimits, Input, Outcome, ResultSize
from shapesolve.executing.runner import execute_many
from shapesolve.proving.verdicts import Sizes
from shapesolve.refining.outcome import Behaviour, Ending, Executed, Side

LIMITS = ExecutionLimits(timeout_seconds=10.0)


def executed(sides: tuple[Side, Side], behaviours: tuple[Behaviour, Behaviour], sizes: Sizes) -> Executed | str:
    """Both programs called with arguments of these sizes, or why they cannot be."""
    runs: list[Execution] = []
    for side in sides:
        call = arguments(side.trace, sizes)
        if isinstance(call, str):
            return call
        runs.append(_run(side, call))
    source, target = runs
    words = f"the source{_words(source)}{_blamed(source, behaviours[0])}; the target{_words(target)}"
    against = [_contradicts(run, each) for run, each in zip(runs, behaviours, strict=True)]
    both_return = all(each.ending is Ending.RETURNS for each in behaviours)
    if both_return and all(run.outcome is Outcome.RETURNED for run in runs) and not any(against):
        against.append(_same_results(source, target))
    return Executed(source, target, words, any(against), not any(against) and _differ(source, target, behaviours))


def _run(side: Side, call: Sequence[Input]) -> Execution:
    """Without checks of operations; with them, where that shows what is otherwise silent."""
    plain = _called(side, call, runtime_checks=False)
    if plain.outcome is not Outcome.RETURNED:
        return plain
    checked = _called(side, call, runtime_checks=True)
    return checked if checked.outcome is Outcome.ABORTED else plain


def _called(side: Side, call: Sequence[Input], *, runtime_checks: bool) -> Execution:
    name = side.trace.function.name
    (run,) = execute_many(side.program.executable, name, [call], runtime_checks=runtime_checks, limits=LIMITS)
    return run


def _words(run: Execution) -> str:
    match run.outcome:
        case Outcome.RETURNED:
            sizes = ", ".join(_size(each) for each in run.result_extents)
            return f" returned {sizes}" if sizes else " returned"
        case Outcome.ABORTED:
            how = ", with runtime checks," if run.with_runtime_checks else ""
            line = f" at line {run.failing_location[0]}" if run.failing_location else ""
            return f"{how} was stopped{line}: {run.message}"
        case Outcome.CRASHED:
            return f" crashed: {run.message}"
        case Outcome.TIMED_OUT:
            return f" was {run.message}"
        case Outcome.NOT_EXECUTABLE:
            return f" gave no answer: {run.message}"


def _blamed(run: Execution, expected: Behaviour) -> str:
    """That what an operation was lowered to demands more than it does itself, where that is what a run shows."""
    is_stricter = run.with_runtime_checks and run.outcome is Outcome.ABORTED and expected.ending is Ending.RETURNS
    return " (the lowering demands that; the operation itself does not)" if is_stricter else ""


def _size(size: ResultSize) -> str:
    if isinstance(size, tuple):
        return f"a tensor of size {'x'.join(map(str, size)) or '()'}"
    return "a number" if size is None else str(size)


def _contradicts(run: Execution, expected: Behaviour) -> bool:
    """Whether a run did what was not expected, so far as a run can show that."""
    stopped = run.outcome is Outcome.ABORTED and not run.with_runtime_checks
    match expected.ending:
        case Ending.RETURNS:
            return stopped
        case Ending.ABORTS:
            return run.outcome is Outcome.RETURNED or (run.with_runtime_checks and run.outcome is Outcome.ABORTED)
        case Ending.UNDEFINED:
            return False


def _same_results(source: Execution, target: Execution) -> bool:
    return (source.result_extents, source.result_values) == (target.result_extents, target.result_values)


def _differ(source: Execution, target: Execution, expected: tuple[Behaviour, Behaviour]) -> bool:
    """Whether the runs show a difference of the expected kind."""
    if expected[0].ending is Ending.ABORTS:
        stopped = source.outcome is Outcome.ABORTED and not source.with_runtime_checks
        return stopped and target.outcome is Outcome.RETURNED
    if source.outcome is not Outcome.RETURNED:
        return False
    if expected[1].ending is Ending.RETURNS:
        return target.outcome is Outcome.RETURNED and not _same_results(source, target)
    return target.outcome in (Outcome.ABORTED, Outcome.CRASHED)
