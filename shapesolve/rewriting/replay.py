"""Judging a trace with nothing believed that a removal may not lean on.

The facts are those of types, preconditions, branches and definitions, and every check that was raised before: it still
stands, or it was proved from such facts. That an operation before was not undefined is believed only on request.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shapesolve.language.formulas import negation
from shapesolve.options import Options
from shapesolve.pipeline import Progress, assume_inputs, prover_of, tell
from shapesolve.proving.prover import Prover
from shapesolve.proving.verdicts import Obstacle, Proved, Undecided, Unreachable, Verdict
from shapesolve.proving.z3_solver import Z3Solver
from shapesolve.reading.program import Operation
from shapesolve.replaying.judgement import Judgement
from shapesolve.walking.obligations import Enter, Fact, Kind, Leave, Obligation, Presumption, Question, Stop, Trace

NOT_JUDGED = Undecided(Obstacle.NOTHING_FOUND, "it was not judged")
"""The verdict on what is not worth judging."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Whether a condition holds at one place: always, never, or neither (None). ``verdict`` is that of what it says."""

    truth: bool | None
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """One entry point, judged. Everything by operation, one element for every time that the walk came by."""

    trace: Trace
    contradiction: tuple[Fact, ...]
    judgements: Mapping[Operation, Sequence[Judgement]]
    answers: Mapping[Operation, Sequence[Answer]]

    def checks(self, op: Operation) -> list[Judgement]:
        """The judgements on the claims of an operation that stop the program when they are false."""
        return [each for each in self.judgements.get(op, ()) if each.obligation.kind is Kind.CHECK]

    def is_defined(self, op: Operation) -> bool:
        """Whether nothing that the operation demands was left unproved, however often it was reached."""
        return all(isinstance(each.verdict, Proved) for each in self.judgements.get(op, ()))


def may_be_believed(judgement: Judgement, options: Options) -> bool:
    """Whether a raised claim is a fact for what follows it."""
    return judgement.obligation.kind is Kind.CHECK or isinstance(judgement.verdict, Proved) or options.trust_ub


def replay(
    trace: Trace,
    options: Options,
    progress: Progress | None = None,
    *,
    worth_judging: Callable[[Obligation], bool] = lambda obligation: True,
    ask: bool = True,
    believe: Callable[[Judgement, Options], bool] = may_be_believed,
    at_end: Callable[[Prover], None] = lambda prover: None,
) -> Replay:
    """Judge a trace in program order.

    Obligations that are not ``worth_judging`` count as undecided. ``ask``: answer questions. ``believe`` says which
    raised claims become facts. ``at_end`` is given the prover when all events are done.
    """
    prover = prover_of(trace, Z3Solver(seed=options.seed, dump_directory=options.dump_directory), options)
    contradiction = assume_inputs(prover, trace)
    judgements: dict[Operation, list[Judgement]] = defaultdict(list)
    answers: dict[Operation, list[Answer]] = defaultdict(list)
    total, done = len(trace.obligations), 0
    for event in trace.events[trace.assumed :]:
        match event:
            case Fact() | Enter() | Leave() | Presumption() | Stop():
                tell(prover, event)
            case Question():
                if ask:
                    answers[event.op].append(_answered(prover, event))
            case Obligation():
                verdict = prover.judge(event.claim, name=event.identity) if worth_judging(event) else NOT_JUDGED
                judgement = Judgement(event, verdict)
                judgements[event.op].append(judgement)
                if believe(judgement, options):
                    prover.assume(event.as_fact())
                done += 1
                if progress is not None:
                    progress(trace.function.name, done, total)
    at_end(prover)
    return Replay(trace, contradiction, judgements, answers)


def _answered(prover: Prover, question: Question) -> Answer:
    name = f"{question.op.name}#{question.op.number}"
    verdict = prover.judge(question.condition, name=f"{name}/always")
    if isinstance(verdict, Proved):
        return Answer(True, verdict)
    if isinstance(verdict, Unreachable):
        return Answer(None, verdict)
    never = prover.judge(negation(question.condition), name=f"{name}/never")
    return Answer(False, never) if isinstance(never, Proved) else Answer(None, verdict)
