"""What the modelling takes for granted: that 64-bit arithmetic does not wrap around.

It is no fact: nothing is proved with it. But where no sizes that get to a place satisfy all of it no verdict stands
there, and sizes that break it are no counterexample. What is kept is checked against the sizes that `Reachability`
keeps, so that most of it costs one evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.language.atoms import Variable
from shapesolve.language.evaluation import Assignment, evaluate, holds
from shapesolve.language.formulas import FALSE, TRUE, Formula, implies
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.models import Model
from shapesolve.proving.reachability import Reachability
from shapesolve.proving.slicing import component
from shapesolve.proving.solver import Satisfiable, Solver, Unsatisfiable
from shapesolve.proving.verdicts import Obstacle, Undecided
from shapesolve.walking.obligations import Presumption

MOST_REPAIRS = 4
"""How often other sizes are asked for before it counts as not known whether there are any."""


class Presumptions:
    """What is taken for granted at one place after another."""

    def __init__(self, ledger: Ledger, reach: Reachability, solver: Solver) -> None:
        self._ledger = ledger
        self._reach = reach
        self._solver = solver
        self._active: list[Presumption] = []
        self._begun: list[int] = []
        self._checked = 0  # how many of the active ones the kept sizes satisfy,
        self._checked_at = (-1, -1)  # for this state of the kept sizes

    def add(self, presumption: Presumption) -> None:
        """From here to the end of the innermost scope."""
        if presumption.formula is not TRUE:
            self._active.append(presumption)

    def push(self) -> None:
        """A scope begins."""
        self._begun.append(len(self._active))

    def pop(self, runs: Formula | None) -> None:
        """The innermost scope ends; what was taken for granted there still is wherever ``runs`` holds."""
        first = self._begun.pop()
        inside = self._active[first:]
        del self._active[first:]
        self._checked_at = (-1, -1)
        if runs is not None:
            for each in inside:
                self.add(Presumption(implies(runs, each.formula), each.because, each.location))

    def objection(self, budget: int) -> Undecided | None:
        """Why nothing is said here; None where some sizes get here with everything that is taken for granted.

        The facts must be known to hold together.
        """
        for _ in range(MOST_REPAIRS):
            if self._hold():
                return None
            query = [(-1 - n, self._ledger.simplify(each.formula)[0]) for n, each in enumerate(self._active)]
            false = [self._active[-1 - label] for label, formula in query if formula is FALSE]
            if false:
                return _impossible(false)
            variables = frozenset[Variable]().union(*(formula.variables for _, formula in query))
            facts = component(self._ledger, variables)
            query += [(number, formula) for number, (formula, _) in enumerate(facts)]
            answer = self._solver.check(query, name="presumed", budget=budget)
            if isinstance(answer, Unsatisfiable):
                return _impossible([self._active[-1 - label] for label in answer.core if label < 0] or self._active)
            if not isinstance(answer, Satisfiable):
                break
            self._reach.adopt(answer.model)
            if self._reach.contradiction(budget) is not None or self._reach.unknown is not None:
                break
        words = f"it is not known whether {_said(self._active[-1])} for all sizes that get here"
        return Undecided(Obstacle.PRESUMPTION, words)

    def broken(self, sizes: Assignment) -> Presumption | None:
        """What is taken for granted and false for sizes that say everything."""
        return next((each for each in self._active if not holds(each.formula, sizes)), None)

    def formulas(self) -> list[Formula]:
        """Everything that is taken for granted, as far as it is not known to hold."""
        simple = (self._ledger.simplify(each.formula)[0] for each in self._active)
        return [formula for formula in dict.fromkeys(simple) if formula is not TRUE]

    def _hold(self) -> bool:
        """Whether the kept sizes satisfy everything."""
        state = (self._reach.version, len(self._ledger.simplifier.solved))
        if state != self._checked_at:
            self._checked, self._checked_at = 0, state
        while self._checked < len(self._active):
            formula = self._active[self._checked].formula
            if not holds(formula, self._kept(formula.variables)):
                return False
            self._checked += 1
        return True

    def _kept(self, variables: Iterable[Variable]) -> Model:
        sizes = Model()
        for each in variables:
            definition = self._ledger.definition(each)
            sizes[each] = self._reach.model[each] if definition is None else evaluate(definition[0], self._reach.model)
        return sizes


def only_where_it_wraps(presumption: Presumption) -> Undecided:
    """The answer where all sizes that break a claim break something that is taken for granted as well."""
    return Undecided(Obstacle.PRESUMPTION, f"it fails only for sizes for which {_said(presumption)}")


def _impossible(presumptions: Iterable[Presumption]) -> Undecided:
    said = " or ".join(dict.fromkeys(map(_said, presumptions)))
    return Undecided(Obstacle.PRESUMPTION, f"{said} for all sizes that get here")


def _said(presumption: Presumption) -> str:
    place = presumption.location
    return f"{presumption.because} (line {place.line})" if place is not None and place.line else presumption.because
