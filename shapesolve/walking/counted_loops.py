"""Loops that go on while something holds, and of which that says how often they run.

The first round in which it fails says it: with ``n - i - 1 >= 0`` and i the number of the round there are
``max(0, n)`` rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.language.atoms import Remainder, Variable
from shapesolve.language.dims import Dim, dim, of_atom
from shapesolve.language.formulas import FALSE, Formula, IsNonNegative, conjuncts
from shapesolve.language.recording import unrecorded
from shapesolve.language.substitution import Instantiation
from shapesolve.walking.invariants import Names, numbers, with_numbers, with_put
from shapesolve.walking.moments import Moment, first_failure
from shapesolve.walking.values import Abstract
from shapesolve.walking.widening import Place


def rounds_of(condition: Formula, round: Dim, inside: Names) -> Moment | None:
    """How often the condition holds, asked from round 0 on until it does not; None where its form does not say.

    ``inside`` names what nobody knows outside of one round.
    """
    number = round.atom
    if not isinstance(number, Variable) or any(each.name in inside for each in condition.variables - {number}):
        return None
    with unrecorded():
        moment = first_failure(condition, number)
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
