"""The user's own run of a live pass manager, compared pass by pass once it has ended.

MLIR writes the module before and after every pass into a directory, passes written in Python included. Passes on
several functions run one function after the other, and each of these runs is a step.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from shapesolve.errors import InputError
from shapesolve.gc_control import collector_paused
from shapesolve.ir import bindings
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.validation.outcome import Standing, StepResult, Validation
from shapesolve.validation.pass_runs import PassEnding, PassRun, fingerprint
from shapesolve.validation.pipelines import PassStep
from shapesolve.validation.validate import Request, compare_step

_HEADER = re.compile(
    r"// -----// IR Dump (?P<when>Before|After) .*?(?P<failed> Failed)?: (?P<pass>.*) "
    r"\('(?P<anchor>[\w.]+)' operation(?:: (?P<symbol>@.*?))?\) //----- //"
)
_PYTHON_PASS = re.compile(r"unknown<(?P<name>.*)>")
_COUNTERS = re.compile(r"^(?:\d+_)+")
_RUNNER = "the pass manager"


class _Dump(NamedTuple):
    """Module before or after a pass."""

    header: re.Match[str]
    text: str


class WatchedRun:
    """Context manager that compares the steps of a pass manager's run.

    Args:
        manager: The pass manager. It goes on writing dumps if it is run again outside of the block.
        options: The options of the comparison.
        context: The context of the module.
        allow_lost_checks: Whether a pass may drop checks.

    Raises:
        InputError: There is no context.
    """

    def __init__(self, manager: Any, options: Options, *, context: Any = None, allow_lost_checks: bool = False) -> None:
        context = bindings.ir().Context.current if context is None else context
        if context is None:
            raise InputError("no context is entered: give that of the module, context=module.context")
        self._manager = manager
        self._options = options
        self._context = context
        self._allow_lost_checks = allow_lost_checks
        self._directory: tempfile.TemporaryDirectory[str] | None = None
        self._found: Validation | None = None

    @property
    def validation(self) -> Validation:
        """The result, once the block has ended.

        Raises:
            InputError: The block has not ended, or no pass was run in it.
        """
        if self._found is None:
            raise InputError("the result is known once the block has ended")
        if not self._found.steps:
            raise InputError("no pass was run in the block")
        return self._found

    def __enter__(self) -> WatchedRun:
        self._directory = tempfile.TemporaryDirectory(prefix="shapesolve-", ignore_cleanup_errors=True)
        self._context.enable_multithreading(False)  # modules are printed whole, while nothing else changes them
        self._manager.enable_ir_printing(
            print_before_all=True,
            print_after_all=True,
            print_module_scope=True,
            tree_printing_dir_path=self._directory.name,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        directory = self._directory
        assert directory is not None
        self._context.enable_multithreading(True)
        try:
            with collector_paused():
                steps = tuple(self._steps(Path(directory.name)))
            self._found = Validation(_RUNNER, _RUNNER, steps)
        finally:
            directory.cleanup()

    def _steps(self, directory: Path) -> Iterator[StepResult]:
        original: Program | None = None
        known: Program | None = None
        last = b""
        request = Request(_NoRunner(), (), allow_lost_checks=self._allow_lost_checks)
        for number, (before, after) in enumerate(_passes(directory), 1):
            step = _step(number, before.header)
            if after is None:
                yield StepResult(step, Standing.FAILED, before.text, reason="the pass reported an error")
                continue
            if fingerprint(before.text) == fingerprint(after.text):
                yield StepResult(step, Standing.UNCHANGED, before.text, before.text)
                continue
            if original is None or fingerprint(before.text) != last:
                try:
                    known = read_text(before.text, _RUNNER)
                except InputError as error:
                    reason = f"the input cannot be read: {error.message}"
                    yield StepResult(step, Standing.NOT_COMPARED, before.text, after.text, reason=reason)
                    continue
                original = original or known
            last = fingerprint(after.text)
            run = PassRun(step, PassEnding.RAN, after.text)
            result, known = compare_step(original, known, before.text, run, request, self._options)
            yield result


class _NoRunner:
    """Runner of nothing: the passes have been run."""

    @property
    def title(self) -> str:
        return _RUNNER

    def steps(self, pipeline: str) -> tuple[PassStep, ...]:
        return ()

    def run(self, module: str | bytes, steps: object) -> Iterator[PassRun]:
        return iter(())

    run_each = run


def _passes(directory: Path) -> Iterator[tuple[_Dump, _Dump | None]]:
    """Yield the modules before and after each pass, in the order in which the passes ran."""
    waiting: _Dump | None = None
    for path in sorted(directory.rglob("*.mlir"), key=_order):
        first, _, text = path.read_text(encoding="utf-8").partition("\n")
        header = _HEADER.match(first)
        if header is None:
            continue
        dump = _Dump(header, text)
        if header["when"] == "Before":
            if waiting is not None:
                yield waiting, None
            waiting = dump
        elif waiting is not None:
            yield waiting, None if header["failed"] else dump
            waiting = None
    if waiting is not None:
        yield waiting, None


def _order(path: Path) -> tuple[object, ...]:
    """Return the place of a dump in time: counters of the passes, between them the age of the operation's folder."""
    counters = [int(each) for each in _digits(path.name)]
    folders = [*path.parents][: len(counters) - 1][::-1]
    key: list[object] = []
    for place, counter in enumerate(counters):
        key.append(counter)
        if place < len(folders):
            key.append(_age(folders[place], counters[: place + 1]))
    return tuple(key)


def _digits(name: str) -> list[str]:
    found = _COUNTERS.match(name)
    return [] if found is None else found[0].strip("_").split("_")


def _age(folder: Path, counters: list[int]) -> tuple[int, str]:
    """Return when passes began on an operation, in the run of a nested pipeline that has these counters."""
    prefix = "".join(f"{each}_" for each in counters)
    return min(each.stat().st_mtime_ns for each in folder.rglob(f"{prefix}*.mlir")), folder.name


def _step(number: int, header: re.Match[str]) -> PassStep:
    text = header["pass"]
    python = _PYTHON_PASS.fullmatch(text)
    name = python["name"] if python is not None else text.partition("{")[0]
    anchor = header["anchor"]
    pipeline = f"builtin.module({text})" if anchor == "builtin.module" else f"builtin.module({anchor}({text}))"
    return PassStep(number, f"{name} on {header['symbol']}" if header["symbol"] else name, pipeline)
