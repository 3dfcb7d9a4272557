"""Pausing Python's cycle collector while a file is checked.

A check makes millions of small objects that live until its end and form no cycles; looking for cycles among them again
and again took up to half of the time of large files.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_SELDOM = 100_000
"""Objects more than before until the collector looks again. Python's own number is 700; what a command imports alone is
looked through some forty times with that."""


def collect_seldom() -> None:
    """For a process that is a command's own, and ends with it."""
    gc.set_threshold(_SELDOM)


@contextmanager
def collector_paused() -> Generator[None]:
    """Pause the cycle collector, and resume it if it was running."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
