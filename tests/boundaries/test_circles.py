"""Test that modules import each other in one known cycle only, and that no file is too long."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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

CALLED_BY_USERS = {
    "symbolic.terms": {"sympy", "symbolic.term_methods"},
    "symbolic.interning": {"symbolic.pickling"},
    "printable": {"presentation"},
}
"""Terms convert and evaluate themselves, results print themselves, when a user asks: these imports run only then."""


STARTING = frozenset({"", "api", "cli", "coverage", "notebook", "pipeline", "presentation", "testing"})
"""Packages and modules that import late for the sake of a quick start: each command and function loads what it uses."""

SELDOM = {("solver.entailment", "solver.z3.adapter"), ("ir.reader", "ir.old_spellings")}
"""Imports for the sake of a quick start elsewhere: z3 takes long to load, and most programs have no old spellings."""

OF_AN_EXTRA = frozenset({"frontends.export_worker", "jax", "onnx", "torch"})
"""Modules that import late what needs an optional package."""

IN_A_CIRCLE = {
    "printable": 6,
    "solver.entailment": 2,
    "sympy": 1,
    "symbolic.dims": 6,
    "symbolic.formula_kinds": 3,
    "symbolic.interning": 1,
    "symbolic.shape_kinds": 1,
    "symbolic.terms": 5,
}
"""The number of late imports of each module that a circle asks for, with those of `CALLED_BY_USERS`."""


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
def imports() -> Sequence[tuple[str, str, bool]]:
    """Return every import of a module of the package: the module, what it imports, whether a function does."""
    modules = dict(files())
    found: list[tuple[str, str, bool]] = []
    for name, path in modules.items():
        own = name.split(".") if path.name != "__init__.py" else [*name.split("."), ""]
        tree = parsed(path.read_text(encoding="utf-8"))
        for statement in import_statements(tree):
            named = (statement.module or "").split(".") if statement.module else []
            if statement.level:
                base = ".".join([*own[: len(own) - statement.level], *named])
            elif named[:1] == ["shapesolve"]:
                base = ".".join(named[1:])
            else:
                continue
            for target in {
                inner if (inner := f"{base}.{each.name}".strip(".")) in modules else base for each in statement.names
            }:
                if target in modules and target != name:
                    found.append((name, target, statement.col_offset > 0))
    return found


@cache
def graph() -> Mapping[str, frozenset[str]]:
    edges: dict[str, set[str]] = {name: set() for name, _ in files()}
    for name, target, _ in imports():
        if target not in CALLED_BY_USERS.get(name, ()):
            edges[name].add(target)
    return {name: frozenset(targets) for name, targets in edges.items()}


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


@pytest.mark.sweep
def test_late_imports_have_a_reason() -> None:
    """A function imports a module of the package for one of three reasons; elsewhere imports stand at the top."""
    late = [(name, target) for name, target, is_late in imports() if is_late]
    of_an_extra = [each for each in late if each[0] in OF_AN_EXTRA]
    starting = [each for each in late if each[0].split(".")[0] in STARTING or each in SELDOM]
    others = [each for each in late if each not in of_an_extra and each not in starting]
    assert [each for each in others if each[0] not in reachable(each[1], graph())] == [], "import these at the top"
    assert Counter(name for name, _ in others) == IN_A_CIRCLE
    assert len(of_an_extra) <= 40
    assert len(starting) <= 140


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
