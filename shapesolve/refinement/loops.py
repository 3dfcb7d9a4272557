"""Loops of an interpreted program, their iteration spaces, and events with the conditions that reach them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from shapesolve.ir.program import Operation
from shapesolve.records import record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, implies
from shapesolve.trace.events import Enter, Event, Fact, Leave, MayNotReturn, Obligation, OverflowAssumption, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handled_events


@record
class Iterations:
    """Iteration space of a generic iteration: from ``first`` by ``step`` up to but not including ``end``.

    Attributes:
        number: The value number of the operation being interpreted.
        op: The loop.
        visit: Which time the interpreter reached it.
        first, end, step: The bounds.
        last_leaves: Whether the last iteration only finds that there is no other, and leaves the loop.
    """

    number: str
    op: Operation | None
    visit: int
    first: Dim
    end: Dim
    step: Dim
    last_leaves: bool = False


@record
class Loop:
    """A loop that is interpreted once, for a generic iteration of these variables, the outermost first."""

    op: Operation
    numbers: tuple[Variable, ...]


Nest = tuple[Loop, ...]
"""Loops around an event, the outermost first."""


class Loops:
    """The loops of a trace that are identified by their operations: control reaches each of them in one place."""

    def __init__(self, trace: Trace, iterations: Mapping[Variable, Iterations]) -> None:
        self._loops: dict[Operation, Loop] = {}
        visits: dict[Operation, dict[int, list[Variable]]] = {}
        for variable, each in iterations.items():
            if each.op is not None:
                visits.setdefault(each.op, {}).setdefault(each.visit, []).append(variable)
        again = _repeated_loops(trace.events)
        for op, found in visits.items():
            if op not in again and len(found) == 1:
                (numbers,) = found.values()
                self._loops[op] = Loop(op, tuple(numbers))

    def of(self, op: Operation | None) -> Loop | None:
        """Return the loop that an operation is."""
        return None if op is None else self._loops.get(op)

    def around(self, scopes: Iterable[Scope]) -> Nest | None:
        """Return the loops of these regions; None if one of them is not identified."""
        nest: list[Loop] = []
        for scope in scopes:
            if scope.enter.repeats:
                loop = self.of(scope.enter.of)
                if loop is None:
                    return None
                nest.append(loop)
        return tuple(nest)


def _repeated_loops(events: Sequence[Event]) -> set[Operation]:
    """Return the loops that are interpreted in several places. Regions of one iteration are adjacent."""
    ends: dict[Operation, int] = {}
    opened: list[Operation | None] = []
    found: set[Operation] = set()
    for position, event in enumerate(events):
        if isinstance(event, Enter):
            op = event.of if event.repeats else None
            if op is not None and ends.get(op, position - 1) != position - 1:
                found.add(op)
            opened.append(op)
        elif isinstance(event, Leave):
            op = opened.pop()
            if op is not None:
                ends[op] = position
    return found


def shared(first: Nest, second: Nest) -> Nest:
    """Return the common outer loops of two nests."""
    both = takewhile(lambda pair: pair[0] is pair[1], zip(first, second, strict=False))
    return tuple(loop for loop, _ in both)


def numbers(nest: Sequence[Loop]) -> Iterator[Variable]:
    """Yield the variables of all loops of a nest, the outermost first."""
    for loop in nest:
        yield from loop.numbers


@record
class Guarded:
    """An event with the condition under which it is reached.

    Attributes:
        event: A fact, an obligation, or an operation that may not return.
        guard: Holds for every assignment of a run that gets here. It may mention an iteration.
        approximate: Why the path to it is not known; "" if it is.
        around: The regions around it, the outermost first.
    """

    event: Fact | Obligation | MayNotReturn
    guard: Formula
    approximate: str = ""
    around: tuple[Scope, ...] = ()

    @property
    def fact(self) -> Fact | None:
        """The fact that holds after the event; None if there is none."""
        if self.approximate or isinstance(self.event, MayNotReturn):
            return None
        passed = self.event.as_fact() if isinstance(self.event, Obligation) else self.event
        return Fact(implies(self.guard, passed.formula), passed.source, passed.because, passed.location)


class _OverflowCollector(Handler[OverflowAssumption]):
    def overflow_assumption(self, assumption: OverflowAssumption, around: Around) -> OverflowAssumption:
        guard = conjunction(map(_guard, around))
        return replace(assumption, formula=implies(guard, assumption.formula))


class _Events(Handler[Guarded]):
    def fact(self, fact: Fact, around: Around) -> Guarded:
        return _guarded(fact, around)

    def obligation(self, obligation: Obligation, around: Around) -> Guarded:
        return _guarded(obligation, around)

    def may_not_return(self, stop: MayNotReturn, around: Around) -> Guarded:
        return _guarded(stop, around)


def guarded_overflow_assumptions(trace: Trace) -> Iterator[OverflowAssumption]:
    """Yield the overflow assumptions of a trace, each under the condition that its region runs."""
    return handled_events(trace, _OverflowCollector())


def guarded_events(trace: Trace) -> Iterator[Guarded]:
    """Yield the facts, obligations and operations that may not return, in program order."""
    return handled_events(trace, _Events())


def _guarded(event: Fact | Obligation | MayNotReturn, around: Around) -> Guarded:
    why = next((why for scope in around if (why := _unknown_entry(scope))), "")
    return Guarded(event, conjunction(map(_guard, around)), why, tuple(around))


def _guard(scope: Scope) -> Formula:
    if not scope.is_kept or scope.leave.runs is None:
        return scope.condition
    return conjunction((scope.condition, scope.leave.runs))


def _unknown_entry(scope: Scope) -> str:
    """Return why it is not known whether a region runs; "" if it is."""
    if scope.is_kept:
        return ""
    return scope.enter.approximate or "whether the region runs is not known"
