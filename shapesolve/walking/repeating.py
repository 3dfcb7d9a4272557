"""Numbers that change together, and again in the same way after some rounds: found by following the first of these.

After a beginning each of them grows by the same amount from one period to the next: ``a, b, a, b`` and
``0, 2, 2, 4, 4`` are such. The first rounds show the beginning, the period and the amounts; that all others follow is
an induction, for which every round of a period is computed once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.index_type import MAX_SIZE
from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim, dim, floordiv, of_atom, remainder
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import at_least, equal
from shapesolve.language.substitution import Instantiation

_BEGINNINGS = range(5)
_PERIODS = range(1, 5)
_SHAPES = sorted(
    ((before, period) for before in _BEGINNINGS for period in _PERIODS), key=lambda each: (sum(each), each)
)
_LONGEST = 300
"""Characters of a number that is followed."""

_TURN = Variable.of("how many periods before", 0, MAX_SIZE)

State = Mapping[Variable, Dim]


def repeating(first: State, after: State, round: Variable) -> dict[Variable, Dim] | None:
    """What numbers are in every round, of which all begin with ``first`` and are ``after`` a round; None: not found."""
    states = [first]
    for before, period in _SHAPES:
        while len(states) < before + 2 * period:
            state = _next(states[-1], after, round, dim(len(states) - 1))
            if any(len(str(each)) > _LONGEST for each in state.values()):
                return None
            states.append(state)
        growth = _growth(states, before, period)
        if _goes_on(states, growth, before, after, round):
            return {each: _form([s[each] for s in states], [g[each] for g in growth], before, round) for each in first}
    return None


def _next(state: State, after: State, round: Variable, number: Dim) -> State:
    put = Instantiation({**state, round: number})
    return {each: put.size(size) for each, size in after.items()}


def _growth(states: Sequence[State], before: int, period: int) -> list[State]:
    """By how much numbers grow from one period to the next, at each place of a period."""
    growth: list[State] = []
    for place in range(before, before + period):
        once, then = states[place], states[place + period]
        growth.append({each: then[each] - once[each] for each in once})
    return growth


def _goes_on(states: Sequence[State], growth: Sequence[State], before: int, after: State, round: Variable) -> bool:
    """Whether every round of any period leads to the next one."""
    period, turn = len(growth), of_atom(_TURN)

    def state(place: int, turns: Dim) -> State:
        return {each: states[before + place][each] + growth[place][each] * turns for each in after}

    for place in range(period):
        reached = _next(state(place, turn), after, round, turn * period + (before + place))
        following = state(place + 1, turn) if place + 1 < period else state(0, turn + 1)
        if any(reached[each] is not following[each] for each in after):
            return False
    return True


def _form(values: Sequence[Dim], growth: Sequence[Dim], before: int, round: Variable) -> Dim:
    """The number of a round that is one of the first, or at some place of a period."""
    number, period = of_atom(round), len(growth)
    turns, place = floordiv(number - before, dim(period)), remainder(number - before, dim(period))
    found = values[before + period - 1] + growth[period - 1] * turns
    for each in reversed(range(period - 1)):
        found = choose(equal(place, each), values[before + each] + growth[each] * turns, found)
    for each in reversed(range(before)):
        found = choose(at_least(number, each + 1), found, values[each])
    return found
