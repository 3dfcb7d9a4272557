"""What the modelling takes for granted: that 64-bit arithmetic does not wrap around.

It is no fact: nothing is proved with it. But where no sizes that get to a place satisfy all of it no verdict stands
there, and sizes that break it are no counterexample. What is kept is checked against the sizes that `Reachability`
keeps, so that most of it costs one evaluation.

What is not modelled in the way of a failure: then sizes against a claim are a candidate, and no refutation.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from shapesolve.reasons import Reason
from shapesolve.solver.models import Model
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Why, facts_of
from shapesolve.solver.reachability import Reachability, component
from shapesolve.solver.verdicts import Obstacle, Satisfiable, Solver, Undecided, Unsatisfiable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Assignment, evaluate, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import implies
from shapesolve.trace.events import Fact, OverflowAssumption, Source

MOST_REPAIRS = 4
"""How often other sizes are asked for before it counts as not known whether there are any."""


class Presumptions:
    """What is taken for granted at one place after another."""

    def __init__(self, ledger: Propagator, reach: Reachability, solver: Solver) -> None:
        self._ledger = ledger
        self._reach = reach
        self._solver = solver
        self._active: list[OverflowAssumption] = []
        self._likely: list[OverflowAssumption] = []
        """What is asked of counterexamples alone, from beginning to end."""
        self._begun: list[tuple[int, int]] = []
        """Of the scopes that are open: how many were active when they began, and how many of these were checked."""
        self._checked = 0  # how many of the active ones the kept sizes satisfy,
        self._checked_at = (-1, -1)  # for this state of the kept sizes

    def add(self, presumption: OverflowAssumption) -> None:
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
                self.add(OverflowAssumption(implies(runs, each.formula), each.because, each.location))

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

    def broken(self, sizes: Assignment) -> OverflowAssumption | None:
        """What is taken for granted and false for sizes that say everything."""
        return next((each for each in (*self._active, *self._likely) if not holds(each.formula, sizes)), None)

    def formulas(self) -> list[Formula]:
        """Everything that is taken for granted, as far as it is not known to hold."""
        simple = (self._ledger.simplify(each.formula)[0] for each in (*self._active, *self._likely))
        return [formula for formula in dict.fromkeys(simple) if formula is not TRUE]

    def among(self, formulas: Container[Formula]) -> list[OverflowAssumption]:
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


def only_where_it_wraps(presumptions: Sequence[OverflowAssumption]) -> Undecided:
    """The answer where all sizes that break a claim break one of these, which are taken for granted, as well."""
    obstacle = Obstacle.MEMORY if all(each.unlikely for each in presumptions) else Obstacle.PRESUMPTION
    said = " or ".join(dict.fromkeys(map(_said, presumptions)))
    return Undecided(obstacle, f"it fails only for sizes for which {said}")


def _impossible(presumptions: Iterable[OverflowAssumption]) -> Undecided:
    said = " or ".join(dict.fromkeys(map(_said, presumptions)))
    return Undecided(Obstacle.PRESUMPTION, f"{said} for all sizes that get here")


def _said(presumption: OverflowAssumption) -> str:
    place = presumption.location
    return f"{presumption.because} (line {place.line})" if place is not None and place.line else presumption.because


class NotModelled:
    """``causes`` says of variables that stand for anything why they do. ``facts`` are all by number, and may grow."""

    def __init__(self, ledger: Propagator, facts: Sequence[Fact], causes: Mapping[Variable, Reason]) -> None:
        self._ledger = ledger
        self._facts = facts
        self._causes = causes
        self._proved = set[int]()

    def prove(self, fact: int) -> None:
        """A fact, by its number, follows from those before it, so that it keeps out nothing that these do not."""
        self._proved.add(fact)

    def is_proved(self, fact: int) -> bool:
        """Whether a fact was told to follow from those before it."""
        return fact in self._proved

    def decisive(self, facts: Iterable[tuple[Formula, Why]]) -> list[Formula]:
        """The facts without those that follow from invariants alone, which hold of whatever they speak of."""
        return [formula for formula, why in facts if not self._is_kept_anyway(why)]

    def _is_kept_anyway(self, why: Why) -> bool:
        numbers = facts_of(why)
        return bool(numbers) and all(self._facts[number].source is Source.INVARIANT for number in numbers)

    def involved(
        self, formulas: Iterable[Formula], ways: Iterable[frozenset[Variable]], active: Sequence[int]
    ) -> frozenset[Variable]:
        """What decides whether a claim is reached and fails, by what is asked and by the ways to it.

        ``active`` are the numbers of the facts that hold there.
        """
        found = frozenset[Variable]().union(*(each.variables for each in formulas), *ways)
        return found | self._replaced_in(found, active)

    def _replaced_in(self, involved: frozenset[Variable], active: Sequence[int]) -> set[Variable]:
        """What is not modelled in facts about some variables, and no longer shows because the facts eliminated it."""
        found: set[Variable] = set()
        for number in active if self._causes else ():
            if self._facts[number].source is Source.INVARIANT or number in self._proved:
                continue
            variables = self._facts[number].formula.variables
            if not self._causes.keys().isdisjoint(variables) and self._ledger.left_of(variables) & involved:
                found |= variables
        return found

    def reasons(self, involved: frozenset[Variable]) -> tuple[Reason, ...]:
        """List why some of these stand for anything, each reason once."""
        ordered = sorted(involved, key=lambda each: each.text)
        return tuple(dict.fromkeys(self._causes[each] for each in ordered if each in self._causes))
