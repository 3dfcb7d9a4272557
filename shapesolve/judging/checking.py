"""One function, checked: walked, judged, and what was found executed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from shapesolve.executing.at_once import Work, finished
from shapesolve.judging.confirming import confirming
from shapesolve.judging.judgement import Judgement
from shapesolve.judging.loop import Progress
from shapesolve.judging.report import FunctionReport
from shapesolve.judging.returned_errors import returned_errors
from shapesolve.judging.traces import trace_of
from shapesolve.judging.whole_trace import judge_trace
from shapesolve.language.recording import Record, recording
from shapesolve.measuring import stage
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved
from shapesolve.reading.program import Function, Program
from shapesolve.walking.obligations import Trace

if TYPE_CHECKING:
    from shapesolve.certifying.files import Certificate


def check_function(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> FunctionReport:
    """Check one function."""
    return finished(checking(program, function, options, progress))


def checking(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> Work[FunctionReport]:
    """The check of one function, which waits for executions when everything is judged."""
    with recording() if options.certify else nullcontext() as record:
        trace = trace_of(program, function, options)
    found = judge_trace(trace, options, progress)
    judgements = found.judgements
    if options.execute:
        ahead = options.jobs > 1
        judgements = yield from confirming(program, trace, judgements, options.deadline, ahead=ahead)
    certified = () if record is None else _certified(trace, record, judgements)
    errors = () if found.contradiction else returned_errors(trace)
    return FunctionReport(
        *(trace, judgements, found.contradiction, certified, found.timed_out), deadline=options.deadline, errors=errors
    )


@stage("certify")
def _certified(trace: Trace, record: Record, judgements: Iterable[Judgement]) -> tuple[Certificate, ...]:
    from shapesolve.certifying.files import certificates

    proved = [(each.obligation, each.verdict.facts) for each in judgements if isinstance(each.verdict, Proved)]
    return tuple(certificates(trace, record, proved))
