"""Open regions of a function interpreter: whether what was raised in a region still holds at the current place."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.records import record
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.trace.events import Enter, Event, Leave


class OpenScope:
    """A region that was entered, inside another one.

    Attributes:
        enter: The event that enters it.
        around: The region around it.
        is_open: Whether its end is not read yet.
        holds_where: After the end: the condition under which what was raised inside holds; None if there is none.
    """

    __slots__ = ("around", "enter", "holds_where", "is_open")

    def __init__(self, enter: Enter, around: OpenScope | None) -> None:
        self.enter = enter
        self.around = around
        self.is_open = True
        self.holds_where: Formula | None = None

    @property
    def condition(self) -> Formula:
        """The formula that holds inside."""
        return self.enter.formula

    def close(self, leave: Leave) -> None:
        """Note the end of the region."""
        self.is_open = False
        is_one_run = not self.enter.approximate and not self.enter.repeats
        self.holds_where = conjunction((self.condition, leave.runs)) if is_one_run and leave.runs is not None else None

    def reopen(self) -> None:
        """Undo `close`: the end of the region is rolled back."""
        self.is_open = True
        self.holds_where = None


@record
class _Boundary:
    """Beginning or end of a region: the event, its position, and the innermost region before and behind it."""

    event: Event
    position: int
    before: OpenScope | None
    after: OpenScope | None


class ScopeTracking:
    """Incremental reader of the events of an interpreter, which forgets events that are rolled back."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._boundaries: list[_Boundary] = []
        self._read = 0
        self._last: Event | None = None

    def innermost(self) -> OpenScope | None:
        """Return the innermost region around the current place."""
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
        """Return whether what was raised in a region holds at the current place, for all sizes.

        It does if the region is not left, if it ran under no condition, or under conditions that hold here too.
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
