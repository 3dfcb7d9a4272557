"""Judging without undefined behaviour as a licence.

The walk gives the result of `a / b` the meaning of a quotient. Where b may be 0 there is no quotient, but some number,
and a check may only go if it holds for every such number. So the program is walked again with the operations doubted
that may be undefined, until no other demand is unproved: what holds there leans on no demand that may be false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from shapesolve.judging.judgement import Judgement
from shapesolve.language.formulas import Formula
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved
from shapesolve.pruning.rejudging import Replay, may_be_believed, replay
from shapesolve.reading.program import Location, Operation
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.obligations import Fact, Kind, Obligation, Trace

Judge = Callable[[Trace, Callable[[Obligation], bool]], Replay]
"""Judges those obligations of a trace that are worth it."""


def settled(
    walk: Callable[[Doubts], Trace], judge: Judge, doubts: Doubts = NO_DOUBTS, last: Replay | None = None
) -> Replay:
    """Walk and judge until every demand of an operation that is not doubted is proved.

    ``last`` is a replay with fewer doubts. What was not proved with fewer doubts is not asked for again.
    """
    while True:
        proved = None if last is None else _proved_in(last)
        last = judge(walk(doubts), lambda each, proved=proved: proved is None or each.identity in proved)
        more = doubts_of(last, doubts)
        if more == doubts:
            return replace(last, doubts=doubts)
        doubts = more


def _proved_in(found: Replay) -> frozenset[str]:
    judgements = (each for judgements in found.judgements.values() for each in judgements)
    return frozenset(each.obligation.identity for each in judgements if isinstance(each.verdict, Proved))


def doubts_of(found: Replay, known: Doubts = NO_DOUBTS) -> Doubts:
    """The operations some demand of which is not proved, and those that were doubted already."""
    open_demands = [
        judgement.obligation
        for judgements in found.judgements.values()
        for judgement in judgements
        if judgement.obligation.kind is not Kind.CHECK and not isinstance(judgement.verdict, Proved)
    ]
    ops = known.ops | {each.op for each in open_demands}
    return Doubts(frozenset(ops), known.misfits or any(each.of_type for each in open_demands))


@dataclass(frozen=True, slots=True)
class Less:
    """Judging with less assumed. ``bare``: none of the assumptions that the options or the file make."""

    options: Options
    bare: bool

    def replay(
        self,
        walk: Callable[[Doubts], Trace],
        *,
        worth_judging: Callable[[Obligation], bool] = lambda obligation: True,
        ask: bool = True,
        believe: Callable[[Judgement, Options], bool] = may_be_believed,
    ) -> Replay:
        """What holds then."""

        def judge(trace: Trace, may_hold: Callable[[Obligation], bool]) -> Replay:
            return replay(
                trace,
                self.options,
                worth_judging=lambda each: may_hold(each) and worth_judging(each),
                ask=ask,
                believe=believe,
                bare=self.bare,
            )

        return judge(walk(NO_DOUBTS), lambda each: True) if self.options.trust_ub else settled(walk, judge)


def assuming_less(options: Options) -> tuple[Less, ...]:
    """All ways to assume less than some options do."""
    careful = replace(options, trust_ub=False)
    ways = (Less(options, bare=True), Less(careful, bare=False), Less(careful, bare=True))
    return ways if options.trust_ub else ways[:1]


def licence(found: Replay, obligations: Iterable[Obligation], facts: Iterable[Fact]) -> Operation | None:
    """The first doubted operation that stands behind claims, or behind what is said where facts come from.

    ``found`` is a replay with doubts, ``obligations`` are of its trace; ``facts`` may be of another trace.
    """
    made = found.trace.stands_for
    places = {fact.location for fact in facts if fact.location is not None}
    formulas = [each.claim for each in obligations]
    formulas += [formula for place, formula in _said(found.trace) if place in places]
    ops = {made[variable] for formula in formulas for variable in formula.variables if variable in made}
    return min(ops, key=lambda op: op.number, default=None)


def _said(trace: Trace) -> Iterable[tuple[Location | None, Formula]]:
    for event in trace.events:
        if isinstance(event, Fact):
            yield event.location, event.formula
        elif isinstance(event, Obligation):
            yield event.location, event.claim
