"""Run a function in a process of its own, so that whatever it does to the process ends there."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from shapesolve.executing import confinement

can_fork = hasattr(os, "fork") and sys.platform != "win32"


@dataclass(frozen=True)
class Ending:
    """What a finished process left behind: what it wrote, and the signal that ended it (0: none)."""

    written: bytes
    signal: int

    @property
    def timed_out(self) -> bool:
        """The alarm rang, or the processor time was used up."""
        return self.signal in {_signal("SIGALRM"), _signal("SIGPROF"), _signal("SIGXCPU")}

    @property
    def crashed(self) -> bool:
        """The process did something it must not. Being killed from outside, for want of memory say, is not that."""
        faults = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGSYS")
        return self.signal in {_signal(name) for name in faults}


def signal_name(number: int) -> str:
    """The name of a signal, such as ``SIGSEGV``; its number if it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def set_alarm(seconds: float) -> None:
    """End this process by SIGALRM after ``seconds``; 0 takes the alarm back. Does nothing where there are no alarms."""
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _set_clocks(seconds: float) -> None:
    """End this process after so many seconds of processor time, and after some times that whatever it does."""
    if sys.platform == "win32":
        return
    set_alarm(WAITS * seconds)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


WAITS = 4
"""How much longer than its processor time a process may take: verdicts are not to depend on what else is running."""


def run_forked(work: Callable[[int], None], *, timeout_seconds: float, memory_bytes: int) -> Ending:
    """Fork; ``work`` in the new process, handed a descriptor to write to; wait for its end.

    The time is the processor's. ``memory_bytes`` is what it may allocate beyond what it starts with. Only where
    :data:`can_fork` is true.
    """
    if sys.platform == "win32":
        raise OSError("this platform cannot fork")
    reading, writing = os.pipe()
    parent = os.getpid()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _work_and_exit(work, writing, parent, timeout_seconds, memory_bytes)
    os.close(writing)
    written, ended = _read_until(time.monotonic() + WAITS * timeout_seconds + _GRACE_SECONDS, reading)
    os.close(reading)
    if not ended:
        # Its own alarm should have ended it. Whatever keeps it alive, it has had its time.
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if not ended:
        return Ending(b"", _signal("SIGALRM"))
    return Ending(written, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)


_GRACE_SECONDS = 5.0
_OPEN_FILES = 64
_MOST_WRITTEN = 64 << 20


def _read_until(deadline: float, reading: int) -> tuple[bytes, bool]:
    """What is written until the other end is closed; False if that takes too long, or is too much."""
    pieces: list[bytes] = []
    size = 0
    while size <= _MOST_WRITTEN:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return b"", False
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b"".join(pieces), True
        pieces.append(piece)
        size += len(piece)
    return b"", False


def _work_and_exit(
    work: Callable[[int], None], writing: int, parent: int, timeout_seconds: float, memory_bytes: int
) -> NoReturn:
    code = 1
    with contextlib.suppress(Exception):
        confinement.end_with_parent(parent)
        # Twice: the buffers, and what Python needs to fill them.
        confinement.limit(timeout_seconds, 2 * memory_bytes + (256 << 20), open_files=_OPEN_FILES, processes=0)
        _set_clocks(timeout_seconds)
        work(writing)
        code = 0
    os._exit(code)


def _signal(name: str) -> int:
    return int(getattr(signal, name, -1))
