"""Visitor of a trace: every event in program order, with its enclosing regions.

A `Handler` defines the result of each kind of event; the order, the regions and their ends are known here alone.
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
    """Region of a trace, from its begin to its end."""

    enter: Enter
    leave: Leave

    @property
    def condition(self) -> Formula:
        """The condition that holds inside."""
        return self.enter.formula

    @property
    def always_runs(self) -> bool:
        """Return whether the region runs wherever its begin is reached, as the body of a callee does."""
        enter = self.enter
        return enter.condition is None and not enter.approximate and not enter.repeats and self.leave.runs is TRUE

    @property
    def is_kept(self) -> bool:
        """Return whether the facts inside hold afterwards, wherever the region ran."""
        return not self.enter.approximate and self.leave.runs is not None


Around = Sequence[Scope]
"""The regions around an event, the outermost first."""


class Handler(Generic[Made]):
    """Callbacks for each kind of event; by default they return None. The visit ends once it is ``done``."""

    @property
    def done(self) -> bool:
        """Return whether the rest of the trace can be skipped."""
        return False

    def fact(self, fact: Fact, around: Around) -> Made | None:
        """Handle a fact, which holds from here on."""

    def obligation(self, obligation: Obligation, around: Around) -> Made | None:
        """Handle an obligation."""

    def fold_query(self, question: FoldQuery, around: Around) -> Made | None:
        """Handle a fold query."""

    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> Made | None:
        """Handle an overflow assumption, which holds from here on."""

    def may_not_return(self, stop: MayNotReturn, around: Around) -> Made | None:
        """Handle an operation that may not return."""

    def enter(self, scope: Scope, around: Around) -> Made | None:
        """Handle the begin of a region; ``around`` are its enclosing regions."""

    def leave(self, scope: Scope, around: Around) -> Made | None:
        """Handle the end of a region; ``around`` are its enclosing regions."""


def handled_events(
    trace: Trace, handler: Handler[Made], *, finished: Callable[[Operation], None] | None = None
) -> Iterator[Made]:
    """Yield a handler's results for the events behind the assumptions, in program order.

    ``finished`` is called with every operation once its results exist.
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


def handle_events(trace: Trace, handler: Handler[Made]) -> None:
    """Run a handler on the events behind the assumptions, in program order."""
    for _ in handled_events(trace, handler):
        pass


def _handled(event: Event, leave: Leave | None, handler: Handler[Made], around: list[Scope]) -> Made | None:
    match event:
        case Fact():
            return handler.fact(event, around)
        case Obligation():
            return handler.obligation(event, around)
        case FoldQuery():
            return handler.fold_query(event, around)
        case OverflowAssumption():
            return handler.overflow_assumption(event, around)
        case MayNotReturn():
            return handler.may_not_return(event, around)
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
    """Return the end of each region by the position of its begin."""
    opened: list[int] = []
    found: dict[int, Leave] = {}
    for position, event in enumerate(events):
        match event:
            case Enter():
                opened.append(position)
            case Leave():
                found[opened.pop()] = event
            case _:
                pass
    return found


def _ends(trace: Trace) -> dict[int, list[Operation]]:
    """Return the operations that are finished before the event at each position."""
    found: dict[int, list[Operation]] = {}
    for op, position in trace.positions.items():
        found.setdefault(max(position, trace.assumed), []).append(op)
    return found


class _Surroundings(Handler[tuple[Obligation, tuple[Scope, ...]]]):
    def obligation(self, obligation: Obligation, around: Around) -> tuple[Obligation, tuple[Scope, ...]]:
        return obligation, tuple(around)


def enclosing_regions(trace: Trace) -> Mapping[Obligation, Around]:
    """Return the enclosing regions of every obligation."""
    return dict(handled_events(trace, _Surroundings()))
