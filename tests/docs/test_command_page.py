"""The page on commands is what the parser says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from cli.conftest import Command

from shapesolve import __version__
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.command_tree import commands
from shapesolve.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_is_made_from_the_parser(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", "--markdown"]) == 0
    expected = PAGE.read_text(encoding="utf-8")
    assert capsys.readouterr().out == expected, "run: shapesolve man --markdown > docs/cli.md"


PROGRAM = """\
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
LONG_OR_FOREIGN = {"certify", "hunt", "lower", "reduce", "sizes", "test"}
"""Commands whose examples take a minute, or need more than a program: they are parsed here."""


def examples() -> dict[str, list[str]]:
    """Return the examples in the help of each command, those that have some."""
    parser = make_parser(__version__)
    found = {
        name: re.findall(r"^  shapesolve (.*)$", each.epilog or "", re.MULTILINE)
        for name, each in commands(parser).items()
    }
    return {name: lines for name, lines in found.items() if lines}


@pytest.mark.parametrize("name", examples())
def test_examples_of_the_help_are_accepted(name: str) -> None:
    for line in examples()[name]:
        assert make_parser(__version__).parse_args(shlex.split(line)).command == name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(examples()) - LONG_OR_FOREIGN))
def test_examples_of_the_help_work(
    name: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("model.mlir", "source.mlir", "target.mlir"):
        (tmp_path / file).write_text(PROGRAM, encoding="utf-8")
    for line in examples()[name]:
        result = command(*shlex.split(line))
        assert result.code in (0, 1, 3), result.err
        assert result.out or name == "prune"
