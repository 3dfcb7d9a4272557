"""Pipeline of a check: read, interpret, prove and confirm one file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapesolve.checker.check import check_work
from shapesolve.checker.claims_behind_data import with_runs_of_onnx
from shapesolve.checker.entry_assertions import with_entry_assertions
from shapesolve.checker.exporter_findings import findings_at_export, fixed_sizes
from shapesolve.checker.obligation_checker import Progress
from shapesolve.checker.reference_runs import runner_of
from shapesolve.checker.report import Report
from shapesolve.execution.runner import Workers, use_fork_server
from shapesolve.frontends.levels import OWN
from shapesolve.frontends.open import open_program
from shapesolve.gc_control import collector_paused
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import check_addressed, chosen
from shapesolve.shape_functions.registries import library_notes
from shapesolve.solver.overflow_proofs import find_overflow_proofs

if TYPE_CHECKING:
    from shapesolve.checker.reference_runs import Run


def check_file(path: str, options: Options) -> Report:
    """Check every entry point of a file (``-``: standard input).

    Raises:
        InputError: The file cannot be read.
    """
    with collector_paused():
        return check_program(open_program(path, options, OWN), options)


def check_program(
    program: Program, options: Options, progress: Progress | None = None, run: Run | None = None
) -> Report:
    """Check every entry point of a program.

    Args:
        options: How to check.
        progress: Receives how far the check is.
        run: Runs the model that the program was exported from. None loads it from its file in another process, or does
            not run it if ``options.execute`` is false.
    """
    report = _with_exporter_findings(program, options, progress, run)
    for each in report.functions:
        find_overflow_proofs(each.trace)
    return report


def _with_exporter_findings(program: Program, options: Options, progress: Progress | None, run: Run | None) -> Report:
    """Check a program and, if a model was exported to it, what the exporter found and what runs of the model show."""
    report = _checked(program, options, progress)
    if program.declarations is not None and program.declarations.excluded:
        return replace(report, exporter=findings_at_export(program.declarations))
    if program.level != "torch":
        return report
    if program.declarations is None:
        return with_runs_of_onnx(report, options) if options.execute else report
    if options.distrust:
        return report
    from shapesolve.exporter_guards import settled

    if run is None and options.execute:
        run = runner_of(program, options)
    report = settled(report, options, lambda others: _checked(program, others, None), run)
    return replace(report, exporter=(*fixed_sizes(program.declarations), *report.exporter))


def _checked(program: Program, options: Options, progress: Progress | None) -> Report:
    check_addressed(program, (*options.assumptions, *options.shapes))
    program = with_entry_assertions(program, options)
    program = replace(program, notes=program.notes + library_notes(program, options))
    with use_fork_server(), Workers(options.jobs) as workers:
        entries = chosen(program, options.functions)
        begun = [workers.begin(check_work(program, each, options, progress)) for each in entries]
        functions = [workers.finish(each) for each in begun]
    return Report(program, tuple(functions), options)
