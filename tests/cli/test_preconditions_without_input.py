"""Test that every command with assumptions reports contradictory ones, and calls nothing a proof then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.reasons import NO_INPUT

PROGRAM = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.dim %b, %c0 : tensor<?x?xf32>
  %ok = arith.cmpi eq, %d, %e : index
  cf.assert %ok, "equal"
  return %0 : tensor<?x?xf32>
}
"""
ASSUMED = ["--assume", "a[0] >= 5", "--assume", "a[0] <= 3"]


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["check", "{}"], 3),
        (["check", "{}", "--no-execute", "--verbose"], 3),
        (["check", "{}", "--format", "concise"], 3),
        (["check", "{}", "--format", "concise", "--ignore", "tosa"], 3),
        (["check", "{}", "--format", "github"], 3),
        (["check", "{}", "--fail-on", "refuted"], 0),
        (["baseline", "{}", "-o", "{baseline}"], 3),
        (["test", "{}"], 2),
        (["explain", "{}"], 3),
        (["explain", "{}:3"], 3),
        (["prune", "{}", "-o", "-"], 3),
        (["prune", "{}", "-o", "-", "--at-entry"], 3),
        (["prune", "{}", "-o", "-", "--harden"], 3),
        (["contract", "{}"], 3),
        (["shape-of", "{}"], 3),
        (["sizes", "{}", "--no-execute"], 3),
        (["verify", "{}"], 3),
        (["refine", "{}", "{}"], 0),  # the same program, whatever is assumed
        (["refine", "{}", "{other}"], 3),
        (["validate", "{}", "--pipeline", "builtin.module(canonicalize,cse)"], 3),
    ],
)
def test_preconditions_that_admit_no_input_are_reported(
    command: list[str], code: int, program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    other = Path(program).with_name("other.mlir")
    other.write_text(PROGRAM.replace("tosa.add", "tosa.sub"), encoding="utf-8")
    baseline = other.with_suffix(".json")
    line = [each.format(program, other=other, baseline=baseline) for each in command]
    assert main([*line, *ASSUMED]) == code
    out, err = capsys.readouterr()
    assert NO_INPUT in " ".join((out + err).split())


@pytest.mark.slow
def test_preconditions_that_admit_some_input_are_not_reported(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["check", "--no-execute"], ["contract"], ["shape-of"], ["verify"], ["sizes", "--no-execute"]):
        main([command[0], program, *command[1:], "--assume", "a[0] >= 5"])
    main(["refine", program, program, "--assume", "a[0] >= 5"])
    out, err = capsys.readouterr()
    assert NO_INPUT not in out + err


def test_sizes_has_the_assumptions_in_json(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sizes", program, "--no-execute", "--json", *ASSUMED]) == 3
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert sorted(each["claim"] for each in function["contradiction"]) == ["a[0] <= 3", "a[0] >= 5"]
    assert function["vectors"] == []


def test_two_times_the_same_program_stays_proved(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refine", program, program, "--json", *ASSUMED]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert function["verdict"] == "proved"
    assert function["notes"] == [NO_INPUT]
