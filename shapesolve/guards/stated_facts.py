"""Facts and numbers that a function states or computes in every run: before it can branch or stop."""

from __future__ import annotations

from shapesolve.domain.values import Abstract
from shapesolve.guards.dialects import is_signless
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Fact, Kind, MayNotReturn, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, handle_events


def stated_in_every_run(trace: Trace) -> frozenset[Formula]:
    """Return the facts of operations that every run gets to, up to the first check.

    A check at the entry that takes a tensor for a shape assumes that it holds sizes. That may decide nothing in a run
    that ended before the function assumed the same: it may be a check of just that which ended it.
    """
    found = _Stated()
    handle_events(trace, found)
    return frozenset(found.facts)


def computed_in_every_run(trace: Trace) -> frozenset[Abstract]:
    """Return the numbers of at most 64 bits that the function's first block computes.

    A run that does not compute all of them has stopped on the way.
    """
    block = trace.function.operation.regions[0].blocks[0]
    values = (each for op in block.operations for each in op.results if is_signless(each.type))
    return frozenset(trace.values[each] for each in values if isinstance(trace.values.get(each), Dim))


class _Stated(Handler[None]):
    def __init__(self) -> None:
        self.facts: set[Formula] = set()
        self._check: Obligation | None = None
        self._is_done = False

    @property
    def done(self) -> bool:
        return self._is_done

    def fact(self, fact: Fact, around: Around) -> None:
        if self._check is None or _is_of(fact, self._check):
            self.facts.add(fact.formula)

    def obligation(self, obligation: Obligation, around: Around) -> None:
        if obligation.kind is Kind.CHECK:
            self._is_done = self._check is not None and obligation.op is not self._check.op
            self._check = self._check or obligation

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
        self._is_done = True

    def enter(self, scope: Scope, around: Around) -> None:
        self._is_done = True


def _is_of(fact: Fact, check: Obligation) -> bool:
    """Return whether a constraint states a fact, which stands behind its claim."""
    return fact.location is not None and bool(fact.location.line) and fact.location == check.location
