"""Settings of the property tests, and the selection of the fast tests.

No deadline per example, for a loaded machine or a first import would break it. Every run tries the same examples, on
every machine, so that a change is not blamed for what chance found. ``make test`` tries a fifth of the usual number,
``make test-exhaustive`` all of it, ``make test-fast`` no properties. Random search is ``make fuzz``, which takes the
profile ``search`` and a seed.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from support.examples import USUAL, forget_constants_of_modules
from support.fast import FAST, is_fast, is_left_out
from support.nursery import nursery
from support.processes import nothing_started

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
settings.register_profile("search", settings.get_profile("shapesolve"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "shapesolve")
forget_constants_of_modules()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job: the commands that tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)  # would inherit it

SHARED = "tests/guards/"
"""Folder whose tests share transformed programs, which one process computes once."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a module of which no test is selected."""
    return True if is_left_out(collection_path, config.option.markexpr) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the properties and the fast tests; what shares most comes first, as processes take tests from the end."""
    for each in items:
        if isinstance(each, pytest.Function) and is_hypothesis_test(each.obj):
            each.add_marker("property")
        if is_fast(mark.name for mark in each.iter_markers()):
            each.add_marker(FAST)
    items.sort(key=lambda item: not item.nodeid.startswith(SHARED))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for cycles less often than Python does by itself: that took a twentieth of the time.

    Not at all while tests are collected, where it took a quarter: what is made then stays.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let a fast test start neither processes nor servers."""
    if item.get_closest_marker(FAST) is None:
        return (yield)
    with nothing_started():
        return (yield)


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
