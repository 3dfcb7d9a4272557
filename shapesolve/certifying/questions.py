"""What the walk raised, place by place: every obligation with all facts that hold where it stands.

This is told independently of the prover, whose own bookkeeping is thereby checked, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from shapesolve.language.formulas import TRUE, Formula
from shapesolve.walking.obligations import Enter, Fact, Kind, Leave, Obligation, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """A fact that holds wherever all of the conditions do."""

    fact: Fact
    conditions: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Whether an obligation follows from the hypotheses, where ``given`` holds."""

    obligation: Obligation
    hypotheses: tuple[Hypothesis, ...]
    given: Formula


@dataclass(slots=True)
class _Scope:
    start: int  # how many hypotheses held before it
    condition: bool
    is_approximate: bool


class _Told:
    def __init__(self) -> None:
        self.hypotheses: list[Hypothesis] = []
        self._scopes: list[_Scope] = []

    def add(self, fact: Fact, *conditions: Formula) -> None:
        self.hypotheses.append(Hypothesis(fact, tuple(each for each in conditions if each is not TRUE)))

    def enter(self, event: Enter) -> None:
        self._scopes.append(_Scope(len(self.hypotheses), event.condition is not None, bool(event.approximate)))
        if event.condition is not None:
            self.add(event.condition)

    def leave(self, event: Leave) -> None:
        scope = self._scopes.pop()
        inside = self.hypotheses[scope.start + scope.condition :]
        del self.hypotheses[scope.start :]
        if event.runs is None or scope.is_approximate:
            return
        outer = () if event.runs is TRUE else (event.runs,)
        self.hypotheses.extend(replace(each, conditions=(*outer, *each.conditions)) for each in inside)


def questions(trace: Trace) -> Iterator[Question]:
    """Every obligation of a trace, in program order, as a question.

    An assertion that is no barrier is a hypothesis for other assertions, and for what waits for it.
    """
    for_checks, for_others = _Told(), _Told()
    all_barriers = all(obligation.is_barrier for obligation in trace.obligations)
    for event in trace.events:
        match event:
            case Obligation():
                if all_barriers or event.kind is Kind.CHECK:
                    yield Question(event, tuple(for_checks.hypotheses), TRUE)
                else:
                    yield Question(event, tuple(for_others.hypotheses), event.given)
                for_checks.add(event.as_fact())
                if event.is_barrier:
                    for_others.add(event.as_fact(), event.given)
            case Fact():
                for_checks.add(event)
                for_others.add(event)
            case Enter():
                for_checks.enter(event)
                for_others.enter(event)
            case Leave():
                for_checks.leave(event)
                for_others.leave(event)
            case _:
                pass
