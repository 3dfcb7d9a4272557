"""Check of one function: interpretation, verdicts in program order, confirmation by execution.

A call of a function that calls itself and states a contract is not inlined: it is checked against the contract. That is
right where the function was proved to keep it, for all arguments that it admits and under no other assumption, whatever
is assumed in the run at hand. Each proof uses that the calls inside keep their contracts, which they do if they end: an
induction over the depth of nested calls. All candidates are proved together; where one fails, the others are proved
without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from shapesolve.certificates.writer import certificates
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.confirmation import confirmation_work
from shapesolve.checker.obligation_checker import (
    CHECK_ALL,
    NOT_CHECKED,
    ObligationChecker,
    Policy,
    Progress,
    assume_inputs,
    check_obligations,
    prover_of,
    solver_of,
)
from shapesolve.checker.preemption import withdraw_preempted
from shapesolve.checker.report import FunctionReport, WrappingOperation
from shapesolve.checker.returned_errors import returned_errors
from shapesolve.checker.rival_claims import rival_claims
from shapesolve.checker.wrapping import WrappingCheck, check_wrapping
from shapesolve.deadline import NEVER
from shapesolve.execution.runner import Work, run_to_completion
from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import limited, make_inputs, other_widths
from shapesolve.interpreter.named_extents import shape_names
from shapesolve.interpreter.operation_effects import KeptEffects
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.program import Function, Location, Program
from shapesolve.options import Options
from shapesolve.preconditions.stated_contracts import KeptContract, declared
from shapesolve.records import record
from shapesolve.shape_functions.registries import registry_for
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.solver.verdicts import Detail, Proved, Refuted, Solver, Undecided, UndecidedReason, Unreachable, Verdict
from shapesolve.statistics import stage
from shapesolve.symbolic.derivations import Record, recording
from shapesolve.trace.assumed_overflow import memory_words, modeling_assumptions
from shapesolve.trace.events import Fact, Obligation, Trace, has_facts_for_checks_only
from shapesolve.trace.trust import ModelingAssumption

if TYPE_CHECKING:
    from shapesolve.certificates.writer import Certificate


def trace_of(
    program: Program,
    function: Function,
    options: Options,
    undefined_ops: UndefinedOps = NO_UNDEFINED_OPS,
    *,
    required_only: bool = False,
    kept: KeptEffects | None = None,
    wrapping: frozenset[tuple[str, Location]] = frozenset(),
) -> Trace:
    """Interpret one function under the options' assumptions.

    Args:
        undefined_ops: Operations that may be undefined.
        required_only: Assume only what the function requires, of what it states about its arguments.
        kept: The effects of operations in the last interpretation of the function under the same options.
        wrapping: The operations, by name and location, whose 64-bit arithmetic wraps.
    """
    rules = registry_for(program, options)
    max_size, modeling = limited(program, options.max_size, rules)
    inputs = make_inputs(
        function,
        proved=kept_contracts(program, options),
        assumptions=options.assumptions,
        names=shape_names(function, options.shapes),
        min_size=options.min_size,
        max_size=max_size,
        max_bytes=options.max_bytes,
        separate_names=options.separate_names,
        modeling=(*modeling, *other_widths(program)),
        distrust=options.distrust,
        required_only=required_only,
        asserted=program.asserted.get(function),
    )
    inputs = replace(inputs, wrapping=wrapping)
    return interpret(program, inputs, rules, undefined_ops, options.deadline, kept)


def kept_contracts(program: Program, options: Options) -> Mapping[Function, KeptContract]:
    """Return the functions that are proved to keep their contracts, with the assumptions of each proof."""
    if not declared(program).inductive_contracts():
        return {}
    bare = replace(options, assumptions=(), shapes=(), functions=(), min_size=0, max_size=MAX_SIZE, check_wraps=False)
    return _kept(program, replace(bare, certify=False, dump_directory=None))


@program_analysis
def _kept(program: Program, options: Options) -> Mapping[Function, KeptContract]:
    kept = {each.function: KeptContract() for each in declared(program).inductive_contracts()}
    while True:
        found = {each: _proved(program, each, options, kept) for each in kept}
        if None not in found.values():
            modeling = dict.fromkeys(words for each in found.values() for words in each or ())
            return dict.fromkeys(kept, KeptContract(tuple(modeling)))
        kept = {each: KeptContract() for each, modeling in found.items() if modeling is not None}


def _proved(
    program: Program, function: Function, options: Options, kept: Mapping[Function, KeptContract]
) -> tuple[ModelingAssumption, ...] | None:
    """Return the modeling assumptions of a proof that a function keeps its contract; None without a proof.

    The proof shows that nothing fails in the function and that it ensures what it states.
    """
    rules = registry_for(program, options)
    max_size, reasons = limited(program, options.max_size, rules)
    inputs = make_inputs(
        function, max_size=max_size, modeling=reasons, distrust=options.distrust, required_only=True, proved=kept
    )
    trace = interpret(program, inputs, rules, deadline=options.deadline)
    if any(not each.requirements_known for each in trace.approximations):
        return None
    found = check_trace(trace, options)
    is_proved = all(isinstance(each.verdict, Proved | Unreachable) for each in found.checked_obligations)
    if not is_proved or found.contradiction:
        return None
    find_overflow_proofs(trace)
    return (*modeling_assumptions(trace), *filter(None, [memory_words(trace)]))


def check_function(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> FunctionReport:
    """Check one function."""
    return run_to_completion(check_work(program, function, options, progress))


def check_work(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> Work[FunctionReport]:
    """Check one function as work that waits for executions once every obligation has a verdict."""
    with recording() if options.certify or options.keep_derivations else nullcontext() as record:
        trace = trace_of(program, function, options)
    found = check_trace(trace, options, progress)
    checked_obligations, wrapping = found.checked_obligations, tuple[WrappingOperation, ...]()
    if options.check_wraps and not found.contradiction:
        wrapped = _wrapped(program, function, options, trace, checked_obligations)
        if wrapped is not None:
            trace, checked_obligations, wrapping = wrapped.trace, wrapped.checked_obligations, wrapped.operations
    if options.execute:
        ahead = options.jobs > 1
        checked_obligations = yield from confirmation_work(
            program, trace, checked_obligations, options.deadline, ahead=ahead
        )
    certified = _certified(trace, record, checked_obligations) if record is not None and options.certify else ()
    errors = () if found.contradiction else returned_errors(trace)
    return FunctionReport(
        *(trace, checked_obligations, found.contradiction, certified, found.timed_out),
        deadline=options.deadline,
        errors=errors,
        derivations=record if options.keep_derivations else None,
        wrapping=wrapping,
    )


def _wrapped(
    program: Program,
    function: Function,
    options: Options,
    trace: Trace,
    checked_obligations: tuple[CheckedObligation, ...],
) -> WrappingCheck | None:
    def interpret_wrapping(wrapping: frozenset[tuple[str, Location]]) -> Trace:
        return trace_of(program, function, options, wrapping=wrapping)

    def decide(found: Trace) -> tuple[CheckedObligation, ...]:
        return check_trace(found, options).checked_obligations

    return check_wrapping(trace, checked_obligations, options, interpret_wrapping, decide)


@stage("certify")
def _certified(
    trace: Trace, record: Record, checked_obligations: Iterable[CheckedObligation]
) -> tuple[Certificate, ...]:
    proved = [(each.obligation, each.verdict.facts) for each in checked_obligations if isinstance(each.verdict, Proved)]
    return tuple(certificates(trace, record, proved))


@record
class TraceVerdicts:
    """The checked obligations of a trace, in program order.

    Attributes:
        checked_obligations: Each obligation with its verdict.
        contradiction: Assumptions on the inputs that exclude all of them; empty if they are satisfiable.
        timed_out: How many queries a time limit ended.
    """

    checked_obligations: tuple[CheckedObligation, ...]
    contradiction: tuple[Fact, ...]
    timed_out: int


def check_trace(trace: Trace, options: Options, progress: Progress | None = None) -> TraceVerdicts:
    """Decide all obligations of a trace.

    Under a deadline, counterexamples are shrunk only once every obligation has a verdict: evidence does not take time
    from claims.
    """
    solver = solver_of(options)
    if options.deadline is NEVER:
        checked_obligations, contradiction = _check_all(trace, options, CHECK_ALL, solver, progress)
    else:
        checked_obligations, contradiction = _check_all(trace, options, Policy(detail=_which_verdict), solver, progress)
        checked_obligations = _shrunk(trace, options, checked_obligations, solver)
    return TraceVerdicts(withdraw_preempted(trace, checked_obligations), contradiction, solver.timed_out)


def _check_all(
    trace: Trace, options: Options, policy: Policy, solver: Solver, progress: Progress | None = None
) -> tuple[tuple[CheckedObligation, ...], tuple[Fact, ...]]:
    prover = prover_of(trace, solver, options)
    contradiction = assume_inputs(prover, trace)
    apart = None
    if has_facts_for_checks_only(trace):
        apart = prover_of(trace, solver, options)
        assume_inputs(apart, trace)
    checker = ObligationChecker(prover, policy, apart)
    checker.rivals = rival_claims(trace)
    return tuple(check_obligations(trace, checker, progress)), contradiction


def _which_verdict(_: Obligation) -> Detail:
    return Detail.VERDICT


def _shrunk(
    trace: Trace, options: Options, checked_obligations: Sequence[CheckedObligation], solver: Solver
) -> tuple[CheckedObligation, ...]:
    """Return the obligations with shrunk counterexamples; those not reached before the deadline are unchanged."""
    failing = frozenset(each.obligation for each in checked_obligations if _has_sizes(each.verdict))
    if not failing or options.deadline.passed:
        return tuple(checked_obligations)
    again, _ = _check_all(trace, options, Policy(should_check=failing.__contains__), solver)
    return tuple(new if _is_decided(new.verdict) else old for old, new in zip(checked_obligations, again, strict=True))


def _has_sizes(verdict: Verdict) -> bool:
    """Return whether a verdict has failing sizes, or may get some by a search."""
    is_open = isinstance(verdict, Undecided) and verdict.reason_kind is UndecidedReason.NOTHING_FOUND
    return isinstance(verdict, Refuted) or is_open or (isinstance(verdict, Undecided) and verdict.candidate is not None)


def _is_decided(verdict: Verdict) -> bool:
    """Return whether a verdict was reached before the deadline."""
    return verdict is not NOT_CHECKED and not (
        isinstance(verdict, Undecided) and verdict.reason_kind is UndecidedReason.COMMAND
    )
