"""Test that no six lines of code occur twice in the package or the registry."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.parsed_sources import parsed

ROOT = Path(__file__).parents[2]
LINES = 6
ALLOWED = {
    ("shapesolve/api.py", "shapesolve/api.py"): "parameters of two public functions, written out for who reads them"
}
"""Pairs of files that may share such lines, and why."""

Place = tuple[str, int]


def code(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that say something, by number: no imports, comments, empty lines or lone brackets."""
    text = path.read_text(encoding="utf-8")
    imports = [node for node in ast.walk(parsed(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    left_out = {number for node in imports for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if number not in left_out and any(map(str.isalnum, stripped)) and not stripped.startswith("#"):
            yield number, stripped


def repeated(files: dict[str, list[tuple[int, str]]]) -> dict[tuple[str, str], set[Place]]:
    """The lines in runs that stand elsewhere, too, by the pair of files."""
    places: defaultdict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for name, lines in files.items():
        for first in range(len(lines) - LINES + 1):
            places[tuple(line for _, line in lines[first : first + LINES])].append((name, first))
    found: defaultdict[tuple[str, str], set[Place]] = defaultdict(set)
    for runs in places.values():
        for name, first in runs if len(runs) > 1 else ():
            other = next(each for each, start in runs if (each, start) != (name, first))
            pair = (min(name, other), max(name, other))
            found[pair] |= {(name, files[name][first + offset][0]) for offset in range(LINES)}
    return dict(found)


def sources() -> dict[str, list[tuple[int, str]]]:
    paths = [path for folder in ("shapesolve", "constraints") for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): list(code(path)) for path in paths}


@pytest.mark.slow
def test_nothing_is_written_twice() -> None:
    files = sources()
    found = repeated(files)
    assert sum(map(len, files.values())) > 30_000
    assert set(found) == set(ALLOWED), {pair: sorted(lines) for pair, lines in found.items() if pair not in ALLOWED}


def test_a_run_that_stands_twice_is_found(tmp_path: Path) -> None:
    lines = [f"x{number} = {number}" for number in range(9)]
    (tmp_path / "a.py").write_text("\n".join(["import os", *lines]), encoding="utf-8")
    (tmp_path / "b.py").write_text("\n".join(["y = 1", "", *lines[2:8], "# z", "z = 2"]), encoding="utf-8")
    files = {name: list(code(tmp_path / name)) for name in ("a.py", "b.py")}
    assert repeated(files) == {
        ("a.py", "b.py"): {("a.py", number) for number in range(4, 10)} | {("b.py", number) for number in range(3, 9)}
    }
    (tmp_path / "b.py").write_text("\n".join(lines[:5]), encoding="utf-8")
    assert repeated({name: list(code(tmp_path / name)) for name in ("a.py", "b.py")}) == {}
