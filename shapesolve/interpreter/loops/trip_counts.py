"""Loops that go on while something holds, and of which that says how often they run.

The first round in which it fails says it: with ``n - i - 1 >= 0`` and i the number of the round there are
``max(0, n)`` rounds.

Loops that go on while something is at least 0 that falls in every round, by whatever amount: they end.

``while i > 1`` with ``i // 2`` for ``i`` is one, for ``i - 2`` falls. What such a loop ends with is known where it
cannot fall far: ``i // 2`` is at least 1 where ``i`` is at least 2, so that it ends with ``min(i, 1)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.domain.values import Abstract
from shapesolve.domain.widening import Place
from shapesolve.interpreter.loops.invariants import Names, numbers, with_numbers, with_put
from shapesolve.interpreter.loops.iteration_spans import (
    FirstIteration,
    first_false_iteration,
    is_non_negative,
    plain_terms,
)
from shapesolve.symbolic.atoms import Remainder, Variable
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, Formula, IsNonNegative
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.symbolic.visitors import Instantiation


def trip_count(condition: Formula, round: Dim, inside: Names) -> FirstIteration | None:
    """How often the condition holds, asked from round 0 on until it does not; None where its form does not say.

    ``inside`` names what nobody knows outside of one round.
    """
    number = round.atom
    if not isinstance(number, Variable) or any(each.name in inside for each in condition.variables - {number}):
        return None
    with unrecorded():
        moment = first_false_iteration(condition, number)
    return None if moment is None or moment.comes is FALSE else moment


def at_round(value: Abstract, round: Dim, last: Dim) -> Abstract:
    """What a value is in the last round, as far as it is made of the number of the round."""
    number = round.atom
    if not isinstance(number, Variable):
        return value
    return with_put(value, Instantiation({number: last}))


def where_it_goes_on(values: Sequence[Abstract], condition: Formula) -> tuple[Abstract, ...]:
    """Values without what wraps around nowhere where the condition holds: ``i + 1`` of 32 bits where ``i < n``."""
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
    """Whether a remainder is what it divides, where nothing in ``bounds`` is negative."""
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
            if isinstance(part, IsNonNegative) and fall is not None and is_non_negative(fall - 1, part.size):
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
        if not is_non_negative((closing - beyond) * pace, size):
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
