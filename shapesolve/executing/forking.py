"""The process in waiting: it has loaded what running programs needs, and forks for every request.

Nearly all of the time of a small execution goes into starting Python, loading MLIR and making a context. What it has
loaded has no threads, no program was in the context, and it never looks at a program itself: whatever follows,
confinement and limits too, is what :mod:`.child` does, in a process of its own for each request.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from typing import NoReturn

from shapesolve.executing import confinement
from shapesolve.reading import bindings

PATH_BYTES = 4096
"""Every request is a path of so many bytes, filled up with zeros, and three descriptors."""

DESCRIPTORS = 3
"""What the child reads, what it writes, and where it is told which process it is and how that ended."""

_NEEDED = (
    "shapesolve.executing.child",
    "torch_mlir.ir",
    "torch_mlir.passmanager",
    "torch_mlir.execution_engine",
    "torch_mlir._mlir_libs._stablehlo",
    "torch_mlir._mlir_libs._torchMlir",
    "resource",
)


def serve(numbers: Sequence[int]) -> None:
    """Fork for every request that comes through one of some sockets, until nobody can ask any more."""
    if sys.platform == "win32":
        return
    confinement.end_with_parent()
    asking: list[socket.socket] = [socket.socket(fileno=number) for number in numbers]
    with bindings.without_numpy():
        for name in _NEEDED:
            importlib.import_module(name)
    importlib.import_module("shapesolve.executing.lowering.contexts").prepare()
    gc.freeze()
    woken = _woken_by_ends()
    running: dict[int, int] = {}
    try:
        while asking:
            ready = set(select.select([woken, *(each.fileno() for each in asking)], [], [])[0])
            if woken in ready:
                os.read(woken, 1 << 12)
                _tell_ends(running)
            asking = [each for each in asking if each.fileno() not in ready or _answered(each, running)]
    finally:
        for process in running:
            os.kill(process, signal.SIGKILL)


def _woken_by_ends() -> int:
    """A descriptor that can be read whenever a child has ended."""
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    if sys.platform != "win32":
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return woken


def _answered(requests: socket.socket, running: dict[int, int]) -> bool:
    """Fork for the next request; False where there will be none."""
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
    _tell(telling, process)
    return True


def _tell_ends(running: dict[int, int]) -> None:
    """Say how children ended that have."""
    for process in list(running):
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            telling = running.pop(process)
            _tell(telling, os.waitstatus_to_exitcode(status))
            os.close(telling)


def _tell(telling: int, number: int) -> None:
    try:
        os.write(telling, b"%d\n" % number)
    except OSError:  # whoever asked does not listen any more
        return


def _be_child(parent: int, directory: bytes, reading: int, writing: int) -> NoReturn:
    code = 1
    try:
        confinement.end_with_parent(parent)
        signal.set_wakeup_fd(-1)
        if sys.platform != "win32":
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for found, standard in ((reading, 0), (writing, 1), (nowhere, 2)):
            os.dup2(found, standard)
        os.closerange(3, 1 << 16)
        os.chdir(directory)
        importlib.import_module("shapesolve.executing.child").main()
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Serve through the sockets whose numbers are the arguments of this process."""
    serve([int(each) for each in sys.argv[1:]])
