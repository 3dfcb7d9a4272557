"""Judging with doubts, and asking a solver only where it matters.

Whether an operation is undefined must be known where a check leans on what it computes, or where it may be erased. Of
thousands of demands few are like that, and it is where operations are doubted that demands are hard to prove. So a
demand that is not seen to hold at sight counts as open first, which is sound: its operation is doubted. Where something
is lost by that which held without any doubts, the demands are asked that come before it.

Judging with less assumed: what holds then holds even where assumptions contradict what the program says.

Judging without undefined behaviour as a licence.

The walk gives the result of `a / b` the meaning of a quotient. Where b may be 0 there is no quotient, but some number,
and a check may only go if it holds for every such number. So the program is walked again with the operations doubted
that may be undefined, until no other demand is unproved: what holds there leans on no demand that may be false.

Which claims of what is left need no proof: no run that is asked about gets to them.

What is known of a program grows where a loop or a branch is taken apart, and less of it is left where a check went that
follows from what contradicts an assumption. A claim that was proved may then stand behind facts that contradict each
other, where it follows from none of those that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.judge import always, never
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.program import Location, Operation
from shapesolve.options import Options
from shapesolve.pruning.recheck import FunctionRecheck, only_whether_proved, recheck
from shapesolve.records import value_record
from shapesolve.rewriting.checks import GUARD
from shapesolve.solver.verdicts import NOT_SEEN, Detail, Proved, Unreachable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Fact, FoldQuery, Kind, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, Scope, interpret, interpreted

JudgeAs = Callable[[Trace, Callable[[Obligation], bool], Callable[[Obligation], Detail]], FunctionRecheck]
"""Judges those obligations of a trace that are worth it, each as closely as is said."""


def at_sight(obligation: Obligation) -> Detail:
    """No solver is asked whether an operation may be undefined."""
    return Detail.PROOF if obligation.kind is Kind.CHECK else Detail.SIGHT


class UndefinedOpsAnalysis:
    """What holds of one entry point though operations may be undefined. ``plain`` is what holds if none is.

    ``at_sight`` is as much of it as is known before any demand was asked. What is known of operations that do not
    ``matter`` may be lost.
    """

    def __init__(
        self,
        walk: Callable[[UndefinedOps], Trace],
        judge: JudgeAs,
        plain: FunctionRecheck,
        matters: Callable[[Operation], bool] = always,
    ) -> None:
        self._walk = cache(walk)
        self._judge = judge
        self._plain = plain
        self._matters = matters
        self._asked: set[Operation] = set()
        self.at_sight = self._found = self._settled()

    def found(self, wanted: AbstractSet[Operation] = frozenset()) -> FunctionRecheck:
        """What holds; whether the ``wanted`` operations may be undefined is known."""
        while True:
            more = self._worth_asking(wanted) - self._asked
            if not more:
                return self._found
            self._asked |= more
            self._found = self._settled()

    def _settled(self) -> FunctionRecheck:
        doubts = doubts_of(self._plain)
        if not doubts:
            return self._plain

        not_asked: set[Operation] = set()

        def detail(obligation: Obligation) -> Detail:
            return Detail.PROOF if obligation.op in self._asked else at_sight(obligation)

        def judge(trace: Trace, may_hold: Callable[[Obligation], bool]) -> FunctionRecheck:
            found = self._judge(trace, may_hold, detail)
            not_asked.update(each.obligation.op for each in found.all if each.verdict is NOT_SEEN)
            return found

        return replace(recheck_to_fixpoint(self._walk, judge, doubts, last=self._plain), not_asked=frozenset(not_asked))

    def _worth_asking(self, wanted: AbstractSet[Operation]) -> set[Operation]:
        """The operations of which it matters whether they are undefined, and is not known."""
        open = self._found.not_asked
        if not open:
            return set()
        needed = {op for op in weakened_ops(self._plain, self._found) if self._matters(op)} | (wanted & open)
        if not needed:
            return set()
        if _has_ways_back(self._found.trace):
            return set(open)
        before = _up_to(self._found.trace, needed)
        if not doubts_of(self._plain).misfits:  # one of them anywhere makes every type doubtful
            before |= {each.obligation.op for each in self._found.all if each.obligation.of_type}
        return before & open


def weakened_ops(before: FunctionRecheck, after: FunctionRecheck) -> set[Operation]:
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


def _checks_hold(found: FunctionRecheck, op: Operation) -> bool:
    return all(isinstance(each.verdict, Proved) for each in found.checks(op))


def _truths(found: FunctionRecheck, op: Operation) -> set[bool | None]:
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

    def question(self, question: FoldQuery, around: Around) -> None:
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


@value_record
class WeakerAssumptions:
    """Judging with less assumed. ``bare``: none of the assumptions that the options or the file make."""

    options: Options
    bare: bool

    def rejudge(
        self,
        walk: Callable[[UndefinedOps], Trace],
        *,
        worth_judging: Callable[[Obligation], bool],
        matters: Callable[[Operation], bool],
        ask: bool,
        believe: Callable[[CheckedObligation, Options], bool],
        comes_down: Callable[[Operation], bool] = never,
        doubts: UndefinedOps = NO_UNDEFINED_OPS,
    ) -> FunctionRecheck:
        """What holds then of the operations that ``matter``, and what those ``comes_down`` says come down to.

        ``doubts`` are those that are had where more is assumed: it is tried first whether they cost anything.
        """

        def judge(
            trace: Trace, may_hold: Callable[[Obligation], bool], detail: Callable[[Obligation], Detail]
        ) -> FunctionRecheck:
            return recheck(
                trace,
                self.options,
                worth_judging=lambda each: may_hold(each) and worth_judging(each),
                ask=ask,
                believe=believe,
                bare=self.bare,
                detail=detail,
                compares=comes_down,
            )

        plain = judge(walk(NO_UNDEFINED_OPS), lambda each: True, only_whether_proved)
        known = {op for op in plain.judgements if matters(op) and plain.holds(op)}
        known |= {op for op in plain.ways if plain.always(op)}
        if self.options.trust_ub or not (ask or known or plain.has_unreachable):
            return plain  # with doubts nothing more is proved, but where what they are about contradicts itself
        if doubts and not plain.has_unreachable:
            doubts = doubts_of(plain, doubts)
            seen = replace(judge(walk(doubts), provable(plain), at_sight), doubts=doubts)
            if doubts_of(seen, doubts) == doubts and not any(map(matters, weakened_ops(plain, seen))):
                return seen
        return UndefinedOpsAnalysis(walk, judge, plain, matters).found()


def assuming_less(options: Options) -> tuple[WeakerAssumptions, ...]:
    """All ways to assume less than some options do."""
    careful = replace(options, trust_ub=False)
    ways = (
        WeakerAssumptions(options, bare=True),
        WeakerAssumptions(careful, bare=False),
        WeakerAssumptions(careful, bare=True),
    )
    return ways if options.trust_ub else ways[:1]


Judge = Callable[[Trace, Callable[[Obligation], bool]], FunctionRecheck]
"""Judges those obligations of a trace that are worth it."""


def recheck_to_fixpoint(
    walk: Callable[[UndefinedOps], Trace],
    judge: Judge,
    doubts: UndefinedOps = NO_UNDEFINED_OPS,
    last: FunctionRecheck | None = None,
) -> FunctionRecheck:
    """Walk and judge until every demand of an operation that is not doubted is proved.

    ``last`` was judged with fewer doubts. What was not proved with fewer doubts is not asked for again.
    """
    while True:
        last = judge(walk(doubts), always if last is None else provable(last))
        more = doubts_of(last, doubts)
        if more == doubts:
            return replace(last, doubts=doubts)
        doubts = more


def provable(found: FunctionRecheck) -> Callable[[Obligation], bool]:
    """Whether something may be proved with more doubts than those with which it was ``found``.

    What is not reached may be, too, where a demand is doubted that is false.
    """
    fine = (each.obligation for each in found.all if isinstance(each.verdict, Proved | Unreachable))
    identities = {each.identity for each in fine}
    return lambda obligation: obligation.identity in identities


def doubts_of(found: FunctionRecheck, known: UndefinedOps = NO_UNDEFINED_OPS) -> UndefinedOps:
    """The operations some demand of which is not proved, and those that were doubted already."""
    open_demands = [
        each.obligation
        for each in found.all
        if each.obligation.kind is not Kind.CHECK and not isinstance(each.verdict, Proved)
    ]
    ops = known.ops | {each.op for each in open_demands}
    return UndefinedOps(frozenset(ops), known.misfits or any(each.of_type for each in open_demands))


def ub_dependency(found: FunctionRecheck, obligations: Iterable[Obligation], facts: Iterable[Fact]) -> Operation | None:
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


def held_or_never_reached(
    walk: Callable[[UndefinedOps], Trace], options: Options, doubts: UndefinedOps
) -> frozenset[str]:
    """The identities of the claims that hold or that no run comes to.

    What is assumed and what checks say that come before keeps runs away. What operations demand before does only where
    it is proved, or trusted.
    """
    strict = replace(options, tolerant=False)

    def judge(trace: Trace, may_hold: Callable[[Obligation], bool]) -> FunctionRecheck:
        return recheck(trace, strict, worth_judging=may_hold, ask=False, compares=never)

    # Operations that nothing gets to were doubted like those that may be undefined, and not asked about any more.
    found = recheck_to_fixpoint(walk, judge, doubts)
    again = judge(found.trace, always)
    fine = {each.obligation.identity for each in again.all}
    fine -= {each.obligation.identity for each in again.all if not isinstance(each.verdict, Proved | Unreachable)}
    return frozenset(fine)
