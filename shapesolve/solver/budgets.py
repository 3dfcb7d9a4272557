"""Budgets of questions that follow the verdicts, in z3's steps, and of the search for smaller sizes, in queries.

The budget of an obligation is an option of the user. These are not: an answer that a larger one would give is a
shorter condition, one more check that moves, or smaller sizes, never another verdict.
"""

from __future__ import annotations

BRIEF = 20_000
"""For a question whose answer only leaves a line out of a report."""

MEDIUM = 100_000
"""For a question that is asked many times for one condition or one program."""

LARGE = 300_000
"""For a question on which it depends whether a condition is found at all."""

MOST_QUESTIONS = 250
"""Largest number of queries of one search whose sizes are reported."""

FEW_QUESTIONS = 20
"""Largest number of queries of a speculative search."""

MOST_FRUITLESS = 2
"""Searches in a row that find no believable sizes that are only tried out; later ones keep what a solver found."""


class ShrinkingAllowance:
    """Remaining number of speculative shrinking searches for the claims of one function.

    Many claims fail for one reason, such as floats that round from 2**24 on: none has believable sizes then, and the
    search is not repeated for each. A search that succeeds restores the budget of the others.
    """

    def __init__(self) -> None:
        self.left = MOST_FRUITLESS

    def after(self, *, was_fruitful: bool) -> None:
        """Record the end of a search."""
        self.left = MOST_FRUITLESS if was_fruitful else self.left - 1
