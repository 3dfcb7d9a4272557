"""Child processes that start at once: forked from one fork server for a whole session of tests.

Tests of the process itself, and of its start, start real ones.
"""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from contextlib import contextmanager

from support.processes import fail

from shapesolve.execution import fork_server, runner

_REAL_CHILD = runner._CHILD
_REAL_RUN = subprocess.run
_REAL_CURRENT = fork_server.current


def no_standby() -> None:
    """Replacement of `fork_server.current`: children are started anew."""


def _current() -> fork_server.ForkServer | None:
    fail("a process")
    changed = runner._CHILD is not _REAL_CHILD or subprocess.run is not _REAL_RUN
    return None if changed else _REAL_CURRENT()


@contextmanager
def nursery() -> Generator[None]:
    """Inside, children come from a process in waiting, but where a test changes how children are started."""
    fork_server.current = _current
    try:
        with runner.use_fork_server():
            yield
    finally:
        fork_server.current = _REAL_CURRENT
