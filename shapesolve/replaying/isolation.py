"""Run a function in a process of its own, so that whatever it does to the process ends there."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

can_fork = hasattr(os, "fork") and sys.platform != "win32"


@dataclass(frozen=True)
class Ending:
    """What a finished process left behind: what it wrote, and the signal that ended it (0: none)."""

    written: bytes
    signal: int

    @property
    def timed_out(self) -> bool:
        """The alarm rang, or the processor time was used up."""
        return self.signal in {_signal("SIGALRM"), _signal("SIGXCPU")}

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


def run_forked(work: Callable[[int], None], *, timeout_seconds: float, memory_bytes: int) -> Ending:
    """Fork; ``work`` in the new process, handed a descriptor to write to; wait for its end.

    ``memory_bytes`` is what it may allocate beyond what it starts with. Only where :data:`can_fork` is true.
    """
    if sys.platform == "win32":
        raise OSError("this platform cannot fork")
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _work_and_exit(work, writing, timeout_seconds, memory_bytes)
    os.close(writing)
    pieces: list[bytes] = []
    while piece := os.read(reading, 1 << 16):
        pieces.append(piece)
    os.close(reading)
    _, status = os.waitpid(process, 0)
    return Ending(b"".join(pieces), os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)


def _work_and_exit(work: Callable[[int], None], writing: int, timeout_seconds: float, memory_bytes: int) -> NoReturn:
    code = 1
    with contextlib.suppress(Exception):
        limit_process(timeout_seconds, memory_bytes)
        set_alarm(timeout_seconds)
        work(writing)
        code = 0
    os._exit(code)


def limit_process(timeout_seconds: float, memory_bytes: int) -> None:
    """Let the operating system bound this process too: processor time, address space, no core dumps."""
    if sys.platform == "win32":
        return
    import resource

    def lower(which: int, wanted: int) -> None:
        _, hard = resource.getrlimit(which)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))

    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_CPU, int(timeout_seconds) + 2)
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as statm:
        used = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        # Twice: the buffers, and what Python needs to fill them.
        lower(resource.RLIMIT_AS, used + 2 * memory_bytes + (256 << 20))


def _signal(name: str) -> int:
    return int(getattr(signal, name, -1))
