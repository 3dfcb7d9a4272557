"""Settings of the property tests.

No deadline per example, for a loaded machine or a first import would break it. Every run tries the same examples, on
every machine, so that a change is not blamed for what chance found. ``make test`` tries a fifth of the usual number,
``make test-fast`` a tenth, ``make test-exhaustive`` all of it. Random search is ``make fuzz``, which takes the profile
``search`` and a seed.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from support.examples import USUAL, forget_constants_of_modules
from support.nursery import nursery

# Said in full: where CI is set, Hypothesis has other defaults.
settings.register_profile(
    "shapesolve",
    settings.get_profile("default"),
    max_examples=USUAL,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("brief", settings.get_profile("shapesolve"), max_examples=USUAL // 5)
settings.register_profile("fast", settings.get_profile("shapesolve"), max_examples=USUAL // 10)
settings.register_profile("search", settings.get_profile("shapesolve"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "shapesolve")
forget_constants_of_modules()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job: the commands that tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)  # would inherit it

SHARED = "tests/guards/"
"""Folder whose tests share transformed programs, which one process computes once."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the properties; what shares most comes first, for processes take tests from the end of each other's."""
    for each in items:
        if isinstance(each, pytest.Function) and is_hypothesis_test(each.obj):
            each.add_marker("property")
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
        patch.setattr("shapesolve.constraints.torch.versions.installed", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _children_start_at_once() -> Generator[None]:
    with nursery():
        yield
