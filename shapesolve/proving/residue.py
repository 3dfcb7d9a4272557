"""Facts that are not rewriting rules: what the solver needs to see."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula
from shapesolve.proving.reasons import Why
from shapesolve.proving.trail import Trail


class Residue:
    """Formulas that hold, by the variables that they mention, with the reasons for them."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self._mentions: dict[Variable, dict[Formula, None]] = {}
        self.formulas: dict[Formula, Why] = {}
        self.news: list[Formula] = []
        """What nobody has checked against a model yet."""

    def keep(self, formula: Formula, why: Why) -> None:
        """The formula holds."""
        self._trail.put(self.formulas, formula, why)
        self.news.append(formula)
        for each in formula.variables:
            there = self._mentions.get(each)
            if there is None:
                there = dict[Formula, None]()
                self._trail.put(self._mentions, each, there)
            self._trail.put(there, formula, None)

    def discard(self, formula: Formula) -> None:
        """Something else says what the formula says."""
        self._trail.drop(self.formulas, formula)
        for each in formula.variables:
            self._trail.drop(self._mentions.get(each, {}), formula)

    def mentioning(self, variable: Variable) -> Iterator[Formula]:
        """What mentions a variable, latest first."""
        return reversed(self._mentions.get(variable, {}))

    def all_mentioning(self, variable: Variable) -> list[tuple[Formula, Why]]:
        """What mentions a variable, in the order in which it was learned, and why it holds."""
        return [(formula, self.formulas[formula]) for formula in self._mentions.get(variable, ())]
