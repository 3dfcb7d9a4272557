"""The transcripts of docs/pytest.md are what pytest prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pytest_runs import run

if TYPE_CHECKING:
    from _pytest.pytester import Pytester

pytest_plugins = ["pytester"]

PAGE = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def words(line: str) -> str:
    return " ".join(line.split())


@pytest.fixture
def printed(pytester: Pytester, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", "200")
    (program,) = blocks("mlir")
    marks, inputs = blocks("python")
    for name, text in (("add.mlir", program), ("test_add.py", marks), ("test_inputs.py", inputs)):
        (pytester.path / name).write_text(text, encoding="utf-8")
    return [words(line) for line in run(pytester, "--shapesolve", "-rA").outlines]


@pytest.mark.process
def test_transcripts_of_the_page_are_what_pytest_prints(printed: list[str]) -> None:
    transcripts = blocks("console")
    assert len(transcripts) == 3
    for transcript in transcripts:
        for line in transcript.splitlines():
            assert words(line) in printed, line


def test_settings_of_the_page_are_those_of_the_plugin() -> None:
    (settings,) = blocks("toml")
    assert "shapesolve_files" in settings
    assert "shapesolve_allow_undecided" in settings
