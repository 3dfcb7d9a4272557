"""Test that a result that is poison in the target only is shown with its place, and what a run shows of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main

SUM = """func.func @f(%a: i32, %b: i32) -> i32 {{
  %s = arith.addi %a, %b{} : i32
  return %s : i32
}}
"""


@pytest.mark.process
def test_the_place_of_poison_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "a.mlir").write_text(SUM.format(""))
    (tmp_path / "b.mlir").write_text(SUM.format(" overflow<nsw>"))
    assert main(["refine", str(tmp_path / "a.mlir"), str(tmp_path / "b.mlir")]) == 1
    shown = capsys.readouterr().out
    assert "target     is undefined in a result: result 0 is poison\n" in shown
    assert "where      the result is made at line 2 of the target\n" in shown
    assert "; a run shows poison as some number\n" in shown
