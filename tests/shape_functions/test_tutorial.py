"""The page on shape functions is true: its files, its commands and its outputs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from shapesolve.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "shape-functions.md"
BLOCK = re.compile(r'^```(?P<language>\w+)(?: title="(?P<file>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL)
HERE = Path(__file__).parent


def test_the_commands_of_the_tutorial_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    commands = 0
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        file, body = block["file"], block["body"]
        if file is not None and Path(file).exists():
            assert Path(file).read_text(encoding="utf-8") == body
        elif file is not None:
            Path(file).write_text(body, encoding="utf-8")
        elif block["language"] == "console":
            command, _, expected = body.partition("\n")
            main(shlex.split(command.removeprefix("$ shapesolve ")))
            assert capsys.readouterr().out == expected, command
            commands += 1
        elif block["language"] == "python":
            exec(compile(body, str(PAGE), "exec"), {})
    assert commands == 6


def test_table_names_tests_that_exist() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").split("\n") if line.startswith("| ") and "`test_" in line]
    assert len(rows) >= 16
    for row in rows:
        for file, test in re.findall(r"`(test_\w+\.py)(?:::(\w+))?`", row.rpartition(" | ")[2]):
            text = (HERE / file).read_text(encoding="utf-8")
            assert not test or f"def {test}(" in text, f"{file}::{test}"
