"""A trace, read once: every event in program order, with the regions around it.

Whoever wants something of a trace says what each kind of event makes (`Handler`); the order, the regions and where they
end are known here alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, assert_never

from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import (
    Enter,
    Event,
    Fact,
    FoldQuery,
    Leave,
    MayNotReturn,
    Obligation,
    OverflowAssumption,
    Trace,
)

Made = TypeVar("Made")


@record
class Scope:
    """A region that is run, from its beginning to its end."""

    enter: Enter
    leave: Leave

    @property
    def condition(self) -> Formula:
        """What holds inside."""
        return TRUE if self.enter.condition is None else self.enter.condition.formula

    @property
    def is_kept(self) -> bool:
        """Whether what is known inside is known afterwards, wherever the region ran."""
        return not self.enter.approximate and self.leave.runs is not None


Around = Sequence[Scope]
"""The regions around an event, the outermost first."""


class Handler(Generic[Made]):
    """What is made of each kind of event; nothing, unless a method says so. Reading ends once it is ``done``."""

    @property
    def done(self) -> bool:
        """Whether the rest of the trace does not matter."""
        return False

    def fact(self, fact: Fact, around: Around) -> Made | None:
        """Something holds from here on."""

    def obligation(self, obligation: Obligation, around: Around) -> Made | None:
        """Something must hold here."""

    def question(self, question: FoldQuery, around: Around) -> Made | None:
        """Somebody may ask something here."""

    def presumption(self, presumption: OverflowAssumption, around: Around) -> Made | None:
        """Something is taken for granted from here on."""

    def stop(self, stop: MayNotReturn, around: Around) -> Made | None:
        """The program may end here."""

    def enter(self, scope: Scope, around: Around) -> Made | None:
        """A region begins; ``around`` are those around it."""

    def leave(self, scope: Scope, around: Around) -> Made | None:
        """A region ends; ``around`` are those around it."""


def interpreted(
    trace: Trace, handler: Handler[Made], *, finished: Callable[[Operation], None] | None = None
) -> Iterator[Made]:
    """What a handler makes of the events behind the assumptions, in program order.

    ``finished`` is told of every operation where its results exist.
    """
    events = trace.events
    leaves = _leaves(events)
    ends = {} if finished is None else _ends(trace)
    around: list[Scope] = []
    for position in range(trace.assumed, len(events) + 1):
        if finished is not None:
            for op in ends.get(position, ()):
                finished(op)
        if position == len(events):
            break
        made = _handled(events[position], leaves.get(position), handler, around)
        if made is not None:
            yield made
        if handler.done:
            break


def interpret(trace: Trace, handler: Handler[Made], *, finished: Callable[[Operation], None] | None = None) -> None:
    """Show a handler the events behind the assumptions, in program order."""
    for _ in interpreted(trace, handler, finished=finished):
        pass


def _handled(event: Event, leave: Leave | None, handler: Handler[Made], around: list[Scope]) -> Made | None:
    match event:
        case Fact():
            return handler.fact(event, around)
        case Obligation():
            return handler.obligation(event, around)
        case FoldQuery():
            return handler.question(event, around)
        case OverflowAssumption():
            return handler.presumption(event, around)
        case MayNotReturn():
            return handler.stop(event, around)
        case Enter():
            assert leave is not None
            scope = Scope(event, leave)
            made = handler.enter(scope, around)
            around.append(scope)
            return made
        case Leave():
            return handler.leave(around.pop(), around)
        case _:
            assert_never(event)


def _leaves(events: Sequence[Event]) -> dict[int, Leave]:
    """The end of every region by the position of its beginning."""
    opened: list[int] = []
    found: dict[int, Leave] = {}
    for position, event in enumerate(events):
        if isinstance(event, Enter):
            opened.append(position)
        elif isinstance(event, Leave):
            found[opened.pop()] = event
    return found


def _ends(trace: Trace) -> dict[int, list[Operation]]:
    """The operations that are done before the event at a position."""
    found: dict[int, list[Operation]] = {}
    for op, position in trace.positions.items():
        found.setdefault(max(position, trace.assumed), []).append(op)
    return found


class _Surroundings(Handler[tuple[Obligation, tuple[Scope, ...]]]):
    def obligation(self, obligation: Obligation, around: Around) -> tuple[Obligation, tuple[Scope, ...]]:
        return obligation, tuple(around)


def enclosing_regions(trace: Trace) -> Mapping[Obligation, Around]:
    """The regions around every obligation."""
    return dict(interpreted(trace, _Surroundings()))
