"""Everything that a trace raises, judged, with the accounts that this needs."""

from __future__ import annotations

from shapesolve.judging.judgement import Judgement
from shapesolve.judging.loop import JUDGE_ALL, Judging, Progress, judged
from shapesolve.judging.preemption import left_open
from shapesolve.judging.provers import assume_inputs, prover_of, solver_of
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.walking.barriers import needs_two_accounts
from shapesolve.walking.obligations import Fact, Trace


@record
class JudgedTrace:
    """The judgements in program order. ``contradiction``: what is assumed of the inputs excludes all of them.

    ``timed_out``: how many questions a limit of time ended.
    """

    judgements: tuple[Judgement, ...]
    contradiction: tuple[Fact, ...]
    timed_out: int


def judge_trace(trace: Trace, options: Options, progress: Progress | None = None) -> JudgedTrace:
    """Judge all obligations of a trace."""
    solver = solver_of(options)
    prover = prover_of(trace, solver, options)
    contradiction = assume_inputs(prover, trace)
    apart = None
    if needs_two_accounts(trace):
        apart = prover_of(trace, solver, options)
        assume_inputs(apart, trace)
    judgements = left_open(trace, tuple(judged(trace, Judging(prover, JUDGE_ALL, apart), progress)))
    return JudgedTrace(judgements, contradiction, solver.timed_out)
