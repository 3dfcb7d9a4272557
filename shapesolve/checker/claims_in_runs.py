"""Claims in runs of the model itself at the sizes at which they fail."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from math import prod
from typing import Any

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.claims_behind_data import claims_behind_data
from shapesolve.checker.reference_runs import Call, Run, encoded_input
from shapesolve.checker.report import FunctionReport
from shapesolve.execution.execution import TensorInput, arguments
from shapesolve.frontends.model_run import ModelRun
from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.trace.events import Obligation

MOST_TRIED = 24
"""Most sizes that are tried at once."""
_MOST_ELEMENTS = 1 << 12
"""Most elements of all arguments of a run that tells of an open claim: more may exceed the memory instead."""
_OF_MEMORY = re.compile("memory|overflow", re.IGNORECASE)
"""Errors of sizes that are no more than large."""


@record
class Failure:
    """Call of the model, and the run that raises there."""

    call: Call
    run: ModelRun

    @property
    def place(self) -> str:
        """The line of the model that raises."""
        return self.run.place


def claims_with_runs(function: FunctionReport, run: Run) -> tuple[FunctionReport, dict[Obligation, Failure]]:
    """Return the function with what the model does at the sizes of each refutation, and where it raises there."""
    calls: dict[tuple[Any, ...], list[CheckedObligation]] = {}
    behind_data = _behind_data(function)
    for each in function.checked_obligations:
        failing = behind_data[each] if each in behind_data else failing_sizes(each)
        if failing is not None and not each.original:
            given = arguments(function.trace, failing.sizes)
            if not isinstance(given, str):
                calls.setdefault(given, []).append(each)
    if not (chosen := list(calls)[:MOST_TRIED]):
        return function, {}
    tried = [[encoded_input(each) for each in call] for call in chosen]
    run_there: dict[CheckedObligation, CheckedObligation] = {}
    open_at = _open_at(function)
    raised: dict[Obligation, Failure] = {}
    for call, given, seen in zip(chosen, tried, run(tried), strict=True):
        is_small = sum(prod(each.extents) for each in call if isinstance(each, TensorInput)) <= _MOST_ELEMENTS
        is_told = open_at[seen.place] == 1 and is_small and not _OF_MEMORY.search(seen.detail)
        for each in calls[call]:
            if each not in behind_data:
                told = _as_seen(each, seen.place) if is_told else each
                run_there[each] = replace(told, model_run=replace(seen, call=""))
            elif seen.place and seen.place in each.model_lines:
                behind = replace(each, verdict=behind_data[each], confirmation=None)
                run_there[each] = replace(behind, model_run=replace(seen, place="", call=""))
            if seen.place and each in run_there:
                raised[each.obligation] = Failure(given, seen)
    checked_obligations = tuple(run_there.get(each, each) for each in function.checked_obligations)
    return replace(function, checked_obligations=checked_obligations), raised


def _open_at(function: FunctionReport) -> Counter[str]:
    """Return how many claims that are not proved, and operations that are not checked, each line of the model has."""
    claims = (each for each in function.checked_obligations if not isinstance(each.verdict, Proved | Unreachable))
    unchecked = {each.location for each in function.unchecked}
    operations = (each for each in function.trace.function.operation.walk() if each.location in unchecked)
    lines = map(_written_at, (*operations, *(each.obligation.op for each in claims)))
    return Counter(each for each in lines if each)


def _written_at(op: Operation) -> str:
    """Return the line of the model where an operation is written; "" where it is not known."""
    return f"{op.origin.file}:{op.origin.line}" if op.origin is not None else ""


def _as_seen(checked_obligation: CheckedObligation, place: str) -> CheckedObligation:
    """Return a claim, as refuted if it was open, by a part that is not modeled, and the model raises at its line.

    What is said of other sizes follows from what is modeled alone, and is left out.
    """
    verdict = checked_obligation.verdict
    candidate = verdict.candidate if isinstance(verdict, Undecided) else None
    if candidate is None or place not in checked_obligation.model_lines[:1]:
        return checked_obligation
    seen = replace(candidate, also=None, free=frozenset(), restricted=frozenset())
    return replace(checked_obligation, verdict=seen, confirmation=None)


def _behind_data(function: FunctionReport) -> dict[CheckedObligation, Refuted]:
    """Return the claims behind conditions on data, without those of lines with a claim on data of their own.

    There the model may raise for that one.
    """
    found = claims_behind_data(function)
    others = (each for each in function.checked_obligations if each.is_about_data and each not in found)
    taken = {line for each in others for line in each.model_lines[:1]}
    return {each: failing for each, failing in found.items() if not taken.intersection(each.model_lines[:1])}


def failing_sizes(checked_obligation: CheckedObligation) -> Refuted | None:
    """Return sizes at which a claim fails, or may fail by something that is no data; None without them."""
    verdict = checked_obligation.verdict
    if isinstance(verdict, Undecided):
        return None if checked_obligation.is_about_data else verdict.candidate
    return verdict if isinstance(verdict, Refuted) else None


def is_passed(function: FunctionReport, checked_obligation: CheckedObligation, place: str) -> bool:
    """Return whether the model raises at a line that it reaches only behind the place of a claim."""
    operations = list(function.trace.function.operation.walk())
    there = [at for at, each in enumerate(operations) if _written_at(each) == place]
    return bool(there) and operations.index(checked_obligation.obligation.op) < there[0]
