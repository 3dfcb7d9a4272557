"""Executions of counterexamples in few words: each run is said to have done what that run did, and no more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shapesolve.checker.checked_obligation import Confirmation
from shapesolve.checker.execution_evidence import Runs, confirmation
from shapesolve.cli.main import main
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
            "stopped here by a runtime check; without it, it silently went on past line 4",
        ),
        (Runs(CRASHED, STOPPED), "stopped here by a runtime check; without it: it crashed (SIGFPE)"),
        (Runs(RETURNED), "shows nothing: the program returned"),
        (Runs(RETURNED, CHECKED), "shows nothing: the program returned, with runtime checks too"),
        (
            Runs(RETURNED, CHECKED, cut_after=4),
            "shows nothing: the program went on past line 4, with runtime checks too",
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


TWO_READS = """func.func @f(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (i32, i32) {
  %c4 = arith.constant 4 : index
  %a = tensor.extract %x[%c4] : tensor<?xi32>
  %b = tensor.extract %y[%c4] : tensor<?xi32>
  return %a, %b : i32, i32
}"""


@pytest.mark.process
def test_a_run_that_ended_as_the_one_before_is_not_told_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    path = tmp_path / "reads.mlir"
    path.write_text(TWO_READS, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.count("stopped here by a runtime check") == 1
    assert "fails at   y: 2   (also y: 1; for any x that reaches this line)   run: as above\n" in out


OF_DATA = """func.func @f(%x: memref<?xi32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %c0) -> (index) {
    %element = memref.load %x[%i] : memref<?xi32>
    %number = arith.index_cast %element : i32 to index
    %more = arith.addi %so_far, %number : index
    scf.yield %more : index
  }
  memref.store %zero, %y[%sum] : memref<?xf32>
  return
}"""


@pytest.mark.process
def test_a_failure_with_some_contents_only_is_not_said_to_have_returned() -> None:
    report = check_program(read_text(OF_DATA, "m.mlir"), Options())
    (text,) = filter(None, (run_text(each) for each in report.checked_obligations))
    assert text.startswith("shows nothing: it failed with some contents of the tensors and not with others: ")
