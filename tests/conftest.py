"""How the property tests run.

No deadline per example, for a loaded machine or a first import would break it. CI tries the same examples every time,
so that a change is not blamed for what chance found; at a developer's desk every run tries new ones. ``make test-fast``
tries a tenth of the usual number.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings
from support.nursery import nursery

settings.register_profile("shapesolve", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("shapesolve"), derandomize=True)
settings.register_profile("fast", settings.get_profile("shapesolve"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "shapesolve"))

SHARED = "tests/hardening/"
"""Its tests look at the same transformed programs, which a process makes once."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What shares most comes first: several processes share the tests out by taking from the end of each other's."""
    items.sort(key=lambda item: not item.nodeid.startswith(SHARED))


def pytest_collection_finish() -> None:
    """Look for cycles less often than Python does by itself: that took a twentieth of the time."""
    gc.collect()
    gc.freeze()  # what was collected stays
    gc.set_threshold(50_000, 10, 10)


@pytest.fixture(scope="session", autouse=True)
def _the_newest_pytorch_is_meant() -> Generator[None]:
    """Expectations are those of the newest version, whichever is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shapesolve.constraints.torch_versions.installed", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _children_start_at_once() -> Generator[None]:
    with nursery():
        yield
