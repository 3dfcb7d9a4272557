"""Read, walk, prove, confirm: one file to one Report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapesolve.collecting import collector_paused
from shapesolve.doors.levels import OWN
from shapesolve.doors.opening import open_program
from shapesolve.executing.at_once import Workers
from shapesolve.executing.runner import standing_by
from shapesolve.judging.asserted_entries import believed_at_entries
from shapesolve.judging.checking import checking
from shapesolve.judging.loop import Progress
from shapesolve.judging.report import Report
from shapesolve.libraries.layering import library_notes
from shapesolve.options import Options
from shapesolve.reading.addressed import check_addressed
from shapesolve.reading.program import Program
from shapesolve.walking.entry import chosen

if TYPE_CHECKING:
    from shapesolve.originals import Run


def check_file(path: str, options: Options, progress: Progress | None = None) -> Report:
    """Check every entry point of a file (``-``: standard input). Raises InputError for what cannot be read."""
    with collector_paused():
        return check_program(open_program(path, options, OWN), options, progress)


def check_program(
    program: Program, options: Options, progress: Progress | None = None, run: Run | None = None
) -> Report:
    """Check every entry point of a program.

    ``run`` runs the model that the program was exported from, None: by way of its file.
    """
    report = _checked(program, options, progress)
    if program.declarations is None or program.level != "torch" or options.distrust:
        return report
    from shapesolve.exporter_guards import settled
    from shapesolve.originals import runner_of

    run = run or runner_of(program, options)
    return settled(report, options, lambda others: _checked(program, others, None), run)


def _checked(program: Program, options: Options, progress: Progress | None) -> Report:
    check_addressed(program, (*options.assumptions, *options.shapes))
    program = believed_at_entries(program, options)
    program = replace(program, notes=program.notes + library_notes(program, options))
    with standing_by(), Workers(options.jobs) as workers:
        entries = chosen(program, options.functions)
        begun = [workers.begin(checking(program, each, options, progress)) for each in entries]
        functions = [workers.finish(each) for each in begun]
    return Report(program, tuple(functions), options)
