"""What is known where a loop ends of which nobody knows in which round that is.

It does not go on there; and it either began so, or a round before went on and led there. Of ``while i*i < n`` with
``i + 1`` for ``i`` both together say that ``i`` is the least number with ``i*i >= n``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, as_number, at_least, conjunction, disjunction, equal, negation
from shapesolve.language.substitution import Instantiation
from shapesolve.walking.invariants import Carried, Guess, numbers, with_put
from shapesolve.walking.iterations import Iteration
from shapesolve.walking.renaming import given_at
from shapesolve.walking.values import Abstract

_LONGEST = 600
"""Characters of what is said; more is no help to a proof."""


class RoundAt:
    """What an iteration that stands for all says of the one in some round, which is given other values."""

    def __init__(self, iteration: Iteration, round: Dim, values: Sequence[Abstract]) -> None:
        found = given_at(iteration.given, values)
        for now, value in zip(iteration.given, values, strict=True):
            if isinstance(now, Formula) and isinstance(value, Formula) and len(now.variables) == 1:
                found[next(iter(now.variables))] = as_number(value)
        number = iteration.round.atom
        if isinstance(number, Variable):
            found[number] = round
        self._put = Instantiation(found)

    def formula(self, formula: Formula) -> Formula:
        return self._put.formula(formula)

    def value(self, value: Abstract) -> Abstract:
        return with_put(value, self._put)


def known_at_the_end(
    iteration: Iteration, guess: Guess, count: Dim, last: Sequence[Abstract], previous: Carried, made: frozenset[str]
) -> Iterator[Formula]:
    """What holds where a loop ends after ``count`` rounds, with the ``last`` values that it carries.

    ``previous`` is what it carried in the round before, if there was one. ``made`` are names that mean nothing here.
    """
    there, before = RoundAt(iteration, count, last), RoundAt(iteration, count - 1, previous.values)
    began, came = [equal(count, 0)], [at_least(count, 1), before.formula(iteration.goes_on), previous.kept]
    came += previous.facts
    for position, (value, closing) in enumerate(zip(last, iteration.closing or (), strict=True)):
        now, led_to = numbers(value), numbers(before.value(closing))
        for place, at_first in guess.loose_numbers(position):
            if place in now and place in led_to:
                began.append(equal(now[place], at_first))
                came.append(equal(now[place], led_to[place]))
    for each in (negation(there.formula(iteration.goes_on)), disjunction((conjunction(began), conjunction(came)))):
        if len(str(each)) <= _LONGEST and not any(variable.name in made for variable in each.variables):
            yield each
