"""``shapesolve validate --sarif``: one result for each pass at fault or not settled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main
from tests.validation.test_command import ASSERTED, FALSE_WITNESS

pytestmark = pytest.mark.process


def log_of(tmp_path: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    target = tmp_path / "log.sarif"
    code = main(["validate", *arguments, "--no-execute", "--sarif", str(target)])
    return code, json.loads(target.read_text(encoding="utf-8"))["runs"][0]


def test_a_pass_at_fault_is_a_result(tmp_path: Path) -> None:
    wrong, right = tmp_path / "wrong.mlir", tmp_path / "right.mlir"
    wrong.write_text(FALSE_WITNESS)
    right.write_text(ASSERTED)
    code, run = log_of(tmp_path, str(wrong), str(right), "-p", "builtin.module(canonicalize)")
    assert code == 1
    (result,) = run["results"]
    assert result["ruleId"] == "validate-refuted"
    assert result["level"] == "error"
    assert "canonicalize (pass 1 of 1): @f: refuted" in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("wrong.mlir")
    assert place["region"] == {"startLine": 1}
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["validate-refuted"]


def test_right_passes_give_no_results(tmp_path: Path) -> None:
    right = tmp_path / "right.mlir"
    right.write_text(ASSERTED)
    code, run = log_of(tmp_path, str(right), "-p", "builtin.module(cse)")
    assert (code, run["results"]) == (0, [])
    assert run["invocations"][0]["executionSuccessful"] is True


def test_an_unusable_file_is_a_notification(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.mlir"
    wrong.write_text("func.func @f(")
    code, run = log_of(tmp_path, str(wrong), "-p", "builtin.module(cse)")
    assert code == 2
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "error" in capsys.readouterr().err


def test_the_log_is_not_written_over_an_input(tmp_path: Path) -> None:
    right = tmp_path / "right.mlir"
    right.write_text(ASSERTED)
    assert main(["validate", str(right), "-p", "builtin.module(cse)", "--sarif", str(right)]) == 2
    assert right.read_text() == ASSERTED
