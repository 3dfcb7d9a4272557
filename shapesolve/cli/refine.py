"""``shapesolve refine``: the proof that one program may replace another, for all sizes."""

from __future__ import annotations

import argparse

from shapesolve.cli.check import UNDECIDED, combined_exit_code
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.errors import InputError
from shapesolve.gc_control import collector_paused


def run(arguments: argparse.Namespace) -> int:
    """Compare two programs, print the result and return the exit code, which means the same as that of ``check``."""
    from shapesolve.frontends.open import open_program
    from shapesolve.refinement.refine import refine_programs

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
    code = combined_exit_code([each.exit_code for each in found]) if found else UNDECIDED
    if arguments.json:
        from shapesolve.reports.refinement import refine_document

        print(json_text(refine_document(found, code), arguments.json_version))
        return code
    from shapesolve.reports.page import Page
    from shapesolve.reports.refinement import print_refinements

    print_refinements(found, Page(color=arguments.color), verbose=arguments.verbose, names_files=True)
    return code
