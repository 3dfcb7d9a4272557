"""Search for the first sizes in the order of counterexamples by plain evaluation, where there are few to try."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import mul

from shapesolve.records import value_record
from shapesolve.solver.models import in_bounds
from shapesolve.solver.size_order import (
    COUNTED_ONCE,
    MOST_BELIEVABLE,
    NONE_SMALL,
    Counts,
    Small,
    least_magnitude,
    preferred,
)
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.evaluation import CachedAssignment, holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula, IsNonNegative
from shapesolve.symbolic.formulas import conjuncts

MOST_EVALUATIONS = 1500
"""Evaluations of one formula that a search by enumeration may take; about 15 ms."""

DEEP = 10
"""Nesting from which on formulas are evaluated with a cache for each assignment: their atoms repeat one another."""

LARGEST_ENUMERATED = 16
"""The largest maximum that is searched by enumeration."""

UNSHOWN_UP_TO = 2
"""Variables that are not shown are tried up to this, or up to the maximum of those that are."""


class TooManyError(Exception):
    """There are more sizes than may be tried."""


@value_record
class _Raise:
    """Bound on a later size by one that is given its value before: ``factor * later + slope * by + offset >= 0``.

    Attributes:
        depth: The position of the later one.
        by: The one before.
    """

    depth: int
    by: Variable
    factor: int
    slope: int
    offset: int


class Enumeration:
    """Depth-first search with branch and bound.

    Attributes:
        excluded: A maximum that no sizes have, nor any less, as the last search found.
        is_complete: Whether all variables are shown. If not, others may fail with larger values than were tried.
    """

    def __init__(
        self,
        formulas: Sequence[Formula],
        order: Sequence[Variable],
        shown: Sequence[Variable],
        counts: Counts = COUNTED_ONCE,
    ) -> None:
        waiting = [part for formula in formulas for part in conjuncts(formula)]
        mentioned = variables_in(waiting)
        self._is_decided = all(formula.variables or formula is FALSE for formula in waiting)
        self._is_false = any(formula is FALSE for formula in waiting)
        self._order = [each for each in order if each in mentioned]
        self._shown = [each for each in shown if each in mentioned]
        self._counts = [counts.get(each, 1) for each in self._shown]
        self.is_complete = len(self._shown) == len(self._order)
        self._steps: list[list[Formula]] = [[] for _ in self._order]
        position = {variable: index for index, variable in enumerate(self._order)}
        for formula in waiting:
            if formula.variables:
                self._steps[max(position[each] for each in formula.variables)].append(formula)
        self._is_deep = [any(each.height > DEEP for each in formulas) for formulas in self._steps]
        self._stated = [
            max((_least(each, variable) for each in formulas), default=0)
            for variable, formulas in zip(self._shown, self._steps, strict=False)
        ]
        self._raising: list[list[_Raise]] = [[] for _ in self._shown]
        for depth, variable in enumerate(self._shown):
            for formula in self._steps[depth]:
                if raised := _raise(formula, variable, position, depth):
                    self._raising[position[raised.by]].append(raised)
        self.excluded = -1
        self._evaluations = 0
        self._least: list[int] = []
        self._maximum = 0
        self._sizes: dict[Variable, int] = {}
        self._best: tuple[int, dict[Variable, int]] | None = None

    def first(self, small: Small) -> dict[Variable, int] | None:
        """Return the first sizes of which so many are 0 and 1, or None if none up to ``excluded`` are.

        Raises:
            TooManyError: If there are too many to try.
        """
        self.excluded = -1
        if self._is_false or not self._shown:
            return None
        if not self._is_decided:
            raise TooManyError
        self._least = [
            max(least, least_magnitude(each, small)) for each, least in zip(self._shown, self._stated, strict=True)
        ]
        smallest = max(self._least)
        for self._maximum in range(smallest, max(smallest, LARGEST_ENUMERATED) + 1):
            self._best = None
            self._try_shown(0, 0, small, has_maximum=False)
            if self._best is not None:
                return self._best[1]
            self.excluded = self._maximum
        return None

    def restart(self) -> None:
        """Allow for as many evaluations as at first."""
        self._evaluations = 0

    def _try_shown(self, depth: int, total: int, left: Small, *, has_maximum: bool) -> None:
        """Try all sizes from one depth on that are better than the best; ``left`` are still to be 0 and 1."""
        if depth == len(self._shown):
            if left == NONE_SMALL and self._try_others(depth):
                self._best = total, dict(self._sizes)
            return
        variable = self._shown[depth]
        preference = preferred(variable) or 0
        count = self._counts[depth]
        for value in self._candidates(depth, is_last=depth + 1 == len(self._shown), has_maximum=has_maximum):
            now_has_maximum = has_maximum or abs(value) == self._maximum
            if self._best is not None:
                least_total = (
                    total + count * abs(value) + sum(map(mul, self._least[depth + 1 :], self._counts[depth + 1 :]))
                )
                if least_total >= self._best[0]:
                    break
                if not now_has_maximum and least_total + self._maximum - max(self._least) >= self._best[0]:
                    continue
            after = left
            if 0 <= value < preference:
                after = Small(left.zeros - count * (value == 0), left.ones - count * (value == 1))
                if min(after) < 0:
                    continue
            if self._is_allowed(depth, value):
                before = self._least
                self._least = _raised(before, self._raising[depth], value)
                if max(self._least) <= self._maximum:
                    self._try_shown(depth + 1, total + count * abs(value), after, has_maximum=now_has_maximum)
                self._least = before
        self._sizes.pop(variable, None)

    def _try_others(self, depth: int) -> bool:
        """Return whether values were found for the variables that are not shown."""
        if depth == len(self._order):
            return True
        variable = self._order[depth]
        for value in self._values(variable, variable.lower, max(UNSHOWN_UP_TO, self._maximum)):
            if self._is_allowed(depth, value) and self._try_others(depth + 1):
                return True
        return False

    def _is_allowed(self, depth: int, value: int) -> bool:
        """Give a variable a value and return whether the formulas that it completes hold."""
        self._sizes[self._order[depth]] = value
        self._evaluations += max(1, len(self._steps[depth]))
        if self._evaluations > MOST_EVALUATIONS:
            raise TooManyError
        sizes = CachedAssignment(self._sizes) if self._is_deep[depth] else self._sizes
        return all(holds(formula, sizes) for formula in self._steps[depth])

    def _candidates(self, depth: int, *, is_last: bool, has_maximum: bool) -> Iterable[int]:
        variable = self._shown[depth]
        is_signed = variable.lower is None or variable.lower < 0
        if is_last and not has_maximum:
            both = (self._maximum, -self._maximum) if is_signed else (self._maximum,)
            return [value for value in both if in_bounds(variable, value) and abs(value) >= self._least[depth]]
        if is_signed:
            return self._values(variable, variable.lower, self._maximum)
        most = self._maximum if variable.upper is None else min(self._maximum, variable.upper)
        return range(self._least[depth], most + 1)

    def _values(self, variable: Variable, least: int | None, most: int) -> Iterable[int]:
        """Return the values of a variable whose magnitude is at most ``most``, by ascending magnitude."""
        if least is not None and least >= 0:
            return range(least, max(least, most if variable.upper is None else min(most, variable.upper)) + 1)
        signed = (value for size in range(most + 1) for value in ((size, -size) if size else (0,)))
        return [value for value in signed if in_bounds(variable, value)]


def _least(formula: Formula, variable: Variable) -> int:
    """Return the least value of a variable that a formula about it alone allows, as far as that is seen; or 0.

    A value that is too large to be believed is left to the search for others.
    """
    if not isinstance(formula, IsNonNegative) or len(formula.size.terms) != 1 or formula.size.constant >= 0:
        return 0
    ((monomial, factor),) = formula.size.terms
    least = -(formula.size.constant // factor) if factor > 0 and monomial.single is variable else 0
    return least if least <= MOST_BELIEVABLE else 0


def _raise(formula: Formula, variable: Variable, position: Mapping[Variable, int], depth: int) -> _Raise | None:
    """Return the bound that a formula about a variable and one before it states, or None."""
    if not isinstance(formula, IsNonNegative) or len(formula.size.terms) != 2:
        return None
    factors = {monomial.single: factor for monomial, factor in formula.size.terms}
    factor = factors.pop(variable, 0)
    for other, slope in factors.items():
        if factor > 0 and isinstance(other, Variable) and position[other] < depth:
            return _Raise(depth, other, factor, slope, formula.size.constant)
    return None


def _raised(least: list[int], raising: Sequence[_Raise], value: int) -> list[int]:
    """Return the least magnitudes where a variable that bounds others has a value."""
    found = list(least) if raising else least
    for each in raising:
        found[each.depth] = max(found[each.depth], -((each.slope * value + each.offset) // each.factor))
    return found
