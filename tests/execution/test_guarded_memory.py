"""Tests of guarded memory: accesses outside a buffer crash, and a refused allocation is reported as such."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from shapesolve.execution import invocation, sandbox
from shapesolve.execution.invocation import GuardedMemory, NoMemoryError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pages are protected there")

SIZES = (0, 1, 8, 4096, 0, 4097, 24, 3 << 20, 0, 16, (4 << 20) - 8192, 5 << 20, 64)
"""Sizes of buffers in bytes: some end at a page boundary, some need memory of their own, some are empty."""


@contextmanager
def _asking() -> Generator[tuple[int, int]]:
    reading, writing = os.pipe()
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


def _is_readable(address: int, pipe: tuple[int, int]) -> bool:
    """Return whether the system can copy a byte from there: it says so, where this process would be ended."""
    write = ctypes.CDLL(None).write
    write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    write.restype = ctypes.c_ssize_t
    if write(pipe[1], address, 1) != 1:
        return False
    os.read(pipe[0], 1)
    return True


def test_accesses_two_pages_past_a_buffer_are_noticed() -> None:
    memory, page = GuardedMemory(1 << 26), mmap.PAGESIZE
    buffers = [(memory.allocate(size), size) for size in SIZES * 2]
    with _asking() as pipe:
        for start, size in buffers:
            end = start + size
            first = start - start % page
            assert all(_is_readable(each, pipe) for each in ((start, end - 1) if size else ()))
            assert not any(_is_readable(end + beyond, pipe) for beyond in (0, 1, page, 2 * page - 1))
            assert not any(_is_readable(first - before, pipe) for before in (1, page, 2 * page))
            assert ctypes.string_at(start, size) == bytes(size)


def test_memory_that_the_system_does_not_give_is_no_failure_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system refuses to make a page readable, the program would crash although it does nothing wrong."""

    def refusing(address: int, length: int, use: int) -> int:
        return -1 if use else 0

    monkeypatch.setattr(invocation, "_page_protection", lambda: refusing)
    with pytest.raises(NoMemoryError):
        GuardedMemory(1 << 20).allocate(8)


@pytest.mark.process
@pytest.mark.skipif(not sandbox.can_fork or not sys.platform.startswith("linux"), reason="needs a limit of memory")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_limit_of_the_system_is_told_apart_from_a_crash() -> None:
    def work(answers: int) -> None:
        memory = GuardedMemory(1 << 40)
        try:
            for _ in range(1 << 10):
                memory.allocate(16 << 20)
        except NoMemoryError:
            os.write(answers, b"told")

    ending = sandbox.run_forked(work, timeout_seconds=10, memory_bytes=1 << 20)
    assert ending.written == b"told"
    assert not ending.crashed
