"""Proving the pruned program on its own output: nothing that was proved may be lost, and what is gone must have held.

Three questions, each on text that was printed and read again: is the output the original with nothing but checks taken
out; does every check that went hold where it stood, given only what is left; is every claim that was proved before
proved still.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.language.formulas import Formula
from shapesolve.language.shapes import same_shape
from shapesolve.pipeline import assume_inputs, prover_of, trace_of
from shapesolve.proving.verdicts import Proved
from shapesolve.proving.z3_solver import Z3Solver
from shapesolve.reading.mlir_reader import read_text
from shapesolve.reading.program import Program
from shapesolve.replaying.judgement import Judgement
from shapesolve.rewriting.correspondence import Correspondence
from shapesolve.rewriting.outcome import PruneError
from shapesolve.rewriting.replay import Replay, may_be_believed, replay
from shapesolve.rewriting.surgery import MARK
from shapesolve.walking.inputs import argument_name
from shapesolve.walking.obligations import Fact, Kind, Obligation, Trace
from shapesolve.walking.values import Tensor

Claimed = tuple[int, str, str]
"""A claim of the original: the operation's number, the clause and the message."""


class Reproof:
    """Judges what became of an original that was replayed already."""

    def __init__(self, original: Program, replays: Sequence[Replay], options: Options) -> None:
        self._original = original
        self._replays = replays
        self._options = replace(options, assumptions=(), shapes=(), min_size=0, execute=False)
        self._always: dict[str, set[Claimed]] = {}  # by entry point: proved whenever the walk came by
        self._sometimes: dict[str, set[Claimed]] = {}
        for each in replays:
            proved: dict[Claimed, list[bool]] = defaultdict(list)
            for judgements in each.judgements.values():
                for judgement in judgements:
                    proved[_claimed(judgement.obligation)].append(isinstance(judgement.verdict, Proved))
            self._always[each.trace.function.name] = {key for key, all_proved in proved.items() if all(all_proved)}
            self._sometimes[each.trace.function.name] = {key for key, some in proved.items() if any(some)}

    def read(self, text: str) -> Program:
        """What was printed, read as any other file is."""
        try:
            return read_text(text, self._original.file)
        except InputError as error:
            raise PruneError(f"the pruned program cannot be read again: {error}") from error

    def check_gone(self, opened: Program, origins: Sequence[int]) -> None:
        """Prove every marked check of the opened program. None is believed before it is proved there."""
        numbers = {op: number for op, number in zip(opened.operation.walk(), origins, strict=True)}
        walked: set[int] = set()
        for before, trace in self._traces(opened):
            some = self._sometimes[trace.function.name]

            def worth(obligation: Obligation, some: set[Claimed] = some) -> bool:
                return _is_marked(obligation) or _claimed(obligation, numbers[obligation.op]) in some

            def believe(judgement: Judgement, options: Options) -> bool:
                if _is_marked(judgement.obligation):
                    return isinstance(judgement.verdict, Proved)
                return may_be_believed(judgement, options)

            again = replay(trace, self._options, worth_judging=worth, ask=False, believe=believe)
            _require_same_facts(before.trace, trace)
            for op, judgements in again.judgements.items():
                for judgement in judgements:
                    if _is_marked(judgement.obligation) and not isinstance(judgement.verdict, Proved):
                        raise PruneError(f"{op.name} does not follow from what is left: {judgement.verdict.word}")
                    if _is_marked(judgement.obligation):
                        walked.add(op.number)
        marked = {op.number for op in opened.operation.walk() if MARK in op.attributes and op.operands}
        if marked - walked:
            raise PruneError("a check that would go was not reached again")

    def check_left(self, pruned: Program, correspondence: Correspondence) -> None:
        """Prove everything of the pruned program that was proved before, and that its results have the same shapes."""
        numbers = {op: origin.number for op, origin in correspondence.original_of.items()}
        for before, trace in self._traces(pruned):
            always = self._always[trace.function.name]
            some = self._sometimes[trace.function.name]

            def worth(obligation: Obligation, some: set[Claimed] = some) -> bool:
                return _claimed(obligation, numbers.get(obligation.op, -1)) in some

            again = replay(trace, self._options, worth_judging=worth, ask=False)
            for op, judgements in again.judgements.items():
                for judgement in judgements:
                    key = _claimed(judgement.obligation, numbers.get(op, -1))
                    if key in always and not isinstance(judgement.verdict, Proved):
                        said = f"{op.name} ({judgement.obligation.clause})"
                        raise PruneError(f"{said} was proved, and is {judgement.verdict.word} in the pruned program")
            self._check_results(before, again)

    def _traces(self, program: Program) -> list[tuple[Replay, Trace]]:
        pairs: list[tuple[Replay, Trace]] = []
        for before in self._replays:
            function = program.functions.get(before.trace.function.name)
            if function is None:
                raise PruneError(f"@{before.trace.function.name} is lost")
            try:
                pairs.append((before, trace_of(program, function, self._options)))
            except InputError as error:
                raise PruneError(f"the assumptions cannot be read again: {error}") from error
        return pairs

    def _check_results(self, before: Replay, after: Replay) -> None:
        """The results have the same shapes, as far as these depend on the inputs alone."""
        if before.trace.results is None or after.trace.results is None or before.contradiction:
            return
        inputs = set(before.trace.input_variables) & set(after.trace.input_variables)
        claims: list[Formula] = []
        for old, new in zip(before.trace.results, after.trace.results, strict=True):
            if isinstance(old, Tensor) and isinstance(new, Tensor):
                claim = same_shape(old.shape, new.shape)
                if claim.variables <= inputs:
                    claims.append(claim)
        if not claims:
            return
        prover = prover_of(after.trace, Z3Solver(seed=self._options.seed), self._options)
        assume_inputs(prover, after.trace)
        for fact in _facts_at_the_end(after, self._options):
            prover.assume(fact)
        for claim in claims:
            verdict = prover.judge(claim, name="results")
            if verdict.word == "refuted":
                raise PruneError("the pruned program has results of other shapes")


def _facts_at_the_end(after: Replay, options: Options) -> list[Fact]:
    """The claims outside of all regions that hold where the function returns."""
    facts: list[Fact] = []
    for judgements in after.judgements.values():
        for judgement in judgements:
            if isinstance(judgement.verdict, Proved) or may_be_believed(judgement, options):
                facts.append(judgement.obligation.as_fact())
    return facts


def _claimed(obligation: Obligation, number: int | None = None) -> Claimed:
    return obligation.op.number if number is None else number, obligation.clause, obligation.message


def _is_marked(obligation: Obligation) -> bool:
    return obligation.kind is Kind.CHECK and MARK in obligation.op.attributes


def _require_same_facts(before: Trace, after: Trace) -> None:
    """What is assumed of the inputs is written down in the output, all of it and nothing else."""
    names = [[argument_name(trace.function, index) for index, _ in enumerate(trace.function.arguments)] for trace in (before, after)]
    if names[0] != names[1]:  # arguments that were named by numbers have names now
        return
    facts = [
        {event.formula for event in trace.events[: trace.assumed] if isinstance(event, Fact)} for trace in (before, after)
    ]
    if facts[0] != facts[1]:
        raise PruneError("the assumptions are not those of the original any more")
