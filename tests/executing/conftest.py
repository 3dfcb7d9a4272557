"""Tests of the process that runs programs start it as it is started for users."""

from __future__ import annotations

import pytest
from support.nursery import REAL_RUN_CHILD

from shapesolve.executing import runner


@pytest.fixture(autouse=True)
def _real_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "run_child", REAL_RUN_CHILD)
