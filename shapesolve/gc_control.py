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


_OFTEN = 2_000
"""The same for a process that makes some hundred objects for each file, most of them in cycles."""

_MANY = 1_000_000
"""Objects that are left alone before they are looked through; that takes a quarter of a second."""

_is_own: list[bool] = []
"""Not empty in a process that is a command's own."""


def collect_seldom() -> None:
    """Configure the collector for a process that belongs to one command and ends with it."""
    gc.set_threshold(_SELDOM)
    _is_own.append(True)


def collect_between_files() -> None:
    """Collect between two files, if the objects of earlier files are worth the time."""
    if _is_own and gc.get_freeze_count() >= _MANY:
        gc.unfreeze()
        gc.collect()


@contextmanager
def collector_paused() -> Generator[None]:
    """Pause the cycle collector, and resume it if it was running.

    In a process that is a command's own it then leaves alone what was made: a report is about all of that, and looking
    through it three times, as it does by and by, took a sixth of the time of large files.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if _is_own:
                gc.freeze()
            gc.enable()


@contextmanager
def collector_for_answers() -> Generator[None]:
    """Collect often, among what is made from here on, in a process of a command that waits for other ones.

    Each answer of a Dask worker leaves cycles that hold it. The `_SELDOM` objects that a check may make until the
    collector looks are the answers of hundreds of files.
    """
    if not _is_own:
        yield
        return
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OFTEN, 5, 5)
    try:
        yield
    finally:
        gc.set_threshold(*before)
