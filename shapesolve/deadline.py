"""Deadline of a command: results decided in time are reported, all others as undecided."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

from shapesolve.records import value_record

TIME_LIMIT = "the time limit of the command was reached"


@value_record
class Deadline:
    """Point of time on the monotonic clock, in seconds."""

    at: float

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the deadline that many seconds from now, `NEVER` for None."""
        return NEVER if seconds is None else cls(monotonic() + seconds)

    @property
    def seconds(self) -> float:
        """Seconds until the deadline; negative once it has passed."""
        return self.at - monotonic()

    @property
    def passed(self) -> bool:
        return self is not NEVER and self.seconds <= 0


NEVER = Deadline(float("inf"))

_current = ContextVar("deadline", default=NEVER)


def current() -> Deadline:
    """Return the deadline of the block of `until` that runs in this thread, or `NEVER`."""
    return _current.get()


@contextmanager
def until(deadline: Deadline) -> Generator[None]:
    """Give claims outside of a check, which evidence and shorter texts ask for, the time until a deadline."""
    before = _current.set(deadline)
    try:
        yield
    finally:
        _current.reset(before)
