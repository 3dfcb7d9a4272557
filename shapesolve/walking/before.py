"""Where a walk stood before an operation, for when what the operation computes turns out to be too large to be kept."""

from __future__ import annotations

from typing import Protocol

from shapesolve.language.dims import Dim
from shapesolve.reading.program import Operation, Region
from shapesolve.walking.approximations import Approximation
from shapesolve.walking.obligations import Event
from shapesolve.walking.waiting import Waiting


class Walking(Protocol):
    """What of a walk an operation changes."""

    events: list[Event]
    approximations: list[Approximation]
    reached: dict[Operation, int]
    reused: dict[Operation, int]
    calls: list[Region]
    iteration: tuple[Dim, ...] | None
    waiting: Waiting


class Before:
    """A point of a walk. Names of variables that were given since stay given."""

    def __init__(self, walk: Walking, op: Operation) -> None:
        self._events = len(walk.events)
        self._approximations = len(walk.approximations)
        self._calls = len(walk.calls)
        self._surroundings = walk.iteration, walk.waiting.here
        self._inside = [each for each in op.walk() if each is not op] if op.regions else []
        self._reached = {each: walk.reached.get(each, 0) for each in self._inside}
        self._reused = {each: walk.reused.get(each, 0) for each in self._inside}
        self._results = op.results

    def restore(self, walk: Walking) -> None:
        """Forget what was said since, about the operation and about those inside it."""
        del walk.events[self._events :]
        del walk.approximations[self._approximations :]
        del walk.calls[self._calls :]
        walk.iteration, walk.waiting.here = self._surroundings
        walk.reached.update(self._reached)
        walk.reused.update(self._reused)
        for value in (*self._results, *(value for each in self._inside for value in each.results)):
            walk.waiting.forget(value)
