"""Deadline of a command: results decided in time are reported, all others as undecided."""

from __future__ import annotations

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
