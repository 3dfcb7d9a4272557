"""The loops of a walked program: what numbers their iterations, and which loops are around an event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.reading.program import Operation
from shapesolve.records import record
from shapesolve.walking.interpreting import Scope
from shapesolve.walking.obligations import Enter, Event, Leave, Trace


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
