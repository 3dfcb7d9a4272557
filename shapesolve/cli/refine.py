"""``shapesolve refine``: the proof that one program may replace another, for all sizes."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial

from shapesolve.cli.check import UNDECIDED, combined_exit_code
from shapesolve.cli.output_files import STDOUT, check_target, write_pieces
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.errors import InputError
from shapesolve.frontends.open import of_any_time, open_program
from shapesolve.gc_control import collector_paused
from shapesolve.refinement.refine import refine_programs
from shapesolve.reports.certificates import SARIF_SCHEMA
from shapesolve.reports.page import Page
from shapesolve.reports.refinement import print_refinements


def run(arguments: argparse.Namespace) -> int:
    """Compare two programs, print the result and return the exit code, which means the same as that of ``check``."""
    if arguments.source == arguments.target == "-":
        raise InputError("standard input can be read once only", where="-")
    if arguments.sarif is not None:
        inputs = (arguments.source, arguments.target)
        check_target(arguments.sarif, "--sarif", inputs=inputs, ours=SARIF_SCHEMA.encode(), force=arguments.force)
        if arguments.sarif == STDOUT and arguments.json:
            raise InputError("standard output takes one of --json and --sarif; give the other a file")
    options = options_of(arguments)
    with ProgressBar(wanted=not arguments.json) as progress, collector_paused():
        source, target = (
            of_any_time(partial(open_program, each, options), options) for each in (arguments.source, arguments.target)
        )
        for note in dict.fromkeys((*source.notes, *target.notes)):
            print(f"note: {note}", file=sys.stderr)
        found = refine_programs(
            source, target, options, allow_lost_checks=arguments.allow_lost_checks, progress=progress
        )
    code = combined_exit_code([each.exit_code for each in found]) if found else UNDECIDED
    if arguments.sarif is not None:
        from shapesolve.reports.refinement_sarif import refinement_part
        from shapesolve.reports.sarif import sarif_log

        log = sarif_log([refinement_part(found)])
        write_pieces(arguments.sarif, [json.dumps(log, indent=2), "\n"], "--sarif")
        if arguments.sarif == STDOUT:
            return code
    if arguments.json:
        from shapesolve.reports.refinement import refine_document

        print(json_text(refine_document(found, code), arguments.json_version))
        return code
    print_refinements(found, Page(color=arguments.color), verbose=arguments.verbose, names_files=True)
    return code
