"""The report: the results of a check as data. Nothing here prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING
from warnings import warn

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.exporter_findings import ExporterFinding, Outside
from shapesolve.deadline import NEVER, Deadline
from shapesolve.errors import RefutedError
from shapesolve.ir.program import Location, Operation, Program
from shapesolve.options import Options
from shapesolve.printable import PrintablePage
from shapesolve.records import record, value_record
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason, Unreachable, Verdict
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Approximation, Fact, MayNotReturn, Obligation, Trace
from shapesolve.trace.visitor import Around, Handler, handled_events

if TYPE_CHECKING:
    from shapesolve.certificates.writer import Certificate
    from shapesolve.symbolic.derivations import Record


class _Unconditional(Handler[Obligation]):
    """Finds the claims that no condition guards, in callees too, before anything else may end the program."""

    def __init__(self) -> None:
        self._stopped = False

    @property
    def done(self) -> bool:
        return self._stopped

    def may_not_return(self, stop: MayNotReturn, around: Around) -> None:
        self._stopped = True

    def obligation(self, obligation: Obligation, around: Around) -> Obligation | None:
        return obligation if all(scope.always_runs for scope in around) else None


def claims_of_every_call(trace: Trace) -> Iterator[Obligation]:
    """Yield the claims that every admitted call reaches unless it fails before, in program order.

    No condition decides whether the operation runs, and nothing before it may end the program for unknown sizes.
    """
    return handled_events(trace, _Unconditional())


def fails_for_all(verdict: Verdict) -> bool:
    """Return whether a claim fails for all sizes that reach it, even if something may fail before for some."""
    if isinstance(verdict, Undecided) and verdict.reason_kind is UndecidedReason.APPROXIMATION:
        return verdict.candidate is not None and verdict.candidate.always
    return isinstance(verdict, Refuted) and verdict.always


def first_certain_failure(trace: Trace, checked_obligations: Iterable[CheckedObligation]) -> CheckedObligation | None:
    """Return the first claim that fails for all sizes that reach it, if every admitted call must reach it."""
    failing = {each.obligation: each for each in checked_obligations if fails_for_all(each.verdict)}
    return next((failing[each] for each in claims_of_every_call(trace) if each in failing), None) if failing else None


@record
class ReturnedError:
    """A result that is always an error.

    Attributes:
        position: The position of the result.
        producer: The operation that always produces the error, if there is one.
        message: The error's text in the program; "" if it has none.
    """

    position: int
    producer: Operation | None = None
    message: str = ""


@record
class PossibleError:
    """A result that is an error for some admitted sizes.

    Attributes:
        position: The position of the result.
        valid: The condition on the inputs under which it is none.
        producer: The operation that produces the error, if there is one.
        message: The texts in the program of the errors that it may be, joined by "; or "; "" if they have none.
    """

    position: int
    valid: Formula
    producer: Operation | None = None
    message: str = ""


@value_record
class WrappingOperation:
    """Operation on index or i64 that is not proved not to wrap.

    Attributes:
        operation: The name of the operation.
        verdict: Refuted, with sizes for which it is the first operation to wrap, or undecided whether there are any.
    """

    operation: str
    location: Location
    verdict: Refuted | Undecided


@record
class FunctionReport:
    """Result of checking one function.

    Attributes:
        trace: Its trace.
        checked_obligations: Its checked obligations in program order.
        contradiction: Assumptions that exclude all inputs; empty if they are satisfiable.
        certificates: Certificates of its proofs, if they were asked for.
        timed_out: How many queries a time limit ended instead of the budget; another run may answer these.
        deadline: When to stop looking for shorter ways to state what is known.
        errors: The results that are errors in every call.
        derivations: The steps that its claims were built by, if they were asked for.
        wrapping: The operations that are not proved not to wrap around, if that was asked for.
    """

    trace: Trace
    checked_obligations: tuple[CheckedObligation, ...]
    contradiction: tuple[Fact, ...] = ()
    certificates: tuple[Certificate, ...] = ()
    timed_out: int = 0
    deadline: Deadline = NEVER
    errors: tuple[ReturnedError, ...] = ()
    derivations: Record | None = None
    wrapping: tuple[WrappingOperation, ...] = ()

    def __repr__(self) -> str:
        counts = Counter(each.verdict.word for each in self.checked_obligations)
        shown = ", ".join(f"{count} {word}" for word, count in counts.items()) or "nothing to check"
        return f"<FunctionReport @{self.name}: {shown}>"

    @property
    def name(self) -> str:
        return self.trace.function.name

    @property
    def assumptions(self) -> tuple[Fact, ...]:
        """The facts assumed of the inputs."""
        return self.trace.assumptions

    @property
    def approximations(self) -> tuple[Approximation, ...]:
        return self.trace.approximations

    @property
    def fails_for_all(self) -> CheckedObligation | None:
        """The first claim that fails for all sizes that reach it, if every admitted call must reach it."""
        return first_certain_failure(self.trace, self.checked_obligations)

    @property
    def unchecked(self) -> tuple[Approximation, ...]:
        """Operations that may fail in unmodeled ways: their requirements are not known."""
        if self.contradiction:
            return ()
        return tuple(each for each in self.trace.approximations if not each.requirements_known)


@record
class Report(PrintablePage):
    """Result of checking one file.

    Attributes:
        program: The checked program.
        functions: A report for each checked function.
        options: The options of the check.
        lowering_of: The report of the model itself, if the program is its lowering.
        has_lowering: Whether the report of a lowering comes after this one.
        exporter: Conditions that the exporter found which do not follow from declared facts.
    """

    program: Program
    functions: tuple[FunctionReport, ...]
    options: Options = field(default_factory=Options)
    lowering_of: Report | None = None
    has_lowering: bool = False
    exporter: tuple[ExporterFinding, ...] = ()

    @property
    def min_size(self) -> int:
        """The smallest size that was considered."""
        return self.options.min_size

    @property
    def max_size(self) -> int:
        """The largest size that was considered."""
        return self.options.max_size

    @property
    def checked_obligations(self) -> tuple[CheckedObligation, ...]:
        """The checked obligations of all functions."""
        return tuple(chain.from_iterable(function.checked_obligations for function in self.functions))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name != "judgements":
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)
            warn("Report.judgements is now Report.checked_obligations", DeprecationWarning, stacklevel=2)
            return self.checked_obligations

    @property
    def refuted(self) -> tuple[CheckedObligation, ...]:
        """The obligations that fail for some sizes, which their verdicts carry."""
        return tuple(each for each in self.checked_obligations if isinstance(each.verdict, Refuted))

    def raise_if_refuted(self) -> None:
        """Raise an error that shows the report if something fails for some sizes.

        Raises:
            RefutedError: Something is refuted, as exit code 1 of the command line says.
        """
        if self.verdict_code == 1:
            raise RefutedError(self.text())

    def count(self, kind: type[Proved] | type[Refuted] | type[Undecided] | type[Unreachable]) -> int:
        """Return how many obligations got this verdict."""
        return sum([isinstance(each.verdict, kind) for each in self.checked_obligations])

    @property
    def exit_code(self) -> int:
        """The `verdict_code`, or 3 if that is 0 and something is not checked.

        That is so if there is no function, for what may fail in unmodeled ways, and where assumptions exclude all
        inputs.
        """
        is_open = not self.functions or self.admits_no_input or any(each.unchecked for each in self.functions)
        return self.verdict_code or (3 if is_open else 0)

    @property
    def admits_no_input(self) -> bool:
        """True if the assumptions exclude all inputs of some function.

        Not so of a model's lowering, where the sizes at which the model is safe are assumed: there may be none.
        """
        return self.lowering_of is None and any(each.contradiction for each in self.functions)

    @property
    def fails_for_all(self) -> bool:
        """True if some function fails, or returns an error, in every admitted call."""
        return any(each.fails_for_all is not None or each.errors for each in self.functions)

    @property
    def fails_outside(self) -> tuple[ExporterFinding, ...]:
        """The exporter's conditions outside of which the model fails."""
        return tuple(each for each in self.exporter if each.outside is Outside.FAILS)

    @property
    def undeclared(self) -> tuple[ExporterFinding, ...]:
        """The conditions on undeclared sizes that a model itself needs."""
        return tuple(each for each in self.exporter if each.outside is Outside.NOT_DECLARED)

    @property
    def wraps_somewhere(self) -> bool:
        """True if an operation wraps around for some sizes; it is only looked for with ``options.check_wraps``."""
        return any(isinstance(each.verdict, Refuted) for function in self.functions for each in function.wrapping)

    @property
    def verdict_code(self) -> int:
        """Exit code of the verdicts alone.

        0: everything is proved or unreachable. 1: something is refuted, or a result is always an error. 3: nothing is
        refuted and something is undecided: an obligation, or the model's behavior where its export is narrower.
        """
        if self.count(Refuted) or self.fails_outside or any(each.errors for each in self.functions):
            return 1
        return 3 if self.count(Undecided) or any(each.is_undecided for each in self.exporter) else 0


@value_record
class Failure:
    """A file that could not be checked.

    Attributes:
        file: The file.
        text: The whole failure, ready to print.
        where, message, excerpt: The parts of the text.
        lowering_of: The report of the model itself, if only its lowering could not be checked.
        no_function: Whether it could be read and has no function.
        position: The line and the column of the failure, 0 if they are not known.
    """

    file: str
    text: str
    where: str
    message: str
    excerpt: str
    lowering_of: Report | None = None
    no_function: bool = False
    position: tuple[int, int] = (0, 0)
