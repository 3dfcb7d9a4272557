"""Loops that go on while something is at least 0 that falls in every round, by whatever amount: they end.

``while i > 1`` with ``i // 2`` for ``i`` is one, for ``i - 2`` falls. What such a loop ends with is known where it
cannot fall far: ``i // 2`` is at least 1 where ``i`` is at least 2, so that it ends with ``min(i, 1)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim, of_atom
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import Formula, IsNonNegative, conjuncts
from shapesolve.language.recording import unrecorded
from shapesolve.language.substitution import Instantiation
from shapesolve.walking.invariants import Names, numbers
from shapesolve.walking.signs import is_natural, plain_terms
from shapesolve.walking.values import Abstract


def comes_to_an_end(
    goes_on: Formula, given: Sequence[Abstract], closing: Sequence[Abstract], varying: Names, round: Dim
) -> bool:
    """Whether a part of the condition for another round falls in every one that there is.

    ``varying`` are the names of what may be another number in every round, that of the ``round`` among them, beside
    what is given.
    """
    with unrecorded():
        changes = _changes(given, closing)
        for part in conjuncts(goes_on):
            fall = _fall(part, changes, varying)
            if fall is None:
                fall = _fall_by_number(part, round, varying)
            if isinstance(part, IsNonNegative) and fall is not None and is_natural(fall - 1, part.size):
                return True
    return False


def _fall(part: Formula, changes: Mapping[Variable, Dim], varying: Names) -> Dim | None:
    """By how much what a condition says is at least 0 falls in a round."""
    if not isinstance(part, IsNonNegative):
        return None
    rest, fall = part.size, part.size - part.size
    for variable, pace in plain_terms(part.size):
        if variable in changes:
            rest, fall = rest - of_atom(variable) * pace, fall - changes[variable] * pace
    if any(each in changes or each.name in varying for each in rest.variables):
        return None
    return fall


def _fall_by_number(part: Formula, round: Dim, varying: Names) -> Dim | None:
    """By how much it falls in a round where nothing in it varies but the number of that."""
    number = round.atom
    if not isinstance(part, IsNonNegative) or not isinstance(number, Variable):
        return None
    if any(each.name in varying for each in part.size.variables - {number}):
        return None
    return part.size - Instantiation({number: round + 1}).size(part.size)


def last_values(
    goes_on: Formula,
    first: Sequence[Abstract],
    given: Sequence[Abstract],
    closing: Sequence[Abstract],
    varying: Names,
) -> dict[int, Dim]:
    """What given numbers are, by their identities, when a loop ends that goes on while one of them is far enough."""
    found: dict[int, Dim] = {}
    for start, now, after in zip(first, given, closing, strict=False):
        if isinstance(start, Dim) and isinstance(now, Dim) and isinstance(after, Dim):
            last = _last_value(goes_on, start, now, after, varying)
            if last is not None:
                found[id(now)] = last
    return found


def _last_value(goes_on: Formula, first: Dim, given: Dim, closing: Dim, varying: Names) -> Dim | None:
    """What a number is when a loop ends that goes on while this alone is at least, or at most, something."""
    variable = given.atom
    if not isinstance(goes_on, IsNonNegative) or not isinstance(variable, Variable):
        return None
    size, pace = goes_on.size, dict(plain_terms(goes_on.size)).get(variable)
    if pace not in (1, -1):
        return None
    with unrecorded():
        limit = given - size * pace
        if variable in limit.variables or any(each.name in varying for each in limit.variables):
            return None
        beyond = limit - pace
        if not is_natural((closing - beyond) * pace, size):
            return None
    return minimum(first, beyond) if pace == 1 else maximum(first, beyond)


def _changes(given: Sequence[Abstract], closing: Sequence[Abstract]) -> dict[Variable, Dim]:
    """By how much numbers change that are variables, by these."""
    found: dict[Variable, Dim] = {}
    for before, after in zip(given, closing, strict=True):
        new = numbers(after)
        for place, number in numbers(before).items():
            if isinstance(number.atom, Variable) and place in new:
                found.setdefault(number.atom, new[place] - number)
    return found
