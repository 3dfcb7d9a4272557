"""Judging a trace with nothing believed that a removal may not lean on.

The facts are those of types, preconditions, branches and definitions, and every check that was raised before: it still
stands, or it was proved from such facts. That an operation before was not undefined is believed only on request.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from shapesolve.judging.judgement import Judgement
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import negation
from shapesolve.options import Options
from shapesolve.pipeline import Progress, assume_inputs, prover_of, solver_of, tell
from shapesolve.proving.detail import Detail
from shapesolve.proving.prover import Prover
from shapesolve.proving.remembering import RememberingSolver
from shapesolve.proving.verdicts import Obstacle, Proved, Refuted, Undecided, Unreachable, Verdict
from shapesolve.reading.program import Operation
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.obligations import (
    Enter,
    Fact,
    Kind,
    Leave,
    Obligation,
    Presumption,
    Question,
    Source,
    Stop,
    Trace,
)

NOT_JUDGED = Undecided(Obstacle.NOTHING_FOUND, "it was not judged")
"""The verdict on what is not worth judging."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Whether a condition holds at one place: always, never, or neither (None). ``verdict`` is that of what it says."""

    truth: bool | None
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """One entry point, judged. Everything by operation, one element for every time that the walk came by.

    ``doubts`` are those that the trace was walked with. ``never_defined`` are demands that no admitted sizes satisfy,
    of operations that every run comes to which no check stops before.
    """

    trace: Trace
    contradiction: tuple[Fact, ...]
    judgements: Mapping[Operation, Sequence[Judgement]]
    answers: Mapping[Operation, Sequence[Answer]]
    doubts: Doubts = NO_DOUBTS
    never_defined: tuple[Judgement, ...] = ()

    def checks(self, op: Operation) -> list[Judgement]:
        """The judgements on the claims of an operation that stop the program when they are false."""
        return [each for each in self.judgements.get(op, ()) if each.obligation.kind is Kind.CHECK]

    @property
    def has_unreachable(self) -> bool:
        """Whether facts were met that contradict each other."""
        return any(isinstance(each.verdict, Unreachable) for found in self.judgements.values() for each in found)

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
    bare: bool = False,
    shown: bool = False,
) -> Replay:
    """Judge a trace in program order.

    Obligations that are not ``worth_judging`` count as undecided. ``ask``: answer questions. ``believe`` says which
    raised claims become facts. ``at_end`` is given the prover when all events are done. ``bare``: nothing is assumed.
    ``shown``: the sizes for which checks fail will be looked at.

    Where assumptions make facts contradict each other, a claim is proved that follows without the facts that contradict
    those before them, so that more assumptions do not prove less.
    """
    wanted = _Wanted(options, worth_judging, ask, believe, bare, shown)
    found = _run(trace, wanted, progress, at_end, tolerant=False)
    assumes = options.trust_ub or (trace.assumed and not bare)
    if found.contradiction or not assumes or not found.has_unreachable:
        return found
    again = _run(trace, wanted, None, lambda prover: None, tolerant=True)
    judgements = {
        op: [_better(one, other) for one, other in zip(found.judgements[op], again.judgements[op], strict=True)]
        for op in found.judgements
    }
    return replace(found, judgements=judgements)


def _better(found: Judgement, tolerant: Judgement) -> Judgement:
    is_better = isinstance(found.verdict, Unreachable) and isinstance(tolerant.verdict, Proved)
    return tolerant if is_better else found


@dataclass(frozen=True, slots=True)
class _Wanted:
    options: Options
    worth_judging: Callable[[Obligation], bool]
    ask: bool
    believe: Callable[[Judgement, Options], bool]
    bare: bool
    shown: bool

    def detail(self, obligation: Obligation) -> Detail:
        """What will be looked at: the sizes that break a check, and whether an operation is never defined."""
        if not self.shown:
            return Detail.VERDICT
        return Detail.SIZES if obligation.kind is Kind.CHECK else Detail.ALWAYS


def _run(
    trace: Trace,
    wanted: _Wanted,
    progress: Progress | None,
    at_end: Callable[[Prover], None],
    *,
    tolerant: bool,
) -> Replay:
    """Judge once. ``tolerant``: facts that contradict those before them are left out."""
    options = wanted.options
    solver = solver_of(options)
    prover = prover_of(trace, RememberingSolver(solver, options.answers) if options.answers else solver, options)
    contradiction = () if wanted.bare else assume_inputs(prover, trace)
    judgements: dict[Operation, list[Judgement]] = defaultdict(list)
    answers: dict[Operation, list[Answer]] = defaultdict(list)
    total, done, depth = len(trace.obligations), 0, 0
    never_defined: list[Judgement] = []
    for event in trace.events[trace.assumed :]:
        match event:
            case Enter():
                depth += 1
                tell(prover, _tolerated(prover, event) if tolerant else event)
            case Leave():
                depth -= 1
                tell(prover, event)
            case Presumption() | Stop():
                tell(prover, event)
            case Fact():
                if not (wanted.bare and event.source is Source.ASSUMPTION):
                    _believe(prover, event, tolerant=tolerant)
            case Question():
                if wanted.ask:
                    answers[event.op].append(_answered(prover, event))
            case Obligation():
                judgement = _judged(prover, event, wanted, tolerant=tolerant)
                judgements[event.op].append(judgement)
                if not depth and _never_holds(judgement):
                    never_defined.append(judgement)
                done += 1
                if progress is not None:
                    progress(trace.function.name, done, total)
    at_end(prover)
    return Replay(trace, contradiction, judgements, answers, never_defined=tuple(never_defined))


def _judged(prover: Prover, obligation: Obligation, wanted: _Wanted, *, tolerant: bool) -> Judgement:
    is_wanted = wanted.worth_judging(obligation)
    verdict = NOT_JUDGED
    if is_wanted:
        verdict = prover.judge(obligation.claim, name=obligation.identity, detail=wanted.detail(obligation))
    judgement = Judgement(obligation, verdict)
    if wanted.believe(judgement, wanted.options):
        _believe(prover, obligation.as_fact(), tolerant=tolerant)
    return judgement


def _never_holds(judgement: Judgement) -> bool:
    """Whether what an operation demands is false for all sizes."""
    is_demand = judgement.obligation.kind is not Kind.CHECK
    return is_demand and isinstance(judgement.verdict, Refuted) and judgement.verdict.always


def _believe(prover: Prover, fact: Fact, *, tolerant: bool) -> None:
    if not tolerant or _agrees(prover, fact):
        prover.assume(fact)


def _tolerated(prover: Prover, event: Enter) -> Enter:
    if event.condition is None or _agrees(prover, event.condition):
        return event
    return replace(event, condition=None)


def _agrees(prover: Prover, fact: Fact) -> bool:
    """Whether a fact leaves sizes that get here."""
    if prover.reachable() is None and holds(fact.formula, prover.sample()):
        return True
    prover.enter(None)
    prover.assume(fact)
    agrees = not isinstance(prover.reachable(), Unreachable)
    prover.leave(None)
    return agrees


def _answered(prover: Prover, question: Question) -> Answer:
    name = f"{question.op.name}#{question.op.number}"
    verdict = prover.judge(question.condition, name=f"{name}/always", detail=Detail.VERDICT)
    if isinstance(verdict, Proved):
        return Answer(True, verdict)
    if isinstance(verdict, Unreachable):
        return Answer(None, verdict)
    never = prover.judge(negation(question.condition), name=f"{name}/never", detail=Detail.VERDICT)
    return Answer(False, never) if isinstance(never, Proved) else Answer(None, verdict)
