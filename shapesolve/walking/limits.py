"""How far a walk goes, so that no program keeps it for ever."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.limits import make_room
from shapesolve.reading.program import Program, Region

MAX_DEPTH = 128
"""So deep calls and regions inside each other are followed."""
MAX_LOOP_DEPTH = 32
"""So deep loops between blocks inside each other are followed."""
MAX_LOOP_TRIALS = 8
MAX_LOOP_GUESSES = 5
"""So many trials are made of how the numbers that a loop carries change; after them, only what stays is kept."""
MAX_LOOP_FORMS = 3
"""So often a loop is walked anew because more was found of what it carries."""
MAX_TRIPS = 8
MAX_BODY = 48
"""A loop is followed iteration by iteration where there are at most so many, of at most so many operations."""
MAX_REPEATS = 32
"""So often a call is followed whose callee must be walked each time, where what is around it is walked again."""
MAX_VISITS = 30_000
"""So many operations are walked again, at most: in functions called twice, in iterations, in a loop walked anew."""


class Limits:
    """What one walk has done, and what it still may."""

    def __init__(self, program: Program) -> None:
        self.visits = 0
        self._most = MAX_VISITS + program.size

    @property
    def is_over(self) -> bool:
        """Whether so many operations were walked that nothing more is followed."""
        return self.visits > self._most

    def reason(self, region: Region, around: Sequence[Region], times: int = 0) -> str:
        """Why a region is not followed inside others; "" where it is. It had to be walked so many ``times`` already."""
        make_room(len(around))
        if region in around:
            return "a recursive call is not followed"
        if len(around) > MAX_DEPTH:
            return f"what is called or nested more than {MAX_DEPTH} deep is not followed"
        if times > MAX_REPEATS:
            return f"a call is not followed more than {MAX_REPEATS} times"
        if self.is_over:
            return f"after {self._most:,} operations nothing more is followed"
        return ""
