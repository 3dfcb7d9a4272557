"""Processes and servers that a test starts; fast tests start none."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest

_STARTS: list[tuple[object, str, str]] = [
    (subprocess.Popen, "_execute_child", "a process"),
    *((os, name, "a process") for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system")),
    (socket.socket, "bind", "a server"),
]
"""Functions that start something: owner, name there, and what they start. They are replaced, since an audit hook is
called for each ``id`` as well, which took a fiftieth of the time of all tests."""


class _Watch:
    """State: a test runs that may start nothing, and the functions are replaced."""

    is_on = False
    is_set = False


def fail(started: str) -> None:
    """Fail the running test if it may start nothing. Code under test cannot catch it as an ``Exception``."""
    if _Watch.is_on:
        pytest.fail(f"starts {started}: mark it pytest.mark.process")


def _watched(start: Callable[..., Any], started: str) -> Callable[..., Any]:
    @wraps(start)
    def watched(*arguments: Any, **named: Any) -> Any:
        fail(started)
        return start(*arguments, **named)

    return watched


@contextmanager
def nothing_started() -> Generator[None]:
    """Inside, starting a process or a server fails the test."""
    if not _Watch.is_set:
        for owner, name, started in _STARTS:
            if hasattr(owner, name):
                setattr(owner, name, _watched(getattr(owner, name), started))
        _Watch.is_set = True
    before = _Watch.is_on
    _Watch.is_on = True
    try:
        yield
    finally:
        _Watch.is_on = before
