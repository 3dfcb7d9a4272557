"""Pausing Python's cycle collector while a file is checked.

A check makes millions of small objects that live until its end and form no cycles; looking for cycles among them again
and again took up to half of the time of large files.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


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
