"""Insertions that make functions state what is suggested: those of a file are tried together."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.diagnosis import fixes
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.diagnosis.fixes import precondition_insertions
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_file
from shapesolve.reports import check_text, sarif

FUNCTIONS = 5
TEXT = "\n".join(
    f"""func.func @f{number}(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}"""
    for number in range(FUNCTIONS)
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "functions.mlir"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are read to try insertions."""
    found: list[str] = []

    def recorded(text: str) -> Program:
        found.append(text)
        return read_text(text)

    monkeypatch.setattr(fixes, "read_text", recorded)
    return found


def test_all_insertions_of_a_file_are_read_once(file: str, reads: list[str]) -> None:
    found = diagnose(check_file(file, Options(execute=False)), sarif.REQUEST)
    assert [each.fix is not None for each in found.functions] == [True] * FUNCTIONS
    assert len(reads) == 1
    lines = TEXT.split("\n")
    for each in found.functions:
        assert each.fix is not None
        line = lines[each.fix.line - 1]
        changed = line[: each.fix.column - 1] + each.fix.text + line[each.fix.column - 1 :]
        assert f"@{each.name}(" in changed
        assert changed in reads[0].split("\n")


def test_a_report_that_shows_no_fixes_tries_none(file: str, reads: list[str]) -> None:
    found = diagnose(check_file(file, Options(execute=False)), check_text.VERBOSE)
    assert all(each.suggestions.assumptions and each.fix is None for each in found.functions)
    assert not reads


def test_what_cannot_be_read_takes_only_its_own_insertion(file: str, reads: list[str]) -> None:
    program = check_file(file, Options(execute=False)).program
    found = precondition_insertions(program, {"f0": ["x == y"], "f1": ["x ==\ny"], "f3": ["y == 1"], "f4": []})
    assert list(found) == ["f0", "f3"]
    assert found["f0"].line == 1
    assert found["f3"].line == 13
    assert len(reads) == 4
