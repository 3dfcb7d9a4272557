"""Test that programs with unbounded sizes are soon undecided, naming the limit, and that commands end in time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, process_time

import pytest
from support.hard_programs import NUMBERS, sums_of_cubes

from shapesolve import Options, check, prune
from shapesolve.deadline import TIME_LIMIT, Deadline
from shapesolve.execution.execution import Outcome
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason

pytestmark = pytest.mark.slow

CHECKED = '  %ok = arith.cmpi sge, {0}, %c0 : index\n  cf.assert %ok, "negative"\n'


def function(body: str, last: str, arguments: str = "%x: index, %y: index") -> str:
    lines = "  %c0 = arith.constant 0 : index\n  %v0 = arith.addi %x, %y : index\n"
    return f"func.func @f({arguments}) {{\n{lines}{body}{CHECKED.format(last)}  return\n}}\n"


def squarings(count: int) -> str:
    steps = "".join(f"  %v{i + 1} = arith.muli %v{i}, %v{i} : index\n" for i in range(count))
    return function(f"{steps}  %less = arith.subi %v{count}, %x : index\n", "%less")  # a square is never negative


def doublings(count: int) -> str:
    steps = "".join(
        f"  %m{i} = arith.maxsi %v{i}, %x : index\n  %v{i + 1} = arith.addi %m{i}, %v{i} : index\n"
        for i in range(count)
    )
    return function(steps, f"%v{count}")


def choices(count: int) -> str:
    steps = "".join(
        f"  %c{i + 1} = arith.cmpi sgt, %v{i}, %x : index\n  %n{i} = arith.addi %v{i}, %y : index\n"
        f"  %v{i + 1} = arith.select %c{i + 1}, %v{i}, %n{i} : index\n"
        for i in range(count)
    )
    return function(steps, f"%v{count}")


def branches(count: int) -> str:
    steps = "".join(
        f"  %c{i + 1} = arith.cmpi sgt, %v{i}, %x : index\n"
        f"  %v{i + 1} = scf.if %c{i + 1} -> (index) {{\n    %n{i} = arith.muli %v{i}, %y : index\n"
        f"    scf.yield %n{i} : index\n  }} else {{\n    scf.yield %v{i} : index\n  }}\n"
        for i in range(count)
    )
    return function(steps, f"%v{count}")


@pytest.mark.parametrize("text", [doublings(40), choices(60), branches(40)])
def test_growth_ends_undecided_with_the_limit_named(text: str) -> None:
    started = process_time()
    report = check(text, execute=False)
    assert process_time() - started < 30
    last = report.checked_obligations[-1].verdict
    assert isinstance(last, Undecided)
    assert any(words in last.reason for words in ("64 factors", "2,000 terms", "too long", "nested more than"))
    assert report.exit_code == 3


def test_squares_that_wrap_around_at_once_are_computed_as_the_machine_does() -> None:
    """Repeated squares of even numbers are 0 after six steps, whatever the limits are."""
    (last,) = check(squarings(40)).checked_obligations
    assert isinstance(last.verdict, Refuted)
    assert {str(name): size for name, size in last.verdict.sizes.items()} == {"x": 1, "y": 1}
    execution = last.confirmation.execution if last.confirmation is not None else None
    assert execution is not None and execution.outcome is Outcome.ABORTED


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", [squarings(40), doublings(40), choices(60), branches(40)])
def test_nothing_of_it_is_pruned(text: str) -> None:
    assert "cf.assert" in prune(text).text


def test_independent_claims_are_decided() -> None:
    """Independent claims are decided, also inside a region whose results exceed the limits."""
    text = branches(40).replace(CHECKED.format("%v40"), "")
    text = text.replace(
        "  return\n",
        '  %s = arith.cmpi sge, %x, %x : index\n  cf.assert %s, "never"\n'
        '  %t = arith.cmpi ne, %y, %c0 : index\n  cf.assert %t, "sometimes"\n  return\n',
    )
    *_, never, sometimes = (
        checked_obligation.verdict for checked_obligation in check(text, execute=False).checked_obligations
    )
    assert isinstance(never, Proved)
    assert isinstance(sometimes, Refuted)


def test_demands_on_oversized_expressions_are_undecided() -> None:
    extents = "x".join(["?"] * 70)
    text = f"""\
func.func @f(%a: tensor<{extents}xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = tensor.collapse_shape %a [[{", ".join(map(str, range(70)))}]] : tensor<{extents}xf32> into tensor<?xf32>
  %1 = tosa.add %0, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}}
"""
    report = check(text, execute=False)
    assert not any(
        isinstance(each.verdict, Proved) for each in report.checked_obligations if each.obligation.op.name != "x"
    )
    assert any("64 factors" in each.reason for each in report.functions[0].approximations)


# The time limit of a command -----------------------------------------------------------------------------------------


def test_nothing_is_decided_after_the_deadline() -> None:
    report = check(squarings(3), options=Options(deadline=Deadline.after(-1)))
    verdicts = [checked_obligation.verdict for checked_obligation in report.checked_obligations]
    assert verdicts
    assert all(isinstance(each, Undecided) for each in verdicts)
    assert all(TIME_LIMIT in each.reason or each.reason_kind is UndecidedReason.COMMAND for each in verdicts)  # pyright: ignore
    assert report.exit_code == 3


def test_a_file_that_is_pruned_after_the_deadline_is_the_same() -> None:
    text = 'func.func @f() {\n  %t = arith.constant true\n  cf.assert %t, "never"\n  return\n}\n'
    assert "cf.assert" not in prune(text).text
    assert "cf.assert" in prune(text, options=Options(deadline=Deadline.after(-1))).text


NEVER = '  %first = arith.cmpi eq, %a, %a : index\n  cf.assert %first, "never"\n'


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "shapesolve", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, env={**os.environ}, check=False)


@pytest.mark.exhaustive
def test_a_command_ends_in_time_with_what_is_decided(tmp_path: Path) -> None:
    path = tmp_path / "hard.mlir"
    path.write_text(sums_of_cubes(NEVER))
    started = monotonic()
    result = command("check", str(path), "--json", "--timeout", "4")
    assert monotonic() - started < 60
    assert result.returncode == 3, result.stderr
    obligations = json.loads(result.stdout)["files"][0]["functions"][0]["obligations"]
    assert obligations[0]["verdict"] == "proved"
    assert obligations[-1]["evidence"]["undecided_reason"] == "command"
    assert obligations[-1]["evidence"]["reason"] == TIME_LIMIT


@pytest.mark.exhaustive
def test_pruning_in_time_writes_what_is_proved_or_nothing(tmp_path: Path) -> None:
    path, out = tmp_path / "hard.mlir", tmp_path / "out.mlir"
    path.write_text(sums_of_cubes(NEVER))
    result = command("prune", str(path), "-o", str(out), "--timeout", "4")
    assert result.returncode in (0, 2, 3), result.stderr
    if result.returncode == 2:
        assert result.stderr == f"error: {TIME_LIMIT} before the pruned program was proved, so nothing is written\n"
        assert not out.exists()
    else:
        assert out.read_text().count("sum of three cubes") == len(NUMBERS)


@pytest.mark.parametrize("text", ["0", "-1", "soon", "nan", "1e9"])
def test_a_time_limit_is_a_number_of_seconds(text: str) -> None:
    result = command("check", "x.mlir", f"--timeout={text}")
    assert result.returncode == 2
    assert "--timeout" in result.stderr
