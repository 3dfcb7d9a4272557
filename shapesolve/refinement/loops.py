"""The loops of a walked program: what numbers their iterations, and which loops are around an event.

The events of a trace without its regions: each with the condition under which it is reached.
"""

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
from shapesolve.trace.visitor import Around, Handler, Scope, interpreted


@record
class Iterations:
    """The numbers that an unknown iteration stands for: from ``first`` on, by ``step``, up to but not ``end``.

    ``number`` is that of the operation that is walked, ``op`` the loop, which was come to in that ``visit``.
    ``last_leaves``: in the last one it is found that there is no other, and the loop is left.
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
    """A loop that is walked once, for an iteration of these numbers, the outermost first."""

    op: Operation
    numbers: tuple[Variable, ...]


Nest = tuple[Loop, ...]
"""Loops around an event, the outermost first."""


class Loops:
    """The loops of a trace that are told apart by their operations: control comes to each of them in one place."""

    def __init__(self, trace: Trace, iterations: Mapping[Variable, Iterations]) -> None:
        self._loops: dict[Operation, Loop] = {}
        visits: dict[Operation, dict[int, list[Variable]]] = {}
        for variable, each in iterations.items():
            if each.op is not None:
                visits.setdefault(each.op, {}).setdefault(each.visit, []).append(variable)
        again = _come_to_again(trace.events)
        for op, found in visits.items():
            if op not in again and len(found) == 1:
                (numbers,) = found.values()
                self._loops[op] = Loop(op, tuple(numbers))

    def of(self, op: Operation | None) -> Loop | None:
        """The loop that an operation is."""
        return None if op is None else self._loops.get(op)

    def around(self, scopes: Iterable[Scope]) -> Nest | None:
        """The loops whose iterations these regions run in; None where one of them is not told apart."""
        nest: list[Loop] = []
        for scope in scopes:
            if scope.enter.repeats:
                loop = self.of(scope.enter.of)
                if loop is None:
                    return None
                nest.append(loop)
        return tuple(nest)


def _come_to_again(events: Sequence[Event]) -> set[Operation]:
    """The loops that are walked in several places. Regions of one iteration follow each other without a gap."""
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
    """The loops around both of two events: each of an iteration of the same one."""
    both = takewhile(lambda pair: pair[0] is pair[1], zip(first, second, strict=False))
    return tuple(loop for loop, _ in both)


def numbers(nest: Sequence[Loop]) -> Iterator[Variable]:
    """What numbers an iteration of all loops of a nest, the outermost first."""
    for loop in nest:
        yield from loop.numbers


@record
class Guarded:
    """A fact, an obligation or a stop. ``approximate`` says why the way to it is not known, where it is not.

    ``guard`` holds for every assignment that stands for a run which gets here. It may be about an iteration.
    ``around`` are the regions around it, the outermost first.
    """

    event: Fact | Obligation | MayNotReturn
    guard: Formula
    approximate: str = ""
    around: tuple[Scope, ...] = ()

    @property
    def fact(self) -> Fact | None:
        """What is known where the event was passed; None where that is nothing."""
        if self.approximate or isinstance(self.event, MayNotReturn):
            return None
        passed = self.event.as_fact() if isinstance(self.event, Obligation) else self.event
        return Fact(implies(self.guard, passed.formula), passed.source, passed.because, passed.location)


class _Presumptions(Handler[OverflowAssumption]):
    def presumption(self, presumption: OverflowAssumption, around: Around) -> OverflowAssumption:
        guard = conjunction(map(_guard, around))
        return replace(presumption, formula=implies(guard, presumption.formula))


class _Events(Handler[Guarded]):
    def fact(self, fact: Fact, around: Around) -> Guarded:
        return _guarded(fact, around)

    def obligation(self, obligation: Obligation, around: Around) -> Guarded:
        return _guarded(obligation, around)

    def stop(self, stop: MayNotReturn, around: Around) -> Guarded:
        return _guarded(stop, around)


def guarded_presumptions(trace: Trace) -> Iterator[OverflowAssumption]:
    """What a walk takes for granted, each wherever its region runs."""
    return interpreted(trace, _Presumptions())


def guarded_events(trace: Trace) -> Iterator[Guarded]:
    """The facts, obligations and stops of a walk in program order, after what is assumed of the inputs."""
    return interpreted(trace, _Events())


def _guarded(event: Fact | Obligation | MayNotReturn, around: Around) -> Guarded:
    why = next((why for scope in around if (why := _unknown_way(scope))), "")
    return Guarded(event, conjunction(map(_guard, around)), why, tuple(around))


def _guard(scope: Scope) -> Formula:
    if not scope.is_kept or scope.leave.runs is None:
        return scope.condition
    return conjunction((scope.condition, scope.leave.runs))


def _unknown_way(scope: Scope) -> str:
    """Why it is not known whether a region runs; "" where it is."""
    if scope.is_kept:
        return ""
    return scope.enter.approximate or "whether the region runs is not known"
