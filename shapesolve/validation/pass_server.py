"""Server of passes: a process that has loaded MLIR, and forks for every request."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import weakref
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from shapesolve.errors import InputError
from shapesolve.execution import sandbox
from shapesolve.execution.runner import child_environment

_WORKER = ("-P", "-m", "shapesolve.validation.pass_worker")
_TIMED_OUT = -14
_LAST = b'\n{"event": "ended"'
can_serve = sandbox.can_fork and sys.platform.startswith("linux")


class Answer(NamedTuple):
    """Answer to a request.

    Attributes:
        events: What the worker told.
        status: The exit status; negative for a signal.
        errors: The text on standard error.
    """

    events: list[dict[str, Any]]
    status: int
    errors: str


def answer_alone(request: dict[str, object], seconds: float) -> Answer:
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
    return Answer(_events(output), status, errors.decode("utf-8", "replace"))


class PassServer:
    """Server of passes, started by the first request in this process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._close = weakref.finalize(self, _nothing)

    def answer(self, request: dict[str, object], seconds: float) -> Answer:
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
                    return Answer(_events(output), _TIMED_OUT, "")
                piece = os.read(process.stdout.fileno(), 1 << 20)
                if not piece:
                    raise BrokenPipeError
                output += piece
        except OSError:  # the server itself has ended
            self._close()
            return answer_alone(request, seconds)
        *events, last = _events(output)
        return Answer(events, int(last["status"]), str(last["errors"]))

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
