"""One obligation, its verdict, and what running its counterexample showed."""

from __future__ import annotations

import enum

from shapesolve.execution.execution import Execution
from shapesolve.frontends.export_process import RETURNS
from shapesolve.options import Options
from shapesolve.reasons import DataDependence
from shapesolve.records import record, value_record
from shapesolve.solver.verdicts import Proved, Undecided, Verdict
from shapesolve.trace.events import Kind, Obligation


class Shown(enum.Enum):
    """What an execution showed of a predicted failure."""

    FAILED_HERE = "the execution failed at this operation"
    FAILED_ELSEWHERE = "the execution failed at another operation"
    LOWERING_FAILED = "what an operation was lowered to failed before"
    FAILED_SOMEWHERE = "the execution failed, and where is not known"
    WRONG_SIZE = "the execution returned a result of a size that the types exclude"
    NOTHING = "the execution showed nothing"
    NOT_EXECUTED = "it was not executed"


@value_record
class Confirmation:
    """What was seen. ``text`` is for people: the abort's message, or why nothing can be seen."""

    shown: Shown
    text: str
    execution: Execution | None = None


@record
class CheckedObligation:
    """One obligation with its verdict, and what the execution of its counterexample showed, if it was executed.

    ``original`` says what the framework of the model did at the same sizes, "" where it was not asked.
    ``reproducer`` is an expression of Python that calls the model so that it raises, "" where there is none.
    """

    obligation: Obligation
    verdict: Verdict
    confirmation: Confirmation | None = None
    original: str = ""
    reproducer: str = ""

    @property
    def original_returns(self) -> bool:
        """Whether the framework of the model ran it at these sizes to its end."""
        return self.original.startswith(RETURNS)

    @property
    def is_about_data(self) -> bool:
        """Whether nothing but data, which nobody knows, decides the claim."""
        reasons = self.verdict.not_modelled if isinstance(self.verdict, Undecided) else ()
        return bool(reasons) and all(isinstance(each, DataDependence) for each in reasons)


def may_be_believed(judgement: CheckedObligation, options: Options) -> bool:
    """Return whether a raised claim is a fact for what follows it."""
    return judgement.obligation.kind is Kind.CHECK or isinstance(judgement.verdict, Proved) or options.trust_ub
