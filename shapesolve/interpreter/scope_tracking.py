"""Regions of a walk that is under way: whether what was raised in one still holds where the walk stands now."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.records import record
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.trace.events import Enter, Event, Leave


class OpenScope:
    """A region that was entered, inside another one.

    ``is_open`` until its end is read. What was raised inside then holds where ``holds_where`` does; None: nowhere.
    """

    __slots__ = ("around", "enter", "holds_where", "is_open")

    def __init__(self, enter: Enter, around: OpenScope | None) -> None:
        self.enter = enter
        self.around = around
        self.is_open = True
        self.holds_where: Formula | None = None

    @property
    def condition(self) -> Formula:
        """What holds inside."""
        return TRUE if self.enter.condition is None else self.enter.condition.formula

    def close(self, leave: Leave) -> None:
        """The region ends."""
        self.is_open = False
        is_one_run = not self.enter.approximate and not self.enter.repeats
        self.holds_where = conjunction((self.condition, leave.runs)) if is_one_run and leave.runs is not None else None

    def reopen(self) -> None:
        """The end of the region is taken back."""
        self.is_open = True
        self.holds_where = None


@record
class _Boundary:
    """A region begins or ends: the event, its position, and the innermost region before and behind it."""

    event: Event
    position: int
    before: OpenScope | None
    after: OpenScope | None


class ScopeTracking:
    """Reads the events of a walk as they come. Events may be taken back: what was read of them is forgotten."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._boundaries: list[_Boundary] = []
        self._read = 0
        self._last: Event | None = None

    def innermost(self) -> OpenScope | None:
        """The innermost region around the place that the walk has come to."""
        events, boundaries = self._events, self._boundaries
        is_kept = self._read <= len(events) and (not self._read or events[self._read - 1] is self._last)
        while boundaries and not self._is_there(boundaries[-1]):
            gone = boundaries.pop()
            is_kept = False
            if isinstance(gone.event, Leave) and gone.before is not None:
                gone.before.reopen()
        start = self._read if is_kept else boundaries[-1].position + 1 if boundaries else 0
        here = boundaries[-1].after if boundaries else None
        for position in range(start, len(events)):
            event = events[position]
            if isinstance(event, Enter):
                boundaries.append(_Boundary(event, position, here, OpenScope(event, here)))
            elif isinstance(event, Leave):
                assert here is not None
                here.close(event)
                boundaries.append(_Boundary(event, position, here, here.around))
            else:
                continue
            here = boundaries[-1].after
        self._read = len(events)
        self._last = events[-1] if events else None
        return here

    def still_holds(self, scope: OpenScope | None) -> bool:
        """Whether what was raised in a region holds at the place that the walk has come to, for all sizes.

        It does where the region is not left, where it ran under no condition, and under the same condition.
        """
        here = self.innermost()
        needed: set[int] = set()
        while scope is not None and not scope.is_open:
            if scope.holds_where is None:
                return False
            needed.update(id(part) for part in conjuncts(scope.holds_where) if part is not TRUE)
            scope = scope.around
        while needed and here is not None:
            needed.difference_update(map(id, conjuncts(here.condition)))
            here = here.around
        return not needed

    def _is_there(self, boundary: _Boundary) -> bool:
        return boundary.position < len(self._events) and self._events[boundary.position] is boundary.event
