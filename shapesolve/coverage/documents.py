"""The source documents as data: their items, with the rules that implement and the tests that cover them.

The tables beside this file hold the items. An item about an operation ("shape.add") is met by the operation's rule and
shown by the case files that contain the operation. Any other item names under ``by`` what meets it ("profile
page-2023", "shapesolve.traits.verifier.verify") and is shown by the tests that are marked with its id.

A comment ``// covers: shape.type.size`` marks a case file; ``@pytest.mark.covers("shape.split_at")`` marks a test, all
cases of a parameter or a module. In a mark, ``*`` stands for any part of an id.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shapesolve.records import value_record
from shapesolve.semantics.registry import load_rules

NAMES = ("trait_2023", "trait_today", "elementwise_rfc", "shape_inference", "shape_dialect")
"""The documents, in the order in which they are shown."""


@value_record
class Item:
    """Requirement that a document states.

    Attributes:
        id: Unique name.
        words: The requirement.
        op: The operation that it is about, or an empty text.
        by: Names of the rules, commands, profiles, theorems or public names that meet it.
    """

    id: str
    words: str
    op: str
    by: tuple[str, ...]


@value_record
class Group:
    """Items under one heading."""

    title: str
    items: tuple[Item, ...]


@value_record
class Document:
    """One source document."""

    name: str
    title: str
    groups: tuple[Group, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for group in self.groups for item in group.items)


def documents() -> tuple[Document, ...]:
    """Return all documents."""
    return tuple(_document(name) for name in NAMES)


def _document(name: str) -> Document:
    table = tomllib.loads((files("shapesolve.coverage") / f"{name}.toml").read_text(encoding="utf-8"))
    groups = (Group(group["title"], tuple(_item(group, item) for item in group["items"])) for group in table["group"])
    return Document(name, table["title"], tuple(groups))


def _item(group: dict[str, Any], item: dict[str, Any]) -> Item:
    op = item.get("op", "")
    identity = item.get("id") or op
    by = item.get("by", op or group.get("by", ()))
    prefix = "" if op else group.get("prefix", "")
    return Item(prefix + identity, item["words"], op, (by,) if isinstance(by, str) else tuple(by))


@value_record
class Target:
    """Rule, command, profile, theorem or public name that an item names.

    Attributes:
        name: The name.
        module: The module that defines it; empty if there is none.
    """

    name: str
    module: str

    @property
    def exists(self) -> bool:
        return bool(self.module)


def targets_of(item: Item) -> tuple[Target, ...]:
    """Return everything that an item names, whether it exists or not."""
    return tuple(Target(name, _module_of(name)) for name in item.by)


def _module_of(name: str) -> str:
    """Return the module of a rule, a command, a profile, a theorem or a public name; empty if there is none."""
    kind, space, rest = name.partition(" ")
    if space:
        return {"shapesolve": _command, "profile": _profile, "theorem": _theorem}[kind](rest)
    if name.startswith("shapesolve."):
        return _public_name(name)
    rule = load_rules().get(name)
    return "" if rule is None else rule.module


def _command(name: str) -> str:
    module = f"shapesolve.cli.{name.replace('-', '_')}"  # every command has a module of its name
    return module if find_spec(module) else ""


def _profile(name: str) -> str:
    from shapesolve.traits.profiles import PROFILES

    return "shapesolve.traits.profiles" if name in PROFILES else ""


def _theorem(name: str) -> str:
    from shapesolve.traits.theorems.catalogue import CATALOGUE

    return "shapesolve.traits.theorems" if name in CATALOGUE else ""


def _public_name(name: str) -> str:
    module, _, attribute = name.rpartition(".")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError:
        return ""
    return module if hasattr(found, attribute) else ""


CASES = "tests/cases/"
COMMENT = re.compile(r"//(?P<words>[^\n\"]*)$", re.MULTILINE)
COVERS = re.compile(r"^\s*covers:\s*(?P<ids>.+)$")
OPERATION = re.compile(r"(?<![\w.@%!#])[a-z]\w*\.[a-z]\w*")


@value_record
class Mark:
    """Mark of a test ("tests/a/test_b.py::test_c"), a test file or a case file.

    Attributes:
        place: The marked test or file.
        pattern: The ids of items that it shows.
    """

    place: str
    pattern: str


@value_record
class Evidence:
    """Marks and case files of the tests of a repository."""

    marks: tuple[Mark, ...]
    cases: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Case files by the operation that they contain; those of the operation's own dialect first."""

    def tests_of(self, item: Item) -> tuple[str, ...]:
        """Return the tests of an item: those marked with it, then the case files with its operation."""
        marked = (mark.place for mark in self.marks if fnmatchcase(item.id, mark.pattern))
        cases = [case for name in item.by for case in self.cases.get(name, ())] if item.op else []
        return tuple(dict.fromkeys((*marked, *cases)))

    def unknown(self, items: Sequence[Item]) -> tuple[Mark, ...]:
        """Return the marks that match no item."""
        return tuple(mark for mark in self.marks if not any(fnmatchcase(item.id, mark.pattern) for item in items))


def repository() -> Path | None:
    """Return the repository that this package runs from, or None if its tests are not there."""
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
    """Yield the marks in a test file: the place ("::test_c", or "" for the whole file), and the pattern."""
    for statement in ast.parse(text).body:
        named = isinstance(statement, ast.FunctionDef | ast.ClassDef) and statement.name.lower().startswith("test")
        inside = f"::{statement.name}" if named and isinstance(statement, ast.FunctionDef | ast.ClassDef) else ""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.covers":
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield inside, argument.value
