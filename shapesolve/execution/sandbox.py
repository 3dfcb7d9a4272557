"""Sandbox: a process of its own for each run, confined by the operating system.

The process that lowers and runs programs is confined before it sees a program, and the process that runs one a second
time, right before the call. This is defense in depth: a program is only run if each operation of it is known to stay
inside (:mod:`.allow_list`). It is for unforeseen ways out, and for programs that write where they must not.

Linux has Landlock (5.13 and later) for files, connections and signals, and seccomp for all system calls; both are asked
for through ``prctl`` and ``syscall``, and what the kernel lacks is left out. Other systems have the limits only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from shapesolve.execution import seccomp
from shapesolve.records import value_record

can_fork = hasattr(os, "fork") and sys.platform != "win32"


@dataclass(frozen=True)
class Ending:
    """Output of a finished process, and the signal that ended it (0: none)."""

    written: bytes
    signal: int

    @property
    def timed_out(self) -> bool:
        """Return whether the alarm rang, or the processor time was used up."""
        return self.signal in {_signal("SIGALRM"), _signal("SIGPROF"), _signal("SIGXCPU")}

    @property
    def crashed(self) -> bool:
        """Return whether the process was ended by a fault of its own.

        Being killed from outside, for want of memory say, is not that.
        """
        faults = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGSYS")
        return self.signal in {_signal(name) for name in faults}


def signal_name(number: int) -> str:
    """Return the name of a signal, such as ``SIGSEGV``; its number if it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def set_alarm(seconds: float) -> None:
    """End this process by SIGALRM after ``seconds``; 0 cancels the alarm. Does nothing where there are no alarms."""
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _set_clocks(seconds: float) -> None:
    """End this process after so many seconds of processor time, and after a multiple of it in any case."""
    if sys.platform == "win32":
        return
    set_alarm(WAITS * seconds)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


WAITS = 4
"""Factor from the limit of processor time to that of elapsed time: verdicts must not depend on the machine's load."""


def run_forked(work: Callable[[int], None], *, timeout_seconds: float, memory_bytes: int) -> Ending:
    """Fork, run ``work`` in the new process with a descriptor to write to, and wait for its end.

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
    """Read until the other end is closed. Return the bytes, and False if that takes too long or is too much."""
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
        end_with_parent(parent)
        # Twice: the buffers, and what Python needs to fill them.
        limit(timeout_seconds, 2 * memory_bytes + (256 << 20), open_files=_OPEN_FILES, processes=0)
        _set_clocks(timeout_seconds)
        work(writing)
        code = 0
    os._exit(code)


def _signal(name: str) -> int:
    return int(getattr(signal, name, -1))


_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL = 9


@value_record
class Confinement:
    """The mechanisms in force in this process."""

    files: bool
    system_calls: bool


def confine_lowering(readable: Sequence[str]) -> Confinement:
    """Confine the process that lowers programs: it writes no file, and reads none but those below ``readable``.

    No program is started, nothing is connected to, no other process is touched. It can still fork.
    """
    if not sys.platform.startswith("linux"):
        return Confinement(files=False, system_calls=False)
    seccomp.prepare()
    _promise()
    return Confinement(_landlock(readable), _filter(seccomp.lowering_filter()))


def confine_run(writing: int) -> Confinement:
    """Confine the process that calls a compiled function: it computes, and writes to the descriptor ``writing``."""
    if not sys.platform.startswith("linux"):
        return Confinement(files=False, system_calls=False)
    _promise()
    return Confinement(_landlock(()), _filter(seccomp.run_filter(writing, os.getpid())))


def limit(seconds: float, memory_bytes: int | None, *, open_files: int, processes: int | None = None) -> None:
    """Limit this process: processor time, memory beyond what it has, no file may grow, no core is dumped.

    Limits cannot be raised again, except by a privileged process.
    """
    if sys.platform == "win32":
        return
    import resource

    def lower(which: int, wanted: int) -> None:
        _, hard = resource.getrlimit(which)
        bound = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (bound, bound))

    used = _address_space() if memory_bytes is not None else None
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_NOFILE, open_files)
    # At the soft limit a process can be told; at the hard one it is killed, which looks like want of memory.
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    bound = int(seconds) + 2
    if hard == resource.RLIM_INFINITY or bound < hard:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (bound, bound + 2))
    if processes is not None:
        lower(resource.RLIMIT_NPROC, processes)
    if memory_bytes is not None and used is not None:
        lower(resource.RLIMIT_AS, used + memory_bytes)


def end_with_parent(parent: int | None = None) -> None:
    """Have this process killed when its parent ends, or at once if that was ``parent`` and has ended."""
    if sys.platform.startswith("linux"):
        _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


_own_size: int | None = None


def watch_address_space() -> None:
    """Keep the means to read the address space in use, for when no file can be opened any more."""
    global _own_size
    with contextlib.suppress(OSError):
        _own_size = os.open("/proc/self/statm", os.O_RDONLY)


def _address_space() -> int | None:
    """Return the bytes of address space in use, as of the process that called `watch_address_space`.

    After a fork they are the same.
    """
    if _own_size is None:
        watch_address_space()
    if _own_size is None:
        return None
    with contextlib.suppress(OSError, ValueError):
        return int(os.pread(_own_size, 64, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return None


def close_all_but(kept: int) -> None:
    """Close every descriptor but one."""
    most = 1 << 16
    os.closerange(0, kept)
    os.closerange(kept + 1, most)


# Asking the kernel ---------------------------------------------------------------------------------------------------

_libc: ctypes.CDLL | None = None


def _c_library() -> ctypes.CDLL:
    """Return the C functions that this process has loaded already."""
    global _libc
    if _libc is None:
        _libc = ctypes.CDLL(None, use_errno=True)
    return _libc


def _prctl(option: int, *given: int | ctypes.c_void_p) -> bool:
    words = [each if isinstance(each, ctypes.c_void_p) else ctypes.c_ulong(each) for each in given]
    words += [ctypes.c_ulong(0)] * (4 - len(words))
    return int(_c_library().prctl(ctypes.c_int(option), *words)) == 0


def _promise() -> None:
    """Give up gaining rights by starting a program, which both mechanisms require."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _filter(instructions: bytes | None) -> bool:
    """Install a filter of system calls. Return False if there is none for this machine, or the kernel refuses."""
    if instructions is None:
        return False
    kept = ctypes.create_string_buffer(instructions, len(instructions))
    asked = _Program(len(instructions) // 8, ctypes.addressof(kept))
    return _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.c_void_p(ctypes.addressof(asked)))


# Landlock ------------------------------------------------------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every processor
_VERSION = 1
_PATH_BENEATH = 1
_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3

#: Rights over files by the version of the interface that brought the last of them.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}


def _landlock(readable: Iterable[str]) -> bool:
    """Deny everything that Landlock knows of, except reading below ``readable``."""
    version = _syscall(_CREATE_RULESET, None, 0, _VERSION)
    if version < 1:
        return False
    rights = (1 << _RIGHTS[min(version, 5)]) - 1
    connections = 0b11 if version >= 4 else 0
    signals_and_sockets = 0b11 if version >= 6 else 0
    asked = struct.pack("<QQQ", rights, connections, signals_and_sockets)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _syscall(_CREATE_RULESET, asked, size, 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow_reading(rules, path)
        return _syscall(_RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def _allow_reading(rules: int, path: str) -> None:
    with contextlib.suppress(OSError):
        place = os.open(path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC)
        try:
            rights = _READ_FILE | _READ_DIRECTORY if os.path.isdir(path) else _READ_FILE
            _syscall(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("<Qi", rights, place), 0)
        finally:
            os.close(place)


def _syscall(number: int, *given: int | bytes | None) -> int:
    words: list[object] = []
    for each in given:
        words.append(ctypes.c_long(each) if isinstance(each, int) else ctypes.c_char_p(each))
    return int(_c_library().syscall(ctypes.c_long(number), *words))
