"""Fork server: a process that has loaded what execution needs, and forks a worker for every request.

Nearly all of the time of a small execution goes into starting Python, loading MLIR and making a context. The server has
no threads, no program was in its context, and it never looks at a program itself: everything else, confinement and
limits included, is done by :mod:`.worker`, in a process of its own for each request.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO
from threading import Lock
from time import monotonic
from typing import NoReturn

from shapesolve.execution import sandbox
from shapesolve.ir import bindings

_FIT_TO_FORK = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Environment of the fork server: one thread for numpy, which MLIR's bindings import and which otherwise starts a
thread for each core that a fork loses; and large pages where the C library has them, since a fork copies an entry for
each page (a call of a function took a fifth less)."""

_FORKING = """\
import os
os.register_at_fork = lambda **_: None
from shapesolve.execution.fork_server import main
main()
"""
"""Program of the fork server, without modules' fork handlers: they renew locks and random seeds, for threads and random
numbers, of which a child has none, and so would copy pages of memory in each child."""

_PATIENCE_SECONDS = 2.0


class ForkServerGoneError(Exception):
    """The fork server has ended, or cannot fork."""


class ForkServer:
    """Client of a fork server. Threads may share it, and forked processes that each use one of its ``places``.

    Raises:
        OSError: The server cannot be started.
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

    def use_socket(self, number: int) -> None:
        """Use the socket of that place in this process from now on."""
        self._lock = Lock()
        self._socket = self._sockets[number]

    def _close_sockets(self) -> None:
        for each in self._sockets:
            each.close()

    def run_worker(self, document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
        """Run one request in a forked worker with a private directory; return its output and wait status.

        Raises:
            TimeoutExpired: The worker took too long.
            OSError: No pipe is to be had, or the client is closed.
        """
        try:
            return self._run_worker(document, directory, seconds)
        except ForkServerGoneError:
            if self._closed:
                raise OSError("closed") from None
            raise

    def _run_worker(self, document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
        deadline = monotonic() + seconds
        with ExitStack() as stack:
            stdin, feeding = _pipe(stack)
            hearing, stdout = _pipe(stack)
            replies, telling = _pipe(stack)
            self._ask(directory, (stdin, stdout, telling))
            process = int(_line(replies, deadline))
            ended, output = False, bytearray()
            try:
                with suppress(BrokenPipeError), feeding:
                    _write(feeding, document)
                _read(hearing, deadline, output)
                status = int(_line(replies, deadline))
                ended = True
            except TimeoutError:
                raise subprocess.TimeoutExpired("child", seconds, bytes(output)) from None
            finally:
                if not ended:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
            return bytes(output), status

    def _ask(self, directory: str, ends: tuple[FileIO, ...]) -> None:
        path = os.fsencode(directory).ljust(PATH_BYTES, b"\0")
        try:
            with self._lock:
                socket.send_fds(self._socket, [path], [each.fileno() for each in ends])
        except OSError:
            raise ForkServerGoneError from None
        finally:
            for each in ends:
                each.close()

    def close(self) -> None:
        """End the fork server, and with it its workers."""
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


def _read(pipe: FileIO, deadline: float, output: bytearray) -> None:
    """Read until the other end is closed. Raises TimeoutError."""
    while piece := _piece(pipe, deadline):
        output += piece


def _line(pipe: FileIO, deadline: float) -> bytes:
    """Read one line. Raises TimeoutError, and ForkServerGoneError at the end of the stream."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = _piece(pipe, deadline, most=1)
        if not piece:
            raise ForkServerGoneError
        line += piece
    return bytes(line)


def _piece(pipe: FileIO, deadline: float, most: int = 1 << 16) -> bytes:
    left = deadline - monotonic()
    if left <= 0 or not select.select([pipe], [], [], left)[0]:
        raise TimeoutError
    return pipe.read(most) or b""


# The one of this process -----------------------------------------------------------------------------------------

_opened: list[_LazyForkServer] = []


class _LazyForkServer:
    """A fork server that is started when the first worker is wanted."""

    def __init__(self, environment: Mapping[str, str], places: int) -> None:
        self._environment = environment
        self._places = places
        self._lock = Lock()
        self._server: ForkServer | None = None

    def started(self) -> ForkServer:
        with self._lock:
            if self._server is None:
                self._server = ForkServer(self._environment, self._places)
            return self._server

    def use_socket(self, number: int) -> None:
        if self._server is not None:
            self._server.use_socket(number)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()


def current() -> ForkServer | None:
    """Return the fork server, started if need be; None outside of `use_fork_server`. Raises OSError."""
    return _opened[-1].started() if _opened else None


def use_socket(number: int) -> None:
    """Use a place of its own in a forked process from now on."""
    if _opened:
        _opened[-1].use_socket(number)


@contextmanager
def use_fork_server(environment: Mapping[str, str], *, at_once: bool = False, places: int = 1) -> Generator[None]:
    """Provide a fork server inside the context; nested contexts share one.

    It starts when the first worker is wanted, or ``at_once``, so that it is ready by then.
    """
    if not sandbox.can_fork:
        yield
        return
    if _opened:
        yield
        return
    waiting = _LazyForkServer(environment, places)
    _opened.append(waiting)
    try:
        if at_once:
            with suppress(OSError):
                waiting.started()
        yield
    finally:
        _opened.remove(waiting)
        waiting.close()


PATH_BYTES = 4096
"""Length of a request: a path padded with zeros to this many bytes. Descriptors come with it."""

DESCRIPTORS = 3
"""Descriptors of a request: the child's input, its output, and the pipe that reports its process number and exit
status."""

_NEEDED = (
    "shapesolve.execution.worker",
    "torch_mlir.ir",
    "torch_mlir.passmanager",
    "torch_mlir.execution_engine",
    "torch_mlir._mlir_libs._stablehlo",
    "torch_mlir._mlir_libs._torchMlir",
    "resource",
)


def serve(numbers: Sequence[int]) -> None:
    """Fork for every request that comes through one of some sockets, until all are closed."""
    if sys.platform == "win32":
        return
    sandbox.end_with_parent()
    asking: list[socket.socket] = [socket.socket(fileno=number) for number in numbers]
    with bindings.without_numpy():
        for name in _NEEDED:
            importlib.import_module(name)
    importlib.import_module("shapesolve.execution.lowering.pass_pipeline").prepare()
    gc.freeze()
    woken = _child_exit_descriptor()
    running: dict[int, int] = {}
    try:
        while asking:
            ready = set(select.select([woken, *(each.fileno() for each in asking)], [], [])[0])
            if woken in ready:
                os.read(woken, 1 << 12)
                _report_exits(running)
            asking = [each for each in asking if each.fileno() not in ready or _serve_next(each, running)]
    finally:
        for process in running:
            os.kill(process, signal.SIGKILL)


def _child_exit_descriptor() -> int:
    """Return a descriptor that becomes readable whenever a worker has ended."""
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    if sys.platform != "win32":
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return woken


def _serve_next(requests: socket.socket, running: dict[int, int]) -> bool:
    """Fork for the next request. Return False at the end of the requests."""
    path, descriptors, _, _ = socket.recv_fds(requests, PATH_BYTES, DESCRIPTORS, socket.MSG_WAITALL)
    if len(path) < PATH_BYTES or len(descriptors) < DESCRIPTORS:
        return False
    reading, writing, telling = descriptors
    waiting = os.getpid()
    try:
        process = os.fork()
    except OSError:
        process = -1  # that it is told nothing says so
    if process == 0:
        _be_child(waiting, path.rstrip(b"\0"), reading, writing)
    os.close(reading)
    os.close(writing)
    if process < 0:
        os.close(telling)
        return True
    running[process] = telling
    _report_exit(telling, process)
    return True


def _report_exits(running: dict[int, int]) -> None:
    """Report the wait status of workers that have ended."""
    for process in list(running):
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            telling = running.pop(process)
            _report_exit(telling, os.waitstatus_to_exitcode(status))
            os.close(telling)


def _report_exit(telling: int, number: int) -> None:
    try:
        os.write(telling, b"%d\n" % number)
    except OSError:  # whoever asked does not listen any more
        return


def _be_child(parent: int, directory: bytes, reading: int, writing: int) -> NoReturn:
    code = 1
    try:
        sandbox.end_with_parent(parent)
        signal.set_wakeup_fd(-1)
        if sys.platform != "win32":
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for found, standard in ((reading, 0), (writing, 1), (nowhere, 2)):
            os.dup2(found, standard)
        os.closerange(3, 1 << 16)
        os.chdir(directory)
        importlib.import_module("shapesolve.execution.worker").main()
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Serve through the sockets whose numbers are the arguments of this process."""
    serve([int(each) for each in sys.argv[1:]])
