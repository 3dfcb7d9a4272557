"""``shapesolve refine --sarif``: one result for each function that is not shown to refine its source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

SOURCE = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

func.func @g(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}"""
AT_LEAST_ONE = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.maxui %n, %c1 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  return %e : tensor<?xf32>
}"""
TARGET = SOURCE.removesuffix("  return %a : tensor<?xf32>\n}") + AT_LEAST_ONE


def compared(tmp_path: Path, source: str, target: str) -> tuple[int, dict[str, Any]]:
    for name, text in (("source", source), ("target", target)):
        (tmp_path / f"{name}.mlir").write_text(text)
    files = [str(tmp_path / f"{name}.mlir") for name in ("source", "target")]
    code = main(["refine", *files, "--no-execute", "--sarif", str(tmp_path / "log.sarif")])
    return code, json.loads((tmp_path / "log.sarif").read_text(encoding="utf-8"))["runs"][0]


def test_a_function_that_does_not_refine_its_source_is_a_result(tmp_path: Path) -> None:
    code, run = compared(tmp_path, SOURCE, TARGET)
    assert code == 1
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("refine-refuted", "error")
    assert "@g: refuted" in result["message"]["text"]
    assert "for a: 0: the source returns, the target returns a result" in result["message"]["text"]
    (target,), (source,) = result["locations"], result["relatedLocations"]
    for place, name in ((target, "target.mlir"), (source, "source.mlir")):
        assert place["physicalLocation"]["artifactLocation"]["uri"].endswith(name)
        assert place["physicalLocation"]["region"] == {"startLine": 5}
        assert place["logicalLocations"] == [{"name": "g", "kind": "function"}]
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["refine-refuted"]


def test_what_is_not_decided_or_not_compared_is_a_warning(tmp_path: Path) -> None:
    ours, theirs = (
        SOURCE.replace("  return %a", f'  %e = "my.{name}"() : () -> tensor<4xf32>\n  return %a', 1) for name in "ab"
    )
    code, run = compared(tmp_path, ours, theirs)
    assert code == 3
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("refine-undecided", "warning")


def test_the_same_program_gives_no_results(tmp_path: Path) -> None:
    code, run = compared(tmp_path, SOURCE, SOURCE)
    assert (code, run["results"]) == (0, [])
    assert run["invocations"][0]["executionSuccessful"] is True


def test_the_log_loses_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(SOURCE)
    (tmp_path / "notes").write_text("mine")
    assert main(["refine", str(file), str(file), "--sarif", str(file), "--force"]) == 2
    assert main(["refine", str(file), str(file), "--sarif", str(tmp_path / "notes")]) == 2
    assert main(["refine", str(file), str(file), "--sarif", "-", "--json"]) == 2
    assert "standard output takes one of --json and --sarif" in capsys.readouterr().err
    assert file.read_text() == SOURCE and (tmp_path / "notes").read_text() == "mine"
    assert main(["refine", str(file), str(file), "--sarif", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"
