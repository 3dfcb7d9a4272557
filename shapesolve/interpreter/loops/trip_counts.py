"""Trip counts and ranking functions of loops with a continue condition.

The first iteration in which the condition fails gives the trip count: with ``n - i - 1 >= 0`` and i the number of the
iteration it is ``max(0, n)``.

A loop that continues while something is at least 0 that falls in every iteration, by whatever amount, ends. ``while
i > 1`` with ``i // 2`` for ``i`` is one, for ``i - 2`` falls. The last value is known where it cannot fall far:
``i // 2`` is at least 1 where ``i`` is at least 2, so that the loop ends with ``min(i, 1)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.domain.values import Abstract
from shapesolve.domain.widening import Place
from shapesolve.interpreter.loops.invariants import Names, instantiated, numbers, with_numbers
from shapesolve.interpreter.loops.iteration_spans import (
    FirstIteration,
    first_false_iteration,
    is_non_negative,
    plain_terms,
)
from shapesolve.symbolic.atoms import Remainder, Variable
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, Formula, IsNonNegative, IsZero, Not
from shapesolve.symbolic.formulas import at_least, conjuncts
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.symbolic.visitors import Instantiation


def trip_count(condition: Formula, round: Dim, inside: Names) -> FirstIteration | None:
    """Return the trip count of a loop with this continue condition, or None if its form does not tell.

    ``inside`` are names that mean nothing outside of one iteration.
    """
    number = round.atom
    if not isinstance(number, Variable) or any(each.name in inside for each in condition.variables - {number}):
        return None
    with unrecorded():
        moment = first_false_iteration(condition, number)
    return None if moment is None or moment.exists is FALSE else moment


def at_last_iteration(value: Abstract, round: Dim, last: Dim) -> Abstract:
    """Return a value with the number of the iteration replaced by that of the last one."""
    number = round.atom
    if not isinstance(number, Variable):
        return value
    return instantiated(value, Instantiation({number: last}))


def without_wraparound(values: Sequence[Abstract], condition: Formula) -> tuple[Abstract, ...]:
    """Return values without wraparound that the continue condition excludes: ``i + 1`` of 32 bits where ``i < n``."""
    bounds = [each.size for each in conjuncts(condition) if isinstance(each, IsNonNegative)]
    return tuple(with_numbers(value, _unwrapped(numbers(value), bounds)) for value in values) if bounds else (*values,)


def _unwrapped(given: Mapping[Place, Dim], bounds: Sequence[Dim]) -> dict[Place, Dim]:
    found: dict[Place, Dim] = {}
    for place, number in given.items():
        with unrecorded():
            whole = number
            for monomial, coefficient in number.terms:
                atom = monomial.single
                if isinstance(atom, Remainder) and _is_dividend(atom, bounds):
                    whole = whole + (atom.parts[0] - of_atom(atom)) * coefficient
        if whole is not number:
            found[place] = whole
    return found


def _is_dividend(atom: Remainder, bounds: Sequence[Dim]) -> bool:
    """Return whether a remainder equals its dividend, where nothing in ``bounds`` is negative."""
    if not atom.parts[1].is_constant:
        return False
    dividend, divisor = atom.parts[0], atom.parts[1].constant
    lows = [(dividend - each).bounds()[0] for each in (dim(0), *bounds)]
    highs = [(dividend + each).bounds()[1] for each in (dim(0), *bounds)]
    least = max((each for each in lows if each is not None), default=-1)
    most = min((each for each in highs if each is not None), default=divisor)
    return least >= 0 and most < divisor


def has_ranking_function(
    goes_on: Formula, given: Sequence[Abstract], closing: Sequence[Abstract], varying: Names, round: Dim
) -> bool:
    """Return whether a part of the continue condition is a ranking function: it falls in every iteration.

    ``varying`` are the names of variables that may differ from iteration to iteration, that of the ``round`` among
    them, beside those in ``given``.
    """
    with unrecorded():
        changes = _changes(given, closing)
        for part in map(_as_inequality, conjuncts(goes_on)):
            fall = _decrease(part, changes, varying)
            if fall is None:
                fall = _decrease_by_iteration(part, round, varying)
            if isinstance(part, IsNonNegative) and fall is not None and is_non_negative(fall - 1, part.size):
                return True
    return False


def _as_inequality(part: Formula) -> Formula:
    """Return that a number that is never negative is not 0 as that it is at least 1; other formulas as they are."""
    equation = part.parts[0] if isinstance(part, Not) else None
    if not isinstance(equation, IsZero):
        return part
    size = equation.size
    low, high = size.bounds()
    if low is not None and low >= 0:
        return at_least(size, 1)
    return at_least(-size, 1) if high is not None and high <= 0 else part


def _decrease(part: Formula, changes: Mapping[Variable, Dim], varying: Names) -> Dim | None:
    """Return the amount by which the left side of a condition ``size >= 0`` falls in an iteration, or None."""
    if not isinstance(part, IsNonNegative):
        return None
    rest, fall = part.size, part.size - part.size
    for variable, pace in plain_terms(part.size):
        if variable in changes:
            rest, fall = rest - of_atom(variable) * pace, fall - changes[variable] * pace
    if any(each in changes or each.name in varying for each in rest.variables):
        return None
    return fall


def _decrease_by_iteration(part: Formula, round: Dim, varying: Names) -> Dim | None:
    """Return the amount of the fall if nothing in the condition varies but the number of the iteration, or None."""
    number = round.atom
    if not isinstance(part, IsNonNegative) or not isinstance(number, Variable):
        return None
    if any(each.name in varying for each in part.size.variables - {number}):
        return None
    return part.size - Instantiation({number: round + 1}).size(part.size)


def last_values(
    goes_on: Formula, first: Sequence[Abstract], given: Sequence[Abstract], closing: Sequence[Abstract], varying: Names
) -> dict[int, Dim]:
    """Return the last values of given numbers, by identity, if the loop goes on while one is far enough."""
    found: dict[int, Dim] = {}
    for start, now, after in zip(first, given, closing, strict=False):
        if isinstance(start, Dim) and isinstance(now, Dim) and isinstance(after, Dim):
            last = _last_value(goes_on, start, now, after, varying)
            if last is not None:
                found[id(now)] = last
    return found


def _last_value(goes_on: Formula, first: Dim, given: Dim, closing: Dim, varying: Names) -> Dim | None:
    """Return the last value of a number if the loop goes on while it alone is at least, or at most, something."""
    variable, goes_on = given.atom, _as_inequality(goes_on)
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
        if not is_non_negative((closing - beyond) * pace, size):
            return None
    return minimum(first, beyond) if pace == 1 else maximum(first, beyond)


def _changes(given: Sequence[Abstract], closing: Sequence[Abstract]) -> dict[Variable, Dim]:
    """Return the changes of numbers that are variables, by these."""
    found: dict[Variable, Dim] = {}
    for before, after in zip(given, closing, strict=True):
        new = numbers(after)
        for place, number in numbers(before).items():
            if isinstance(number.atom, Variable) and place in new:
                found.setdefault(number.atom, new[place] - number)
    return found
