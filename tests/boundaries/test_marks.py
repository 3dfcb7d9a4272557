"""Tests that skip where a framework is missing are run where it is there: they carry the mark that selects them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from support.parsed_sources import parsed

TESTS = Path(__file__).parents[1]
FRAMEWORKS = ("torch", "jax", "onnx")
MARK = "pytest.mark.frontends"


def _skips(tree: ast.AST) -> bool:
    """Return whether the code skips a test, or a module of tests, where a framework is missing."""
    return any(
        isinstance(call, ast.Call)
        and ast.unparse(call.func) == "pytest.importorskip"
        and isinstance(call.args[0], ast.Constant)
        and str(call.args[0].value).partition(".")[0] in FRAMEWORKS
        for call in ast.walk(tree)
    )


def unmarked(source: str) -> list[str]:
    """Return the tests that no mark selects although they skip where a framework is missing; "" for a module."""
    module = parsed(source)
    functions = {each.name: each for each in module.body if isinstance(each, ast.FunctionDef)}
    others = [each for each in module.body if not isinstance(each, ast.FunctionDef)]
    if any(isinstance(each, ast.Assign) and MARK in ast.unparse(each) for each in others):
        return []
    skipping = {name for name, function in functions.items() if _skips(function)}
    found = [] if not any(map(_skips, others)) else [""]
    for name, function in functions.items():
        called = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
        marked = any(MARK in ast.unparse(each) for each in function.decorator_list)
        if name.startswith("test") and not marked and (name in skipping or called & skipping):
            found.append(name)
    return found


def test_what_needs_a_framework_is_marked() -> None:
    files = sorted(TESTS.rglob("test_*.py"))
    found = {path.relative_to(TESTS).as_posix(): unmarked(path.read_text(encoding="utf-8")) for path in files}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('torch = pytest.importorskip("torch")', [""]),
        ('pytest.importorskip("jax")\npytestmark = pytest.mark.frontends', []),
        ('def test_f():\n    pytest.importorskip("jax.export")', ["test_f"]),
        ('def there():\n    pytest.importorskip("onnx")\ndef test_f():\n    there()', ["test_f"]),
        ('@pytest.mark.frontends\ndef test_f():\n    pytest.importorskip("onnx")', []),
        ('def test_f():\n    pytest.importorskip("cvc5")', []),
    ],
)
def test_unmarked_tests_are_found(source: str, names: list[str]) -> None:
    assert unmarked(source) == names
