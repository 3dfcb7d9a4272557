"""The README and the pages show what the commands print and what the functions answer."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from cli.conftest import Command
from support.transcripts import assert_printed, shown

import shapesolve

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


SHOWN = shown(README)
FILES = dict(re.findall(r'```mlir title="([\w.]+)"\n(.*?)```', README, re.DOTALL))
ON_PAGES = [
    (command, excerpt)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for command, excerpt in shown(page.read_text(encoding="utf-8"))
    if re.match(r"shapesolve \w+ examples/", command) and "--certify" not in command
]
(ANSWERS,) = re.findall(r"```python\n(from shapesolve .*?)```", README, re.DOTALL)


def test_the_readme_shows_four_commands() -> None:
    assert [command.split()[1] for command, _ in SHOWN] == ["check", "check", "prune", "prune"]
    assert {"contract", "prune"} <= {command.split()[1] for command, _ in ON_PAGES}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "excerpt"), [*SHOWN, *ON_PAGES], ids=[" ".join(line.split()) for line, _ in [*SHOWN, *ON_PAGES]]
)
def test_a_command_prints_what_is_shown(
    line: str,
    excerpt: str,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    program, *arguments = shlex.split(line)
    assert program == "shapesolve"
    result = command(*arguments)
    assert result.code in (0, 1), result.err
    assert_printed(excerpt, result.out)


def test_the_functions_answer_what_is_shown() -> None:
    known: dict[str, object] = {}
    for statement in ast.parse(ANSWERS).body:
        line = ANSWERS.splitlines()[(statement.end_lineno or 0) - 1]
        text = ast.get_source_segment(ANSWERS, statement) or ""
        if isinstance(statement, ast.Expr):
            assert str(eval(text, known)) == line.split("  # ")[1]
        else:
            exec(text, known)


def test_every_function_that_is_named_is_there() -> None:
    (sentence,) = re.findall(r"From Python the commands on programs are functions: (.*?)\n\(", README, re.DOTALL)
    for name in re.findall(r"`(?:shapesolve\.)?(\w+)", sentence):
        assert callable(getattr(shapesolve, name))
