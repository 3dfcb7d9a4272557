"""Executions of counterexamples in few words: each run is said to have done what that run did, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shapesolve.checker.checked_obligation import Confirmation
from shapesolve.checker.execution_evidence import Runs, confirmation
from shapesolve.execution.execution import Execution, Outcome
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.evidence_text import run_text

DIVISION = """func.func @f(%n: index, %k: index) -> index {
  %q = arith.divui %n, %k : index
  return %q : index
}"""

RETURNED = Execution(Outcome.RETURNED, (1,), "", None, with_runtime_checks=False)
CHECKED = replace(RETURNED, with_runtime_checks=True)
STOPPED = Execution(Outcome.ABORTED, (), "arith.divui: division by zero", (2, 8), with_runtime_checks=True)
CRASHED = Execution(Outcome.CRASHED, (), "it crashed (SIGFPE)", None, with_runtime_checks=False)
LATE = Execution(Outcome.TIMED_OUT, (), "it did not end in time", None, with_runtime_checks=True)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (
            Runs(RETURNED, STOPPED),
            "stopped here by a runtime check; without it, it silently returned",
        ),
        (
            Runs(RETURNED, STOPPED, cut_after=4),
            "stopped here by a runtime check; without it, it silently went on to line 4",
        ),
        (Runs(CRASHED, STOPPED), "stopped here by a runtime check; without it: it crashed (SIGFPE)"),
        (Runs(RETURNED), "shows nothing: the program returned"),
        (Runs(RETURNED, CHECKED), "shows nothing: the program returned, with runtime checks too"),
        (
            Runs(RETURNED, CHECKED, cut_after=4),
            "shows nothing: the program went on to line 4, with runtime checks too",
        ),
        (Runs(RETURNED, LATE), "shows nothing: the program returned; with runtime checks: it did not end in time"),
    ],
)
def test_each_run_is_said_to_have_done_what_it_did(runs: Runs, text: str) -> None:
    (function,) = check_program(read_text(DIVISION), Options(execute=False)).functions
    (checked,) = function.checked_obligations
    seen = confirmation(function.trace.function, checked.obligation.op, runs, why_silent="")
    assert isinstance(seen, Confirmation)
    assert run_text(replace(checked, confirmation=seen)) == text
