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


MOST_GIVEN_UP = 8
"""Queries that the solver may give up on in one search, since each of them took the whole budget."""

FEW_GIVEN_UP = 2
"""Queries that the solver may give up on in a speculative search."""

MOST_UNANSWERED = 12
"""Queries of all searches for the claims of one function that the solver may give up on with the whole budget."""

UNANSWERED_SHARE = 20
"""Divisor of the budget of each query after those."""


class ShrinkingAllowance:
    """Remaining number of speculative shrinking searches for the claims of one function, and of expensive queries.

    Many claims fail for one reason, such as floats that round from 2**24 on: none has believable sizes then, and the
    search is not repeated for each. A search that succeeds restores the budget of the others. Where the solver gives up
    on the queries of many claims, as on those about sums of products, the claims that are shown first get its time.
    """

    def __init__(self) -> None:
        self.left = MOST_FRUITLESS
        self._unanswered_left = MOST_UNANSWERED

    def steps(self, budget: int) -> int:
        """Return the solver steps that the next query may take, of the budget of each."""
        return budget if self._unanswered_left > 0 else max(1, budget // UNANSWERED_SHARE)

    def after_giving_up(self) -> None:
        """Record that the solver gave up on a query."""
        self._unanswered_left -= 1

    def after(self, *, was_fruitful: bool) -> None:
        """Record the end of a search."""
        self.left = MOST_FRUITLESS if was_fruitful else self.left - 1
