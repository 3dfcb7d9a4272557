"""One program of a hunt: every pass run on it, compared, and what is wrong made small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shapesolve.deadline import Deadline
from shapesolve.hunting.causes import Cause, Complaint, is_worth_reducing
from shapesolve.hunting.samples import Sample
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.validation.outcome import StepResult
from shapesolve.validation.reduction import reduce_step
from shapesolve.validation.validate import Request, validate_program

PROGRAM_SECONDS = 120.0
"""Time for comparing the outputs of all passes on one program: a safety net, which leaves the rest undecided."""


@record
class Trial:
    """One pass on one program.

    Attributes:
        result: The result.
        reduced: The result on the reduced program, if the pass is at fault and its cause may be new.
    """

    result: StepResult
    reduced: StepResult | None = None


def trials(
    sample: Sample, request: Request, options: Options, causes: Sequence[Cause], *, reduce_seconds: float
) -> Iterator[Trial]:
    """Run every pass on a program, and yield the results.

    Args:
        sample: The program.
        request: The passes.
        options: The options of the comparison.
        causes: The causes that are known.
        reduce_seconds: The time for reducing one program.

    Raises:
        InputError: The program cannot be used.
    """
    limited = replace(options, deadline=Deadline.after(PROGRAM_SECONDS))
    found = validate_program(read_text(sample.text, sample.name), request, limited)
    for result in found.steps:
        reduced = None
        if result.standing.is_finding and is_worth_reducing(causes, Complaint.of(result)):
            reduced = reduce_step(result, replace(request, each_alone=False), options, seconds=reduce_seconds)
        yield Trial(result, reduced)
