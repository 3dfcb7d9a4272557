"""Overflow assumptions and approximations at one program point.

An overflow assumption says that 64-bit arithmetic does not wrap. It is no fact: nothing is proved with it. But where no
sizes that reach a point satisfy all assumptions no verdict stands there, and sizes that violate one are no
counterexample. Assumptions are checked against the sizes that `Reachability` keeps, so that most of them cost one
evaluation.

An approximation in the way of a failure makes sizes against a claim a candidate, and no refutation.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from shapesolve.reasons import Reason
from shapesolve.solver.models import CachingModel, Model
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import NOTHING, Justification, each_fact_of
from shapesolve.solver.reachability import Reachability, component
from shapesolve.solver.remembered_sizes import RememberedSizes
from shapesolve.solver.verdicts import Satisfiable, Solver, Undecided, UndecidedReason, Unsatisfiable
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import implies
from shapesolve.trace.events import Fact, OverflowAssumption, Source

MOST_REPAIRS = 4
"""Largest number of requests for another model before the existence of one counts as unknown."""


class OverflowAssumptions:
    """Overflow assumptions in force at the current program point."""

    def __init__(self, propagator: Propagator, reach: Reachability, solver: Solver) -> None:
        self._propagator = propagator
        self._reach = reach
        self._solver = solver
        self._active: list[OverflowAssumption] = []
        self._likely: list[OverflowAssumption] = []
        """Assumptions that only counterexamples must satisfy, in force for the whole function."""
        self._begun: list[tuple[int, int]] = []
        """For each open scope: assumptions active at its beginning, and how many of them had been checked."""
        self._checked = 0  # how many of the active ones the kept sizes satisfy,
        self._checked_at = (-1, -1)  # for this state of the kept sizes

    def add(self, assumption: OverflowAssumption) -> None:
        """Assume from here to the end of the innermost scope."""
        if assumption.formula is not TRUE:
            (self._likely if assumption.unlikely else self._active).append(assumption)

    def push(self) -> None:
        """Begin a scope."""
        self._begun.append((len(self._active), self._checked if self._checked_at == self._state else 0))

    def pop(self, runs: Formula | None) -> None:
        """End the innermost scope; its assumptions stay in force wherever ``runs`` holds.

        The propagator and the kept sizes must be what they were when it began.
        """
        first, self._checked = self._begun.pop()
        self._checked_at = self._state
        inside = self._active[first:]
        del self._active[first:]
        if runs is not None:
            for each in inside:
                self.add(OverflowAssumption(implies(runs, each.formula), each.because, each.location))

    def blocking_verdict(self, budget: int) -> Undecided | None:
        """Return a verdict that forbids any other here, or None if some sizes that get here satisfy every assumption.

        The facts must be known to hold together.
        """
        for _ in range(MOST_REPAIRS):
            if self.hold():
                return None
            query = [(-1 - n, self._propagator.simplify(each.formula)[0]) for n, each in enumerate(self._active)]
            false = [self._active[-1 - label] for label, formula in query if formula is FALSE]
            if false:
                return _impossible(false)
            variables = variables_in(formula for _, formula in query)
            facts = component(self._propagator, variables)
            query += [(number, formula) for number, (formula, _) in enumerate(facts)]
            answer = self._solver.check(query, name="presumed", budget=budget)
            if isinstance(answer, Unsatisfiable):
                return _impossible([self._active[-1 - label] for label in answer.core if label < 0] or self._active)
            if not isinstance(answer, Satisfiable):
                break
            self._reach.adopt(answer.model)
            if self._reach.contradiction(budget) is not None or self._reach.unknown is not None:
                break
        words = f"it is not known whether {_text_of(self._active[-1])} for all sizes with which a run gets here"
        return Undecided(UndecidedReason.OVERFLOW, words)

    def violated(self, sizes: RememberedSizes) -> OverflowAssumption | None:
        """Return an assumption that complete sizes violate, or None."""
        assumptions = (*self._active, *self._likely)
        broken = sizes.first_broken([each.formula for each in assumptions])
        return None if broken is None else assumptions[broken]

    def formulas(self) -> list[Formula]:
        """Return the formulas of all assumptions that are not known to hold."""
        simple = (self._propagator.simplify(each.formula)[0] for each in (*self._active, *self._likely))
        return [formula for formula in dict.fromkeys(simple) if formula is not TRUE]

    def among(self, formulas: Container[Formula]) -> list[OverflowAssumption]:
        """Return the assumptions whose simplified formula is among those of `formulas`."""
        return [
            each for each in (*self._active, *self._likely) if self._propagator.simplify(each.formula)[0] in formulas
        ]

    @property
    def _state(self) -> tuple[int, int]:
        """A pair that changes whenever the kept sizes may have changed or a variable was eliminated."""
        return self._reach.version, len(self._propagator.simplifier.solved)

    @property
    def is_settled(self) -> bool:
        """True if the kept sizes are known to satisfy every assumption, without a further look."""
        return self._checked == len(self._active) and (not self._active or self._checked_at == self._state)

    @property
    def active_formulas(self) -> list[Formula]:
        """The formulas of the assumptions without which no verdict stands."""
        return [each.formula for each in self._active]

    def hold(self) -> bool:
        """Return whether the kept sizes satisfy every assumption."""
        state = self._state
        if state != self._checked_at:
            self._checked, self._checked_at = 0, state
        sizes = CachingModel({})  # what one operation adds to the result of another holds all atoms of the other
        while self._checked < len(self._active):
            formula = self._active[self._checked].formula
            sizes.update(self.sizes_of(formula.variables - sizes.keys(), self._reach.model))
            if not holds(formula, sizes):
                return False
            self._checked += 1
        return True

    def sizes_of(self, variables: Iterable[Variable], model: Model) -> Model:
        """Return the sizes of some variables, eliminated ones included, in a model of those that are not."""
        sizes = Model()
        for each in variables:
            definition = self._propagator.definition(each)
            sizes[each] = model[each] if definition is None else evaluate(definition[0], model)
        return sizes


def fails_only_if_it_wraps(assumptions: Sequence[OverflowAssumption]) -> Undecided:
    """Return the verdict for a claim that fails only for sizes that violate one of these overflow assumptions."""
    obstacle = UndecidedReason.MEMORY if all(each.unlikely for each in assumptions) else UndecidedReason.OVERFLOW
    text = " or ".join(dict.fromkeys(map(_text_of, assumptions)))
    return Undecided(obstacle, f"it fails only for sizes for which {text}")


def _impossible(assumptions: Iterable[OverflowAssumption]) -> Undecided:
    text = " or ".join(dict.fromkeys(map(_text_of, assumptions)))
    return Undecided(UndecidedReason.OVERFLOW, f"{text} for all sizes with which a run gets here")


def _text_of(assumption: OverflowAssumption) -> str:
    place = assumption.location
    return f"{assumption.because} (line {place.line})" if place is not None and place.line else assumption.because


class ApproximationTracker:
    """Approximations that may decide whether a claim fails.

    Attributes:
        causes: The reason of each variable that stands for an unknown value.
        facts: All facts, by number; may grow.
    """

    def __init__(self, propagator: Propagator, facts: Sequence[Fact], causes: Mapping[Variable, Reason]) -> None:
        self._propagator = propagator
        self._facts = facts
        self.causes = causes
        self._proved = set[int]()

    def mark_implied(self, fact: int) -> None:
        """Record that a fact follows from earlier facts, so that it excludes nothing that these do not."""
        self._proved.add(fact)

    def is_implied(self, fact: int) -> bool:
        """Return whether a fact was recorded to follow from earlier ones."""
        return fact in self._proved

    def decisive(self, facts: Iterable[tuple[Formula, Justification]]) -> list[Formula]:
        """Return the facts without those that follow from invariants and implied facts alone."""
        return [formula for formula, why in facts if not self._is_kept_anyway(why)]

    def _is_kept_anyway(self, why: Justification) -> bool:
        return why != NOTHING and all(map(self._excludes_nothing, each_fact_of(why)))

    def _excludes_nothing(self, number: int) -> bool:
        """Return whether a fact holds for all values for which the facts before it do."""
        return self._facts[number].source is Source.INVARIANT or number in self._proved

    def deciding_variables(
        self, formulas: Iterable[Formula], ways: Iterable[frozenset[Variable]], active: Sequence[int]
    ) -> frozenset[Variable]:
        """Return the variables that decide whether a claim is reached and fails.

        Args:
            formulas: The formulas of the query.
            ways: The variables of the conditions of the paths to the claim.
            active: The numbers of the facts that hold there.
        """
        found = variables_in(formulas).union(*ways)
        return found | self._replaced_in(found, active)

    def _replaced_in(self, involved: frozenset[Variable], active: Sequence[int]) -> set[Variable]:
        """Return variables of approximated facts that no longer show because the facts eliminated them."""
        found: set[Variable] = set()
        for number in active if self.causes else ():
            if self._excludes_nothing(number):
                continue
            variables = self._facts[number].formula.variables
            if not self.causes.keys().isdisjoint(variables) and self._propagator.free_variables(variables) & involved:
                found |= variables
        return found

    def reasons(self, involved: frozenset[Variable]) -> tuple[Reason, ...]:
        """List the distinct reasons why some of these variables stand for unknown values."""
        ordered = sorted(involved, key=lambda each: each.text)
        return tuple(dict.fromkeys(self.causes[each] for each in ordered if each in self.causes))
