"""A command in a process of its own, so that whatever ends that process, a sentence and a documented exit code remain.

MLIR, z3 and numpy are native code: short of memory, or over a defect, they end the process they are in by a signal or
by an exit code of their own. The process that was started forks before any of them is loaded, waits, and forwards the
signals that ask for an end; what does not end soon is ended.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from shapesolve.cli.environment import complain, memory_limit

PATIENCE_SECONDS = 2.0
"""How long a command that was told to end may take; native code does not hear it."""

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}

UNUSABLE = 2

_GETS_ON = b"\xff"
"""What a command's process says of itself while it works; no exit code is that."""

_telling: list[int] = []
"""In a command's process: the descriptor that it tells the waiting one something through."""


class Terminated(BaseException):
    """Somebody asked this process to end, by SIGTERM or SIGHUP."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


def guarded(command: Callable[[], int], *, seconds: float | None = None, grace: float = 0.0) -> int:
    """Run a command in a process of its own and return its exit code, or 2 and a sentence where it left none.

    ``seconds``: when to end it however busy it is, but not before ``grace`` seconds have passed since it last said that
    it :func:`gets_on`. Where no process can be started it runs in this one.
    """
    try:
        process, reading = forked(lambda writing, parent: _run_and_exit(command, writing, parent))
    except OSError:
        return command()
    return _Watch(process, seconds, grace).until_said(reading)


def gets_on() -> None:
    """Say that the command is not stuck: it still goes from one thing to the next."""
    for writing in _telling:
        with suppress(OSError):
            os.write(writing, _GETS_ON)


def forked(inside: Callable[[int, int], NoReturn]) -> tuple[int, int]:
    """Fork; the new process and a descriptor to hear it through.

    In that process ``inside`` is called with a descriptor to write to, and the process that it came from. Raises
    OSError where no process or no pipe is to be had.
    """
    if sys.platform == "win32":
        raise OSError("this platform cannot fork")
    reading, writing = os.pipe()
    parent = os.getpid()
    # What a handler raises while Python forks is printed and forgotten, for its own work is done then.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _wanted())
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
    """The first signal that asks for an end raises KeyboardInterrupt or Terminated; the ones after it are ignored."""

    def asked(number: int, _: FrameType | None) -> NoReturn:
        for each in _wanted():
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)

    for each in _wanted():
        signal.signal(each, asked)
    sys.unraisablehook = _once_more(sys.unraisablehook)


def _once_more(otherwise: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], None]:
    """What to do with an error in the putting away of an object: the wish to end is raised again when that is done."""

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        wish = unraisable.exc_value
        if not isinstance(wish, KeyboardInterrupt | Terminated) or not hasattr(signal, "setitimer"):
            otherwise(unraisable)
            return

        def again(number: int, frame: FrameType | None) -> NoReturn:
            raise wish

        signal.signal(signal.SIGALRM, again)
        signal.setitimer(signal.ITIMER_REAL, 0.001)

    return hook


def _wanted() -> list[signal.Signals]:
    """The signals that ask for an end, without those that whoever started us said to ignore."""
    known = (getattr(signal, name, None) for name in WORDS)
    return [each for each in known if each is not None and signal.getsignal(each) is not signal.SIG_IGN]


# The command's process -------------------------------------------------------------------------------------------


def _run_and_exit(command: Callable[[], int], writing: int, parent: int) -> NoReturn:
    code = UNUSABLE
    try:
        end_with(parent)
        raise_on_signals()
        _telling.append(writing)
        code = command()
        os.write(writing, bytes([code]))
    finally:
        os._exit(code)


def end_with(parent: int) -> None:
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


class _Watch:
    """Waits for the command's process; forwards signals to it, and kills it when it does not heed them in time."""

    def __init__(self, process: int, seconds: float | None, grace: float) -> None:
        self._process = process
        self._seconds = seconds
        self._grace = grace
        self._asked: signal.Signals | None = None
        self._killed = False

    def until_said(self, reading: int) -> int:
        """The command's exit code, which it writes to a pipe: those of libraries may be any number."""
        before = {each: signal.signal(each, self._forward) for each in _wanted()}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._kill)
        if self._seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            while (said := os.read(reading, 1)) == _GETS_ON:
                self._wait_longer()
            _, status = os.waitpid(self._process, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for each, handler in before.items():
                signal.signal(each, handler)
            os.close(reading)
        return said[0] if said else self._unsaid(status)

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

    def _unsaid(self, status: int) -> int:
        if self._asked is not None:
            complain(f"\n{WORDS[self._asked.name]}")
            return 128 + self._asked
        if self._killed:
            complain("error: the time limit of the command was reached in work that cannot be interrupted: no report")
            return UNUSABLE
        complain(f"error: {ending(status)}")
        return UNUSABLE


def ending(status: int) -> str:
    """What ended a process that did not end well, in words."""
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
