"""Tests of the process that runs programs start it as it is started for users."""

from __future__ import annotations

import pytest
from support.nursery import no_standby

from shapesolve.execution import fork_server

ABOUT_THE_PROCESS = {
    "test_child_endings.py",
    "test_fork_server.py",
    "test_guarded_memory.py",
    "test_outcomes.py",
    "test_sandbox.py",
}
"""Modules that test how the process starts, what it may do, and how it ends; the others test what programs do."""


@pytest.fixture(autouse=True)
def _real_children(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.path.name in ABOUT_THE_PROCESS:
        monkeypatch.setattr(fork_server, "current", no_standby)
