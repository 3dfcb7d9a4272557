"""The iteration of a loop that stands for all of them, and what is said of it."""

from __future__ import annotations

from typing import assert_never

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, at_least, conjunction
from shapesolve.reading.program import Operation
from shapesolve.records import value_record
from shapesolve.walking.invariants import Carried, Names
from shapesolve.walking.obligations import Fact, Source
from shapesolve.walking.region_runs import Carrying, Course, Every, While
from shapesolve.walking.values import Abstract


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


def there(course: Course | None, carried: Carried) -> Formula:
    """What holds where an iteration begins that may be the last one, on what it carries."""
    return conjunction((*([at_least(course.count, course.round)] if course is not None else ()), *carried.facts))


def invariant(kept: Formula, op: Operation) -> Fact:
    """What every iteration of a loop keeps, as an event."""
    return Fact(kept, Source.INVARIANT, f"every iteration of {op.name} keeps it", op.location)


def generic(run: Carrying | While, carried: Carried) -> Every:
    """The iteration that stands for all, on what it carries."""
    match run:
        case Carrying():
            return Every(
                region=run.region,
                arguments=(*run.arguments, *carried.values),
                condition=conjunction((run.condition, *carried.facts)),
                because=run.because,
                runs=run.runs,
                approximate=run.approximate,
                kept=carried.kept,
                in_order=True,
            )
        case While():
            return Every(
                region=run.region,
                arguments=carried.values,
                condition=there(run.course, carried),
                runs=run.runs,
                kept=carried.kept,
                in_order=True,
            )
        case _:
            assert_never(run)
