"""Outcome of a comparison: behaviors of runs, the verdict on the refinement, executed counterexamples."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import field

from shapesolve.execution.execution import Execution, ExecutionLimits, Input, Outcome, ResultSize, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.ir.data_flow import producers
from shapesolve.ir.program import Location, Program
from shapesolve.reasons import listed
from shapesolve.records import record
from shapesolve.solver.verdicts import Refuted, Undecided, Verdict, VerdictKind
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Fact, Kind, Obligation, Source, Trace

RETURN = "func.return"

_EXIT_CODES = {VerdictKind.PROVED: 0, VerdictKind.REFUTED: 1, VerdictKind.UNDECIDED: 3, VerdictKind.UNREACHABLE: 3}


class Ending(enum.Enum):
    """The ending of a run."""

    RETURNS = "returns"
    ABORTS = "aborts"
    UNDEFINED = "is undefined"


@record
class Behavior:
    """The behavior of one run of a program.

    Attributes:
        ending: The ending.
        obligation: The obligation that fails, if the run does not return.
        detail: Further words.
    """

    ending: Ending
    obligation: Obligation | None = None
    detail: str = ""

    @staticmethod
    def of(obligation: Obligation) -> Behavior:
        """Return the behavior of a run that the obligation fails first."""
        ending = Ending.ABORTS if obligation.kind is Kind.CHECK else Ending.UNDEFINED
        return Behavior(ending, obligation)

    @property
    def words(self) -> str:
        """The behavior in a phrase: ``aborts at line 4: cf.assert: the shapes differ  [cf-assert-condition]``."""
        if self.obligation is None:
            return f"{self.ending.value} {self.detail}".rstrip()
        place = _place(self.obligation.location)
        return f"{self.ending.value}{place}: {self.obligation.op.name}: {self._message}  [{self.obligation.code}]"

    @property
    def _message(self) -> str:
        return self.obligation.message if self.obligation is not None else ""


def _place(location: Location) -> str:
    return f" at line {location.line}" if location.line else ""


@record
class Executed:
    """Executions of both programs on the counterexample.

    Attributes:
        source, target: The executions.
        words: What they show.
        contradicts: Whether the runs are not what was predicted.
        confirms: Whether they differ, as was predicted.
    """

    source: Execution
    target: Execution
    words: str
    contradicts: bool = False
    confirms: bool = False


@record
class Compared:
    """A number that both programs return, such as extent 0 of result 0."""

    what: str
    source: Dim
    target: Dim


@record
class Finding:
    """One query of a comparison, and its verdict.

    Attributes:
        question: What was asked.
        verdict: The verdict.
        source, target: What happens if it is refuted.
        executed: The executions of the counterexample, if there are any.
        compared: The number that differs, if it is one.
        of_elements: Whether elements of a tensor differ, which only a run shows.
        result: The position of the result that is asked about, if it is one.
        overflows: Whether arithmetic of a program overflows at the counterexample, which is no size.
    """

    question: str
    verdict: Verdict
    source: Behavior
    target: Behavior
    executed: Executed | None = None
    compared: Compared | None = None
    of_elements: bool = False
    result: int | None = None
    overflows: bool = False


@record
class Side:
    """One program of a comparison."""

    program: Program
    trace: Trace

    def maker_location(self, result: int) -> Location | None:
        """Return where a result is made, or returned if it is an argument; None if the function returns elsewhere."""
        for op in self.trace.function.operation.walk():
            if op.name == RETURN and result < len(op.operands):
                return producers(self.program).get(op.operands[result], op).location
        return None


class Part(enum.Enum):
    """A part of two programs' behavior that may be left out of their comparison."""

    CONTENTS = "contents"
    EFFECTS = "effects"
    MESSAGES = "messages"


@record
class Omission:
    """A part of the behavior that was not compared.

    Attributes:
        part: The kind of part.
        words: The part, in a phrase.
        reason: Why it was not compared, if that was tried.
    """

    part: Part
    words: str
    reason: str = ""


@record
class ProvedAbove:
    """Proof of a refuted comparison for all but the smallest sizes.

    Attributes:
        least: The smallest size from which on it is proved: 1 or 2.
        compares_elements: Whether elements of some result were compared there and are equal.
        not_compared: The parts that were not compared there: ``contents``, ``effects``.
    """

    least: int
    compares_elements: bool
    not_compared: tuple[str, ...]


@record
class Refinement:
    """Result of comparing two functions: the verdict on whether the target refines the source.

    Attributes:
        source, target: The programs.
        findings: A verdict for every behavior that was compared.
        source_returns: False if no sizes are known for which the source returns.
        allow_lost_checks: Whether the target may return where the source aborts.
        min_size, max_size: The domain of sizes.
        identical: Whether both are the same program.
        without_arguments: Whether the assumptions contradict each other, so that nothing was asked.
        above: If refuted, what is proved for larger sizes, if that is known.
        omissions: The parts that were not compared.
        notes: Notes for the report.
        compares_elements: Whether elements of some result were compared and are equal.
        shapes_only: Whether only sizes and checks were asked for.
    """

    source: Side
    target: Side
    findings: tuple[Finding, ...]
    source_returns: bool
    allow_lost_checks: bool
    min_size: int
    max_size: int
    identical: bool = False
    without_arguments: bool = False
    above: ProvedAbove | None = None
    omissions: tuple[Omission, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    compares_elements: bool = False
    shapes_only: bool = False

    def __repr__(self) -> str:
        omitted = f", {' and '.join(self.not_compared)} not compared" if self.not_compared else ""
        return f"<Refinement of @{self.source.trace.function.name}: {self.word}{omitted}>"

    @property
    def from_size(self) -> int | None:
        """The smallest size from which on a refuted comparison is proved, all that was asked of it; None if unknown."""
        if self.above is None or (self.above.not_compared and not self.shapes_only):
            return None
        return self.above.least

    @property
    def left_out(self) -> tuple[str, ...]:
        """The parts that were not compared, in phrases."""
        return tuple(each.words for each in self.omissions)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """The omitted parts that a reader would take for compared: ``contents``, ``effects``."""
        return tuple(dict.fromkeys(each.part.value for each in self.partial_omissions))

    @property
    def partial_omissions(self) -> tuple[Omission, ...]:
        """The omissions of contents, then those of effects."""
        return tuple(each for part in (Part.CONTENTS, Part.EFFECTS) for each in self.omissions if each.part is part)

    @property
    def assumptions(self) -> tuple[Fact, ...]:
        """Assumptions on the arguments: of the source, and of the target where it states others.

        The bounds that types give are not listed.
        """
        found: dict[Formula, Fact] = {}
        for fact in (*self.source.trace.assumptions, *self.target.trace.assumptions):
            if fact.source is not Source.TYPE:
                found.setdefault(fact.formula, fact)
        return tuple(found.values())

    @property
    def refuted(self) -> tuple[Finding, ...]:
        """The findings with sizes for which the behaviors differ, the most believable first."""
        return tuple(each for each in self.findings if isinstance(each.verdict, Refuted))

    @property
    def undecided(self) -> tuple[Finding, ...]:
        """The findings that are neither proved nor refuted."""
        return tuple(each for each in self.findings if isinstance(each.verdict, Undecided))

    @property
    def word(self) -> VerdictKind:
        """The verdict on the whole; ``UNREACHABLE`` if there are no arguments."""
        if self.without_arguments:
            return VerdictKind.UNREACHABLE
        if self.refuted:
            return VerdictKind.REFUTED
        return VerdictKind.UNDECIDED if self.undecided else VerdictKind.PROVED

    @property
    def exit_code(self) -> int:
        """0 all that was asked is proved; 1 refuted; 3 undecided, not all compared, or without any input."""
        return _EXIT_CODES[VerdictKind.UNDECIDED if self.is_partial else self.word]

    @property
    def is_partial(self) -> bool:
        """True if what was compared is proved, and contents or effects were asked for and not compared."""
        return self.word is VerdictKind.PROVED and not self.shapes_only and bool(self.not_compared)


LIMITS = ExecutionLimits(timeout_seconds=10.0)
BY_RUN = "execution"
"""The strategy of a refutation that runs show, for the numbers that they were given."""


def executed(sides: tuple[Side, Side], behaviors: tuple[Behavior, Behavior], sizes: Sizes) -> Executed | str:
    """Execute both programs at these sizes; return the reason as a phrase if they cannot be."""
    runs: list[Execution] = []
    shown: list[Execution] = []
    for side in sides:
        call = arguments(side.trace, sizes)
        if isinstance(call, str):
            return call
        runs.append(_run(side, call))
        shown.append(_explained(side, call, runs[-1]))
    source, target = runs
    words = f"the source{_words(shown[0])}{_blamed(shown[0], behaviors[0])}; the target{_words(shown[1])}"
    against = [_contradicts(run, each) for run, each in zip(runs, behaviors, strict=True)]
    if sides[0].trace.modeling_assumptions and behaviors[0].ending is Ending.RETURNS:
        against.append(source.outcome is Outcome.CRASHED)  # what was taken for granted may not hold: a layout that fits
    both_return = all(each.ending is Ending.RETURNS for each in behaviors)
    comparable = len(source.result_extents) == len(target.result_extents)  # out-parameters are no results
    if both_return and comparable and all(run.outcome is Outcome.RETURNED for run in runs) and not any(against):
        against.append(_same_results(source, target))
    return Executed(source, target, words, any(against), not any(against) and _differ(source, target, behaviors))


def _run(side: Side, call: Sequence[Input]) -> Execution:
    """Execute without runtime checks; with them, if that shows what is otherwise silent."""
    plain = _called(side, call, runtime_checks=False)
    if plain.outcome is not Outcome.RETURNED:
        return plain
    checked = _called(side, call, runtime_checks=True)
    return checked if checked.outcome is Outcome.ABORTED else plain


def _explained(side: Side, call: Sequence[Input], run: Execution) -> Execution:
    """Return a run that says more of a crash: the one with runtime checks, if a check stops it."""
    if run.outcome is not Outcome.CRASHED:
        return run
    checked = _called(side, call, runtime_checks=True)
    return checked if checked.outcome is Outcome.ABORTED else run


def _called(side: Side, call: Sequence[Input], *, runtime_checks: bool) -> Execution:
    name = side.trace.function.name
    (run,) = execute_many(side.program.executable, name, [call], runtime_checks=runtime_checks, limits=LIMITS)
    return run


def _words(run: Execution) -> str:
    match run.outcome:
        case Outcome.RETURNED:
            sizes = [_size(each) for each in run.result_extents]
            return f" returned {listed(sizes)}" if sizes else " returned"
        case Outcome.ABORTED:
            how = ", with runtime checks," if run.with_runtime_checks else ""
            line = f" at line {run.failing_location[0]}" if run.failing_location else ""
            return f"{how} was stopped{line}: {run.message}"
        case Outcome.CRASHED:
            return f": {run.message}"
        case Outcome.TIMED_OUT:
            return f" was {run.message}"
        case Outcome.NOT_EXECUTABLE:
            return f" gave no answer: {run.message}"


def _blamed(run: Execution, expected: Behavior) -> str:
    """Explain a failure caused by the lowering's stricter requirements."""
    is_stricter = run.with_runtime_checks and run.outcome is Outcome.ABORTED and expected.ending is Ending.RETURNS
    return " (the lowering demands that; the operation itself does not)" if is_stricter else ""


def _size(size: ResultSize) -> str:
    if isinstance(size, tuple):
        return f"a tensor of size {'x'.join(map(str, size)) or '()'}"
    return "a number" if size is None else str(size)


def _contradicts(run: Execution, expected: Behavior) -> bool:
    """Return whether a run did what was not expected, as far as a run can show that."""
    stopped = run.outcome is Outcome.ABORTED and not run.with_runtime_checks
    match expected.ending:
        case Ending.RETURNS:
            return stopped
        case Ending.ABORTS:
            return run.outcome is Outcome.RETURNED or (run.with_runtime_checks and run.outcome is Outcome.ABORTED)
        case Ending.UNDEFINED:
            return False


def _same_results(source: Execution, target: Execution) -> bool:
    return (source.result_extents, source.result_values) == (target.result_extents, target.result_values)


def _differ(source: Execution, target: Execution, expected: tuple[Behavior, Behavior]) -> bool:
    """Return whether the runs show a difference of the expected kind."""
    if expected[0].ending is Ending.ABORTS:
        stopped = source.outcome is Outcome.ABORTED and not source.with_runtime_checks
        return stopped and target.outcome is Outcome.RETURNED
    if source.outcome is not Outcome.RETURNED:
        return False
    if expected[1].ending is Ending.RETURNS:
        has_results = len(source.result_extents) == len(target.result_extents)
        return has_results and target.outcome is Outcome.RETURNED and not _same_results(source, target)
    return target.outcome in (Outcome.ABORTED, Outcome.CRASHED)
