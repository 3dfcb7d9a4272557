"""Which facts agree with those before them, where what contradicts them is left out.

What contradicts what is known goes on to do so as long as that is known: the same check fails in layer after layer of a
model. So what was left out is remembered by what it comes to, and no solver is asked for it again.
"""

from __future__ import annotations

from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import Formula
from shapesolve.proving.prover import Prover
from shapesolve.proving.verdicts import Unreachable
from shapesolve.walking.obligations import Fact


class Agreement:
    """Says of facts, one place after another, whether they agree with what a prover knows there."""

    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self._left_out: list[set[Formula]] = [set()]
        """What contradicts the facts of every scope that is open, by what it came to there."""

    def enter(self) -> None:
        """A scope begins."""
        self._left_out.append(set())

    def leave(self) -> None:
        """The innermost scope ends, and with it what is known there alone."""
        self._left_out.pop()

    def has(self, fact: Fact) -> bool:
        """Whether a fact leaves sizes that get here."""
        prover = self._prover
        if prover.reachable() is None and holds(fact.formula, prover.sample()):
            return True
        prover.enter(None)
        comes_to = prover.comes_to(fact.formula)
        agrees = not any(comes_to in each for each in self._left_out)
        if agrees:
            prover.assume(fact)
            agrees = not isinstance(prover.reachable(), Unreachable)
        prover.leave(None)
        if not agrees and comes_to is not None:
            self._left_out[-1].add(comes_to)
        return agrees
