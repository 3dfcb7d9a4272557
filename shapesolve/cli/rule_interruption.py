"""End of code in ``--rules`` files that does not end by itself.

All of shapesolve looks at the time limit of the command; a loop in a rule of the user's does not.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from shapesolve.deadline import NEVER, TIME_LIMIT, Deadline
from shapesolve.errors import TimeLimitError

PATIENCE_SECONDS = 1.0
"""Seconds beyond the time limit that one call of a rule may take, since it may be about to return."""


@contextmanager
def interrupting_rules(files: Sequence[str], deadline: Deadline) -> Generator[None]:
    """Raise TimeLimitError in code of these files that runs on after the deadline.

    Does nothing without a deadline, and where no timer can be set.
    """
    is_possible = hasattr(signal, "setitimer") and current_thread() is main_thread()
    if not files or deadline is NEVER or not is_possible:
        yield
        return
    shown = {os.path.abspath(each): each for each in files}
    last: FrameType | None = None

    def interrupt(_number: int, running: FrameType | None) -> None:
        nonlocal last
        before, last = last, _outermost_in(shown, running)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)  # the code may catch what is raised here
        if last is not None and last is before:
            place = f"{shown[os.path.abspath(last.f_code.co_filename)]}:{last.f_lineno}"
            raise TimeLimitError(f"{TIME_LIMIT} here, in a rule that does not end", where=place)

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, max(deadline.seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _outermost_in(files: dict[str, str], frame: FrameType | None) -> FrameType | None:
    """Return the outermost call that executes code of one of the files."""
    found = None
    while frame is not None:
        if os.path.abspath(frame.f_code.co_filename) in files:
            found = frame
        frame = frame.f_back
    return found
