"""Validation of a pipeline: runs its passes and compares each one's output with its input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.execution.runner import use_fork_server
from shapesolve.ir.program import Function, Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import chosen, is_private, is_unreachable
from shapesolve.records import record
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_functions
from shapesolve.refinement.signatures import SignatureError
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.validation.installed import InstalledPasses
from shapesolve.validation.outcome import Standing, StepResult, Validation
from shapesolve.validation.pass_runs import PassEnding, PassRun, PassRunner
from shapesolve.validation.pipelines import WHERE, PassStep
from shapesolve.validation.tools import ToolPasses

_STANDINGS = {
    PassEnding.FAILED: Standing.FAILED,
    PassEnding.INVALID: Standing.INVALID,
    PassEnding.CRASHED: Standing.CRASHED,
    PassEnding.TIMED_OUT: Standing.TIMED_OUT,
}
WHOLE = "the whole pipeline"


@record
class Request:
    """Request for a validation.

    Attributes:
        runner: Runs the passes.
        steps: The passes.
        end_to_end: Whether to compare only the input with the last output.
        allow_lost_checks: Whether a pass may drop checks.
        tool: The program that runs the passes; None for the installed MLIR.
        each_alone: Whether every pass is given the program itself, not the output of the pass before it.
    """

    runner: PassRunner
    steps: tuple[PassStep, ...]
    end_to_end: bool = False
    allow_lost_checks: bool = False
    tool: str | None = None
    each_alone: bool = False


def runner_for(tool: str | None, pass_seconds: float) -> PassRunner:
    """Return what runs passes: the installed MLIR, or another program.

    Raises:
        InputError: There is no such program.
    """
    return InstalledPasses(pass_seconds) if tool is None else ToolPasses(tool, pass_seconds)


def request_for(
    pipeline: str, *, tool: str | None, pass_seconds: float, end_to_end: bool = False, allow_lost_checks: bool = False
) -> Request:
    """Return the request to run a pipeline by the installed MLIR or by another program.

    Raises:
        InputError: The program cannot be run, or refuses the pipeline.
    """
    runner = runner_for(tool, pass_seconds)
    steps = runner.steps(pipeline)
    if not steps:
        raise InputError("there is no pass in it", where=WHERE, excerpt=pipeline)
    return Request(runner, steps, end_to_end, allow_lost_checks, tool)


def validate_program(program: Program, request: Request, options: Options) -> Validation:
    """Run the passes on a program and compare.

    Raises:
        InputError: The passes cannot be run on the program, or an option does not fit it.
    """
    source = program.executable if program.refused_text is None else program.refused_text
    run = request.runner.run_each if request.each_alone else request.runner.run
    runs = run(source, request.steps)
    with use_fork_server():
        found = _end_to_end if request.end_to_end else _pass_by_pass
        steps = tuple(found(program, source, runs, request, options))
    return Validation(program.file, request.runner.title, steps, request.end_to_end, program.notes)


def _pass_by_pass(
    program: Program, source: str | bytes, runs: Iterator[PassRun], request: Request, options: Options
) -> Iterator[StepResult]:
    before: str | bytes = source
    known: Program | None = program
    last = 0
    for run in runs:
        last = run.step.number
        if run.ending is not PassEnding.RAN:
            yield StepResult(run.step, _STANDINGS[run.ending], before, run.text, reason=run.message)
        elif run.text is None:
            yield StepResult(run.step, Standing.UNCHANGED, before, before)
        else:
            result, target = compare_step(program, known, before, run, request, options)
            yield result
            if not request.each_alone:
                before, known = run.text, target
    for step in request.steps[last:]:
        yield StepResult(step, Standing.NOT_RUN, before)


def _end_to_end(
    program: Program, source: str | bytes, runs: Iterator[PassRun], request: Request, options: Options
) -> Iterator[StepResult]:
    done = list(runs)
    whole = PassStep(len(request.steps), WHOLE, ",".join(each.pipeline for each in request.steps))
    last = done[-1] if done else None
    if last is not None and last.ending is not PassEnding.RAN:
        reason = f"{last.step.name}: {last.message}"
        yield StepResult(whole, _STANDINGS[last.ending], source, last.text, reason=reason)
        return
    text = next((each.text for each in reversed(done) if each.text is not None), None)
    if text is None:
        yield StepResult(whole, Standing.UNCHANGED, source, source)
        return
    run = PassRun(whole, PassEnding.RAN, text)
    yield compare_step(program, program, source, run, request, options)[0]


def compare_step(
    original: Program, source: Program | None, before: str | bytes, run: PassRun, request: Request, options: Options
) -> tuple[StepResult, Program | None]:
    """Return the result of a pass that changed its input, and its output as a program if that can be read.

    Args:
        original: The program before the first pass, which names the arguments.
        source: The program before this pass; None if it could not be read.
        before: Its text.
        options: The options of the comparison.
    """
    assert run.text is not None
    result = StepResult(run.step, Standing.NOT_COMPARED, before, run.text)
    try:
        target = read_step(run.text, f"{original.file} after {run.step.name} (pass {run.step.number})", original)
    except InputError as error:
        return replace(result, reason=f"the output cannot be read: {error.message}"), None
    if source is None:
        return replace(result, reason="the input could not be read"), target
    pairs, gone = _pairs(source, target, options)
    lost = [f"the output has no function @{each.name}" for each in gone if not is_private(each)]
    result = replace(result, reason=lost[0] if lost else "", notes=tuple(f"@{each.name} is gone" for each in gone))
    if not pairs and not gone:
        result = replace(result, reason="no function has a body")
    found: list[Refinement] = []
    differing: list[Function] = []
    for ours, theirs in pairs:
        try:
            found.append(
                refine_functions((source, ours), (target, theirs), options, allow_lost_checks=request.allow_lost_checks)
            )
        except SignatureError as error:
            # nobody can tell what a function does that nobody can call
            if not options.functions and is_unreachable(source, ours) and is_unreachable(target, theirs):
                differing.append(ours)
            else:
                result = replace(result, reason=result.reason or error.message)
    if differing and not found:
        result = replace(result, reason=result.reason or "no function that can be called has a body")
    notes = tuple(f"@{each.name} has another signature; it is never called" for each in differing)
    result = replace(result, notes=(*result.notes, *notes))
    standing = _standing(found, result.reason)
    if differing and standing is Standing.IDENTICAL:
        standing = Standing.PROVED
    return replace(result, standing=standing, refinements=tuple(found)), target


def _pairs(
    source: Program, target: Program, options: Options
) -> tuple[list[tuple[Function, Function]], list[Function]]:
    """Return the functions to compare, and those that the output lacks."""
    pairs: list[tuple[Function, Function]] = []
    gone: list[Function] = []
    for ours in chosen(source, options.functions):
        theirs = target.functions.get(ours.name)
        if theirs is not None and theirs.body is not None:
            pairs.append((ours, theirs))
        else:
            gone.append(ours)
    return pairs, gone


def _standing(found: Sequence[Refinement], reason: str) -> Standing:
    words = {each.word for each in found}
    if VerdictKind.REFUTED in words:
        return Standing.REFUTED
    if reason:
        return Standing.NOT_COMPARED
    if VerdictKind.UNDECIDED in words or VerdictKind.UNREACHABLE in words:
        return Standing.UNDECIDED
    return Standing.IDENTICAL if all(each.identical for each in found) else Standing.PROVED


def read_step(text: str, file: str, original: Program) -> Program:
    """Read the output of a pass. Arguments have the names of the original's, so that assumptions apply.

    Raises:
        InputError: The text is no valid MLIR or has no function.
    """
    program = read_text(text, file)
    for name, function in program.functions.items():
        named = original.functions.get(name)
        if named is not None:
            _name_arguments(function, named)
    return program


def _name_arguments(function: Function, named: Function) -> None:
    """Give the arguments of a function that was just read the names of another's, unless values have them."""
    if len(function.arguments) != len(named.arguments):
        return
    taken = {value.name for op in function.operation.walk() for value in op.results}
    for value, other in zip(function.arguments, named.arguments, strict=True):
        if other.name not in taken:
            # The program was read a moment ago: nothing has been computed from the name yet.
            object.__setattr__(value, "name", other.name)
