"""Tutorials and how-to guides, from top to bottom: files are written, commands run, statements of Python executed."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli.conftest import Command
from support.transcripts import assert_printed, commands

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(
    r'^```(?P<language>\w+)(?: title="(?P<title>[\w.]+)")?\n(?P<text>.*?)^```$', re.DOTALL | re.MULTILINE
)

RUN = ("start", "start-python", "prune", "pipeline", "refine", "compared-with")
"""The pages of which every file, command and statement is run."""


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the language, the file name (or "") and the text of each block."""
    for found in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield found["language"], found["title"] or "", found["text"]


def run(pipe: str, directory: Path, here: Command) -> str:
    """Run a command, or several that a pipe joins, the first perhaps with a file as its standard input.

    Commands of shapesolve run in this process unless they may import modules of the directory.
    """
    module = {"shapesolve": ["-m", "shapesolve"], "pytest": ["-m", "pytest", "-p", "no:cacheprovider"], "python": []}
    text = ""
    for part in pipe.split(" | "):
        command, _, file = part.partition(" < ")
        program, *arguments = shlex.split(command)
        text = (directory / file.strip()).read_text(encoding="utf-8") if file else text
        if program == "shapesolve" and not any(directory.glob("*.py")):
            result = here(*arguments, stdin=text.encode())
            assert result.code in (0, 1, 3), result.err
            text = result.out
            continue
        done = subprocess.run(
            [sys.executable, *module[program], *arguments],
            cwd=directory,
            env={**os.environ, "COLUMNS": "100", "PYTHONPATH": str(directory)},
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1, 3), done.stderr
        text = done.stdout
    return text


def answer(text: str, known: dict[str, object]) -> None:
    """Execute statements; an expression with a comment behind it gives what the comment says."""
    lines = text.splitlines()
    for statement in ast.parse(text).body:
        line = lines[(statement.end_lineno or 0) - 1]
        source = ast.get_source_segment(text, statement) or ""
        if isinstance(statement, ast.Expr) and "  # " in line:
            assert str(eval(source, known)) == line.split("  # ", 1)[1]
        else:
            exec(source, known)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RUN, pytest.param("start-torch", marks=pytest.mark.frontends)])
def test_a_page_is_what_happens(name: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "start-torch" and find_spec("torch") is None:
        pytest.skip("PyTorch is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    known: dict[str, object] = {}
    count = 0
    for language, title, text in blocks(ROOT / "docs" / f"{name}.md"):
        if title:
            (tmp_path / title).write_text(text, encoding="utf-8")
        elif language == "console":
            for line, excerpt in commands(text):
                assert_printed(excerpt, run(line, tmp_path, command))
                count += 1
        elif language == "python":
            answer(text, known)
            count += 1
    assert count >= (4 if name.startswith("start") else 2)
