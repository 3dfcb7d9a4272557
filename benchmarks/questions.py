"""A question about sizes with its known answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shapesolve.symbolic.formula_kinds import FALSE, Formula

Truth = Literal["valid", "invalid", "contradictory"]


@dataclass(frozen=True, slots=True)
class Question:
    """Does ``goal`` follow from ``facts``? ``witness`` breaks an invalid goal, by the names of the sizes."""

    family: str
    number: int
    facts: tuple[Formula, ...]
    goal: Formula
    truth: Truth
    witness: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.family} {self.number}"


class Family:
    """Collects the questions of one family."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.questions: list[Question] = []

    def _add(
        self, facts: Sequence[Formula], goal: Formula, truth: Truth, witness: tuple[tuple[str, int], ...] = ()
    ) -> None:
        self.questions.append(Question(self.name, len(self.questions), tuple(facts), goal, truth, witness))

    def valid(self, goal: Formula, *facts: Formula) -> None:
        """The goal holds wherever the facts do."""
        self._add(facts, goal, "valid")

    def invalid(self, goal: Formula, *facts: Formula, **witness: int) -> None:
        """The goal fails at the witness, where the facts hold."""
        self._add(facts, goal, "invalid", tuple(sorted(witness.items())))

    def contradictory(self, *facts: Formula) -> None:
        """Return a question with contradictory facts."""
        self._add(facts, FALSE, "contradictory")
