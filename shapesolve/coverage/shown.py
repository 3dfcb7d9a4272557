"""Which tests show an item: found in the repository, by the operations in case files and by explicit marks.

A case file shows the operations that it contains, and what a comment ``// covers: shape.type.size`` in it names. A test
shows what ``@pytest.mark.covers("shape.split_at")`` names; a mark on a parameter or on a whole module counts, too, and
``*`` stands for any part of an id.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from pathlib import Path

from shapesolve.coverage.documents import Item
from shapesolve.records import value_record

CASES = "tests/cases/"
COMMENT = re.compile(r"//(?P<words>[^\n\"]*)$", re.MULTILINE)
COVERS = re.compile(r"^\s*covers:\s*(?P<ids>.+)$")
OPERATION = re.compile(r"(?<![\w.@%!#])[a-z]\w*\.[a-z]\w*")


@value_record
class Mark:
    """Somewhere that names items: a test ("tests/a/test_b.py::test_c"), a test file, or a case file."""

    place: str
    pattern: str


@value_record
class Evidence:
    """What the tests of a repository show."""

    marks: tuple[Mark, ...]
    cases: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Case files by the operation that they contain; those of the operation's own dialect first."""

    def tests_of(self, item: Item) -> tuple[str, ...]:
        """The tests of an item: those marked with it, then the case files with its operation."""
        marked = (mark.place for mark in self.marks if fnmatchcase(item.id, mark.pattern))
        cases = [case for name in item.by for case in self.cases.get(name, ())] if item.op else []
        return tuple(dict.fromkeys((*marked, *cases)))

    def unknown(self, items: Sequence[Item]) -> tuple[Mark, ...]:
        """Marks that name nothing."""
        return tuple(mark for mark in self.marks if not any(fnmatchcase(item.id, mark.pattern) for item in items))


def repository() -> Path | None:
    """The repository that this package runs from, if its tests are there."""
    root = Path(__file__).parents[2]
    return root if (root / "tests" / "cases").is_dir() and (root / "pyproject.toml").is_file() else None


def evidence(root: Path) -> Evidence:
    """Scan the tests of a repository."""
    marks: list[Mark] = []
    cases: dict[str, list[str]] = {}
    for path in sorted((root / "tests").rglob("*.mlir")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()
        for comment in COMMENT.finditer(text):
            if match := COVERS.match(comment["words"]):
                marks += [Mark(place, each.strip()) for each in match["ids"].split(",")]
        if place.startswith(CASES):
            for name in sorted(set(OPERATION.findall(COMMENT.sub("", text)))):
                cases.setdefault(name, []).append(place)
    for path in sorted((root / "tests").rglob("*.py")):
        place = path.relative_to(root).as_posix()
        marks += (Mark(place + inside, pattern) for inside, pattern in _marks(path.read_text(encoding="utf-8")))
    return Evidence(tuple(marks), {name: _own_first(name, places) for name, places in cases.items()})


def _own_first(op: str, places: Iterable[str]) -> tuple[str, ...]:
    home = f"{CASES}{op.partition('.')[0]}/"
    return tuple(sorted(places, key=lambda place: (not place.startswith(home), place)))


def _marks(text: str) -> Iterator[tuple[str, str]]:
    """The marks in a file of tests: where ("::test_c", or "" for all of it), and what they name."""
    for statement in ast.parse(text).body:
        named = isinstance(statement, ast.FunctionDef | ast.ClassDef) and statement.name.lower().startswith("test")
        inside = f"::{statement.name}" if named and isinstance(statement, ast.FunctionDef | ast.ClassDef) else ""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.covers":
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield inside, argument.value
