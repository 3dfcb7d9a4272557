"""The provers of one function: what they start with, and how a trace is told to them."""

from __future__ import annotations

from shapesolve.measuring import stage
from shapesolve.options import Options
from shapesolve.proving.prover import Prover
from shapesolve.proving.solver import Solver
from shapesolve.proving.verdicts import Unreachable
from shapesolve.proving.z3_solver import Z3Solver
from shapesolve.walking.interpreting import Around, Handler, Made, Scope
from shapesolve.walking.obligations import Fact, Presumption, Trace
from shapesolve.walking.reasons import prefixed


def solver_of(options: Options) -> Z3Solver:
    """A solver for one function."""
    return Z3Solver(seed=options.seed, dump_directory=options.dump_directory, deadline=options.deadline)


def prover_of(trace: Trace, solver: Solver, options: Options) -> Prover:
    """A prover that knows what was not modelled in a trace."""
    approximated = {each: prefixed(f"{a.op}: ", a.cause) for a in trace.approximations for each in a.free}
    undefined = frozenset(each for a in trace.approximations if a.is_undefined for each in a.free)
    return Prover(
        solver,
        inputs=trace.input_variables,
        approximated=approximated,
        undefined=undefined,
        budget=options.budget,
        extents=(options.min_size, options.max_size),
        deadline=options.deadline,
    )


@stage("prove")
def assume_inputs(prover: Prover, trace: Trace) -> tuple[Fact, ...]:
    """Assume what holds of the inputs; the facts that contradict each other, if they do."""
    for fact in trace.assumptions:
        prover.assume(fact)
    verdict = prover.reachable()
    return verdict.facts if isinstance(verdict, Unreachable) else ()


class Telling(Handler[Made]):
    """Tells provers what raises nothing. Nothing follows from a question, nor from what may stop."""

    def __init__(self, *provers: Prover) -> None:
        self.provers = provers

    def fact(self, fact: Fact, around: Around) -> Made | None:
        for each in self.provers:
            each.assume(fact)

    def presumption(self, presumption: Presumption, around: Around) -> Made | None:
        for each in self.provers:
            each.presume(presumption)

    def enter(self, scope: Scope, around: Around) -> Made | None:
        for each in self.provers:
            each.enter(scope.enter.condition, scope.enter.approximate)

    def leave(self, scope: Scope, around: Around) -> Made | None:
        for each in self.provers:
            each.leave(scope.leave.runs)
