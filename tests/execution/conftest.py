"""Tests of the process that runs programs start it as it is started for users."""

from __future__ import annotations

import pytest
from support.nursery import no_standby

from shapesolve.execution import fork_server

ABOUT_PROGRAMS = {
    "test_program_slicing.py",
    "test_dialects.py",
    "test_doors.py",
    "test_old_processors.py",
    "test_stablehlo_moves.py",
    "test_stablehlo_windows.py",
    "test_types.py",
    "test_unseen_contents.py",
    "test_what_can_be_called.py",
}
"""Modules that test the behavior of programs, not the end of the process."""


@pytest.fixture(autouse=True)
def _real_children(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.path.name not in ABOUT_PROGRAMS:
        monkeypatch.setattr(fork_server, "current", no_standby)
