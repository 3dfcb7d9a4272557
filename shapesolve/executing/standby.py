"""The parent's side of a process in waiting, from which children come that need not start anew."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO
from threading import Lock
from time import monotonic

from shapesolve.executing import isolation
from shapesolve.executing.forking import PATH_BYTES

_FIT_TO_FORK = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""numpy, which MLIR's bindings import, would start a thread for every core; what forks has none. And a fork copies an
entry for every page: with large pages, where the C library has any, a call of a function took a fifth less."""

_FORKING = """\
import os
os.register_at_fork = lambda **_: None
from shapesolve.executing.forking import main
main()
"""
"""What modules want done in what was forked, new locks and seeds, is for threads and chance, which it has not. Doing it
writes to memory that the kernel then copies, in each child."""

_PATIENCE_SECONDS = 2.0


class GoneError(Exception):
    """The process in waiting has ended, or cannot fork."""


class Standby:
    """Starts a process in waiting, and asks it for children. Threads may share it. Raises OSError.

    Processes that are forked from this one may share it too: each asks from one of so many ``places`` of its own.
    """

    def __init__(self, environment: Mapping[str, str], places: int = 1) -> None:
        self._lock = Lock()
        self._closed = False
        self._sockets: list[socket.socket] = []
        with ExitStack() as stack:
            theirs: list[int] = []
            for _ in range(places):
                ours, other = socket.socketpair()
                theirs.append(stack.enter_context(other).fileno())
                self._sockets.append(ours)
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _FORKING, *map(str, theirs)],
                    pass_fds=theirs,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={**environment, **_FIT_TO_FORK},
                    cwd=os.path.abspath(os.sep),
                )
            except OSError:
                self._close_sockets()
                raise
        self._socket = self._sockets[0]

    def take_place(self, number: int) -> None:
        """From now on this process asks from that place."""
        self._lock = Lock()
        self._socket = self._sockets[number]

    def _close_sockets(self) -> None:
        for each in self._sockets:
            each.close()

    def run_child(self, document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
        """What a child says to a request, in a directory of its own, and how it ends.

        Raises GoneError and TimeoutExpired, and OSError where no pipe is to be had or all of it was closed.
        """
        try:
            return self._run_child(document, directory, seconds)
        except GoneError:
            if self._closed:
                raise OSError("closed") from None
            raise

    def _run_child(self, document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
        deadline = monotonic() + seconds
        with ExitStack() as stack:
            stdin, feeding = _pipe(stack)
            hearing, stdout = _pipe(stack)
            told, telling = _pipe(stack)
            self._ask(directory, (stdin, stdout, telling))
            process = int(_line(told, deadline))
            ended, said = False, bytearray()
            try:
                with suppress(BrokenPipeError), feeding:
                    _write(feeding, document)
                _read(hearing, deadline, said)
                status = int(_line(told, deadline))
                ended = True
            except TimeoutError:
                raise subprocess.TimeoutExpired("child", seconds, bytes(said)) from None
            finally:
                if not ended:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
            return bytes(said), status

    def _ask(self, directory: str, ends: tuple[FileIO, ...]) -> None:
        path = os.fsencode(directory).ljust(PATH_BYTES, b"\0")
        try:
            with self._lock:
                socket.send_fds(self._socket, [path], [each.fileno() for each in ends])
        except OSError:
            raise GoneError from None
        finally:
            for each in ends:
                each.close()

    def close(self) -> None:
        """End the process in waiting, and with it the children that it has."""
        self._closed = True
        self._close_sockets()
        if not sys.platform.startswith("linux"):  # there the kernel ends them
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE_SECONDS)
        self._process.kill()
        self._process.wait()


def _pipe(stack: ExitStack) -> tuple[FileIO, FileIO]:
    reading, writing = os.pipe()
    return stack.enter_context(FileIO(reading, "rb")), stack.enter_context(FileIO(writing, "wb"))


def _write(pipe: FileIO, document: bytes) -> None:
    left = memoryview(document)
    while left:
        left = left[pipe.write(left) :]


def _read(pipe: FileIO, deadline: float, said: bytearray) -> None:
    """Everything that is written until the other end is closed. Raises TimeoutError."""
    while piece := _piece(pipe, deadline):
        said += piece


def _line(pipe: FileIO, deadline: float) -> bytes:
    """One line. Raises TimeoutError, and GoneError where there is none."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = _piece(pipe, deadline, most=1)
        if not piece:
            raise GoneError
        line += piece
    return bytes(line)


def _piece(pipe: FileIO, deadline: float, most: int = 1 << 16) -> bytes:
    left = deadline - monotonic()
    if left <= 0 or not select.select([pipe], [], [], left)[0]:
        raise TimeoutError
    return pipe.read(most) or b""


# The one of this process -----------------------------------------------------------------------------------------

_opened: list[_Waiting] = []


class _Waiting:
    """The process in waiting of those who asked for one, once the first child is wanted."""

    def __init__(self, environment: Mapping[str, str], places: int) -> None:
        self._environment = environment
        self._places = places
        self._lock = Lock()
        self._standby: Standby | None = None

    def started(self) -> Standby:
        with self._lock:
            if self._standby is None:
                self._standby = Standby(self._environment, self._places)
            return self._standby

    def take_place(self, number: int) -> None:
        if self._standby is not None:
            self._standby.take_place(number)

    def close(self) -> None:
        if self._standby is not None:
            self._standby.close()


def current() -> Standby | None:
    """The process in waiting, started where it was not yet; None where nobody asked for one. Raises OSError."""
    return _opened[-1].started() if _opened else None


def take_place(number: int) -> None:
    """In a process that was forked: from now on children are asked for from a place of its own."""
    if _opened:
        _opened[-1].take_place(number)


@contextmanager
def standing_by(environment: Mapping[str, str], *, at_once: bool = False, places: int = 1) -> Generator[None]:
    """Inside, children come from a process in waiting: from the same one where this stands inside of itself.

    It starts when the first child is wanted, or ``at_once``, so that it is ready by then.
    """
    if not isolation.can_fork:
        yield
        return
    if _opened:
        yield
        return
    waiting = _Waiting(environment, places)
    _opened.append(waiting)
    try:
        if at_once:
            with suppress(OSError):
                waiting.started()
        yield
    finally:
        _opened.remove(waiting)
        waiting.close()
