"""Read, walk, prove, confirm: one file to one Report. The whole journey on one screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace

from shapesolve.certifying.files import Certificate, certificates
from shapesolve.collecting import collector_paused
from shapesolve.doors.opening import open_program
from shapesolve.errors import InputError
from shapesolve.judging.confirming import confirmed
from shapesolve.judging.judgement import Judgement
from shapesolve.judging.preemption import left_open
from shapesolve.judging.report import FunctionReport, Report
from shapesolve.language.formulas import implies
from shapesolve.language.recording import Record, recording
from shapesolve.libraries.layering import library_notes, rulebook_for
from shapesolve.measuring import stage
from shapesolve.options import Options
from shapesolve.proving.prover import Prover
from shapesolve.proving.solver import Solver
from shapesolve.proving.verdicts import Proved, Unreachable, Verdict
from shapesolve.proving.z3_solver import Z3Solver
from shapesolve.reading.program import Function, Program
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.entry import entry_points
from shapesolve.walking.inputs import limited, make_inputs, shape_names
from shapesolve.walking.obligations import Enter, Fact, Kind, Leave, Obligation, Presumption, Question, Stop, Trace
from shapesolve.walking.walk import walk

Progress = Callable[[str, int, int], None]
"""Told what is being judged: the function, how many obligations are done, and how many there are."""


def check_file(path: str, options: Options, progress: Progress | None = None) -> Report:
    """Check every entry point of a file (``-``: standard input). Raises InputError for what cannot be read."""
    with collector_paused():
        return check_program(open_program(path, options), options, progress)


def check_program(program: Program, options: Options, progress: Progress | None = None) -> Report:
    """Check every entry point of a program."""
    program = replace(program, notes=program.notes + library_notes(program, options))
    functions = [check_function(program, each, options, progress) for each in chosen(program, options.functions)]
    return Report(program, tuple(functions), options.min_size, options.max_size)


def check_function(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> FunctionReport:
    """Check one function."""
    with recording() if options.certify else nullcontext() as record:
        trace = trace_of(program, function, options)
    solver = solver_of(options)
    prover = prover_of(trace, solver, options)
    contradiction = assume_inputs(prover, trace)
    apart = None
    if any(not obligation.is_barrier for obligation in trace.obligations):
        apart = prover_of(trace, solver, options)
        assume_inputs(apart, trace)
    judgements = left_open(trace, tuple(judge(prover, trace, progress, apart)))
    if options.execute:
        judgements = confirmed(program, trace, judgements, options.deadline)
    proved = [each.obligation for each in judgements if isinstance(each.verdict, Proved)]
    certified = () if record is None else _certified(trace, record, proved)
    return FunctionReport(trace, judgements, contradiction, certified, solver.timed_out)


@stage("certify")
def _certified(trace: Trace, record: Record, proved: Iterable[Obligation]) -> tuple[Certificate, ...]:
    return tuple(certificates(trace, record, proved))


def trace_of(program: Program, function: Function, options: Options, doubts: Doubts = NO_DOUBTS) -> Trace:
    """Walk one function under the options' assumptions. ``doubts`` are operations that may be undefined."""
    rules = rulebook_for(program, options)
    max_size, leans_on = limited(program, options.max_size, rules)
    inputs = make_inputs(
        function,
        assumptions=options.assumptions,
        names=shape_names(function, options.shapes),
        min_size=options.min_size,
        max_size=max_size,
        leans_on=leans_on,
        distrust=options.distrust,
    )
    return walk(program, inputs, rules, doubts, options.deadline)


def solver_of(options: Options) -> Z3Solver:
    """A solver for one function."""
    return Z3Solver(seed=options.seed, dump_directory=options.dump_directory, deadline=options.deadline)


def prover_of(trace: Trace, solver: Solver, options: Options) -> Prover:
    """A prover that knows what was not modelled in a trace."""
    approximated = {each: f"{a.op}: {a.reason}" for a in trace.approximations for each in a.free}
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
    for event in trace.events[: trace.assumed]:
        assert isinstance(event, Fact)
        prover.assume(event)
    verdict = prover.reachable()
    return verdict.facts if isinstance(verdict, Unreachable) else ()


def judge(
    prover: Prover, trace: Trace, progress: Progress | None = None, apart: Prover | None = None
) -> Iterable[Judgement]:
    """Judge the obligations of a trace in program order.

    A raised claim is a fact for what follows it, so that one mistake is reported once. An assertion that is no barrier
    is a fact for other checks only, which may stop the program just as well, and for what waits for it: for the rest
    there is ``apart``, a prover that is not told of such assertions.
    """
    total = len(trace.obligations)
    provers = (prover,) if apart is None else (prover, apart)
    done = 0
    for event in trace.events[trace.assumed :]:
        if isinstance(event, Obligation):
            yield Judgement(event, _verdict(event, prover, apart))
            done += 1
            if progress is not None:
                progress(trace.function.name, done, total)
        for each in provers:
            if isinstance(event, Obligation):
                _tell_raised(each, event, knows_all=each is prover)
            else:
                tell(each, event)


def _verdict(obligation: Obligation, prover: Prover, apart: Prover | None) -> Verdict:
    if apart is None or obligation.kind is Kind.CHECK:
        return prover.judge(obligation.claim, name=obligation.identity, line=obligation.location.line)
    claim = implies(obligation.given, obligation.claim)
    return apart.judge(claim, name=obligation.identity, line=obligation.location.line)


def _tell_raised(prover: Prover, obligation: Obligation, *, knows_all: bool) -> None:
    fact = obligation.as_fact()
    if knows_all:
        prover.assume(fact)
    elif obligation.is_barrier:
        prover.assume(replace(fact, formula=implies(obligation.given, fact.formula), made_by=None))


def tell(prover: Prover, event: Fact | Enter | Leave | Presumption | Question | Stop) -> None:
    """Tell a prover of an event that raises nothing. Nothing follows from a question, nor from what may stop."""
    match event:
        case Fact():
            prover.assume(event)
        case Enter():
            prover.enter(event.condition, event.approximate)
        case Leave():
            prover.leave(event.runs)
        case Presumption():
            prover.presume(event)
        case Question() | Stop():
            pass


def chosen(program: Program, names: tuple[str, ...]) -> list[Function]:
    """The functions to check: those named, or every entry point."""
    if not names:
        return entry_points(program)
    found: list[Function] = []
    for name in names:
        function = _named(program, name.removeprefix("@"))
        if function is None or function.body is None:
            known = ", ".join(sorted(each for each, f in program.functions.items() if f.body is not None)) or "none"
            raise InputError(f"there is no function `{name}` with a body; there are: {known}", where=program.file)
        found.append(function)
    return found


def _named(program: Program, name: str) -> Function | None:
    """The function of that path, or the only one of that name."""
    if name in program.functions:
        return program.functions[name]
    bearers = [each for each in program.functions.values() if each.operation.attributes.get("sym_name") == name]
    return bearers[0] if len(bearers) == 1 else None
