"""Scheduling of executions: starts workers, sends them programs, and interprets their events and their end.

Executions run several at a time, while other work goes on. Work that waits for executions is a generator: it yields the
execution requests, which run at the same time, and is sent their results. All generators run in one thread, for sizes
are hash-consed without locks; other threads only wait for workers. So results do not depend on how many workers there
are.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.execution import fork_server, protocol, sandbox
from shapesolve.execution.execution import Execution, ExecutionLimits, Input, Outcome, Place
from shapesolve.execution.protocol import Request
from shapesolve.records import value_record
from shapesolve.statistics import current, stage

_log = logging.getLogger("shapesolve.execution")

_DEFAULT_LIMITS = ExecutionLimits()
_CHILD = ("-m", "shapesolve.execution.worker")


def execute(
    text: str | bytes,
    function: str,
    inputs: Sequence[Input],
    *,
    runtime_checks: bool,
    timeout_seconds: float = _DEFAULT_LIMITS.timeout_seconds,
    memory_limit_bytes: int = _DEFAULT_LIMITS.memory_limit_bytes,
    integer_fill: int = 1,
    zero_floats: bool = False,
) -> Execution:
    """Call ``function`` of the module ``text`` (MLIR text or bytecode) once, in a process of its own.

    With ``runtime_checks`` operations are verified while they run, so that one whose sizes do not fit aborts with its
    name; without, only the program's own assertions abort, and what happens otherwise is what the machine does.
    Buffers end where memory ends where the platform allows it: an access out of bounds then crashes.

    ``integer_fill`` is what integer tensors given without values hold; float tensors hold 0 with ``zero_floats`` and
    0.5 otherwise. Never raises for what the program is or does:
    see :class:`Outcome`. Raises ValueError for an extent below zero.
    """
    limits = ExecutionLimits(timeout_seconds, memory_limit_bytes)
    (execution,) = execute_many(
        text,
        function,
        [inputs],
        runtime_checks=runtime_checks,
        limits=limits,
        integer_fill=integer_fill,
        zero_floats=zero_floats,
    )
    return execution


@stage("execute")
def execute_many(
    text: str | bytes,
    function: str,
    runs: Sequence[Sequence[Input]],
    *,
    runtime_checks: bool,
    limits: ExecutionLimits = _DEFAULT_LIMITS,
    integer_fill: int = 1,
    zero_floats: bool = False,
    last: Place | None = None,
    first: Place | None = None,
    vectors: bool = False,
) -> list[Execution]:
    """Call ``function`` once per element of ``runs``; the program is compiled once where the platform can fork.

    Every call has a process of its own, so none can disturb the next. ``last``: the function is cut off after the
    operations in this place's line and its results are any values; what follows is neither looked at nor lowered.
    ``first``: loops in front of this place whose results no check, size, index or integer result depends on are left
    out, and with ``runtime_checks`` those behind it, too; the tensors that they write have the same sizes and any
    contents. ``vectors``: operations of the ``vector`` dialect are lowered, of which no runtime check verifies any.
    Otherwise as :func:`execute`.
    """
    asked = protocol.execution_request(
        text,
        function,
        runs,
        limits,
        runtime_checks=runtime_checks,
        integer_fill=integer_fill,
        zero_floats=zero_floats,
        last=last,
        first=first,
        vectors=vectors,
    )
    return log_executions(asked, perform(asked))


def perform(request: protocol.Request) -> list[Execution]:
    """Return the result of each run. Thread-safe."""
    if not request.runs:
        return []
    if sandbox.can_fork:
        return _run_in_worker(request)
    return [_run_in_worker(replace(request, runs=(run,)))[0] for run in request.runs]


def log_executions(request: protocol.Request, executions: list[Execution]) -> list[Execution]:
    """Count and log executions, and return them."""
    statistics = current()
    for each in executions:
        if statistics is not None:
            statistics.executions[each.outcome.value] += 1
        _log.debug("@%s: %s%s", request.function, each.outcome.value, f": {each.message}" if each.message else "")
    return executions


def _run_in_worker(request: protocol.Request) -> list[Execution]:
    """Run all of ``request`` in one worker."""
    longest = request.lowering_seconds + sandbox.WAITS * request.timeout_seconds * len(request.runs) + 5.0
    with _empty_directory() as directory:
        try:
            output, status = run_worker(protocol.encode_request(request), directory, longest)
        except OSError as error:  # no process, or no pipe to it, is to be had
            reason = f"no process to run it in could be started: {error.strerror or error}"
            unrun = Execution(Outcome.NOT_EXECUTABLE, (), reason, None, request.runtime_checks)
            return [unrun] * len(request.runs)
        except subprocess.TimeoutExpired as expired:
            output, status = expired.stdout or b"", -int(getattr(signal, "SIGALRM", signal.SIGTERM))
    return _executions_of(request, protocol.decode_events(output), status)


@contextmanager
def use_fork_server(*, at_once: bool = False, places: int = 1) -> Generator[None]:
    """Provide a fork server inside the context; see :func:`.fork_server.use_fork_server`."""
    with fork_server.use_fork_server(child_environment(), at_once=at_once, places=places):
        yield


def run_worker(document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
    """Run one request in a worker with a private directory; return its output and wait status.

    Raises:
        OSError: No worker can be started.
        TimeoutExpired: The worker took too long.
    """
    waiting = fork_server.current()
    if waiting is not None:
        with suppress(fork_server.ForkServerGoneError):
            return waiting.run_worker(document, directory, seconds)
    return _run_fresh_worker(document, directory, seconds)


def _run_fresh_worker(document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
    """Run one request in a worker that starts anew."""
    finished = subprocess.run(
        [sys.executable, "-P", *_CHILD],
        input=document,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=seconds,
        env=child_environment(),
        cwd=directory,
        close_fds=True,
        check=False,
    )
    return finished.stdout, finished.returncode


@contextmanager
def _empty_directory() -> Generator[str]:
    """Provide a temporary directory for the worker; the root directory if none can be made."""
    try:
        made = tempfile.TemporaryDirectory(prefix="shapesolve-", ignore_cleanup_errors=True)
    except OSError:
        yield os.path.abspath(os.sep)
        return
    with made as directory:
        yield directory


#: Without these, some installations of Python do not start.
_NEEDED_TO_START = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")


def child_environment() -> dict[str, str]:
    """Return the environment of workers: nothing of this process's, but the same module path."""
    above = str(Path(__file__).resolve().parents[2])
    places = [above, *(str(Path(each).resolve()) for each in sys.path if each and Path(each).exists())]
    kept = {name: os.environ[name] for name in _NEEDED_TO_START if name in os.environ}
    return {**kept, "PYTHONPATH": os.pathsep.join(dict.fromkeys(places))}


def _executions_of(request: protocol.Request, events: list[dict[str, Any]], status: int) -> list[Execution]:
    executions = {event["index"]: protocol.decode_execution(event) for event in events if event["event"] == "execution"}
    missing = _missing_execution(request, events, status)
    return [executions.get(index, missing) for index in range(len(request.runs))]


def _missing_execution(request: protocol.Request, events: list[dict[str, Any]], status: int) -> Execution:
    """Return the execution of a run about which the worker has reported nothing."""

    def ended(outcome: Outcome, message: str) -> Execution:
        return Execution(outcome, (), message, None, request.runtime_checks)

    kinds = {event["event"] for event in events}
    if "refused" in kinds:
        return ended(Outcome.NOT_EXECUTABLE, next(event["reason"] for event in events if event["event"] == "refused"))
    ending = sandbox.Ending(b"", -status if status < 0 else 0)
    how = f" ({sandbox.signal_name(ending.signal)})" if ending.signal else f" (exit code {status})"
    if "lowered" in kinds:
        if ending.timed_out:
            return ended(Outcome.TIMED_OUT, f"still running after {request.timeout_seconds:g} seconds")
        # A child that forks outlives what it runs; one that cannot, ends with it, by an exception code on Windows.
        blamed = not sandbox.can_fork and status not in (0, 1)
        outcome = Outcome.CRASHED if blamed else Outcome.NOT_EXECUTABLE
        return ended(outcome, f"the process ended while running{how}")
    steps = [event["name"] for event in events if event["event"] == "step"]
    if not steps:
        return ended(Outcome.NOT_EXECUTABLE, f"the process that runs programs did not start{how}")
    if ending.timed_out:
        return ended(Outcome.NOT_EXECUTABLE, f"lowering took longer than {request.lowering_seconds:g} seconds")
    return ended(Outcome.NOT_EXECUTABLE, f"MLIR crashed while lowering, in {steps[-1]}{how}")


R = TypeVar("R")


@value_record
class ExecutionRequest:
    """A request and its deadline."""

    request: Request
    deadline: Deadline = NEVER


Work = Generator[Sequence[ExecutionRequest], Sequence[list[Execution]], R]
"""Generator that yields execution requests, receives their results, and returns a value."""


class RunningExecution(Generic[R]):
    """Started work: its pending executions, and its result."""

    def __init__(self, work: Work[R]) -> None:
        self.work = work
        self.wanted: Sequence[ExecutionRequest] = ()
        self.awaited: list[Future[list[Execution]]] = []
        self.ended = False
        self._result: R | None = None

    def resume(self, executions: Sequence[list[Execution]] | None) -> None:
        """Send the results of executions, None at the beginning."""
        try:
            self.wanted = self.work.send(cast("Sequence[list[Execution]]", executions))
        except StopIteration as end:
            self._result = end.value
            self.ended = True

    @property
    def result(self) -> R:
        """The result of the work, which has ended."""
        return cast("R", self._result)


class Workers:
    """Scheduler with so many workers at a time; with one, each work is done before the next begins."""

    def __init__(self, jobs: int = 1) -> None:
        self._pool = ThreadPoolExecutor(jobs, "executing") if jobs > 1 else None
        self._open: list[RunningExecution[object]] = []

    def begin(self, work: Work[R]) -> RunningExecution[R]:
        """Start work, up to its first executions."""
        begun = RunningExecution(work)
        begun.resume(None)
        if self._pool is None:
            _run_remaining(begun)
        elif not begun.ended:
            self._open.append(cast("RunningExecution[object]", begun))
            self._submit(self._pool, begun)
        self._resume_ready()
        return begun

    def finish(self, begun: RunningExecution[R]) -> R:
        """Wait for work, and return its result."""
        while not begun.ended:
            _wait_for_any([future for each in self._open for future in each.awaited])
            self._resume_ready()
        return begun.result

    def _resume_ready(self) -> None:
        """Resume all work whose executions have ended."""
        for each in list(self._open):
            if all(future.done() for future in each.awaited):
                assert self._pool is not None
                each.resume([_logged_result(*pair) for pair in zip(each.wanted, each.awaited, strict=True)])
                if each.ended:
                    self._open.remove(each)
                else:
                    self._submit(self._pool, each)

    @staticmethod
    def _submit(pool: ThreadPoolExecutor, begun: RunningExecution[R]) -> None:
        with suppress(OSError):
            fork_server.current()  # started here, for it ends with the thread that starts it
        begun.awaited = [pool.submit(_run_within_deadline, each) for each in begun.wanted]

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel pending executions without waiting: workers of a fork server end with it."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def run_to_completion(work: Work[R]) -> R:
    """Run work to its end, with one worker at a time, and return its result."""
    begun = RunningExecution(work)
    begun.resume(None)
    _run_remaining(begun)
    return begun.result


def _run_remaining(begun: RunningExecution[R]) -> None:
    while not begun.ended:
        begun.resume([_run_and_log(each) for each in begun.wanted])


@stage("execute")
def _run_and_log(wanted: ExecutionRequest) -> list[Execution]:
    return log_executions(wanted.request, _run_within_deadline(wanted))


def _run_within_deadline(wanted: ExecutionRequest) -> list[Execution]:
    """Return the results of a request within its deadline. Thread-safe."""
    request, left = wanted.request, wanted.deadline.seconds
    if left <= 0:
        return [Execution(Outcome.NOT_EXECUTABLE, (), TIME_LIMIT, None, request.runtime_checks)] * len(request.runs)
    limited = replace(
        request,
        timeout_seconds=min(request.timeout_seconds, left),
        lowering_seconds=min(request.lowering_seconds, left),
    )
    return perform(limited)


@stage("execute")
def _wait_for_any(futures: Sequence[Future[list[Execution]]]) -> None:
    wait(futures, return_when=FIRST_COMPLETED)


def _logged_result(wanted: ExecutionRequest, future: Future[list[Execution]]) -> list[Execution]:
    return log_executions(wanted.request, future.result())
