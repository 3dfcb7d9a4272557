"""The events of a trace without its regions: each with the condition under which it is reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shapesolve.language.formulas import Formula, conjunction, implies
from shapesolve.records import record
from shapesolve.walking.interpreting import Around, Handler, Scope, interpreted
from shapesolve.walking.obligations import Fact, Obligation, Presumption, Stop, Trace


@record
class Guarded:
    """A fact, an obligation or a stop. ``approximate`` says why the way to it is not known, where it is not.

    ``guard`` holds for every assignment that stands for a run which gets here. It may be about an iteration.
    ``around`` are the regions around it, the outermost first.
    """

    event: Fact | Obligation | Stop
    guard: Formula
    approximate: str = ""
    around: tuple[Scope, ...] = ()

    @property
    def fact(self) -> Fact | None:
        """What is known where the event was passed; None where that is nothing."""
        if self.approximate or isinstance(self.event, Stop):
            return None
        passed = self.event.as_fact() if isinstance(self.event, Obligation) else self.event
        return Fact(implies(self.guard, passed.formula), passed.source, passed.because, passed.location)


class _Presumptions(Handler[Presumption]):
    def presumption(self, presumption: Presumption, around: Around) -> Presumption:
        guard = conjunction(map(_guard, around))
        return replace(presumption, formula=implies(guard, presumption.formula))


class _Events(Handler[Guarded]):
    def fact(self, fact: Fact, around: Around) -> Guarded:
        return _guarded(fact, around)

    def obligation(self, obligation: Obligation, around: Around) -> Guarded:
        return _guarded(obligation, around)

    def stop(self, stop: Stop, around: Around) -> Guarded:
        return _guarded(stop, around)


def guarded_presumptions(trace: Trace) -> Iterator[Presumption]:
    """What a walk takes for granted, each wherever its region runs."""
    return interpreted(trace, _Presumptions())


def guarded_events(trace: Trace) -> Iterator[Guarded]:
    """The facts, obligations and stops of a walk in program order, after what is assumed of the inputs."""
    return interpreted(trace, _Events())


def _guarded(event: Fact | Obligation | Stop, around: Around) -> Guarded:
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
