"""The iteration of a loop that stands for all of them, and what is said of it.

What is known where a loop ends of which nobody knows in which round that is.

It does not go on there; and it either began so, or a round before went on and led there. Of ``while i*i < n`` with
``i + 1`` for ``i`` both together say that ``i`` is the least number with ``i*i >= n``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from shapesolve.domain.fresh_variables import given_at
from shapesolve.domain.values import Abstract
from shapesolve.interpreter.loops.invariants import Carried, InvariantCandidate, Names, numbers, with_put
from shapesolve.ir.program import Operation
from shapesolve.records import value_record
from shapesolve.semantics.regions import ForLoop, GenericIteration, IterationSpace, WhileLoop
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import as_number, at_least, conjunction, disjunction, equal, negation
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Fact, Source


@value_record
class Iteration:
    """An iteration that stands for all: its ``round``, what it was ``given``, and the ``closing`` values for the next.

    ``closing`` is None where it is not known. The next one comes where it ``goes_on``. ``entered`` are the positions of
    the events that enter its regions, with what every iteration keeps behind each. ``varying`` are the names of what
    may be another number in every iteration.
    """

    round: Dim
    given: tuple[Abstract, ...]
    yielded: tuple[Abstract, ...]
    closing: tuple[Abstract, ...] | None
    goes_on: Formula
    entered: tuple[int, ...]
    varying: Names = frozenset()


@value_record
class LastRound:
    """What control begins its last round between blocks with. ``is_counted``: it is known which one that is."""

    values: tuple[Abstract, ...]
    is_counted: bool


def there(course: IterationSpace | None, carried: Carried) -> Formula:
    """What holds where an iteration begins that may be the last one, on what it carries."""
    return conjunction((*([at_least(course.count, course.round)] if course is not None else ()), *carried.facts))


def invariant(kept: Formula, op: Operation) -> Fact:
    """What every iteration of a loop keeps, as an event."""
    return Fact(kept, Source.INVARIANT, f"every iteration of {op.name} keeps it", op.location)


def generic(run: ForLoop | WhileLoop, carried: Carried) -> GenericIteration:
    """The iteration that stands for all, on what it carries."""
    match run:
        case ForLoop():
            return GenericIteration(
                region=run.region,
                arguments=(*run.arguments, *carried.values),
                condition=conjunction((run.condition, *carried.facts)),
                because=run.because,
                runs=run.runs,
                approximate=run.approximate,
                kept=carried.kept,
                in_order=True,
            )
        case WhileLoop():
            return GenericIteration(
                region=run.region,
                arguments=carried.values,
                condition=there(run.course, carried),
                runs=run.runs,
                kept=carried.kept,
                in_order=True,
            )
        case _:
            assert_never(run)


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


def exit_facts(
    iteration: Iteration,
    guess: InvariantCandidate,
    count: Dim,
    last: Sequence[Abstract],
    previous: Carried,
    made: frozenset[str],
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
