"""What the modelling takes for granted: that 64-bit arithmetic does not wrap around.

It is no fact: nothing is proved with it. But where no sizes that get to a place satisfy all of it no verdict stands
there, and sizes that break it are no counterexample. What is kept is checked against the sizes that `Reachability`
keeps, so that most of it costs one evaluation.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

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
        self._likely: list[Presumption] = []
        """What is asked of counterexamples alone, from beginning to end."""
        self._begun: list[tuple[int, int]] = []
        """Of the scopes that are open: how many were active when they began, and how many of these were checked."""
        self._checked = 0  # how many of the active ones the kept sizes satisfy,
        self._checked_at = (-1, -1)  # for this state of the kept sizes

    def add(self, presumption: Presumption) -> None:
        """From here to the end of the innermost scope."""
        if presumption.formula is not TRUE:
            (self._likely if presumption.unlikely else self._active).append(presumption)

    def push(self) -> None:
        """A scope begins."""
        self._begun.append((len(self._active), self._checked if self._checked_at == self._state else 0))

    def pop(self, runs: Formula | None) -> None:
        """The innermost scope ends; what was taken for granted there still is wherever ``runs`` holds.

        The ledger and the kept sizes must be what they were when it began.
        """
        first, self._checked = self._begun.pop()
        self._checked_at = self._state
        inside = self._active[first:]
        del self._active[first:]
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
        return next((each for each in (*self._active, *self._likely) if not holds(each.formula, sizes)), None)

    def formulas(self) -> list[Formula]:
        """Everything that is taken for granted, as far as it is not known to hold."""
        simple = (self._ledger.simplify(each.formula)[0] for each in (*self._active, *self._likely))
        return [formula for formula in dict.fromkeys(simple) if formula is not TRUE]

    def among(self, formulas: Container[Formula]) -> list[Presumption]:
        """What is taken for granted by some of its `formulas`."""
        return [each for each in (*self._active, *self._likely) if self._ledger.simplify(each.formula)[0] in formulas]

    @property
    def _state(self) -> tuple[int, int]:
        """Another one whenever kept sizes may be others, or a variable is eliminated."""
        return self._reach.version, len(self._ledger.simplifier.solved)

    def _hold(self) -> bool:
        """Whether the kept sizes satisfy everything."""
        state = self._state
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


def only_where_it_wraps(presumptions: Sequence[Presumption]) -> Undecided:
    """The answer where all sizes that break a claim break one of these, which are taken for granted, as well."""
    obstacle = Obstacle.MEMORY if all(each.unlikely for each in presumptions) else Obstacle.PRESUMPTION
    said = " or ".join(dict.fromkeys(map(_said, presumptions)))
    return Undecided(obstacle, f"it fails only for sizes for which {said}")


def _impossible(presumptions: Iterable[Presumption]) -> Undecided:
    said = " or ".join(dict.fromkeys(map(_said, presumptions)))
    return Undecided(Obstacle.PRESUMPTION, f"{said} for all sizes that get here")


def _said(presumption: Presumption) -> str:
    place = presumption.location
    return f"{presumption.because} (line {place.line})" if place is not None and place.line else presumption.because
