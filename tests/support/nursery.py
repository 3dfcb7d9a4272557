"""Children that start at once: forked from a process that has imported what running programs needs.

Nearly all of the time of a small execution goes into starting Python and loading MLIR. A nursery does both once for a
whole session of tests. Whatever comes after the imports, confinement and limits too, is what `executing.child` does, in
a process of its own for each request. Tests of the process itself start real ones (`tests/executing`).
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
from collections.abc import Generator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import NoReturn

from shapesolve.executing import confinement, isolation, runner

_REAL_CHILD = runner._CHILD
_REAL_RUN = subprocess.run
REAL_RUN_CHILD = runner.run_child


class _Nursery:
    """The side of the tests."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from support.nursery import serve; serve({theirs.fileno()})"],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            env={**runner._environment(), "OPENBLAS_NUM_THREADS": "1"},
        )
        theirs.close()

    def run_child(self, document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
        """As :func:`runner.run_child`; a test that changes how children are started is served by that."""
        if runner._CHILD is not _REAL_CHILD or subprocess.run is not _REAL_RUN:
            return REAL_RUN_CHILD(document, directory, seconds)
        stdin, ours_in = os.pipe()
        ours_out, stdout = os.pipe()
        socket.send_fds(self._socket, [os.fsencode(directory)], [stdin, stdout])
        os.close(stdin)
        os.close(stdout)
        process = int(self._answer())
        with suppress(BrokenPipeError), open(ours_in, "wb") as pipe:
            pipe.write(document)
        with open(ours_out, "rb", buffering=0) as pipe:
            said, ended = _read(pipe.fileno(), monotonic() + seconds)
        if not ended:
            os.kill(process, signal.SIGKILL)
        status = int(self._answer())
        if not ended:
            raise subprocess.TimeoutExpired("child", seconds, said)
        return said, status

    def close(self) -> None:
        """The nursery ends when nobody can ask it any more."""
        self._socket.close()
        self._process.wait(timeout=30)

    def _answer(self) -> bytes:
        answer = self._socket.recv(64)
        if not answer:
            raise OSError("the nursery has died")
        return answer


def _read(reading: int, deadline: float) -> tuple[bytes, bool]:
    pieces: list[bytes] = []
    while (left := deadline - monotonic()) > 0 and select.select([reading], [], [], left)[0]:
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b"".join(pieces), True
        pieces.append(piece)
    return b"".join(pieces), False


@contextmanager
def nursery() -> Generator[None]:
    """Inside, children come from a nursery, which is started when the first is wanted."""
    started: list[_Nursery] = []
    if not isolation.can_fork:
        yield
        return

    def run_child(document: bytes, directory: str, seconds: float) -> tuple[bytes, int]:
        if not started:
            started.append(_Nursery())
        return started[0].run_child(document, directory, seconds)

    runner.run_child = run_child
    try:
        yield
    finally:
        runner.run_child = REAL_RUN_CHILD
        for each in started:
            each.close()


def serve(number: int) -> None:
    """The other side: one fork a request. Nothing that is imported here has threads or makes a context of MLIR's."""
    confinement.end_with_parent()
    requests = socket.socket(fileno=number)
    for name in (
        "shapesolve.executing.child",
        *("torch_mlir.ir", "torch_mlir.passmanager", "torch_mlir.execution_engine"),
        *("torch_mlir._mlir_libs._stablehlo", "torch_mlir._mlir_libs._torchMlir"),
    ):
        importlib.import_module(name)
    gc.freeze()
    while True:
        directory, descriptors, _, _ = socket.recv_fds(requests, 1 << 12, 2)
        if not directory:
            return
        process = os.fork()
        if process == 0:
            requests.close()
            _be_child(os.fsdecode(directory), *descriptors)
        for each in descriptors:
            os.close(each)
        requests.send(b"%d" % process)
        _, status = os.waitpid(process, 0)
        requests.send(b"%d" % os.waitstatus_to_exitcode(status))


def _be_child(directory: str, stdin: int, stdout: int) -> NoReturn:
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for found, standard in ((stdin, 0), (stdout, 1), (nowhere, 2)):
            os.dup2(found, standard)
        os.closerange(3, 1 << 10)
        os.chdir(directory)
        importlib.import_module("shapesolve.executing.child").main()
        code = 0
    finally:
        os._exit(code)
