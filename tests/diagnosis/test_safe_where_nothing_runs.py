"""Test that a function whose loop fails in each iteration is not said to be safe for no sizes: it may have none."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.diagnosis.suggestions import suggestions
from shapesolve.execution.execution import Outcome, ScalarInput
from shapesolve.execution.runner import execute_many

SIZES = "blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)"
THREADS = "threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)"
NEVER = 'cf.assert %never, "never"'
LOOPS = {
    "for": f"scf.for %i = %c0 to %n step %c1 {{\n {NEVER}\n }}",
    "parallel": f"scf.parallel (%i) = (%c0) to (%n) step (%c1) {{\n {NEVER}\n }}",
    "launch": f"gpu.launch {SIZES} {THREADS} {{\n {NEVER}\n gpu.terminator\n }}",
    "opposites": 'scf.for %i = %c0 to %n step %c1 {\n cf.assert %p, "p"\n }\n'
    ' scf.for %i = %c0 to %n step %c1 {\n cf.assert %q, "q"\n }',
}


def text(loop: str) -> str:
    return f"""func.func @f(%n: index, %m: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %never = arith.constant false
  %p = arith.cmpi sge, %m, %c1 : index
  %q = arith.cmpi slt, %m, %c1 : index
  {LOOPS[loop]}
  return
}}"""


@pytest.mark.parametrize("loop", LOOPS)
def test_some_sizes_are_left_where_a_loop_does_not_run(loop: str) -> None:
    (function,) = check(text(loop), execute=False).functions
    found = suggestions(function)
    assert not found.hopeless
    assert not found.assumptions
    assert found.inexpressible >= 1


@pytest.mark.slow
@pytest.mark.parametrize("loop", [each for each in LOOPS if each != "launch"])
def test_such_a_program_returns_there(loop: str) -> None:
    inputs = [[ScalarInput(rounds), ScalarInput(1)] for rounds in (0, 1)]
    runs = execute_many(text(loop), "f", inputs, runtime_checks=False)
    assert [each.outcome for each in runs] == [Outcome.RETURNED, Outcome.ABORTED]


def test_no_sizes_are_left_behind_opposite_assertions() -> None:
    both = text("for").replace(LOOPS["for"], 'cf.assert %p, "p"\n  cf.assert %q, "q"')
    (function,) = check(both, execute=False).functions
    assert suggestions(function).hopeless
