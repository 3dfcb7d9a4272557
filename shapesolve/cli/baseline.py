"""``shapesolve baseline``: the findings of some files, written down as known."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from shapesolve.cli.baseline_file import FORMAT, baseline_text
from shapesolve.cli.check import UNDECIDED, find_files, prepare_findings
from shapesolve.cli.checked_files import reports
from shapesolve.cli.fail_on import FailOn
from shapesolve.cli.file_progress import FileProgress
from shapesolve.cli.output_files import STDOUT, check_target, write
from shapesolve.cli.parsed_options import options_of
from shapesolve.cli.summary_table import Summary
from shapesolve.errors import InputError, plural
from shapesolve.reasons import NO_INPUT
from shapesolve.reports.finding_formats import FileFindings

OPTIONS: dict[str, object] = {
    "json": None,
    "sarif": None,
    "html": None,
    "baseline": None,
    "format": "concise",
    "execute_original": False,
    "cache": False,
    "fail_on": FailOn(),
    "verbose": False,
    "quiet": False,
    "color": "never",
}
"""Options of ``check`` that a baseline does not have."""


def run(arguments: argparse.Namespace) -> int:
    """Check the files and write the baseline.

    Returns 0, or 3 if the assumptions exclude all inputs of a function.
    """
    for name, value in OPTIONS.items():
        setattr(arguments, name, value)
    find_files(arguments)
    options = options_of(arguments)
    prepare_findings(arguments)
    check_target(arguments.output, "-o", inputs=arguments.files, ours=FORMAT.encode(), force=arguments.force)
    summary = Summary()
    progress = FileProgress(summary, len(arguments.files), wanted=True)
    files: list[FileFindings] = []
    failed = False
    with closing(reports(arguments, options, printed=False, tick=progress.update)) as found:
        for number, each in found:
            summary.add(number, each.tally, each.seconds)
            if each.failed:
                failed = True
                with progress.cleared():
                    sys.stderr.write(each.text)
            elif each.findings is not None:
                files.append(each.findings)
            progress.update()
    if failed:
        # A file that is not in the baseline would report all that it has later on.
        raise InputError("not every file could be checked, so no baseline is written")
    write(arguments.output, baseline_text(files, arguments.output), "-o")
    if arguments.output != STDOUT:
        count = sum(one.line.level != "note" for each in files for one in each.findings)
        print(f"{plural(count, 'finding')} of {plural(summary.files, 'file')} written to {arguments.output}")
    without_input = [each.file for each in files if each.admits_no_input]
    for name in without_input:
        print(f"warning: {name}: nothing was checked of some function: {NO_INPUT}", file=sys.stderr)
    return UNDECIDED if without_input else 0
