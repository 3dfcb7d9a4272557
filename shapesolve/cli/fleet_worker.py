"""Worker side of a fleet: passes jobs from Dask to child processes, which may crash.

A worker holds a job and its reports as bytes and loads nothing of MLIR, so that its memory stays as it is.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from contextlib import suppress
from struct import Struct
from subprocess import PIPE
from typing import IO, Literal

from shapesolve import __version__
from shapesolve.cli.supervisor import exit_description

Answer = tuple[Literal["reports"], bytes] | tuple[Literal["crashed", "unfit"], str]
"""Reports of a job, the end of its process, or a reason why this worker can do none."""

_HEAD = Struct("!BQ")
"""Head of a message: whether the process of the job crashed, and the number of bytes that follow."""

_idle_processes: list[subprocess.Popen[bytes]] = []
"""Processes of this worker that wait for a job: one for each of its threads in the end."""


def versions() -> str:
    """Return the versions that must be the same for a command and for its workers."""
    return f"shapesolve {__version__} on Python {sys.version_info.major}.{sys.version_info.minor}"


def answer(job: bytes, expected: str) -> Answer:
    """Run a job in a process of this worker, and return the outcome."""
    if versions() != expected:
        return "unfit", f"{platform.node()} has {versions()}, the command {expected}"
    process = _idle_process()
    assert process.stdin is not None and process.stdout is not None
    found = None
    try:
        with suppress(OSError):  # the process ended
            write_message(process.stdin, job)
            found = read_message(process.stdout)
    finally:
        if found is None:
            process.kill()
    if found is None:
        code = process.wait()
        return "crashed", exit_description(-code if code < 0 else code << 8)
    _idle_processes.append(process)
    crashed, content = found
    return ("crashed", content.decode()) if crashed else ("reports", content)


def _idle_process() -> subprocess.Popen[bytes]:
    while _idle_processes:
        process = _idle_processes.pop()
        if process.poll() is None:
            return process
    # -P: a folder that the worker was started in is not searched for modules.
    return subprocess.Popen([sys.executable, "-P", "-m", "shapesolve.cli.fleet_process"], stdin=PIPE, stdout=PIPE)


def read_message(stream: IO[bytes]) -> tuple[bool, bytes] | None:
    """Return the next message of a stream: whether a job crashed, and the content. At the end, return None."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    crashed, length = _HEAD.unpack(head)
    content = stream.read(length)
    return None if len(content) < length else (bool(crashed), content)


def write_message(stream: IO[bytes], content: bytes, *, crashed: bool = False) -> None:
    """Write a message to a stream."""
    stream.write(_HEAD.pack(crashed, len(content)))
    stream.write(content)
    stream.flush()
