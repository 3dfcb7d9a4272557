"""An obligation with its verdict and the execution of its counterexample."""

from __future__ import annotations

import enum

from shapesolve.execution.execution import Execution, Outcome
from shapesolve.frontends.model_run import ModelRun
from shapesolve.options import Options
from shapesolve.reasons import DataDependence
from shapesolve.records import record, value_record
from shapesolve.solver.verdicts import Proved, Undecided, Verdict
from shapesolve.trace.events import Kind, Obligation


class Shown(enum.Enum):
    """Result of executing a counterexample, compared with the predicted failure."""

    FAILED_HERE = "the execution failed at this operation"
    ANOTHER_CLAIM = "the execution failed at this operation, perhaps for another of its claims"
    FAILED_LATER = "the execution failed at a later operation with the same claim"
    FAILED_ELSEWHERE = "the execution failed at another operation"
    LOWERING_FAILED = "what an operation was lowered to failed before"
    FAILED_SOMEWHERE = "the execution failed, and where is not known"
    WRONG_SIZE = "the execution returned a result of a size that the types exclude"
    NOTHING = "the execution showed nothing"
    NOT_EXECUTED = "it was not executed"


@value_record
class Confirmation:
    """Evidence from executing a counterexample.

    Attributes:
        shown: The kind of result.
        text: The abort's message, or why nothing can be observed; for people.
        execution: The run that it comes from, if there was one.
        unverified: The run without runtime verification of operations, where that verification stopped ``execution``.
        verified: The run with that verification, where it did not stop a program that ``execution`` ran without it.
        cut_after: Line after which the executed function was cut off; 0 if all of it ran.
        contents: The tensor contents without which it does not fail, as "with %ids all 0"; "" if any others do.
    """

    shown: Shown
    text: str
    execution: Execution | None = None
    unverified: Execution | None = None
    verified: Execution | None = None
    cut_after: int = 0
    contents: str = ""

    @property
    def returned(self) -> bool:
        """Return whether the program came to its end."""
        return self.execution is not None and self.execution.outcome is Outcome.RETURNED

    @property
    def is_stopped_by_verification(self) -> bool:
        """Return whether runtime verification of an operation stopped the program."""
        return self.execution is not None and self.execution.with_runtime_checks

    @property
    def returned_unverified(self) -> bool:
        """Return whether the program came to its end without that verification."""
        return self.unverified is not None and self.unverified.outcome is Outcome.RETURNED

    @property
    def returned_verified(self) -> bool:
        """Return whether the program came to its end with that verification too."""
        return self.verified is not None and self.verified.outcome is Outcome.RETURNED


@record
class CheckedObligation:
    """An obligation with its verdict.

    Attributes:
        obligation: The obligation.
        verdict: The solver's verdict, possibly changed by an execution.
        confirmation: Result of executing the counterexample; None if it was not executed.
        model_run: Run of the model itself by its framework at the same sizes; None if there was none.
        wraps: Operation without whose wrapping around it would not fail at these sizes, with its line; "" if it would.
    """

    obligation: Obligation
    verdict: Verdict
    confirmation: Confirmation | None = None
    model_run: ModelRun | None = None
    wraps: str = ""

    def __repr__(self) -> str:
        obligation = self.obligation
        return f"<CheckedObligation {obligation.location}: {obligation.op.name} [{obligation.code}]: {self.verdict}>"

    @property
    def model_lines(self) -> tuple[str, ...]:
        """Lines of the model that the obligation comes from, its own first and then its callers."""
        origin = self.obligation.op.origin
        if origin is None or not origin.file:
            return ()
        return (f"{origin.file}:{origin.line}", *(f"{file}:{line}" for file, line in origin.callers))

    @property
    def raises_elsewhere(self) -> bool:
        """True if the model raises at another line than those of this claim, so that its run confirms another one."""
        return bool(self.raised_at and self.model_lines) and self.raised_at not in self.model_lines

    @property
    def original(self) -> str:
        """Behavior of the model's own framework at the same sizes, in words; "" if it was not asked."""
        return "" if self.model_run is None else self.model_run.text

    @property
    def reproducer(self) -> str:
        """Python expression that calls the model so that it raises; "" if there is none."""
        return "" if self.model_run is None else self.model_run.call

    @property
    def raised_at(self) -> str:
        """Line of the model that raises at these sizes; "" if none does or it is not known."""
        return "" if self.model_run is None else self.model_run.place

    @property
    def original_returns(self) -> bool:
        """True if the model's own framework returns at these sizes."""
        return self.model_run is not None and self.model_run.returned

    @property
    def original_raises(self) -> bool:
        """True if the model's own framework raises an error at these sizes."""
        return self.model_run is not None and self.model_run.raised

    @property
    def is_about_data(self) -> bool:
        """True if only unknown data decides the claim."""
        reasons = self.verdict.unmodeled if isinstance(self.verdict, Undecided) else ()
        return bool(reasons) and all(isinstance(each, DataDependence) for each in reasons)


def may_become_fact(checked_obligation: CheckedObligation, options: Options) -> bool:
    """Return whether a raised claim is a fact for what follows it."""
    return (
        checked_obligation.obligation.kind is Kind.CHECK
        or isinstance(checked_obligation.verdict, Proved)
        or options.trust_ub
    )
