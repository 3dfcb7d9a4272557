"""Loops: what a body carries from one iteration to the next.

A body that runs a known number of times is walked once for each. Any other is walked for one iteration that stands for
all, on what every iteration carries alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import TRUE, Formula
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.approximations import Approximation
from shapesolve.walking.defending import Defence
from shapesolve.walking.limits import MAX_LOOP_TRIALS
from shapesolve.walking.obligations import Enter, Event, Fact, Leave, Source, Stop
from shapesolve.walking.rule_failures import RuleFailure, guarded
from shapesolve.walking.rulebook import Follow, RegionRun, Rulebook
from shapesolve.walking.unknowns import Mark, Unknowns
from shapesolve.walking.values import Abstract
from shapesolve.walking.widening import Part, Place, changes, covers, made_inside, widen


class Walking(Protocol):
    """What of a walk the loops in it need."""

    events: list[Event]
    approximations: list[Approximation]
    reached: dict[Operation, int]
    unknowns: Unknowns
    rulebook: Rulebook
    defence: Defence

    def run_region(self, op: Operation, run: RegionRun) -> tuple[Abstract, ...] | None: ...

    def approximate(
        self, op: Operation, reason: str, free: frozenset[Variable], *, demands_known: bool = False
    ) -> None: ...

    def failed(self, op: Operation, failure: RuleFailure) -> None: ...


class Loops:
    """Runs the bodies of loops; each method gives what the loop yields, None where nobody knows."""

    def __init__(self, walk: Walking) -> None:
        self._walk = walk

    def trips(
        self, op: Operation, run: RegionRun, trips: tuple[tuple[Abstract, ...], ...]
    ) -> tuple[Abstract, ...] | None:
        """Run a body a known number of times, each time on what it yielded the time before."""
        carried = run.carries
        for leading in trips:
            yielded = self._walk.run_region(op, run.with_arguments((*leading, *carried)))
            if yielded is None or len(yielded) < len(carried):
                return None
            carried = yielded[len(yielded) - len(carried) :]
        return carried

    def carrying(self, op: Operation, run: RegionRun) -> tuple[Abstract, ...] | None:
        """Run a body that carries values from one iteration to the next.

        Guess that the carried values stay as they are, try, and let go of every place of them that changes, until
        what is kept no longer does: that is an invariant by induction. What the loop yields is given in the same form,
        afresh where it varies.
        """
        likes = run.region.blocks[0].arguments[len(run.arguments) :]
        loose: list[set[Place]] = [set() for _ in run.carries]
        before = self._walk.unknowns.mark()
        yielded: tuple[Abstract, ...] = ()
        for trial in range(MAX_LOOP_TRIALS + 1):
            mark = self._mark()
            if trial == MAX_LOOP_TRIALS:
                loose = [{Part.WHOLE} for _ in run.carries]
            carried = self._loosened(op, run.carries, loose, likes)
            yielded, closing = self._iteration(op, run, carried)
            if closing is None:
                if trial == MAX_LOOP_TRIALS:
                    return None
                loose = [{Part.WHOLE} for _ in run.carries]  # nobody knows what the next iteration is given
                self._rewind(mark)
                self._iteration(op, run, self._loosened(op, run.carries, loose, likes))
                return None
            changed = [
                {place for place in changes(initial, last) if not covers(places, place)}
                for initial, last, places in zip(run.carries, closing, loose, strict=True)
            ]
            if not any(changed):
                break
            self._rewind(mark)
            loose = [places | more for places, more in zip(loose, changed, strict=True)]
        if run.follow is None or run.passes_on:
            return self._loosened(op, run.carries, loose, likes)
        inside = self._walk.unknowns.made_since(before)
        return self._loosened(
            op, yielded, [made_inside(value, inside) for value in yielded], run.region.blocks[0].operations[-1].operands
        )

    def _iteration(
        self, op: Operation, run: RegionRun, carried: tuple[Abstract, ...]
    ) -> tuple[tuple[Abstract, ...], tuple[Abstract, ...] | None]:
        """What the region of a loop yields, and what that gives to the next iteration (None: not known)."""
        yielded = self._walk.run_region(op, run.with_arguments((*run.arguments, *carried)))
        if yielded is None:
            if run.follow is not None:
                self._may_go_on(op, TRUE)
            return (), None
        closing = yielded if run.follow is None else self._following(op, run.follow, yielded, carried)
        if closing is None or len(closing) < len(carried):
            return yielded, None
        return yielded, closing[len(closing) - len(carried) :]

    def _following(
        self, op: Operation, follow: Follow, yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]
    ) -> tuple[Abstract, ...] | None:
        rule = self._walk.rulebook.get(op.name)
        assert rule is not None
        try:
            second = guarded(rule, lambda: follow(yielded, carried))
        except RuleFailure as failure:
            self._walk.failed(op, failure)
            self._may_go_on(op, TRUE)
            return None
        closing = self._walk.run_region(op, replace(second, repeats=True))
        self._may_go_on(op, second.condition)
        return closing

    def _may_go_on(self, op: Operation, condition: Formula) -> None:
        """Say that a loop which goes on while something holds may never end, where it goes on at all."""
        self._walk.events.append(Enter(Fact(condition, Source.BRANCH, "the loop goes on", op.location)))
        self._walk.events.append(Stop(op, "the loop may never end"))
        self._walk.events.append(Leave(None))

    def _loosened(
        self, op: Operation, values: Sequence[Abstract], loose: Sequence[set[Place]], likes: Sequence[Value]
    ) -> tuple[Abstract, ...]:
        widened: list[Abstract] = []
        for value, places, like in zip(values, loose, likes, strict=True):
            kept, free = widen(value, places, like, self._walk.unknowns)
            if free:
                reason = "a value that changes from iteration to iteration is not followed"
                self._walk.approximate(op, reason, free, demands_known=True)
            widened.append(self._walk.defence.unknown(kept) if Part.WHOLE in places else kept)
        return tuple(widened)

    def _mark(self) -> tuple[int, int, dict[Operation, int], Mark]:
        return (
            len(self._walk.events),
            len(self._walk.approximations),
            dict(self._walk.reached),
            self._walk.unknowns.mark(),
        )

    def _rewind(self, mark: tuple[int, int, dict[Operation, int], Mark]) -> None:
        events, approximations, self._walk.reached, unknowns = mark
        del self._walk.events[events:]
        del self._walk.approximations[approximations:]
        self._walk.unknowns.rewind(unknowns)
