"""Proofs that 64-bit arithmetic does not overflow, from ranges, facts, and the memory that arguments take.

An argument that exists has a place in memory for each of its elements. That bounds the number of elements, and each
extent only if no other one is 0. No fact about an operation is used to prove that the same operation does not overflow:
its requirements are stated of results that are right only where it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod

from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification, facts_of
from shapesolve.solver.refuting_sizes import RefutingSizes
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.dims import ONE
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.assumed_overflow import OverflowProofs, open_assumptions
from shapesolve.trace.events import Fact, MemoryBound, Obligation, OverflowAssumption, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events

_MOST_EXTENTS = 5
"""Most variable extents of an argument for which products of some of them are bounded."""

MOST_QUERIES = 32
"""Most questions to a solver for one function."""

_MOST_CHARACTERS = 200
"""The longest claim that is tried: repeated doublings and choices make much longer ones, which take seconds each."""

_MOST_PREMISES = 48
_HOPS = 2
"""Limits of the facts that such a question rests on: their number, and how far their variables are from the claim's."""


def find_overflow_proofs(trace: Trace, *, most_queries: int = MOST_QUERIES) -> None:
    """Look for proofs of the overflow assumptions of a trace, unless it has them, and keep them with it.

    A solver is asked at most ``most_queries`` questions.
    """
    if trace.overflow_proofs is None:
        trace.overflow_proofs = _proofs(trace, most_queries)


@stage("prove")
def _proofs(trace: Trace, most_queries: int) -> OverflowProofs:
    open_ones = open_assumptions(trace)
    if not open_ones:
        return OverflowProofs()
    propagator = Propagator()
    for number, fact in enumerate(trace.assumptions):
        propagator.assume(fact.formula, number)
    formulas = dict.fromkeys(each.formula for each in open_ones)
    proved = {each for each in formulas if _proof(propagator, each) is not None}
    if len(proved) == len(formulas):
        return OverflowProofs()
    bounds: list[MemoryBound] = []
    for each in trace.events:
        if isinstance(each, OverflowAssumption) and each.memory is not None:
            bounds.append(each.memory)
            propagator.assume(each.formula, -len(bounds))
    by_memory = {each for each in formulas if each not in proved and _proof(propagator, each) is not None}
    max_bytes = max((each.bytes for each in bounds), default=0) if by_memory else 0
    proved |= by_memory
    if len(proved) == len(formulas):
        return OverflowProofs(max_bytes=max_bytes)
    left = {each for each in formulas if each not in proved}
    search = _Search(trace, propagator, bounds, left, most_queries)
    handle_events(trace, search)
    uses_memory = bool(max_bytes) or search.uses_memory
    return OverflowProofs(
        tuple(search.assumed), frozenset(search.of_empty), bounds[0].bytes if uses_memory and bounds else 0
    )


def _proof(propagator: Propagator, claim: Formula) -> Justification | None:
    """Return the justification of a claim, or None where there is none or the claim is too large to look for one."""
    if len(claim.text) > _MOST_CHARACTERS:
        return None
    try:
        return propagator.prove(claim)
    except (TooLarge, RecursionError):
        return None


class _Search(Handler[None]):
    """Looks for proofs at the place of each operation, from the facts that hold there."""

    def __init__(
        self, trace: Trace, propagator: Propagator, bounds: list[MemoryBound], formulas: set[Formula], most_queries: int
    ) -> None:
        self.assumed: list[OverflowAssumption] = []
        self.of_empty: set[OverflowAssumption] = set()
        self.uses_memory = False
        self._propagator = propagator
        self._bounds = bounds
        self._formulas = formulas
        self._left = sum(isinstance(each, OverflowAssumption) and each.formula in formulas for each in trace.events)
        self._relevant = _relevant_variables(trace, formulas)
        self._places: list[object] = [None] * trace.assumed
        self._premises: list[tuple[Formula, object]] = [
            *((each.formula, None) for each in trace.assumptions),
            *((at_least(each.most, prod(each.dims, start=ONE)), None) for each in bounds),
        ]
        self._of_inputs = len(self._premises)
        self._begun: list[int] = []
        """For each open region: how many premises there were at its beginning."""
        self._queries = most_queries
        self._refuting = RefutingSizes()
        self._pushed: list[bool] = []
        self._failing: list[int] = []
        """For each contradiction that a claim or fact made: how many regions were open."""

    @property
    def done(self) -> bool:
        return self._left == 0

    def fact(self, fact: Fact, around: Around) -> None:
        self._assume(fact.formula, fact.location)

    def obligation(self, obligation: Obligation, around: Around) -> None:
        self._assume(obligation.claim, obligation.location)

    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> None:
        if assumption.formula in self._formulas:
            self._left -= 1
            if not self._is_proved(assumption):
                self.assumed.append(assumption)
        if not assumption.unlikely:
            self._assume(assumption.formula, assumption.location)

    def enter(self, scope: Scope, around: Around) -> None:
        condition, repeats = scope.enter.condition, scope.enter.repeats or scope.enter.iteration is not None
        stays = condition is None and scope.leave.runs is TRUE and not scope.enter.approximate and not repeats
        self._pushed.append(not stays)
        if stays:
            return
        self._propagator.push()
        self._begun.append(len(self._premises))
        if condition is not None and not self._failing:
            self._places.append(None)
            self._premises.append((condition.formula, None))
            self._propagator.assume(condition.formula, len(self._places) - 1)

    def leave(self, scope: Scope, around: Around) -> None:
        if self._pushed.pop():
            self._propagator.pop()
            del self._premises[self._begun.pop() :]
            self._failing = [each for each in self._failing if each <= sum(self._pushed)]

    def _assume(self, formula: Formula, place: object) -> None:
        if formula is TRUE or self._failing or formula.variables.isdisjoint(self._relevant):
            return
        had = self._propagator.contradiction
        self._places.append(place)
        self._premises.append((formula, place))
        self._propagator.assume(formula, len(self._places) - 1)
        if had is None and self._propagator.contradiction is not None:  # no proof, but a claim that always fails
            self._failing.append(sum(self._pushed))

    def _is_proved(self, assumption: OverflowAssumption) -> bool:
        if self._failing:
            return False
        why = _proof(self._propagator, assumption.formula)
        if why is not None and self._is_independent(why, assumption):
            return True
        bounds = self._bounds_of(assumption)
        holds_unless_empty = bool(bounds) and self._holds_unless_empty(assumption, bounds)
        may_hold = holds_unless_empty or not bounds  # what fails with more premises fails without them
        if may_hold and len(self._premises) > self._of_inputs and self._is_entailed(assumption, ()):
            self.uses_memory = self.uses_memory or bool(self._bounds)
            return True
        if holds_unless_empty:
            self.of_empty.add(assumption)
            self.uses_memory = True
        return False

    def _is_independent(self, why: Justification, assumption: OverflowAssumption) -> bool:
        """Return whether a proof uses no fact about the operation itself; record whether it uses memory."""
        numbers, place = facts_of(why), assumption.location
        if place is None or any(number >= 0 and self._places[number] == place for number in numbers):
            return False
        self.uses_memory = self.uses_memory or any(number < 0 for number in numbers)
        return True

    def _bounds_of(self, assumption: OverflowAssumption) -> list[MemoryBound]:
        variables = assumption.formula.variables
        return [each for each in self._bounds if any(variables & extent.variables for extent in each.dims)]

    def _holds_unless_empty(self, assumption: OverflowAssumption, bounds: Sequence[MemoryBound]) -> bool:
        first = len(self._places)
        known = [formula for each in bounds for formula in _of_non_empty(each)]
        self._propagator.push()
        for formula in known:
            self._places.append(None)
            self._propagator.assume(formula, len(self._places) - 1)
        why = _proof(self._propagator, assumption.formula)
        holds = why is not None and self._propagator.contradiction is None and self._is_independent(why, assumption)
        self._propagator.pop()
        del self._places[first:]
        return holds or self._is_entailed(assumption, known)

    def _is_entailed(self, assumption: OverflowAssumption, known: Sequence[Formula]) -> bool:
        """Return whether a solver proves it from what is known and the facts that share variables with it."""
        place, claim = assumption.location, assumption.formula
        if place is None or not self._queries or len(claim.text) > _MOST_CHARACTERS:
            return False
        usable = [*known, *(formula for formula, where in self._premises if where != place)]
        involved = claim.variables
        premises: dict[Formula, None] = {}
        for _ in range(_HOPS):
            near = [each for each in usable if not each.variables.isdisjoint(involved)]
            premises.update(dict.fromkeys(near))
            involved = involved.union(*(each.variables for each in near))
        if not premises or len(premises) > _MOST_PREMISES:
            return False
        self._queries -= 1
        return entails(claim, tuple(premises), budget=budgets.BRIEF, refuting=self._refuting)


def _of_non_empty(bound: MemoryBound) -> Iterable[Formula]:
    """Yield what holds of the extents of an argument that is not empty: their products are bounded, too."""
    extents = [each for each in bound.dims if not each.is_constant]
    yield from (at_least(each, 1) for each in extents)
    for count in range(1, len(extents) if len(extents) <= _MOST_EXTENTS else 2):
        for some in combinations(extents, count):
            try:
                yield at_least(bound.most, prod(some, start=ONE))
            except TooLarge:
                continue


def _relevant_variables(trace: Trace, formulas: Iterable[Formula]) -> set[Variable]:
    """Return the variables of some formulas, and those that facts relate to them, latest facts first."""
    found = set(variables_in(formulas))
    for event in reversed(trace.events):
        formula = event.claim if isinstance(event, Obligation) else event.formula if isinstance(event, Fact) else TRUE
        if not formula.variables.isdisjoint(found):
            found |= formula.variables
    return found
