"""Processes and servers that a test starts; fast tests start none."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

_STARTS = {
    "subprocess.Popen": "a process",
    "os.fork": "a process",
    "os.forkpty": "a process",
    "os.posix_spawn": "a process",
    "os.system": "a process",
    "socket.bind": "a server",
}
"""Python's audit events that start something."""


class _Watch:
    """State of the audit hook, which cannot be removed."""

    is_on = False
    is_set = False


def _hear(event: str, _arguments: tuple[object, ...]) -> None:
    if _Watch.is_on and event in _STARTS:
        fail(_STARTS[event])


def fail(started: str) -> None:
    """Fail the running test if it may start nothing. Code under test cannot catch it as an ``Exception``."""
    if _Watch.is_on:
        pytest.fail(f"starts {started}: mark it pytest.mark.process")


@contextmanager
def nothing_started() -> Generator[None]:
    """Inside, starting a process or a server fails the test."""
    if not _Watch.is_set:
        sys.addaudithook(_hear)
        _Watch.is_set = True
    before = _Watch.is_on
    _Watch.is_on = True
    try:
        yield
    finally:
        _Watch.is_on = before
