"""Loops that go on while something holds, and of which that says how often they run.

A condition that falls by the same amount from round to round, and ends the loop when it is below 0, says it: with
``n - i - 1 >= 0`` and i the number of the round there are ``max(0, n)`` rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.language.atoms import Remainder
from shapesolve.language.dims import Dim, dim, floordiv, of_atom
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import FALSE, Formula, IsNonNegative, conjuncts
from shapesolve.language.recording import unrecorded
from shapesolve.walking.invariants import Names, numbers, with_numbers
from shapesolve.walking.values import Abstract
from shapesolve.walking.widening import Place


def rounds_of(condition: Formula, round: Dim, inside: Names) -> Dim | None:
    """How often the condition holds, asked from round 0 on until it does not; None where its form does not say.

    ``inside`` names what nobody knows outside of one round.
    """
    if condition is FALSE:
        return dim(0)
    counts: list[Dim] = []
    for part in conjuncts(condition):
        if not isinstance(part, IsNonNegative):
            return None
        pace = _pace(part.size, round)
        with unrecorded():
            room = part.size - round * pace
        if pace >= 0 or round.variables & room.variables or any(each.name in inside for each in room.variables):
            return None
        counts.append(floordiv(room, dim(-pace)) + 1)
    return maximum(0, minimum(*counts)) if counts else None


def _pace(size: Dim, round: Dim) -> int:
    """How much a size grows from round to round, if it does so evenly."""
    return sum(coefficient for monomial, coefficient in size.terms if monomial.single is round.atom)


def at_round(value: Abstract, round: Dim, last: Dim) -> Abstract:
    """What a value is in the last round, as far as it grows evenly with the number of the round."""
    moved = {place: number + (last - round) * _pace(number, round) for place, number in numbers(value).items()}
    return with_numbers(value, moved)


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
