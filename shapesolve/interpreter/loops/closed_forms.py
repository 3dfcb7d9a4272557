"""Closed forms of the numbers that a loop carries, found from their recurrences.

Each number is solved by itself, with the closed forms of the others put in; those that depend on each other are solved
together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.interpreter.loops.recurrences import ITERATION, Recurrence, closed_form_of, repeating
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import And, Formula, Or
from shapesolve.symbolic.formulas import conjunction, disjunction, equal
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.linear import Range
from shapesolve.symbolic.normal_forms import as_number, choose
from shapesolve.symbolic.visitors import Instantiation

_LONGEST = 600
"""The most characters of a closed form; a longer one is of no use in a proof or a report."""


def closed_forms(
    first: Mapping[Variable, Dim], after: Mapping[Variable, Dim], known: Sequence[Formula], inside: frozenset[str]
) -> dict[Variable, Dim]:
    """Return the closed forms of numbers in iteration `ITERATION`, as far as they are found.

    They begin with ``first``, and are ``after`` an iteration in which all of ``known`` hold. ``inside`` are names of
    variables that may differ from iteration to iteration.
    """
    with unrecorded():
        return _System(first, _determined(first, after, inside), known).solved()


def iteration_variable(round: Dim, ranges: Mapping[str, Range]) -> dict[Variable, Dim] | None:
    """Return the variable of an iteration number with its value in terms of `ITERATION`, or None."""
    variables = [each for each in round.variables if round.atom is each or each.name in ranges]
    if len(variables) != 1:
        return None
    (variable,) = variables
    if round.atom is variable:
        return {variable: of_atom(ITERATION)}
    first, _, step = ranges[variable.name]
    return {variable: first + step * of_atom(ITERATION)}


def boolean_recurrence(truth: Formula, itself: Variable) -> Dim:
    """Return the recurrence of a truth value as a number, 1 or 0; ``itself`` is the number of the iteration before."""
    before = equal(of_atom(itself), 1)
    if isinstance(truth, Or | And) and before in truth.parts:
        others = [each for each in truth.parts if each is not before]
        if isinstance(truth, Or):
            return choose(disjunction(others), 1, of_atom(itself))
        return choose(conjunction(others), of_atom(itself), 0)
    return as_number(truth)


def _determined(
    first: Mapping[Variable, Dim], after: Mapping[Variable, Dim], inside: frozenset[str]
) -> dict[Variable, Dim]:
    """Return the recurrences of the numbers that depend on nothing unknown."""
    left = dict(after)
    while True:
        lost = [
            each
            for each, size in left.items()
            if any((other in first and other not in left) or other.name in inside for other in size.variables - {each})
        ]
        if not lost:
            return left
        for each in lost:
            del left[each]


class _System:
    """A system of recurrences: each number is a function of all, of the iteration number, and of sizes."""

    def __init__(self, first: Mapping[Variable, Dim], after: Mapping[Variable, Dim], known: Sequence[Formula]) -> None:
        self._first, self._after, self._known = first, after, known
        self._found: dict[Variable, Dim] = {}

    def solved(self) -> dict[Variable, Dim]:
        left, tried = list(self._after), set[Variable]()
        while left:
            ready = [each for each in left if each not in tried and not self._unknown(each) - {each}]
            if ready:
                for each in ready:
                    self._alone(each)
                tried.update(ready)
            else:
                several = [self._together(each) for each in left if each not in tried]
                if not any(several):
                    break
            left = [each for each in left if each not in self._found]
        return self._found

    def _unknown(self, number: Variable) -> set[Variable]:
        return {each for each in self._after[number].variables if each in self._after and each not in self._found}

    def _alone(self, number: Variable) -> None:
        """Solve a number by itself, with the closed forms found so far."""
        try:
            step = Recurrence(number, self._step(number), tuple(map(Instantiation(self._found).formula, self._known)))
            self._keep({number: closed_form_of(self._first[number], step)})
        except (TooLarge, ValueError):
            return

    def _together(self, number: Variable) -> bool:
        """Solve a number with all that it depends on; return whether that succeeded."""
        if number in self._found:
            return False
        group, waiting = set[Variable](), {number}
        while waiting:
            group |= waiting
            waiting = {other for each in waiting for other in self._unknown(each)} - group
        try:
            steps = {each: self._step(each) for each in group}
            found = repeating({each: self._first[each] for each in group}, steps, ITERATION)
        except (TooLarge, ValueError):
            return False
        return found is not None and self._keep(found)

    def _step(self, number: Variable) -> Dim:
        return Instantiation(self._found).size(self._after[number])

    def _keep(self, found: Mapping[Variable, Dim | None]) -> bool:
        forms = {each: form for each, form in found.items() if form is not None and len(str(form)) <= _LONGEST}
        if len(forms) < len(found):
            return False
        self._found.update(forms)
        return True
