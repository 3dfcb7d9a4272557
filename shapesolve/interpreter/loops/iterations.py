"""The generic iteration of a loop, and the exit facts of a loop with unknown trip count.

At the exit the continue condition is false; and either the loop began so, or the iteration before had a true condition
and led there. For ``while i*i < n`` with ``i + 1`` for ``i`` both together say that ``i`` is the least number with
``i*i >= n``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from shapesolve.domain.fresh_variables import argument_substitution
from shapesolve.domain.values import Abstract
from shapesolve.interpreter.loops.invariants import CarriedValues, InvariantCandidate, Names, instantiated, numbers
from shapesolve.ir.program import Operation
from shapesolve.records import value_record
from shapesolve.semantics.regions import ForLoop, GenericIteration, IterationSpace, WhileLoop
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, disjunction, equal, negation
from shapesolve.symbolic.normal_forms import as_number
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Fact, Source


@value_record
class Iteration:
    """A generic iteration.

    Attributes:
        round: Its number.
        initial: The carried values that it begins with.
        yielded: What its region yields.
        closing: The carried values for the next iteration; None if unknown.
        goes_on: The condition under which there is a next iteration.
        entered: The positions of the events that enter its regions; the invariant is behind each.
        varying: The names of variables that may differ from iteration to iteration.
    """

    round: Dim
    initial: tuple[Abstract, ...]
    yielded: tuple[Abstract, ...]
    closing: tuple[Abstract, ...] | None
    goes_on: Formula
    entered: tuple[int, ...]
    varying: Names = frozenset()


@value_record
class LastIteration:
    """Carried values at the start of the last iteration between blocks. ``is_counted``: whether its number is known."""

    values: tuple[Abstract, ...]
    is_counted: bool


def generic_iteration_condition(iteration_space: IterationSpace | None, carried: CarriedValues) -> Formula:
    """Return the condition on carried values at the begin of an iteration that may be the last."""
    return conjunction(
        (
            *([at_least(iteration_space.count, iteration_space.round)] if iteration_space is not None else ()),
            *carried.facts,
        )
    )


def invariant(kept: Formula, op: Operation) -> Fact:
    """Return the invariant of a loop as a fact."""
    return Fact(kept, Source.INVARIANT, f"every iteration of {op.name} keeps it", op.location)


def generic(run: ForLoop | WhileLoop, carried: CarriedValues) -> GenericIteration:
    """Return the generic iteration on carried values."""
    match run:
        case ForLoop():
            return GenericIteration(
                region=run.region,
                arguments=(*run.arguments, *carried.values, *run.elements),
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
                condition=generic_iteration_condition(run.iteration_space, carried),
                runs=run.runs,
                kept=carried.kept,
                in_order=True,
                is_followed=True,
            )
        case _:
            assert_never(run)


_LONGEST = 600
"""The most characters of an exit fact; a longer one is no help to a proof."""


class IterationInstance:
    """An instance of the generic iteration: one with a given number and other carried values."""

    def __init__(self, iteration: Iteration, round: Dim, values: Sequence[Abstract]) -> None:
        found = argument_substitution(iteration.initial, values)
        for now, value in zip(iteration.initial, values, strict=True):
            if isinstance(now, Formula) and isinstance(value, Formula) and len(now.variables) == 1:
                found[next(iter(now.variables))] = as_number(value)
        number = iteration.round.atom
        if isinstance(number, Variable):
            found[number] = round
        self._put = Instantiation(found)

    def formula(self, formula: Formula) -> Formula:
        return self._put.formula(formula)

    def value(self, value: Abstract) -> Abstract:
        return instantiated(value, self._put)


def exit_facts(
    iteration: Iteration,
    candidate: InvariantCandidate,
    count: Dim,
    last: Sequence[Abstract],
    previous: CarriedValues,
    made: frozenset[str],
) -> Iterator[Formula]:
    """Yield the exit facts of a loop after ``count`` iterations, with its ``last`` carried values.

    ``previous`` is what it carried one iteration before, if there was one. ``made`` are names without meaning here.
    """
    there, before = IterationInstance(iteration, count, last), IterationInstance(iteration, count - 1, previous.values)
    initial = [equal(count, 0)]
    later = [at_least(count, 1), *conjuncts(before.formula(iteration.goes_on)), *conjuncts(previous.kept)]
    later += previous.facts
    for position, (value, closing) in enumerate(zip(last, iteration.closing or (), strict=True)):
        now, led_to = numbers(value), numbers(before.value(closing))
        for place, at_first in candidate.loose_numbers(position):
            if place in now and place in led_to:
                initial.append(equal(now[place], at_first))
                later.append(equal(now[place], led_to[place]))
    later = [each for each in later if not _mentions(each, made)]
    for each in (negation(there.formula(iteration.goes_on)), disjunction((conjunction(initial), conjunction(later)))):
        if len(str(each)) <= _LONGEST and not _mentions(each, made):
            yield each


def _mentions(formula: Formula, names: Names) -> bool:
    return any(variable.name in names for variable in formula.variables)
