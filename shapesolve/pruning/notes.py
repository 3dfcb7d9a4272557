"""Notes of a pruning iteration: warnings about entry points, and the modeling assumptions."""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.checker.report import ReturnedError
from shapesolve.checker.returned_errors import returned_errors
from shapesolve.pruning.assumption_notes import AssumptionNote, PruningNote, merged_notes
from shapesolve.pruning.justifications import Justifications
from shapesolve.pruning.recheck import FunctionRecheck
from shapesolve.reasons import NO_INPUT
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.trace.assumed_overflow import Place, memory_words, modeling_assumptions
from shapesolve.trace.events import Trace
from shapesolve.trace.trust import AssumedNoOverflow


def _always_an_error(entry: FunctionRecheck, error: ReturnedError, justifications: Justifications) -> str:
    maker = error.producer
    place = "" if maker is None else f", from {justifications.describe_op(maker.name, maker.location)}"
    message = f': "{error.message}"' if error.message else ""
    return f"WARNING: result {error.position} of @{entry.trace.function.name} is an error in every call{place}{message}"


def warnings(entries: Iterable[FunctionRecheck], justifications: Justifications) -> tuple[str, ...]:
    """Return the warnings about entry points: contradictory assumptions, and errors in every call."""
    notes: list[str] = []
    for each in entries:
        name = each.trace.function.name
        if each.contradiction:
            facts = justifications.words(each.contradiction)
            notes.append(f"@{name}: nothing is pruned, because {NO_INPUT}: {facts}")
        errors = () if each.contradiction else returned_errors(each.trace)
        notes += [_always_an_error(each, error, justifications) for error in errors[:1]]
    return tuple(notes)


def assumptions(traces: Iterable[Trace], place: Place, *, of_arithmetic: bool = True) -> tuple[PruningNote, ...]:
    """Return the modeling assumptions, each once, with the functions that need it, and lines of the original.

    Those about overflow, and the bound on memory that proofs of none use, only where something rests on them.
    """
    notes: list[AssumptionNote] = []
    for trace in traces:
        if of_arithmetic:
            find_overflow_proofs(trace, most_queries=0)  # more would take longer than many a rewrite
            found = (*modeling_assumptions(trace, place), *filter(None, [memory_words(trace)]))
        else:
            found = tuple(each for each in modeling_assumptions(trace) if not isinstance(each, AssumedNoOverflow))
        notes += [AssumptionNote(each, (trace.function.name,)) for each in found]
    return merged_notes(notes)
