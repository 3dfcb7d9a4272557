"""What is left of a trace, event for event: a second trace is the first one without what operations said that are gone.

Two traces are laid side by side. Every event of the second must be an event of the first, in the same order, inside of
the same regions; what the first has besides may only be of operations that are gone. Then what the checks among these
claim can be asked where it stood, given only what is left; and what was found of the rest was found of the same
questions with no less known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import assert_never

from shapesolve.reading.program import Location, Operation, Value
from shapesolve.walking.obligations import (
    Enter,
    Event,
    Fact,
    Kind,
    Leave,
    Obligation,
    Presumption,
    Question,
    Stop,
    Trace,
)
from shapesolve.walking.provenance import terms_of

Stood = tuple[int, Obligation]
"""What a check claimed that is gone, and how many of the events that are left came before it."""


def with_claims(left: Trace, stood: Sequence[Stood]) -> Trace:
    """What is left, and the claims of the checks that are gone where they stood."""
    events: list[Event] = []
    done = 0
    for position, claim in stood:
        events += left.events[done:position]
        events.append(claim)
        done = position
    return replace(left, events=(*events, *left.events[done:]))


def aligned(
    before: Trace,
    left: Trace,
    origins: Mapping[Operation, Operation],
    left_of: Mapping[Operation, Operation],
    gone: AbstractSet[int],
) -> list[Stood] | None:
    """What the checks claimed that are gone; None where the traces differ by more than what ``gone`` operations said.

    ``origins`` gives the operation of the first program for every one of the second that was not made afresh,
    ``left_of`` the other way round; ``gone`` are the numbers of those that are not in the second.
    """
    alike = {op: left_of[op] for op in before.reached if op in left_of}
    alike |= {origins[there]: there for there in left.reached if there in origins}
    if not all(_is_known_alike(before, op, left, there) for op, there in alike.items()):
        return None
    places = {op.location for op in before.reached if op.number in gone}
    return _Alignment(origins, gone, places).of(before.events, left.events)


def _is_known_alike(before: Trace, op: Operation, left: Trace, there: Operation) -> bool:
    """Whether the same is known of what an operation computes, so that variables mean the same in both traces."""
    if before.reached.get(op) != left.reached.get(there) or (op in before.unfollowed) != (there in left.unfollowed):
        return False
    return all(
        _terms(before, value) == _terms(left, same) for value, same in zip(op.results, there.results, strict=True)
    )


def _terms(trace: Trace, value: Value) -> list[int]:
    known = trace.values.get(value)
    return [] if known is None else [id(each) for each in terms_of(known)]  # equal terms are one object


class _Alignment:
    def __init__(
        self, origins: Mapping[Operation, Operation], gone: AbstractSet[int], places: AbstractSet[Location]
    ) -> None:
        self._origins = origins
        self._gone = gone
        self._places = places

    def of(self, before: Sequence[Event], left: Sequence[Event]) -> list[Stood] | None:
        stood: list[Stood] = []
        regions: list[bool] = []  # of those that are open in the first trace: whether they are in the second
        done = 0
        for event in before:
            is_same = done < len(left) and self._is_same(event, left[done])
            if isinstance(event, Leave) and not regions.pop():
                continue
            if not is_same and not self._is_of_gone(event):
                return None
            if isinstance(event, Enter):
                regions.append(is_same)
            if is_same:
                done += 1
            elif isinstance(event, Obligation) and event.kind is Kind.CHECK:
                stood.append((done, event))
        return stood if done == len(left) else None

    def _is_same(self, event: Event, there: Event) -> bool:
        match event, there:
            case Enter(), Enter():
                formula = None if event.condition is None else event.condition.formula
                other = None if there.condition is None else there.condition.formula
                return formula is other and event.approximate == there.approximate and event.repeats is there.repeats
            case Leave(), Leave():
                return event.runs is there.runs
            case Fact(), Fact():
                return event.formula is there.formula and event.source is there.source
            case Presumption(), Presumption():
                return event.formula is there.formula
            case Obligation(), Obligation():
                is_said = event.claim is there.claim and event.clause == there.clause
                return is_said and event.kind is there.kind and self._is_at(event.op, there.op)
            case Question(), Question():
                is_asked = event.condition is there.condition and self._is_at(event.op, there.op)
                return is_asked and _alternative(event) == _alternative(there)
            case Stop(), Stop():
                return event.because == there.because and self._is_at(event.op, there.op)
            case _:
                return False

    def _is_at(self, op: Operation, there: Operation) -> bool:
        return self._origins.get(there) is op

    def _is_of_gone(self, event: Event) -> bool:
        """Whether an operation said it that is gone."""
        match event:
            case Enter():
                is_plain = not event.approximate and not event.repeats
                return is_plain and (event.condition is None or event.condition.location in self._places)
            case Fact() | Presumption():
                return event.location in self._places
            case Obligation() | Question() | Stop():
                return event.op.number in self._gone
            case Leave():
                return False
            case _:
                assert_never(event)


def _alternative(question: Question) -> tuple[int, int | None] | None:
    """Which alternative a question is about: values are those of one program, and their number says which."""
    if question.way is None:
        return None
    number, gives = question.way
    return number, gives if isinstance(gives, int) else None
