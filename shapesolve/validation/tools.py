"""Passes of a program that takes the options of mlir-opt, run one at a time through files.

The program is the user's own and runs unconfined.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from shapesolve.errors import InputError
from shapesolve.records import record
from shapesolve.validation.installed import ending_words, interrupted_run, last_words, pipeline_error
from shapesolve.validation.pass_runs import PassEnding, PassRun, fingerprint
from shapesolve.validation.pipelines import PassStep, split_pipeline

WHERE = "--tool"
_EMPTY_MODULE = "module {\n}\n"
_EXPANDED = re.compile(r"^[\w.]+\(.*\)$", re.MULTILINE)
_VERSION = re.compile(r"version (\d[\w.]*)")
_SHELL_SIGNALS = range(129, 160)
"""Exit codes by which a shell reports that a signal ended a program."""


@record
class _Ended:
    """Finished process of the tool. ``output`` is None if it wrote no module."""

    status: int
    output: str | bytes | None
    errors: str


class ToolPasses:
    """Passes of another program.

    Args:
        command: The program, perhaps with options: ``mlir-opt-19 --allow-unregistered-dialect``.
        pass_seconds: The seconds that one pass may take.

    Raises:
        InputError: There is no such program.
    """

    def __init__(self, command: str, pass_seconds: float) -> None:
        self._command = _command(command)
        self._seconds = pass_seconds

    @property
    def title(self) -> str:
        """The name of the program, with its version if it tells one."""
        name = Path(self._command[0]).name
        try:
            run = subprocess.run([*self._command, "--version"], capture_output=True, timeout=10, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return name
        match = _VERSION.search(run.stdout.decode("utf-8", "replace"))
        return f"{name} (version {match[1]})" if match else name

    def steps(self, pipeline: str) -> tuple[PassStep, ...]:
        """Return the passes of a pipeline, expanded if the program can print it.

        Raises:
            InputError: The program refuses the pipeline, or cannot be run.
        """
        written = split_pipeline(pipeline)
        with _directory() as directory:
            ended = self._prepare(_EMPTY_MODULE, pipeline, directory, "--dump-pass-pipeline")
            if ended.status:
                raise self._refusal(ended, pipeline)
            if ended.output is None:
                raise InputError(f"`{self._name}` wrote no module for an empty one", where=WHERE)
        expanded = next((match[0] for match in _EXPANDED.finditer(ended.errors)), "")
        try:
            return split_pipeline(expanded) or written
        except InputError:
            return written

    def run(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        """Run the passes up to the first that writes no module.

        Raises:
            InputError: The program cannot read the module, or cannot be run.
        """
        with _directory() as directory:
            printed = self._prepare(module, None, directory)
            if printed.status or printed.output is None:
                raise InputError(f"`{self._name}` does not read the program: {_problem(printed)}")
            before = printed.output
            for step in steps:
                run, after = self._step(before, step, directory)
                yield run
                if run.ending is not PassEnding.RAN or after is None:
                    return
                before = after

    def run_each(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        """Run every pass on the module itself.

        Raises:
            InputError: The program cannot read the module, or cannot be run.
        """
        for step in steps:
            yield from self.run(module, [step])

    def _step(self, before: str | bytes, step: PassStep, directory: Path) -> tuple[PassRun, str | bytes | None]:
        try:
            ended = self._run(before, step.pipeline, directory)
        except subprocess.TimeoutExpired:
            return interrupted_run(step, -14, "", self._seconds), None
        if _is_crash(ended.status):
            return interrupted_run(step, ended.status, ended.errors, self._seconds), None
        if ended.status:
            return PassRun(step, *self._failure(before, ended, step, directory)), None
        if ended.output is None:
            return PassRun(step, PassEnding.FAILED, message=f"`{self._name}` wrote no module"), None
        is_same = fingerprint(ended.output) == fingerprint(before)
        text = ended.output if isinstance(ended.output, str) else ended.output.decode("utf-8", "replace")
        return PassRun(step, PassEnding.RAN, None if is_same else text), ended.output

    def _failure(
        self, before: str | bytes, ended: _Ended, step: PassStep, directory: Path
    ) -> tuple[PassEnding, None, str]:
        """Return whether the pass itself failed or the verifier rejected its output, and the message."""
        try:
            unverified = self._run(before, step.pipeline, directory, "--verify-each=false")
        except subprocess.TimeoutExpired:
            return PassEnding.FAILED, None, _problem(ended)
        accepted = not unverified.status and unverified.output is not None
        return PassEnding.INVALID if accepted else PassEnding.FAILED, None, _problem(ended)

    def _prepare(self, module: str | bytes, pipeline: str | None, directory: Path, *options: str) -> _Ended:
        """Run the program before any pass counts.

        Raises:
            InputError: It cannot be started, or takes too long.
        """
        try:
            return self._run(module, pipeline, directory, *options)
        except subprocess.TimeoutExpired:
            what = "an empty module" if module == _EMPTY_MODULE else "printing the program"
            message = f"`{self._name}` takes more than {self._seconds:g} seconds for {what}"
            raise InputError(message, where=WHERE) from None

    def _run(self, module: str | bytes, pipeline: str | None, directory: Path, *options: str) -> _Ended:
        """Run the program once.

        Raises:
            InputError: It cannot be started.
            TimeoutExpired: It took too long on a pass.
        """
        source, target = directory / "input.mlir", directory / "output.mlir"
        source.write_bytes(module.encode("utf-8", "surrogateescape") if isinstance(module, str) else module)
        target.unlink(missing_ok=True)
        passes = [] if pipeline is None else [f"--pass-pipeline={pipeline}"]
        command = [*self._command, str(source), *passes, *options, "-o", str(target)]
        try:
            run = subprocess.run(
                command,
                capture_output=True,
                timeout=self._seconds,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except OSError as error:
            raise InputError(f"`{self._name}` cannot be run: {error.strerror or error}", where=WHERE) from None
        written = target.read_bytes() if target.exists() else b""
        output = written.decode("utf-8", "surrogateescape") if written.strip() else None
        return _Ended(run.returncode, output, run.stderr.decode("utf-8", "replace"))

    def _refusal(self, ended: _Ended, pipeline: str) -> InputError:
        lines = ended.errors.replace("<unknown>:0: error: ", "").strip()
        if _is_crash(ended.status) or not lines:
            return InputError(f"`{self._name}` ended on an empty module: {_problem(ended)}", where=WHERE)
        return pipeline_error(lines, pipeline)

    @property
    def _name(self) -> str:
        return shlex.join(self._command)


def _command(text: str) -> list[str]:
    try:
        words = [text] if os.path.exists(text) else shlex.split(text)
    except ValueError as error:  # a quotation that does not end, or a null byte
        raise InputError(f"{text!r}: {error}", where=WHERE) from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        is_file = bool(words) and os.path.isfile(words[0])
        reason = "is not executable" if is_file else "is no program that can be found"
        raise InputError(f"`{text}` {reason}", where=WHERE)
    return [os.path.abspath(program), *words[1:]]


def _is_crash(status: int) -> bool:
    return status < 0 or status in _SHELL_SIGNALS


def _problem(ended: _Ended) -> str:
    words = last_words(ended.errors).replace("input.mlir:", "line ")
    if words:
        return words.rpartition("/")[2] if words.startswith("/") else words
    return "it wrote no module" if not ended.status else ending_words(ended.status)


@contextmanager
def _directory() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="shapesolve-", ignore_cleanup_errors=True) as made:
        yield Path(made)
