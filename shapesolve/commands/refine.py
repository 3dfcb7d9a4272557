"""``shapesolve refine``: whether one program does what another does, for all sizes."""

from __future__ import annotations

import argparse

from shapesolve.collecting import collector_paused
from shapesolve.commands.arguments import options_of
from shapesolve.commands.check import worst
from shapesolve.commands.progress import ProgressBar
from shapesolve.commands.statistics import json_text
from shapesolve.errors import InputError


def run(arguments: argparse.Namespace) -> int:
    """Compare two programs and report; the exit code is that of ``check``."""
    from shapesolve.doors.opening import open_program
    from shapesolve.refining.refinement import refine_programs

    if arguments.source == arguments.target == "-":
        raise InputError("standard input can be read once only", where="-")
    options = options_of(arguments)
    with ProgressBar(wanted=not arguments.json) as progress, collector_paused():
        found = refine_programs(
            open_program(arguments.source, options),
            open_program(arguments.target, options),
            options,
            allow_lost_checks=arguments.allow_lost_checks,
            progress=progress,
        )
    code = worst([each.exit_code for each in found])
    if arguments.json:
        from shapesolve.reporting.refinement_report import refine_document

        print(json_text(refine_document(found, code)))
        return code
    from shapesolve.reporting.refinement_report import print_refinements
    from shapesolve.wording.page import Page

    print_refinements(found, Page(color=arguments.color), verbose=arguments.verbose)
    return code
