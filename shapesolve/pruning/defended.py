"""Judging without undefined behaviour as a licence.

The walk gives the result of `a / b` the meaning of a quotient. Where b may be 0 there is no quotient, but some number,
and a check may only go if it holds for every such number. So the program is walked again with the operations doubted
that may be undefined, until no other demand is unproved: what holds there leans on no demand that may be false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from shapesolve.judging.loop import always
from shapesolve.language.formulas import Formula
from shapesolve.proving.verdicts import Proved, Unreachable
from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Location, Operation
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.interpreting import Around, Handler, interpreted
from shapesolve.walking.obligations import Fact, Kind, Obligation, Trace

Judge = Callable[[Trace, Callable[[Obligation], bool]], Rejudged]
"""Judges those obligations of a trace that are worth it."""


def settled(
    walk: Callable[[Doubts], Trace], judge: Judge, doubts: Doubts = NO_DOUBTS, last: Rejudged | None = None
) -> Rejudged:
    """Walk and judge until every demand of an operation that is not doubted is proved.

    ``last`` was judged with fewer doubts. What was not proved with fewer doubts is not asked for again.
    """
    while True:
        last = judge(walk(doubts), always if last is None else provable(last))
        more = doubts_of(last, doubts)
        if more == doubts:
            return replace(last, doubts=doubts)
        doubts = more


def provable(found: Rejudged) -> Callable[[Obligation], bool]:
    """Whether something may be proved with more doubts than those with which it was ``found``.

    What is not reached may be, too, where a demand is doubted that is false.
    """
    fine = (each.obligation for each in found.all if isinstance(each.verdict, Proved | Unreachable))
    identities = {each.identity for each in fine}
    return lambda obligation: obligation.identity in identities


def doubts_of(found: Rejudged, known: Doubts = NO_DOUBTS) -> Doubts:
    """The operations some demand of which is not proved, and those that were doubted already."""
    open_demands = [
        each.obligation
        for each in found.all
        if each.obligation.kind is not Kind.CHECK and not isinstance(each.verdict, Proved)
    ]
    ops = known.ops | {each.op for each in open_demands}
    return Doubts(frozenset(ops), known.misfits or any(each.of_type for each in open_demands))


def licence(found: Rejudged, obligations: Iterable[Obligation], facts: Iterable[Fact]) -> Operation | None:
    """The first doubted operation that stands behind claims, or behind what is said where facts come from.

    ``found`` was judged with doubts, ``obligations`` are of its trace; ``facts`` may be of another trace.
    """
    made = found.trace.stands_for
    places = {fact.location for fact in facts if fact.location is not None}
    formulas = [each.claim for each in obligations]
    formulas += [formula for place, formula in interpreted(found.trace, _Said()) if place in places]
    ops = {made[variable] for formula in formulas for variable in formula.variables if variable in made}
    return min(ops, key=lambda op: op.number, default=None)


Said = tuple[Location | None, Formula]
"""What is said at a place of the program."""


class _Said(Handler[Said]):
    def fact(self, fact: Fact, around: Around) -> Said:
        return fact.location, fact.formula

    def obligation(self, obligation: Obligation, around: Around) -> Said:
        return obligation.location, obligation.claim
