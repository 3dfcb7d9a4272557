"""Everything that a trace raises, judged, with the accounts that this needs."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.deadline import NEVER
from shapesolve.judging.judgement import Judgement
from shapesolve.judging.loop import JUDGE_ALL, NOT_JUDGED, Judging, Policy, Progress, judged
from shapesolve.judging.preemption import left_open
from shapesolve.judging.provers import assume_inputs, prover_of, solver_of
from shapesolve.options import Options
from shapesolve.proving.detail import Detail
from shapesolve.proving.solver import Solver
from shapesolve.proving.verdicts import Obstacle, Refuted, Undecided, Verdict
from shapesolve.records import record
from shapesolve.walking.barriers import needs_two_accounts
from shapesolve.walking.obligations import Fact, Obligation, Trace


@record
class JudgedTrace:
    """The judgements in program order. ``contradiction``: what is assumed of the inputs excludes all of them.

    ``timed_out``: how many questions a limit of time ended.
    """

    judgements: tuple[Judgement, ...]
    contradiction: tuple[Fact, ...]
    timed_out: int


def judge_trace(trace: Trace, options: Options, progress: Progress | None = None) -> JudgedTrace:
    """Judge all obligations of a trace.

    Under a deadline, sizes are made small only once everything is judged: no time goes into them while claims wait.
    """
    solver = solver_of(options)
    if options.deadline is NEVER:
        judgements, contradiction = _judged(trace, options, JUDGE_ALL, solver, progress)
    else:
        judgements, contradiction = _judged(trace, options, Policy(detail=_which_verdict), solver, progress)
        judgements = _made_small(trace, options, judgements, solver)
    return JudgedTrace(left_open(trace, judgements), contradiction, solver.timed_out)


def _judged(
    trace: Trace, options: Options, policy: Policy, solver: Solver, progress: Progress | None = None
) -> tuple[tuple[Judgement, ...], tuple[Fact, ...]]:
    prover = prover_of(trace, solver, options)
    contradiction = assume_inputs(prover, trace)
    apart = None
    if needs_two_accounts(trace):
        apart = prover_of(trace, solver, options)
        assume_inputs(apart, trace)
    return tuple(judged(trace, Judging(prover, policy, apart), progress)), contradiction


def _which_verdict(_: Obligation) -> Detail:
    return Detail.VERDICT


def _made_small(
    trace: Trace, options: Options, judgements: Sequence[Judgement], solver: Solver
) -> tuple[Judgement, ...]:
    """The judgements with small sizes, as far as the deadline allows: what is not reached is left as it is."""
    failing = frozenset(each.obligation for each in judgements if _has_sizes(each.verdict))
    if not failing or options.deadline.passed:
        return tuple(judgements)
    again, _ = _judged(trace, options, Policy(worth_judging=failing.__contains__), solver)
    return tuple(new if _is_judged(new.verdict) else old for old, new in zip(judgements, again, strict=True))


def _has_sizes(verdict: Verdict) -> bool:
    """Whether sizes belong to a verdict, or may be found for it."""
    is_open = isinstance(verdict, Undecided) and verdict.obstacle is Obstacle.NOTHING_FOUND
    return isinstance(verdict, Refuted) or is_open or (isinstance(verdict, Undecided) and verdict.candidate is not None)


def _is_judged(verdict: Verdict) -> bool:
    """Whether something was found out before the deadline."""
    return verdict is not NOT_JUDGED and not (isinstance(verdict, Undecided) and verdict.obstacle is Obstacle.COMMAND)
