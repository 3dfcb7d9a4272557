"""Budgets of questions that follow the verdicts, in z3's steps: about conditions, their texts, and what may move.

The budget of an obligation is an option of the user. These are not: an answer that a larger one would give is a
shorter condition or one more check that moves, never another verdict.
"""

from __future__ import annotations

BRIEF = 20_000
"""For a question whose answer only leaves a line out of a report."""

MEDIUM = 100_000
"""For a question that is asked many times for one condition or one program."""

LARGE = 300_000
"""For a question on which it depends whether a condition is found at all."""
