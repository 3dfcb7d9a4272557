"""Which checks may go: those whose claim was proved wherever and however often they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shapesolve.proving.verdicts import Proved, Verdict
from shapesolve.reading.program import Operation, Program
from shapesolve.rewriting.checks import ASSUMING, ASSUMING_ALL, GUARD, can_be_asked, checks_of
from shapesolve.rewriting.coverage import Coverage
from shapesolve.rewriting.reasons import Grounds
from shapesolve.rewriting.replay import Replay
from shapesolve.walking.obligations import Trace

NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one check: it goes or stays, by which verdict, and why."""

    goes: bool
    verdict: str
    reason: str


@dataclass(slots=True)
class Decisions:
    """What is to be done, by operation number.

    ``proved`` are checks whose claims always hold; ``taken`` says of a guard whether its condition always holds or
    never does; ``passing`` are `shape.assuming` whose witness is given from outside and was proved.
    """

    all: dict[Operation, Decision] = field(default_factory=dict[Operation, Decision])
    proved: set[int] = field(default_factory=set[int])
    taken: dict[int, bool] = field(default_factory=dict[int, bool])
    passing: set[int] = field(default_factory=set[int])

    @property
    def is_empty(self) -> bool:
        """Whether nothing was proved that anything could be done with."""
        return not (self.proved or self.taken or self.passing)


def decide(program: Program, replays: Sequence[Replay], coverage: Coverage, grounds: Grounds) -> Decisions:
    """Decide for every check of a program. What follows from the structure alone is left to the surgeon."""
    by_trace = {replay.trace: replay for replay in replays}
    decisions = Decisions()
    for op in checks_of(program):
        decision = _decide(op, by_trace, coverage, grounds, decisions)
        if decision is not None:
            decisions.all[op] = decision
    return decisions


def _decide(
    op: Operation, by_trace: Mapping[Trace, Replay], coverage: Coverage, grounds: Grounds, decisions: Decisions
) -> Decision | None:
    if op.name == ASSUMING_ALL:
        return None
    obstacle = coverage.obstacle(op)
    replays = [by_trace[trace] for trace in coverage.entries(op)]
    if op.name == GUARD:
        return _guard(op, replays, obstacle, grounds, decisions)
    claims = [(replay, judgement) for replay in replays for judgement in replay.checks(op)]
    if op.name == ASSUMING and not claims:
        return None  # its witness was asked for where it was made
    if obstacle is not None:
        return Decision(False, NOT_REACHED, obstacle)
    for replay, judgement in claims:
        if not isinstance(judgement.verdict, Proved):
            called = f"from @{replay.trace.function.name} " if len(by_trace) > 1 else ""
            reason = grounds.unproved(judgement.verdict, replay.trace)
            return Decision(False, judgement.verdict.word, f"{called}{reason}" if called else reason)
    if not claims and not op.operands and op.results:
        decisions.proved.add(op.number)
        return Decision(True, "proved", "it compares nothing")
    if any(len(replay.checks(op)) != replay.trace.reached[op] for replay in replays):
        return Decision(False, "undecided", "what it demands is not known")
    if op.name == ASSUMING:
        decisions.passing.add(op.number)
    elif can_be_asked(op):
        decisions.proved.add(op.number)
    else:
        return Decision(False, "proved", "it has a form that cannot be removed")
    return Decision(True, "proved", grounds.proved(judgement.verdict for _, judgement in claims))


def _guard(
    op: Operation, replays: Sequence[Replay], obstacle: str | None, grounds: Grounds, decisions: Decisions
) -> Decision:
    if obstacle is not None:
        return Decision(False, NOT_REACHED, obstacle)
    answers = [(replay, answer) for replay in replays for answer in replay.answers.get(op, ())]
    truths = {answer.truth for _, answer in answers}
    if any(len(replay.answers.get(op, ())) != replay.trace.reached[op] for replay in replays):
        return Decision(False, "undecided", "its condition is not known")
    if len(truths) != 1 or None in truths:
        verdict: Verdict = next(
            (answer.verdict for _, answer in answers if not isinstance(answer.verdict, Proved)), answers[0][1].verdict
        )
        return Decision(False, verdict.word, "its condition may be true or false")
    (truth,) = truths
    assert truth is not None
    decisions.taken[op.number] = truth
    reason = grounds.proved(answer.verdict for _, answer in answers)
    return Decision(True, "proved", f"its condition is always {str(truth).lower()}, {reason}")
