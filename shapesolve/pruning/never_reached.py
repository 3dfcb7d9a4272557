"""Which claims of what is left need no proof: no run that is asked about gets to them.

What is known of a program grows where a loop or a branch is taken apart, and less of it is left where a check went that
follows from what contradicts an assumption. A claim that was proved may then stand behind facts that contradict each
other, where it follows from none of those that do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapesolve.judging.loop import always, never
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved, Unreachable
from shapesolve.pruning.defended import settled
from shapesolve.pruning.rejudging import Rejudged, rejudge
from shapesolve.walking.defending import Doubts
from shapesolve.walking.obligations import Obligation, Trace


def held_or_never_reached(walk: Callable[[Doubts], Trace], options: Options, doubts: Doubts) -> frozenset[str]:
    """The identities of the claims that hold or that no run comes to.

    What is assumed and what checks say that come before keeps runs away. What operations demand before does only where
    it is proved, or trusted.
    """
    strict = replace(options, tolerant=False)

    def judge(trace: Trace, may_hold: Callable[[Obligation], bool]) -> Rejudged:
        return rejudge(trace, strict, worth_judging=may_hold, ask=False, compares=never)

    # Operations that nothing gets to were doubted like those that may be undefined, and not asked about any more.
    found = settled(walk, judge, doubts)
    again = judge(found.trace, always)
    fine = {each.obligation.identity for each in again.all}
    fine -= {each.obligation.identity for each in again.all if not isinstance(each.verdict, Proved | Unreachable)}
    return frozenset(fine)
