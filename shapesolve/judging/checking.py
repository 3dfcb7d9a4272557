"""One function, checked: walked, judged, and what was found executed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext

from shapesolve.certifying.files import Certificate, certificates
from shapesolve.judging.confirming import confirmed
from shapesolve.judging.loop import Progress
from shapesolve.judging.report import FunctionReport
from shapesolve.judging.traces import trace_of
from shapesolve.judging.whole_trace import judge_trace
from shapesolve.language.recording import Record, recording
from shapesolve.measuring import stage
from shapesolve.options import Options
from shapesolve.proving.verdicts import Proved
from shapesolve.reading.program import Function, Program
from shapesolve.walking.obligations import Obligation, Trace


def check_function(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> FunctionReport:
    """Check one function."""
    with recording() if options.certify else nullcontext() as record:
        trace = trace_of(program, function, options)
    found = judge_trace(trace, options, progress)
    judgements = found.judgements
    if options.execute:
        judgements = confirmed(program, trace, judgements, options.deadline)
    proved = [each.obligation for each in judgements if isinstance(each.verdict, Proved)]
    certified = () if record is None else _certified(trace, record, proved)
    return FunctionReport(trace, judgements, found.contradiction, certified, found.timed_out)


@stage("certify")
def _certified(trace: Trace, record: Record, proved: Iterable[Obligation]) -> tuple[Certificate, ...]:
    return tuple(certificates(trace, record, proved))
