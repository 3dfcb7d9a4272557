"""How the property tests run.

No deadline per example, for a loaded machine or a first import would break it. CI tries the same examples every time,
so that a change is not blamed for what chance found; at a developer's desk every run tries new ones. ``make test-fast``
tries a tenth of the usual number.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings
from support.nursery import nursery

settings.register_profile("shapesolve", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("shapesolve"), derandomize=True)
settings.register_profile("fast", settings.get_profile("shapesolve"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "shapesolve"))


@pytest.fixture(scope="session", autouse=True)
def _children_start_at_once() -> Generator[None]:
    with nursery():
        yield
