"""Test that results about a file are computed once for all its functions, and that no solver outlives its function."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli import supervisor
from shapesolve.cli.main import main
from shapesolve.ir.program import Function, Operation, Program
from shapesolve.solver.z3.adapter import Z3Solver

FUNCTION = """
func.func @f{number}(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %r = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
"""

COMMANDS = [
    ("check", "FILE", "--no-execute", "-j", "1"),
    ("check", "FILE", "--no-execute", "-j", "1", "--json"),
    ("check", "FILE", "--no-execute", "-j", "1", "--sarif", "-"),
    ("check", "FILE", "-j", "1", "--verbose"),
    ("contract", "FILE"),
    ("shape-of", "FILE"),
    ("shape-of", "FILE", "-o", "OUT"),
    ("prune", "FILE", "-o", "OUT"),
    ("prune", "FILE", "-o", "OUT", "--at-entry"),
    ("prune", "FILE", "-o", "OUT", "--harden"),
    ("refine", "FILE", "FILE"),
    ("refine", "FILE", "OTHER", "--no-execute", "--shapes-only"),
]

for_each_command = pytest.mark.parametrize("command", COMMANDS, ids=" ".join)


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory; what runs here runs in this process."""

    def nowhere(inside: object) -> tuple[int, int]:
        raise OSError("no process to be had")

    monkeypatch.setattr(supervisor, "fork", nowhere)
    return tmp_path


def _run(command: tuple[str, ...], functions: int, directory: Path) -> None:
    text = "".join(FUNCTION.format(number=number) for number in range(functions))
    given, other, out = directory / f"{functions}.mlir", directory / f"{functions}.other.mlir", directory / "out.mlir"
    given.write_text(text)
    other.write_text(text.replace("tosa.add %x, %y", "tosa.add %y, %x"))
    out.unlink(missing_ok=True)
    values = {"FILE": str(given), "OTHER": str(other), "OUT": str(out)}
    assert main([values.get(each, each) for each in command]) in (0, 1)


class _Watched(Mapping[str, Function]):
    """Functions by name, that count how often all of them are asked for."""

    asked = 0

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions

    def __getitem__(self, name: str) -> Function:
        return self._functions[name]

    def __len__(self) -> int:
        return len(self._functions)

    def __iter__(self) -> Iterator[str]:
        _Watched.asked += 1
        return iter(self._functions)


@pytest.mark.exhaustive
@for_each_command
def test_a_file_is_looked_through_as_often_for_many_functions_as_for_two(
    command: tuple[str, ...], directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    walked: list[Operation] = []
    walk, begin = Operation.walk, Program.__init__

    def counted(op: Operation) -> Iterator[Operation]:
        if op.name == "builtin.module":
            walked.append(op)
        return walk(op)

    def watched(
        self: Program, file: str, operation: Operation, functions: Mapping[str, Function], *rest: Any, **named: Any
    ) -> None:
        begin(self, file, operation, _Watched(functions), *rest, **named)

    monkeypatch.setattr(Operation, "walk", counted)
    monkeypatch.setattr(Program, "__init__", watched)
    counts: list[tuple[int, int]] = []
    for functions in (2, 8):
        walked.clear()
        _Watched.asked = 0
        _run(command, functions, directory)
        counts.append((len(walked), _Watched.asked))
    assert counts[0] == counts[1]
    assert counts[0][1]


@pytest.mark.exhaustive
@for_each_command
def test_no_solver_outlives_its_function(
    command: tuple[str, ...], directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alive: weakref.WeakSet[Z3Solver] = weakref.WeakSet()
    most = 0
    begin = Z3Solver.__init__

    def counted(self: Z3Solver, **how: object) -> None:
        nonlocal most
        begin(self, **how)  # type: ignore[arg-type]
        alive.add(self)
        most = max(most, len(alive))

    monkeypatch.setattr(Z3Solver, "__init__", counted)
    gc.collect()
    gc.disable()  # as within the commands, whose objects are many and form few cycles
    try:
        _run(command, 8, directory)
    finally:
        gc.enable()
    assert most <= 3
    assert not alive
