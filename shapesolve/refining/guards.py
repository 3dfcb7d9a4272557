"""The events of a trace without its regions: each with the condition under which it is reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shapesolve.language.formulas import TRUE, Formula, conjunction, implies
from shapesolve.walking.obligations import Enter, Event, Fact, Leave, Obligation, Presumption, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """A fact or an obligation. ``approximate`` says why the way to it is not known, where it is not.

    ``guard`` holds for every assignment that stands for a run which gets here. It may be about an iteration.
    """

    event: Fact | Obligation
    guard: Formula
    approximate: str = ""

    @property
    def fact(self) -> Fact | None:
        """What is known where the event was passed; None where that is nothing."""
        if self.approximate:
            return None
        passed = self.event.as_fact() if isinstance(self.event, Obligation) else self.event
        return Fact(implies(self.guard, passed.formula), passed.source, passed.because, passed.location)


def guarded_presumptions(trace: Trace) -> Iterator[Presumption]:
    """What a walk takes for granted, each wherever its region runs."""
    for scopes, event in _in_scopes(trace):
        if isinstance(event, Presumption):
            guard = conjunction(guard for guard, _ in scopes)
            yield Presumption(implies(guard, event.formula), event.because, event.location)


def guarded_events(trace: Trace) -> Iterator[Guarded]:
    """The facts and obligations of a walk in program order, after what is assumed of the inputs."""
    for scopes, event in _in_scopes(trace):
        if isinstance(event, Fact | Obligation):
            why = next((why for _, why in scopes if why), "")
            yield Guarded(event, conjunction(guard for guard, _ in scopes), why)


def _in_scopes(trace: Trace) -> Iterator[tuple[list[tuple[Formula, str]], Event]]:
    """Every event that begins and ends nothing, with the guards of the regions around it."""
    events = trace.events[trace.assumed :]
    ends = _ends(events)
    scopes: list[tuple[Formula, str]] = []
    for position, event in enumerate(events):
        match event:
            case Enter():
                scopes.append(_scope(event, events[ends[position]]))
            case Leave():
                scopes.pop()
            case _:
                yield scopes, event


def _scope(enter: Enter, leave: Event) -> tuple[Formula, str]:
    assert isinstance(leave, Leave)
    condition = TRUE if enter.condition is None else enter.condition.formula
    if enter.approximate:
        return condition, enter.approximate
    if leave.runs is None:
        return condition, "whether the region runs is not known"
    return conjunction((condition, leave.runs)), ""


def _ends(events: tuple[Event, ...]) -> dict[int, int]:
    """Where the region that begins at a position ends."""
    found: dict[int, int] = {}
    open_at: list[int] = []
    for position, event in enumerate(events):
        if isinstance(event, Enter):
            open_at.append(position)
        elif isinstance(event, Leave):
            found[open_at.pop()] = position
    return found
