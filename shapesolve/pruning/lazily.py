"""Judging with doubts, and asking a solver only where it matters.

Whether an operation is undefined must be known where a check leans on what it computes, or where it may be erased. Of
thousands of demands few are like that, and it is where operations are doubted that demands are hard to prove. So a
demand that is not seen to hold at sight counts as open first, which is sound: its operation is doubted. Where something
is lost by that which held without any doubts, the demands are asked that come before it.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache

from shapesolve.judging.loop import always
from shapesolve.proving.detail import Detail
from shapesolve.proving.verdicts import NOT_SEEN, Proved
from shapesolve.pruning.defended import doubts_of, settled
from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Operation
from shapesolve.rewriting.checks import GUARD
from shapesolve.walking.defending import Doubts
from shapesolve.walking.interpreting import Around, Handler, Scope, interpret
from shapesolve.walking.obligations import Kind, Obligation, Question, Trace

JudgeAs = Callable[[Trace, Callable[[Obligation], bool], Callable[[Obligation], Detail]], Rejudged]
"""Judges those obligations of a trace that are worth it, each as closely as is said."""


def at_sight(obligation: Obligation) -> Detail:
    """No solver is asked whether an operation may be undefined."""
    return Detail.PROOF if obligation.kind is Kind.CHECK else Detail.SIGHT


class Lazily:
    """What holds of one entry point though operations may be undefined. ``plain`` is what holds if none is.

    ``at_sight`` is as much of it as is known before any demand was asked. What is known of operations that do not
    ``matter`` may be lost.
    """

    def __init__(
        self,
        walk: Callable[[Doubts], Trace],
        judge: JudgeAs,
        plain: Rejudged,
        matters: Callable[[Operation], bool] = always,
    ) -> None:
        self._walk = cache(walk)
        self._judge = judge
        self._plain = plain
        self._matters = matters
        self._asked: set[Operation] = set()
        self.at_sight = self._found = self._settled()

    def found(self, wanted: AbstractSet[Operation] = frozenset()) -> Rejudged:
        """What holds; whether the ``wanted`` operations may be undefined is known."""
        while True:
            more = self._worth_asking(wanted) - self._asked
            if not more:
                return self._found
            self._asked |= more
            self._found = self._settled()

    def _settled(self) -> Rejudged:
        doubts = doubts_of(self._plain)
        if not doubts:
            return self._plain

        not_asked: set[Operation] = set()

        def detail(obligation: Obligation) -> Detail:
            return Detail.PROOF if obligation.op in self._asked else at_sight(obligation)

        def judge(trace: Trace, may_hold: Callable[[Obligation], bool]) -> Rejudged:
            found = self._judge(trace, may_hold, detail)
            not_asked.update(each.obligation.op for each in found.all if each.verdict is NOT_SEEN)
            return found

        return replace(settled(self._walk, judge, doubts, last=self._plain), not_asked=frozenset(not_asked))

    def _worth_asking(self, wanted: AbstractSet[Operation]) -> set[Operation]:
        """The operations of which it matters whether they are undefined, and is not known."""
        open = self._found.not_asked
        if not open:
            return set()
        needed = {op for op in lost(self._plain, self._found) if self._matters(op)} | (wanted & open)
        if not needed:
            return set()
        if _has_ways_back(self._found.trace):
            return set(open)
        before = _up_to(self._found.trace, needed)
        if not doubts_of(self._plain).misfits:  # one of them anywhere makes every type doubtful
            before |= {each.obligation.op for each in self._found.all if each.obligation.of_type}
        return before & open


def lost(before: Rejudged, after: Rejudged) -> set[Operation]:
    """The operations of which something was known before that could be acted on, and is not known after."""
    found = {op for op in before.judgements if _checks_hold(before, op) and not _checks_hold(after, op)}
    found |= {op for op in before.answers if _truths(before, op) != _truths(after, op)}
    for op in before.ways:
        ways = before.always(op)
        if not set(ways) <= set(after.always(op)):
            found.add(op)
        elif ways and op.name == GUARD:  # its branches must be known to be defined
            found |= {inner for inner in op.walk() if before.is_defined(inner) and not after.is_defined(inner)}
    return found


def _checks_hold(found: Rejudged, op: Operation) -> bool:
    return all(isinstance(each.verdict, Proved) for each in found.checks(op))


def _truths(found: Rejudged, op: Operation) -> set[bool | None]:
    return {each.truth for each in found.answers.get(op, ())}


def _has_ways_back(trace: Trace) -> bool:
    """Whether there are branches between blocks: what comes later in the text may run before."""
    regions = (region for op in (trace.function.operation, *trace.reached) for region in op.regions)
    return any(len(region.blocks) > 1 for region in regions)


def _up_to(trace: Trace, last: AbstractSet[Operation]) -> set[Operation]:
    """The operations that run before some others, or may do so in another iteration of a loop around these."""
    reader = _Before(last)
    interpret(trace, reader)
    return reader.before


class _Before(Handler[None]):
    def __init__(self, last: AbstractSet[Operation]) -> None:
        self.before: set[Operation] = set()
        self._last = last
        self._met: list[Operation] = []
        self._is_due = False

    def obligation(self, obligation: Obligation, around: Around) -> None:
        self._met.append(obligation.op)
        self._meet(obligation.op, around)

    def question(self, question: Question, around: Around) -> None:
        self._meet(question.op, around)

    def leave(self, scope: Scope, around: Around) -> None:
        self._take(around)

    def _meet(self, op: Operation, around: Around) -> None:
        if op in self._last:
            self._is_due = True
            self._take(around)

    def _take(self, around: Around) -> None:
        if self._is_due and not around:
            self.before.update(self._met)
            self._met.clear()
            self._is_due = False
