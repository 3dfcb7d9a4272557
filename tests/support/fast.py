"""Marks of tests that `make test-fast`, for between two changes, and `make test` leave out."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

FAST = "fast"
"""Mark that each fast test gets by itself."""

ORDINARY = "not exhaustive and not frontends"
"""Expression that selects the tests of `make test`."""

LEFT_OUT = frozenset({"slow", "exhaustive", "property", "process", "sweep", "frontends"})
"""Marks of tests that are not fast."""


def is_fast(marks: Iterable[str]) -> bool:
    """Return whether a test with such marks is a fast one."""
    return LEFT_OUT.isdisjoint(marks)


def marks_of_module(source: str) -> set[str]:
    """Return the marks that ``pytestmark`` gives to all tests of a module, without importing it."""
    if "\npytestmark = " not in source:
        return set()
    values = [
        each.value
        for each in ast.parse(source).body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "pytestmark"
    ]
    return {each.attr for value in values for each in ast.walk(value) if isinstance(each, ast.Attribute)}


def is_left_out(path: Path, expression: str) -> bool:
    """Return whether no test of a file is selected by the expression of marks of `make test-fast` or `make test`."""
    if path.suffix != ".py" or not path.name.startswith("test_") or expression not in (FAST, ORDINARY):
        return False
    marks = marks_of_module(path.read_text(encoding="utf-8"))
    return not is_fast(marks) if expression == FAST else not marks.isdisjoint({"exhaustive", "frontends"})
