"""Marks: tests that need a framework carry the one that selects them, and fast tests start no process."""

from __future__ import annotations

import ast
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.fast import FAST, LEFT_OUT, marks_of_module
from support.parsed_sources import parsed

from shapesolve.execution.runner import execute

Failed = pytest.fail.Exception

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
    if "importorskip" not in source:
        return []
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


@pytest.mark.sweep
def test_tests_that_need_a_framework_are_marked() -> None:
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


@pytest.mark.parametrize(
    ("source", "marks"),
    [
        ("import pytest\npytestmark = pytest.mark.sweep\n", {"sweep"}),
        (
            "import pytest\npytestmark = [\n    pytest.mark.slow,\n    pytest.mark.skipif(True, reason='')\n]\n",
            {"slow"},
        ),
        ("@pytest.mark.slow\ndef test_f(): ...\n", set()),
    ],
)
def test_marks_of_a_module_are_read_without_importing_it(source: str, marks: set[str]) -> None:
    assert marks_of_module(source) & LEFT_OUT == marks


def test_marks_that_make_a_test_slow_are_declared() -> None:
    declared = tomllib.loads((TESTS.parent / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["markers"]
    assert {*LEFT_OUT, FAST} <= {each.partition(":")[0] for each in declared}


def test_a_fast_test_that_starts_a_process_or_a_server_fails(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker(FAST) is not None
    with pytest.raises(Failed, match=r"starts a process: mark it pytest\.mark\.process"):
        subprocess.run([sys.executable, "-c", ""], check=True)
    with pytest.raises(Failed, match="starts a process"):
        execute("func.func @f() { return }", "f", [], runtime_checks=False)
    with pytest.raises(Failed, match="starts a server"), socket.socket() as one:
        one.bind(("127.0.0.1", 0))


@pytest.mark.process
def test_another_may_start_them() -> None:
    assert subprocess.run([sys.executable, "-c", ""], check=False).returncode == 0
