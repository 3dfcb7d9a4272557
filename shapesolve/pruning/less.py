"""Judging with less assumed: what holds then holds even where assumptions contradict what the program says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapesolve.judging.judgement import Judgement
from shapesolve.judging.loop import never
from shapesolve.options import Options
from shapesolve.proving.detail import Detail
from shapesolve.pruning.defended import doubts_of, provable
from shapesolve.pruning.lazily import Lazily, at_sight, lost
from shapesolve.pruning.rejudging import Rejudged, only_whether_proved, rejudge
from shapesolve.reading.program import Operation
from shapesolve.records import value_record
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.obligations import Obligation, Trace


@value_record
class Less:
    """Judging with less assumed. ``bare``: none of the assumptions that the options or the file make."""

    options: Options
    bare: bool

    def rejudge(
        self,
        walk: Callable[[Doubts], Trace],
        *,
        worth_judging: Callable[[Obligation], bool],
        matters: Callable[[Operation], bool],
        ask: bool,
        believe: Callable[[Judgement, Options], bool],
        comes_down: Callable[[Operation], bool] = never,
        doubts: Doubts = NO_DOUBTS,
    ) -> Rejudged:
        """What holds then of the operations that ``matter``, and what those ``comes_down`` says come down to.

        ``doubts`` are those that are had where more is assumed: it is tried first whether they cost anything.
        """

        def judge(
            trace: Trace, may_hold: Callable[[Obligation], bool], detail: Callable[[Obligation], Detail]
        ) -> Rejudged:
            return rejudge(
                trace,
                self.options,
                worth_judging=lambda each: may_hold(each) and worth_judging(each),
                ask=ask,
                believe=believe,
                bare=self.bare,
                detail=detail,
                compares=comes_down,
            )

        plain = judge(walk(NO_DOUBTS), lambda each: True, only_whether_proved)
        known = {op for op in plain.judgements if matters(op) and plain.holds(op)}
        known |= {op for op in plain.ways if plain.always(op)}
        if self.options.trust_ub or not (ask or known or plain.has_unreachable):
            return plain  # with doubts nothing more is proved, but where what they are about contradicts itself
        if doubts and not plain.has_unreachable:
            doubts = doubts_of(plain, doubts)
            seen = replace(judge(walk(doubts), provable(plain), at_sight), doubts=doubts)
            if doubts_of(seen, doubts) == doubts and not any(map(matters, lost(plain, seen))):
                return seen
        return Lazily(walk, judge, plain, matters).found()


def assuming_less(options: Options) -> tuple[Less, ...]:
    """All ways to assume less than some options do."""
    careful = replace(options, trust_ub=False)
    ways = (Less(options, bare=True), Less(careful, bare=False), Less(careful, bare=True))
    return ways if options.trust_ub else ways[:1]
