"""The port to a solver: what may be asked, and the only three things that it may answer.

A query is a conjunction of labelled formulas. Nothing here knows which solver stands behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula
from shapesolve.proving.obstacles import Obstacle
from shapesolve.records import value_record

Label = int
"""The caller's number for a formula of a query; unsat cores are made of them."""


@value_record
class Unsatisfiable:
    """No sizes satisfy the query.

    ``core``: labels of formulas that contradict each other, all of them where nobody asked which; ``rung``: what found
    it.
    """

    core: frozenset[Label]
    rung: str


@value_record
class Satisfiable:
    """These sizes satisfy the query; they were checked with `shapesolve.language.evaluation`."""

    model: Mapping[Variable, int | tuple[int, ...]]
    rung: str


@value_record
class GaveUp:
    """The solver does not know. ``reason`` says more than the obstacle: "the budget of 2,000,000 steps was spent"."""

    obstacle: Obstacle
    reason: str


Origin = Callable[[Formula], str]
"""Where a formula comes from, in a few words: ``line 12: cf.assert``."""

Answer = Unsatisfiable | Satisfiable | GaveUp


class Solver(Protocol):
    """Anything that decides conjunctions of formulas."""

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        """Decide a query. ``name`` is for dumps and statistics, ``budget`` counts solver steps, not seconds.

        ``wants_core``: whether anybody will look at which formulas contradict each other; finding that out costs.
        """
        ...

    def told(self, origin: Origin) -> Solver:
        """The same solver, which can name what it is asked in whatever it writes for people."""
        ...
