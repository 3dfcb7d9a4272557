"""No line of a report is longer than 200 characters, ever."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from shapesolve.reports.page import LONGEST_LINE, Page

from .conftest import Command

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*/*.mlir"))

COMMANDS = {
    "check": ("check", "FILE", "--no-execute"),
    "contract": ("contract", "FILE"),
    "prune": ("prune", "FILE", "-o", "OUTPUT", "--force"),
    "refine": ("refine", "FILE", "FILE"),
    "shape-of": ("shape-of", "FILE"),
}

LONG = ("arith/floats_of_sizes.mlir", "linalg/elementwise.mlir", "shape/arguments.mlir")
"""Files whose sizes are hundreds of characters long."""


def long_lines(command: Command, name: str, file: Path, folder: Path) -> list[str]:
    names = {"FILE": str(file), "OUTPUT": str(folder / "out.mlir")}
    ran = command(*(names.get(each, each) for each in COMMANDS[name]))
    assert ran.out + ran.err
    return [line for line in (ran.out + ran.err).splitlines() if len(line) > LONGEST_LINE]


@pytest.mark.slow
@pytest.mark.parametrize("file", LONG)
@pytest.mark.parametrize("name", ["check", "shape-of"])
def test_long_sizes_are_continued_in_the_next_line(command: Command, tmp_path: Path, name: str, file: str) -> None:
    assert long_lines(command, name, CASES[0].parents[1] / file, tmp_path) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("file", CASES, ids=lambda file: f"{file.parent.name}/{file.name}")
@pytest.mark.parametrize("name", list(COMMANDS))
def test_no_line_is_longer(command: Command, tmp_path: Path, name: str, file: Path) -> None:
    assert long_lines(command, name, file, tmp_path) == []


@pytest.mark.parametrize("text", ["word " * 100, "w" * 1000, "  indented " + "a, b " * 90])
def test_a_page_breaks_whatever_is_longer(text: str) -> None:
    stream = io.StringIO()
    page = Page(stream, color="never", width=100)
    page.line(text, indent=3)
    page.paragraph(text)
    page.field("label", text)
    lines = stream.getvalue().splitlines()
    assert all(len(line) <= LONGEST_LINE for line in lines)
    assert "".join("".join(lines).split()).count(text.strip()[0]) >= 3 * text.count(text.strip()[0])
    assert lines[1].startswith("      ")
