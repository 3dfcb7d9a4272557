"""Which checks may go: those whose claim was proved wherever and however often they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shapesolve.proving.verdicts import Proved, Verdict
from shapesolve.reading.program import Operation, Program
from shapesolve.rewriting.checks import ASSUMING, ASSUMING_ALL, GUARD, can_be_asked, checks_of
from shapesolve.rewriting.coverage import Coverage
from shapesolve.rewriting.definedness import Definedness
from shapesolve.rewriting.reasons import Grounds
from shapesolve.rewriting.replay import Replay
from shapesolve.walking.obligations import Trace

NOT_REACHED = "not reached"
OPEN = "open"
LEANS = "it holds, if an operation that it leans on is not undefined"


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What decisions rest on. ``definedness`` is None where operations are trusted not to be undefined."""

    replays: Mapping[Trace, Replay]
    coverage: Coverage
    grounds: Grounds
    definedness: Definedness | None

    def leaning(self, op: Operation, verdicts: Sequence[Verdict]) -> Decision | None:
        """The decision to keep a proved check whose proof leans on something that may be undefined."""
        if self.definedness is None:
            return None
        facts = self.grounds.of(fact for verdict in verdicts if isinstance(verdict, Proved) for fact in verdict.facts)
        cause = self.definedness.cause(op, facts)
        if cause is None:
            return None
        where = f"line {self.grounds.line(cause.location)}: " if cause.location.line else ""
        return Decision(False, "proved", f"{LEANS}, {where}{cause.name}; --trust-ub would remove it")


def decide(program: Program, evidence: Evidence) -> Decisions:
    """Decide for every check of a program. What follows from the structure alone is left to the surgeon."""
    decisions = Decisions()
    for op in checks_of(program):
        decision = _decide(op, evidence, decisions)
        if decision is not None:
            decisions.all[op] = decision
    return decisions


def _decide(op: Operation, evidence: Evidence, decisions: Decisions) -> Decision | None:
    if op.name == ASSUMING_ALL:
        return None
    obstacle = evidence.coverage.obstacle(op)
    replays = [evidence.replays[trace] for trace in evidence.coverage.entries(op)]
    if op.name == GUARD:
        return _guard(op, replays, obstacle, evidence, decisions)
    claims = [(replay, judgement) for replay in replays for judgement in replay.checks(op)]
    if op.name == ASSUMING and not claims:
        return None  # its witness was asked for where it was made
    if obstacle is not None:
        return Decision(False, NOT_REACHED, obstacle)
    for replay, judgement in claims:
        if not isinstance(judgement.verdict, Proved):
            called = f"from @{replay.trace.function.name} " if len(replays) > 1 else ""
            reason = evidence.grounds.unproved(judgement.verdict, replay.trace)
            return Decision(False, judgement.verdict.word, f"{called}{reason}")
    if not claims and not op.operands and op.results:
        decisions.proved.add(op.number)
        return Decision(True, "proved", "it compares nothing")
    if any(len(replay.checks(op)) != replay.trace.reached[op] for replay in replays):
        return Decision(False, "undecided", "what it demands is not known")
    verdicts = [judgement.verdict for _, judgement in claims]
    leaning = evidence.leaning(op, verdicts)
    if leaning is not None:
        return leaning
    if op.name == ASSUMING:
        decisions.passing.add(op.number)
    elif can_be_asked(op):
        decisions.proved.add(op.number)
    else:
        return Decision(False, "proved", "it has a form that cannot be removed")
    return Decision(True, "proved", evidence.grounds.proved(verdicts))


def _guard(
    op: Operation, replays: Sequence[Replay], obstacle: str | None, evidence: Evidence, decisions: Decisions
) -> Decision:
    if obstacle is not None:
        return Decision(False, OPEN, obstacle)
    answers = [(replay, answer) for replay in replays for answer in replay.answers.get(op, ())]
    truths = {answer.truth for _, answer in answers}
    if any(len(replay.answers.get(op, ())) != replay.trace.reached[op] for replay in replays):
        return Decision(False, OPEN, "its condition is not known")
    if len(truths) != 1 or None in truths:
        return Decision(False, OPEN, "its condition may be true or false")
    (truth,) = truths
    assert truth is not None
    verdicts = [answer.verdict for _, answer in answers]
    leaning = evidence.leaning(op, verdicts)
    if leaning is not None:
        return leaning
    decisions.taken[op.number] = truth
    reason = evidence.grounds.proved(verdicts)
    return Decision(True, "proved", f"its condition is always {str(truth).lower()}, {reason}")
