"""What the walk raised, place by place: every obligation with all facts that hold where it stands.

This is told independently of the prover, which only says which of the facts it used: its bookkeeping is thereby
checked, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shapesolve.language.formulas import TRUE, Formula
from shapesolve.records import record
from shapesolve.walking.barriers import is_of_checks, needs_two_accounts, told_to_the_rest, waited_for
from shapesolve.walking.interpreting import Around, Handler, Scope, interpreted
from shapesolve.walking.obligations import Fact, Obligation, Trace


@record
class Hypothesis:
    """A fact that holds wherever all of the conditions do."""

    fact: Fact
    conditions: tuple[Formula, ...] = ()


@record
class Question:
    """Whether an obligation follows from the hypotheses, where ``given`` holds."""

    obligation: Obligation
    hypotheses: tuple[Hypothesis, ...]
    given: Formula


class _Told:
    """One account of what is known."""

    def __init__(self) -> None:
        self.hypotheses: list[Hypothesis] = []
        self._starts: list[int] = []  # how many hypotheses held before each region

    def add(self, fact: Fact, *conditions: Formula) -> None:
        self.hypotheses.append(Hypothesis(fact, tuple(each for each in conditions if each is not TRUE)))

    def enter(self, scope: Scope) -> None:
        self._starts.append(len(self.hypotheses))
        if scope.enter.condition is not None:
            self.add(scope.enter.condition)

    def leave(self, scope: Scope) -> None:
        start, runs = self._starts.pop(), scope.leave.runs
        inside = self.hypotheses[start + (scope.enter.condition is not None) :]
        del self.hypotheses[start:]
        if runs is None or not scope.is_kept:
            return
        outer = () if runs is TRUE else (runs,)
        self.hypotheses.extend(replace(each, conditions=(*outer, *each.conditions)) for each in inside)


class _Asking(Handler[Question]):
    def __init__(self, *, has_one_account: bool) -> None:
        self._for_checks = _Told()
        self._for_the_rest = self._for_checks if has_one_account else _Told()

    @property
    def _accounts(self) -> tuple[_Told, ...]:
        return tuple(dict.fromkeys((self._for_checks, self._for_the_rest)))

    def obligation(self, obligation: Obligation, around: Around) -> Question:
        has_one_account = self._for_checks is self._for_the_rest
        if has_one_account or is_of_checks(obligation):
            asked = Question(obligation, tuple(self._for_checks.hypotheses), TRUE)
        else:
            asked = Question(obligation, tuple(self._for_the_rest.hypotheses), waited_for(obligation))
        self._for_checks.add(obligation.as_fact())
        told = None if has_one_account else told_to_the_rest(obligation)
        if told is not None:
            self._for_the_rest.add(*told)
        return asked

    def fact(self, fact: Fact, around: Around) -> None:
        for each in self._accounts:
            each.add(fact)

    def enter(self, scope: Scope, around: Around) -> None:
        for each in self._accounts:
            each.enter(scope)

    def leave(self, scope: Scope, around: Around) -> None:
        for each in self._accounts:
            each.leave(scope)


def questions(trace: Trace) -> Iterator[Question]:
    """Every obligation of a trace, in program order, as a question."""
    asking = _Asking(has_one_account=not needs_two_accounts(trace))
    for fact in trace.assumptions:
        asking.fact(fact, ())
    return interpreted(trace, asking)
