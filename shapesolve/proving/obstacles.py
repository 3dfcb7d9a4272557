"""Why a claim stays undecided, or a question unanswered."""

from __future__ import annotations

import enum


class Obstacle(enum.Enum):
    """What stood in the way."""

    BUDGET = "the budget was spent"
    TIME = "a limit of time, not of steps, ended the question: another run may answer it"
    COMMAND = "the time limit of the command was reached"
    NON_LINEAR = "it is not linear, and the budget was spent"
    RANKS = "the ranks that were tried do not settle it"
    SIZE = "an expression grew too large"
    APPROXIMATION = "whether it fails depends on something that is not modelled, or not known"
    NOTHING_FOUND = "neither a proof nor a failure was found"
    FACTS = "the facts could not be shown to hold together"
    EXECUTION = "running the program contradicts what was predicted"
    MEMORY = "nothing makes it fail that fits into memory"
    PRESUMPTION = "arithmetic that is assumed not to wrap around may do so here"


BY_CHANCE = frozenset((Obstacle.TIME, Obstacle.COMMAND))
"""Why a solver gave up where another try may do better."""
