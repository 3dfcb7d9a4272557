"""Counting loops: the numbers an induction variable takes, and the facts about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.dims import Dim, ceildiv, dim, floordiv, remainder
from shapesolve.language.extremes import maximum
from shapesolve.language.formulas import Formula, at_least, conjunction, equal, implies, less_than
from shapesolve.reading.program import Region, Value
from shapesolve.records import value_record
from shapesolve.walking.limits import MAX_TRIPS
from shapesolve.walking.region_runs import Course, Every
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.unknowns import INDEX_RANGE, integer_range
from shapesolve.walking.values import Abstract


@value_record
class Counter:
    """An induction variable at an unknown iteration: its value, what holds of it, and when there is an iteration.

    ``round`` is how many iterations come before that one.
    """

    value: Dim
    condition: Formula
    runs: Formula
    lower: Dim
    upper: Dim
    step: Dim
    round: Dim

    @property
    def course(self) -> Course:
        """The iterations in numbers."""
        return Course(round=self.round, count=maximum(0, ceildiv(self.upper - self.lower, self.step)))


def counter(
    argument: Value,
    lower: Dim,
    upper: Dim,
    step: Dim,
    see: RuleContext,
    within: tuple[int, int] | None = None,
    *,
    whole: bool = True,
) -> Counter:
    """The counter from ``lower`` up to, not including, ``upper``; ``within`` are the numbers its type holds.

    Its value is ``lower + step*k``; where the step is not known, that is said by a remainder. ``whole``: the loop gets
    to its end, so that every number occurs.
    """
    runs = less_than(lower, upper)
    name = argument.name
    least, most = within or integer_range(argument.type)
    low, high = lower.bounds()[0], upper.bounds()[1]
    least = least if low is None else max(least, low)
    most = most if high is None else min(most, high - 1)
    if step.is_constant and step.constant > 1:
        last = max(0, (most - least) // step.constant)
        if whole:
            round = see.every(f"{name}.round", (dim(0), ceildiv(upper - lower, step), dim(1)), 0, last)
        else:
            round = see.fresh(f"{name}.round", 0, last)
        value = lower + round * step
        return Counter(value, conjunction((runs, less_than(value, upper))), runs, lower, upper, step, round)
    most = max(least, most)
    value = see.every(name, (lower, upper, step), least, most) if whole else see.fresh(name, least, most)
    inside = [runs, at_least(value, lower), less_than(value, upper)]
    if not step.is_constant:
        inside.append(equal(remainder(value - lower, step), 0))
    return Counter(value, conjunction(inside), runs, lower, upper, step, floordiv(value - lower, step))


def positive_step(step: Dim, clause: str) -> Claim:
    """The claim that a step is positive."""
    return Claim(clause, at_least(step, 1), "the step of the loop is not positive", shown=(("step", step),))


def last_fits(count: Counter, within: tuple[int, int], clause: str) -> Claim:
    """The claim that the first number the loop does not reach is one that the type holds."""
    beyond = _beyond(count)
    fits = implies(count.runs, at_least(within[1], beyond))
    return Claim(clause, fits, "the loop's counter wraps at its end", shown=(("last value", beyond),))


def ends_in_range(counters: Iterable[Counter], most: int = INDEX_RANGE[1]) -> Formula:
    """No 64-bit counter wraps at the end of its loop."""
    return conjunction(implies(each.runs, at_least(most, _beyond(each))) for each in counters)


def _beyond(count: Counter) -> Dim:
    """The first number that a loop does not reach."""
    return count.lower + ceildiv(count.upper - count.lower, count.step) * count.step


def known_trips(lower: Dim, upper: Dim, step: Dim) -> tuple[Dim, ...] | None:
    """The numbers of a short loop with constant bounds, in order."""
    if not (lower.is_constant and upper.is_constant and step.is_constant) or step.constant < 1:
        return None
    numbers = range(lower.constant, upper.constant, step.constant)
    return tuple(dim(number) for number in numbers) if len(numbers) <= MAX_TRIPS else None


def nested(region: Region, counters: Sequence[Counter], *further: Abstract) -> Every:
    """The run of the body of nested loops that carry nothing. ``further`` are its arguments behind the counters."""
    return Every(
        region=region,
        arguments=(*(each.value for each in counters), *further),
        condition=conjunction(each.condition for each in counters),
        because="inside the loop",
        runs=conjunction(each.runs for each in counters),
    )
