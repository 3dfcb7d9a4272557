"""Supervisor of a command in a child process: however the child ends, the user gets a message and an exit code.

MLIR, z3 and numpy are native code: out of memory, or over a defect, they end their process by a signal or by an exit
code of their own. The process that was started forks before any of them is loaded, waits, and forwards signals that
request termination; a process that does not end soon after is killed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, FunctionType
from typing import NoReturn

from shapesolve.cli.environment import memory_limit, print_error

PATIENCE_SECONDS = 2.0
"""Seconds that a command has to end after a signal, since native code does not handle signals."""

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}

UNUSABLE = 2

_UNTIL_AGAIN = 0.001
"""Seconds after which a termination request is raised again."""

_PROGRESS = b"\xff"
"""Byte by which a command's process reports progress; it is no exit code."""

_progress_pipes: list[int] = []
"""Descriptors through which a command's process reports to the supervisor; empty in other processes."""


class Terminated(BaseException):
    """Request to terminate this process, by SIGTERM or SIGHUP."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


def is_stopped(code: int) -> bool:
    """Return whether an exit code is that of a command that was interrupted or terminated."""
    return code > 128


def supervise(command: Callable[[], int], *, seconds: float | None = None, grace: float = 0.0) -> int:
    """Run a command in a child process; return its exit code, or 2 with a message if it crashed.

    If no process can be started, the command runs in this one.

    Args:
        seconds: Time limit, however busy the command is.
        grace: Seconds after the last :func:`report_progress` in which the command is not ended.
    """
    try:
        process, reading = fork(lambda writing, parent: _run_and_exit(command, writing, parent))
    except OSError:
        return command()
    return _Supervisor(process, seconds, grace).wait_for_exit_code(reading)


def report_progress() -> None:
    """Report to the supervisor that the command makes progress."""
    for writing in _progress_pipes:
        with suppress(OSError):
            os.write(writing, _PROGRESS)


def fork(inside: Callable[[int, int], NoReturn]) -> tuple[int, int]:
    """Fork, and return the new process and a descriptor to read its messages from.

    In that process ``inside`` is called with a descriptor to write to and the parent process.

    Raises:
        OSError: No process or no pipe is available.
    """
    if sys.platform == "win32":
        raise OSError("this platform cannot fork")
    reading, writing = os.pipe()
    parent = os.getpid()
    # What a handler raises while Python forks is printed and forgotten, for its own work is done then.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _termination_signals())
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if process == 0:
        os.close(reading)
        inside(writing, parent)
    os.close(writing)
    return process, reading


def raise_on_signals() -> None:
    """Turn the first signal that requests termination into KeyboardInterrupt or Terminated, and ignore later ones."""

    def asked(number: int, _: FrameType | None) -> NoReturn:
        for each in _termination_signals():
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)

    for each in _termination_signals():
        signal.signal(each, asked)
    sys.unraisablehook = _rethrowing_hook(sys.unraisablehook)


def _rethrowing_hook(otherwise: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], None]:
    """Return a hook that raises a termination request again that was raised in a finalizer, once that is done."""

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        wish = unraisable.exc_value
        if not isinstance(wish, KeyboardInterrupt | Terminated) or not hasattr(signal, "setitimer"):
            otherwise(unraisable)
            return

        seconds = _UNTIL_AGAIN

        def again(number: int, frame: FrameType | None) -> None:
            nonlocal seconds
            if not _is_within(frame, hook):
                raise wish
            seconds *= 2  # a busy machine takes longer to leave the hook, where this would be dropped as well
            signal.setitimer(signal.ITIMER_REAL, seconds)

        signal.signal(signal.SIGALRM, again)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    return hook


def _is_within(frame: FrameType | None, function: FunctionType) -> bool:
    """Return whether a frame is one of a call of a function, or of what that calls."""
    while frame is not None and frame.f_code is not function.__code__:
        frame = frame.f_back
    return frame is not None


def _termination_signals() -> list[signal.Signals]:
    """Return the signals that request termination, without those that the parent ignores."""
    known = (getattr(signal, name, None) for name in WORDS)
    return [each for each in known if each is not None and signal.getsignal(each) is not signal.SIG_IGN]


# The command's process -------------------------------------------------------------------------------------------


def _run_and_exit(command: Callable[[], int], writing: int, parent: int) -> NoReturn:
    code = UNUSABLE
    try:
        exit_with_parent(parent)
        raise_on_signals()
        _progress_pipes.append(writing)
        code = command()
        os.write(writing, bytes([code]))
    finally:
        os._exit(code)


def exit_with_parent(parent: int) -> None:
    """End this process when its parent ends.

    No process may go on working, and hold pipes open, after the one that the user knows of was killed.
    """
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, int(signal.SIGKILL))
        if os.getppid() != parent:
            os._exit(UNUSABLE)
        return
    from threading import Thread

    Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def _watch_parent(parent: int) -> None:
    from time import sleep

    while os.getppid() == parent:
        sleep(1.0)
    os._exit(UNUSABLE)


# The process that waits ------------------------------------------------------------------------------------------


class _Supervisor:
    """Supervision of one process: forwards signals to it, and kills it if it does not end in time."""

    def __init__(self, process: int, seconds: float | None, grace: float) -> None:
        self._process = process
        self._seconds = seconds
        self._grace = grace
        self._asked: signal.Signals | None = None
        self._killed = False

    def wait_for_exit_code(self, reading: int) -> int:
        """Wait for the command and return its exit code, which it writes to a pipe.

        The exit code of the process itself may come from a library.
        """
        before = {each: signal.signal(each, self._forward) for each in _termination_signals()}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._kill)
        if self._seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            while (message := os.read(reading, 1)) == _PROGRESS:
                self._wait_longer()
            _, status = os.waitpid(self._process, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for each, handler in before.items():
                signal.signal(each, handler)
            os.close(reading)
        return message[0] if message else self._report_abnormal_end(status)

    def _wait_longer(self) -> None:
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        if self._asked is None and 0 < left < self._grace:
            signal.setitimer(signal.ITIMER_REAL, self._grace)

    def _forward(self, number: int, _: FrameType | None) -> None:
        if self._asked is None:
            self._asked = signal.Signals(number)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)
        self._send(number)

    def _kill(self, _number: int, _frame: FrameType | None) -> None:
        self._killed = True
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        try:
            os.kill(self._process, number)
        except ProcessLookupError:
            return

    def _report_abnormal_end(self, status: int) -> int:
        if self._asked is not None:
            print_error(f"\n{WORDS[self._asked.name]}")
            return 128 + self._asked
        if self._killed:
            print_error(
                "error: the time limit of the command was reached in work that cannot be interrupted: no report"
            )
            return UNUSABLE
        print_error(f"error: {exit_description(status)}")
        return UNUSABLE


def exit_description(status: int) -> str:
    """Return a description of the abnormal end of a process."""
    memory = memory_limit()
    limited = "" if memory is None else f"; its memory is limited to {memory >> 20} MB (ulimit -v)"
    if not os.WIFSIGNALED(status):
        return f"a library ended the process (exit code {os.waitstatus_to_exitcode(status)}){limited}"
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if name == "SIGKILL":
        return f"the process was killed, as the system does when there is not enough memory{limited}"
    if name == "SIGXCPU":
        return "the process used up the processor time that the system allows it (ulimit -t)"
    return f"the process crashed in native code ({name}){limited or '; please report it'}"
