"""Test that modules import each other in one known cycle only, and that no file is too long."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from statistics import median

import pytest
from support.parsed_sources import inner_statements, parsed

ROOT = Path(__file__).parents[2]
MAX_LINES = 500

OPERATORS = (
    frozenset({"symbolic.dims", "symbolic.formula_kinds", "symbolic.formulas", "symbolic.normal_forms"}),
    frozenset({"symbolic.segments", "symbolic.shape_kinds", "symbolic.shapes"}),
)
"""Operators of a class (``==`` of sizes and of shapes, ``//``, ``&``) call functions that make normal forms of it."""

SYMPY = frozenset({"solver.entailment", "sympy"})
"""`prove` takes expressions of sympy, and converting one may have to prove that a division is exact."""

CALLED_BY_USERS = {"symbolic.terms": {"sympy", "symbolic.term_methods"}, "printable": {"presentation"}}
"""Terms convert and evaluate themselves, results print themselves, when a user asks: these imports run only then."""


def files() -> Iterator[tuple[str, Path]]:
    """Return every module of the package by its name without the first component, with its file."""
    for place, prefix in ((ROOT / "shapesolve", ()), (ROOT / "constraints", ("constraints",))):
        for path in place.rglob("*.py"):
            parts = (*prefix, *path.relative_to(place).with_suffix("").parts)
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def import_statements(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """Yield every import that can run, including those inside functions."""
    for child in inner_statements(node):
        if isinstance(child, ast.ImportFrom):
            yield child
        elif not is_for_types(child):
            yield from import_statements(child)


@cache
def graph() -> Mapping[str, frozenset[str]]:
    modules = dict(files())
    edges: dict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        own = name.split(".") if path.name != "__init__.py" else [*name.split("."), ""]
        for statement in import_statements(parsed(path.read_text(encoding="utf-8"))):
            named = (statement.module or "").split(".") if statement.module else []
            if statement.level:
                base = ".".join([*own[: len(own) - statement.level], *named])
            elif named[:1] == ["shapesolve"]:
                base = ".".join(named[1:])
            else:
                continue
            for alias in statement.names:
                inner = f"{base}.{alias.name}".strip(".")
                target = inner if inner in modules else base
                if target in modules and target != name and target not in CALLED_BY_USERS.get(name, ()):
                    edges[name].add(target)
    return {name: frozenset(edges[name]) for name in modules}


def without_ends(edges: Mapping[str, frozenset[str]]) -> Mapping[str, frozenset[str]]:
    """Leave out the modules that import none or that none imports, again and again: circles stay, and ways between."""
    while True:
        imported = frozenset[str]().union(*edges.values())
        inner = {name: targets for name, targets in edges.items() if targets and name in imported}
        if len(inner) == len(edges):
            return edges
        edges = {name: targets & inner.keys() for name, targets in inner.items()}


def reachable(start: str, edges: Mapping[str, frozenset[str]]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = list(edges[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(edges[name])
    return frozenset(seen)


@pytest.mark.sweep
def test_only_operators_and_sympy_make_circles() -> None:
    """The package itself is left out: it names its public functions and loads none of them."""
    edges = without_ends(graph())
    within = {name: reachable(name, edges) for name in edges if name}
    circles = {
        frozenset(each for each in found if name in within[each]) for name, found in within.items() if name in found
    }
    assert circles == {*OPERATORS, SYMPY}


def test_no_file_is_too_long() -> None:
    long = {name: count for name, path in files() if (count := len(path.read_text().splitlines())) > MAX_LINES}
    assert not long


def test_the_page_on_the_architecture_gives_the_size_of_the_code() -> None:
    """Numbers of modules, folders, lines and the median, which may be a tenth off."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    stated = re.search(r"has about (\d+) modules in (\d+) folders, of (\d+),000 lines; the median is (\d+) lines", page)
    assert stated is not None
    lines = [path.read_text(encoding="utf-8").count("\n") for _, path in files() if path.name != "__init__.py"]
    folders = {path.parent for _, path in files()}
    for number, measured in zip(
        stated.groups(), (len(lines), len(folders), sum(lines) / 1000, median(lines)), strict=True
    ):
        assert abs(int(number) - measured) <= measured / 10, (number, measured)
