"""Test that cached answers are those that would be given."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve import dims
from shapesolve.solver.query_cache import CachingSolver, QueryCache
from shapesolve.solver.verdicts import Answer, GaveUp, Label, Origin, Satisfiable, UndecidedReason, Unsatisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.formula_kinds import Formula

N, M = dims("N M")
BUDGET = 100_000


class Counting:
    """z3, and how often it was asked; ``instead`` is what it answers first."""

    def __init__(self, instead: Answer | None = None) -> None:
        self.asked = 0
        self.instead = instead
        self.solver = Z3Solver()

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        self.asked += 1
        if self.instead is not None:
            answer, self.instead = self.instead, None
            return answer
        return self.solver.check(query, name=name, budget=budget, wants_core=wants_core)

    def with_sources(self, origin: Origin) -> Counting:
        return self


def test_labels_are_those_of_the_question_at_hand() -> None:
    counting, answers = Counting(), QueryCache()
    first = CachingSolver(counting, answers).check([(7, N >= 4), (9, M >= 1), (8, N <= 2)], name="a", budget=BUDGET)
    again = CachingSolver(counting, answers).check([(1, N >= 4), (2, M >= 1), (3, N <= 2)], name="b", budget=BUDGET)
    assert isinstance(first, Unsatisfiable)
    assert isinstance(again, Unsatisfiable)
    assert (first.core, again.core) == ({7, 8}, {1, 3})
    assert counting.asked == 1


def test_another_question_is_asked() -> None:
    counting = Counting()
    solver = CachingSolver(counting, QueryCache())
    assert isinstance(solver.check([(0, N >= 4)], name="a", budget=BUDGET), Satisfiable)
    assert isinstance(solver.check([(0, N >= 4), (1, N <= 3)], name="a", budget=BUDGET), Unsatisfiable)
    assert isinstance(solver.check([(0, N >= 4), (1, N <= 3)], name="a", budget=BUDGET + 1), Unsatisfiable)
    assert isinstance(
        solver.check([(0, N >= 4), (1, N <= 3)], name="a", budget=BUDGET, wants_core=False), Unsatisfiable
    )
    assert counting.asked == 4


def test_only_queries_ended_by_the_clock_are_asked_again() -> None:
    late = Counting(GaveUp(UndecidedReason.TIME, "it took too long"))
    solver = CachingSolver(late, QueryCache())
    assert isinstance(solver.check([(0, N >= 4)], name="a", budget=BUDGET), GaveUp)
    assert isinstance(solver.check([(0, N >= 4)], name="a", budget=BUDGET), Satisfiable)
    spent = Counting(GaveUp(UndecidedReason.BUDGET, "the budget was spent"))
    solver = CachingSolver(spent, QueryCache())
    assert isinstance(solver.check([(0, N >= 4)], name="a", budget=BUDGET), GaveUp)
    assert isinstance(solver.check([(0, N >= 4)], name="a", budget=BUDGET), GaveUp)
    assert spent.asked == 1
