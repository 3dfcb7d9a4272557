"""Passes of the installed MLIR, run in a process of their own because passes crash."""

from __future__ import annotations

import base64
import json
import os
import re
import select
import subprocess
import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from shapesolve.errors import InputError
from shapesolve.execution import sandbox
from shapesolve.execution.runner import child_environment
from shapesolve.validation.pass_runs import PassEnding, PassRun
from shapesolve.validation.pipelines import WHERE, PassStep, split_pipeline

_START_SECONDS = 30.0
_PLACE = re.compile(
    r"^(?:MLIR Textual PassPipeline Parser|<MLIR-PassPipeline>)?:?1:(?P<column>\d+): (?:error: )?(?P<rest>.*)"
)


class InstalledPasses:
    """Passes of the installed MLIR.

    Args:
        pass_seconds: The seconds that one pass may take.
    """

    def __init__(self, pass_seconds: float) -> None:
        self._seconds = pass_seconds
        self._server = _PassServer()

    @property
    def title(self) -> str:
        """MLIR, with the package that it is from and the version of that."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            return f"the installed MLIR (torch-mlir {version('torch-mlir')})"
        except PackageNotFoundError:  # built from source, perhaps
            return "the installed MLIR"

    def steps(self, pipeline: str) -> tuple[PassStep, ...]:
        split_pipeline(pipeline)  # errors of form are placed better by us
        events, status, errors = self._ask({"pipeline": pipeline, "steps": []}, 0)
        if not events:
            raise InputError(f"the process that runs passes ended: {_ending(status, errors)}", where=WHERE)
        answer = events[0]
        if answer["event"] == "refused":
            raise pipeline_error(answer["message"], pipeline)
        return split_pipeline(answer["text"])

    def run(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        return self._run(module, steps, each_alone=False)

    def run_each(self, module: str | bytes, steps: Sequence[PassStep]) -> Iterator[PassRun]:
        left = steps
        while left:
            done = 0
            for each in self._run(module, left, each_alone=True):
                done += 1
                yield each
            left = left[done:] if done else ()

    def _run(self, module: str | bytes, steps: Sequence[PassStep], *, each_alone: bool) -> Iterator[PassRun]:
        """Run passes in one process, up to the first that ends it."""
        is_text = isinstance(module, str)
        given = module if isinstance(module, str) else base64.b64encode(module).decode()
        pipelines = [each.pipeline for each in steps]
        request: dict[str, object] = {"module": given, "is_text": is_text, "steps": pipelines, "each_alone": each_alone}
        events, status, errors = self._ask(request, len(steps))
        refused = [each["message"] for each in events if each["event"] == "refused"]
        if refused:
            raise InputError(f"MLIR refuses the program: {refused[0]}")
        ended = [each for each in events if each["event"] == "end"]
        for each in ended:
            step = steps[int(each["step"])]
            yield PassRun(step, PassEnding[each["ending"]], each["text"], each["message"], each["seconds"])
        begun = [int(each["step"]) for each in events if each["event"] == "begin"]
        if len(begun) > len(ended):
            yield interrupted_run(steps[begun[-1]], status, errors, self._seconds)
        elif not any(each["event"] == "parsed" for each in events):
            raise InputError(f"MLIR crashes on the program: {_ending(status, errors)}")

    def _ask(self, request: dict[str, object], count: int) -> _Answer:
        """Return the answer of a worker."""
        longest = _START_SECONDS + (count + 1) * self._seconds
        complete = {**request, "seconds": self._seconds}
        return self._server.answer(complete, longest) if _can_serve else _answer_alone(complete, longest)


def interrupted_run(step: PassStep, status: int, errors: str, seconds: float) -> PassRun:
    """Return the run of a pass that ended its process, with a negative status for a signal."""
    if sandbox.Ending(b"", -status if status < 0 else 0).timed_out:
        return PassRun(step, PassEnding.TIMED_OUT, message=f"still running after {seconds:g} seconds", seconds=seconds)
    return PassRun(step, PassEnding.CRASHED, message=_ending(status, errors))


def _ending(status: int, errors: str) -> str:
    words = last_words(errors)
    return f"{ending_words(status)}: {words}" if words else ending_words(status)


def ending_words(status: int) -> str:
    """Return the ending of a process in words; a negative status, or one above 128 of a shell, is a signal."""
    number = -status if status < 0 else status - 128
    return sandbox.signal_name(number) if number > 0 else f"exit code {status}"


_TELLING = re.compile(r"Assertion .* failed|LLVM ERROR: .*|UNREACHABLE executed.*|.*\berror: .*|Fatal.*|\w+Error: .*")


def last_words(errors: str) -> str:
    """Return the sentence on standard error that says why a process ended, or an empty text."""
    found = next((match[0] for match in map(_TELLING.search, errors.splitlines()) if match), "")
    return found.strip()[:300]


def pipeline_error(message: str, pipeline: str) -> InputError:
    """Return MLIR's message about a pipeline as an error, with the column if the message has one.

    MLIR counts columns in the text inside the outermost operation.
    """
    text = message.strip()
    lines = [line for line in text.splitlines() if line.strip()]
    match = _PLACE.match(lines[0]) if lines else None
    if match is None:
        return InputError("; ".join(line.strip() for line in lines) or "MLIR refuses it", where=WHERE, excerpt=pipeline)
    quoted = lines[1] if len(lines) > 1 else ""
    offset = pipeline.find(quoted.strip()) if quoted else -1
    column = int(match["column"]) + max(offset, 0)
    return InputError(
        match["rest"],
        where=f"{WHERE}:1:{column}",
        excerpt=f"{pipeline}\n{' ' * (column - 1)}^" if offset >= 0 else pipeline,
    )


_WORKER = ("-P", "-m", "shapesolve.validation.pass_worker")
_TIMED_OUT = -14
_LAST = b'\n{"event": "ended"'
_can_serve = sandbox.can_fork and sys.platform.startswith("linux")


class _Answer(NamedTuple):
    """Answer to a request.

    Attributes:
        events: What the worker told.
        status: The exit status; negative for a signal.
        errors: The text on standard error.
    """

    events: list[dict[str, Any]]
    status: int
    errors: str


def _answer_alone(request: dict[str, object], seconds: float) -> _Answer:
    """Return the answer of a process that serves this request only.

    Raises:
        InputError: No process can be started.
    """
    try:
        run = subprocess.run(
            [sys.executable, *_WORKER],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=seconds,
            env=child_environment(),
            check=False,
        )
        output, status, errors = run.stdout, run.returncode, run.stderr
    except subprocess.TimeoutExpired as expired:
        output, status, errors = expired.stdout or b"", _TIMED_OUT, expired.stderr or b""
    except OSError as error:
        raise InputError(f"no process could be started: {error.strerror or error}") from None
    return _Answer(_events(output), status, errors.decode("utf-8", "replace"))


class _PassServer:
    """Process that has loaded MLIR and forks for every request, started by the first one in this process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._close = weakref.finalize(self, _nothing)

    def answer(self, request: dict[str, object], seconds: float) -> _Answer:
        """Return the answer to a request, which may take so long.

        Raises:
            InputError: No process can be started.
        """
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        output, end = b"", monotonic() + seconds
        try:
            process.stdin.write(f"{json.dumps(request)}\n".encode())
            process.stdin.flush()
            while not (output.endswith(b"\n") and _LAST in output):
                if not select.select([process.stdout], [], [], max(end - monotonic(), 0.0))[0]:
                    self._close()
                    return _Answer(_events(output), _TIMED_OUT, "")
                piece = os.read(process.stdout.fileno(), 1 << 20)
                if not piece:
                    raise BrokenPipeError
                output += piece
        except OSError:  # the server itself has ended
            self._close()
            return _answer_alone(request, seconds)
        *events, last = _events(output)
        return _Answer(events, int(last["status"]), str(last["errors"]))

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is None or self._owner != os.getpid() or process.poll() is not None:
            try:
                process = subprocess.Popen(
                    [sys.executable, *_WORKER, "--serve"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=child_environment(),
                )
            except OSError as error:
                raise InputError(f"no process could be started: {error.strerror or error}") from None
            self._process, self._owner = process, os.getpid()
            self._close.detach()
            self._close = weakref.finalize(self, _end, process, self._owner)
        return process


def _nothing() -> None:
    pass


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if owner != os.getpid():  # a fork of the process that started it
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    process.wait()


def _events(output: bytes) -> list[dict[str, Any]]:
    """Return the events on complete lines; an event at whose writing the worker was ended is left out."""
    found: list[dict[str, Any]] = []
    for line in output.decode("utf-8", "replace").splitlines(keepends=True):
        if line.endswith("\n"):
            with suppress(ValueError):
                found.append(json.loads(line))
    return found
