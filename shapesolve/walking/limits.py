"""How far a walk goes, so that no program keeps it for ever."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.reading.program import Program, Region

MAX_DEPTH = 32
MAX_LOOP_TRIALS = 8
MAX_LOOP_GUESSES = 5
"""So many trials are made of how the numbers that a loop carries change; after them, only what stays is kept."""
MAX_VISITS = 30_000
"""So many operations are walked again, at most: in functions called twice, in iterations, in a loop walked anew."""


class Limits:
    """What one walk has done, and what it still may."""

    def __init__(self, program: Program) -> None:
        self.visits = 0
        self._most = MAX_VISITS + program.size

    def reason(self, region: Region, around: Sequence[Region]) -> str:
        """Why a region is not followed inside others; "" where it is."""
        if region in around:
            return "a recursive call is not followed"
        if len(around) > MAX_DEPTH:
            return f"what is called or nested more than {MAX_DEPTH} deep is not followed"
        if self.visits > self._most:
            return f"after {self._most:,} operations nothing more is followed"
        return ""
