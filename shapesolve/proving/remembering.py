"""Answers that are kept, for programs that are judged more than once.

Pruning walks and judges a program again and again: with operations doubted, with less assumed, with checks taken out.
Most questions come again to the letter, for formulas are hash-consed and names are given in program order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.formulas import Formula
from shapesolve.proving.obstacles import BY_CHANCE
from shapesolve.proving.solver import Answer, GaveUp, Label, Origin, Solver, Unsatisfiable

_Question = tuple[tuple[Formula, ...], int, bool]


class Answers:
    """Answers to questions about the same formulas in the same order, with the same budget."""

    def __init__(self) -> None:
        self._kept: dict[_Question, Answer] = {}

    def get(self, question: _Question) -> Answer | None:
        """The answer that was given before; its labels are positions."""
        return self._kept.get(question)

    def keep(self, question: _Question, answer: Answer) -> None:
        """Keep an answer, unless it was one of chance."""
        if not (isinstance(answer, GaveUp) and answer.obstacle in BY_CHANCE):
            self._kept[question] = answer


class RememberingSolver:
    """A `Solver` that asks another one only what nobody has asked before."""

    def __init__(self, solver: Solver, answers: Answers) -> None:
        self._solver = solver
        self._answers = answers

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        """Decide a query, by memory where that is possible."""
        formulas = tuple(formula for _, formula in query)
        question = (formulas, budget, wants_core)
        answer = self._answers.get(question)
        if answer is None:
            answer = self._solver.check(list(enumerate(formulas)), name=name, budget=budget, wants_core=wants_core)
            self._answers.keep(question, answer)
        if isinstance(answer, Unsatisfiable):
            return replace(answer, core=frozenset(query[position][0] for position in answer.core))
        return answer

    def told(self, origin: Origin) -> RememberingSolver:
        """The same answers, of a solver that knows where the formulas come from."""
        return RememberingSolver(self._solver.told(origin), self._answers)
