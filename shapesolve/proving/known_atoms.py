"""Atoms that what is known makes simpler: choices that are settled, and divisions."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.language.atoms import Atom, Choice, Maximum, Minimum, Quotient, Remainder
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, negation
from shapesolve.proving.division_bounds import known_division
from shapesolve.proving.intervals import Intervals
from shapesolve.proving.known_divisors import (
    bounded_within,
    choices_within,
    divisions_by_sizes,
    divisions_within,
    taken_out,
)
from shapesolve.proving.reasons import Why
from shapesolve.proving.simplifier import Simplifier
from shapesolve.proving.trail import Trail


class KnownAtoms:
    """Turns what is known of the atoms in a formula into rewriting rules.

    ``differs`` says why a size is not 0, ``decided`` why a claim holds, where that is known.
    """

    def __init__(
        self,
        trail: Trail,
        simplifier: Simplifier,
        intervals: Intervals,
        differs: Callable[[Dim], Why | None],
        decided: Callable[[Formula], Why | None],
    ) -> None:
        self._trail = trail
        self._simplifier = simplifier
        self._intervals = intervals
        self._differs = differs
        self._decided = decided
        self._is_settling = False
        self._passed: set[Atom] = set()
        """Atoms of which nothing was known when as much was written as ``_passed_at`` says."""
        self._passed_at = -1

    def learn(self, formula: Formula) -> bool:
        """Whether there is a new rule for an atom in the formula."""
        known = self._simplifier.atoms
        divisions, choices, bounded = divisions_within(formula), choices_within(formula), bounded_within(formula)
        if not divisions and not choices and not bounded:  # most formulas: a look, no search
            return False
        return (
            any(self._keeps(each) for each in bounded if each not in known)
            or any(self._takes_out(each) for each in divisions_by_sizes(formula) if each not in known)
            or any(self._settles(each) for each in choices if self._is_open(each))
            or any(self._divides(each) for each in divisions if self._is_open(each))
        )

    def _is_open(self, atom: Choice | Quotient | Remainder) -> bool:
        """Whether there is no rule for an atom, and there may be one since it was looked for."""
        if self._passed_at != self._trail.version:
            self._passed.clear()
            self._passed_at = self._trail.version
        return atom not in self._passed and atom not in self._simplifier.atoms

    def _pass(self, atom: Choice | Quotient | Remainder, version: int) -> None:
        """Nothing is known of the atom, by what was written when one began to look."""
        if self._passed_at == version == self._trail.version:
            self._passed.add(atom)

    def _keeps(self, atom: Minimum | Maximum) -> bool:
        """Which of the two it is where one of them is a number, by the bounds of the other."""
        number, size = sorted(atom.parts, key=lambda each: not each.is_constant)
        room = size - number if isinstance(atom, Maximum) else number - size
        for larger, value in ((room, size), (-room, number)):
            bound = self._intervals.least(larger)
            if bound is not None and bound[0] >= 0:
                self._simplifier.rewrite_atom(atom, value, bound[1])
                return True
        return False

    def _takes_out(self, division: Quotient | Remainder) -> bool:
        """By a divisor that is known not to be 0."""
        nonzero = self._differs(division.parts[1])
        value = None if nonzero is None else taken_out(division)
        if nonzero is None or value is None:
            return False
        self._simplifier.rewrite_atom(division, value, nonzero)
        return True

    def _settles(self, choice: Choice) -> bool:
        """Which of the two a choice is. Choices in its condition have their own turn, not one in each around them."""
        if self._is_settling:
            return False
        condition, a, b = choice.parts
        version = self._trail.version
        self._is_settling = True
        try:
            for holds, value in ((condition, a), (negation(condition), b)):
                why = self._decided(holds)
                if why is not None:
                    self._simplifier.rewrite_atom(choice, value, why)
                    return True
        finally:
            self._is_settling = False
        self._pass(choice, version)
        return False

    def _divides(self, division: Quotient | Remainder) -> bool:
        """What is smaller than its divisor."""
        version = self._trail.version
        known = known_division(division, lambda size: self._intervals.non_negative(size, 1))
        if known is None:
            self._pass(division, version)
            return False
        self._simplifier.rewrite_atom(division, *known)
        return True
