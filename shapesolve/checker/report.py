"""The report: what a check found, as data. Nothing here prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.exporter_findings import ExporterFinding, Outside
from shapesolve.checker.returned_errors import ReturnedError
from shapesolve.deadline import NEVER, Deadline
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.records import record, value_record
from shapesolve.solver.verdicts import Obstacle, Proved, Refuted, Undecided, Unreachable, Verdict
from shapesolve.trace.events import Approximation, Fact, MayNotReturn, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, interpreted

if TYPE_CHECKING:
    from shapesolve.certificates.writer import Certificate


class _FailingForAll(Handler[CheckedObligation]):
    """Finds what fails for all sizes before anything else may end the program."""

    def __init__(self, judgements: Sequence[CheckedObligation]) -> None:
        self._left = iter(judgements)
        self._stopped = False

    @property
    def done(self) -> bool:
        return self._stopped

    def stop(self, stop: MayNotReturn, around: Around) -> None:
        self._stopped = True

    def obligation(self, obligation: Obligation, around: Around) -> CheckedObligation | None:
        judgement = next(self._left)
        return judgement if not around and _never_passes(judgement.verdict) else None


def _never_passes(verdict: Verdict) -> bool:
    """Whether a claim fails for all sizes that get there, be it that something before it may fail for some of them."""
    if isinstance(verdict, Undecided) and verdict.obstacle is Obstacle.APPROXIMATION:
        return verdict.candidate is not None and verdict.candidate.always
    return isinstance(verdict, Refuted) and verdict.always


@record
class FunctionReport:
    """One function: its trace and its judgements in program order. ``contradiction``: its assumptions exclude all.

    ``certificates`` are those of its proofs, where they were asked for.
    ``timed_out``: how many questions a limit of time ended, not the budget; another run may answer these.
    ``deadline``: when nothing more shall be looked for that would only be said more shortly.
    ``errors``: the results that are errors in every call.
    """

    trace: Trace
    judgements: tuple[CheckedObligation, ...]
    contradiction: tuple[Fact, ...] = ()
    certificates: tuple[Certificate, ...] = ()
    timed_out: int = 0
    deadline: Deadline = NEVER
    errors: tuple[ReturnedError, ...] = ()

    @property
    def name(self) -> str:
        return self.trace.function.name

    @property
    def assumptions(self) -> tuple[Fact, ...]:
        """What is assumed of the inputs."""
        return self.trace.assumptions

    @property
    def approximations(self) -> tuple[Approximation, ...]:
        return self.trace.approximations

    @property
    def fails_for_all(self) -> CheckedObligation | None:
        """The first claim that fails for all sizes that get there, where every call that is admitted must get there.

        It must unless it fails before: nothing decides whether the operation runs, and nothing before it ends the
        program in a way that nobody knows.
        """
        return next(interpreted(self.trace, _FailingForAll(self.judgements)), None)

    @property
    def unchecked(self) -> tuple[Approximation, ...]:
        """Operations that may fail in ways that nobody has asked about: what they demand is not known."""
        if self.contradiction:
            return ()
        return tuple(each for each in self.trace.approximations if not each.demands_known)


@record
class Report:
    """One checked file, with the options that it was checked with.

    ``lowering_of``: the report of the model itself, where the program is what that model was lowered to besides.
    ``lowering_follows``: whether such a report comes after this one.
    ``exporter``: what its exporter found of the sizes that does not follow from declared facts.
    """

    program: Program
    functions: tuple[FunctionReport, ...]
    options: Options = field(default_factory=Options)
    lowering_of: Report | None = None
    lowering_follows: bool = False
    exporter: tuple[ExporterFinding, ...] = ()

    @property
    def min_size(self) -> int:
        """The least size that was considered."""
        return self.options.min_size

    @property
    def max_size(self) -> int:
        """The largest size that was considered."""
        return self.options.max_size

    @property
    def judgements(self) -> tuple[CheckedObligation, ...]:
        """All judgements of all functions."""
        return tuple(judgement for function in self.functions for judgement in function.judgements)

    def count(self, kind: type[Proved] | type[Refuted] | type[Undecided] | type[Unreachable]) -> int:
        """How many obligations got this verdict."""
        return sum(isinstance(judgement.verdict, kind) for judgement in self.judgements)

    @property
    def exit_code(self) -> int:
        """As `verdict_code`, but 3 as well where an operation that may fail is not checked."""
        return self.verdict_code or (3 if any(each.unchecked for each in self.functions) else 0)

    @property
    def fails_for_all(self) -> bool:
        """Whether some function fails in every call that is admitted, or returns an error."""
        return any(each.fails_for_all is not None or each.errors for each in self.functions)

    @property
    def fails_outside(self) -> tuple[ExporterFinding, ...]:
        """What the exporter took for granted of the sizes, where the model fails otherwise."""
        return tuple(each for each in self.exporter if each.outside is Outside.FAILS)

    @property
    def verdict_code(self) -> int:
        """The exit code that the verdicts call for.

        0: everything proved or unreachable; 1: something refuted, or a result that is always an error; 3: nothing
        refuted, something undecided.
        """
        if self.count(Refuted) or self.fails_outside or any(each.errors for each in self.functions):
            return 1
        return 3 if self.count(Undecided) else 0


@value_record
class Failure:
    """A file that could not be checked. ``text`` is all of it, ready to print; the rest are its parts.

    ``lowering_of``: the report of the model itself, where only its lowering could not be checked.
    """

    file: str
    text: str
    where: str
    message: str
    excerpt: str
    lowering_of: Report | None = None
