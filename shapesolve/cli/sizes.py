"""``shapesolve sizes FILE``: the few sizes worth testing at."""

from __future__ import annotations

import argparse
from io import StringIO

from shapesolve import __version__
from shapesolve.cli.accepted_program import exit_code_for, open_accepted
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.progress import ProgressBar, json_text
from shapesolve.deadline import until
from shapesolve.frontends.levels import OWN
from shapesolve.gc_control import collector_paused
from shapesolve.reports.page import Page
from shapesolve.reports.sizes import print_sizes, sizes_document
from shapesolve.test_generation.vectors import sizes_of_program


def run(arguments: argparse.Namespace) -> int:
    """Print the sizes of every function, or write them into a file."""
    with until(arguments.deadline):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    output: str = arguments.output or STDOUT
    if output != STDOUT:
        check_target(output, "-o", inputs=(arguments.file,), force=arguments.force)
    with ProgressBar() as progress, collector_paused():
        opened = open_accepted(arguments.file, options, OWN)
        report = sizes_of_program(opened.program, opened.options, progress)
        code = exit_code_for(opened.program, report.exit_code)
    if arguments.json:
        text = json_text(sizes_document(report, __version__), arguments.json_version) + "\n"
    elif arguments.pytest:
        from shapesolve.cli.pytest_file import pytest_text

        text = pytest_text(report)
    elif output == STDOUT:
        import sys

        print_sizes(report, Page(sys.stdout, color=arguments.color), verbose=arguments.verbose)
        return code
    else:
        stream = StringIO()
        print_sizes(report, Page(stream, color="never"), verbose=arguments.verbose)
        text = stream.getvalue()
    write(output, text, "-o")
    return code
