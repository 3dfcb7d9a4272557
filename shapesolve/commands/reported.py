"""What one report comes to on the command line, as text and numbers alone, so that another process may say it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shapesolve.commands.arguments import ALWAYS
from shapesolve.judging.report import Failure, Report
from shapesolve.records import value_record

if TYPE_CHECKING:
    from shapesolve.certifying.files import Certificate
    from shapesolve.reporting.sarif import Part

FAILED = 2


@value_record
class Reported:
    """``text`` is to be printed, of a file that could not be checked on standard error; the rest is for files.

    ``level`` is that of a model; ``certificates`` are None where nothing was checked.
    """

    code: int
    text: str
    failed: bool
    level: str
    object: Mapping[str, object] | None
    sarif: Part | None
    certificates: tuple[Certificate, ...] | None


def reported(checked: Report | Failure, arguments: argparse.Namespace, *, printed: bool) -> Reported:
    """What a report comes to; its text only where it is ``printed``."""
    failed = isinstance(checked, Failure)
    code, level, certificates = FAILED, "", None
    if not isinstance(checked, Failure):
        code, level = _code(checked, arguments.fail_on), checked.program.level
        certificates = tuple(each for function in checked.functions for each in function.certificates)
    document, part = None, None
    if arguments.json is not None:
        from shapesolve.reporting.json_report import file_object

        document = file_object(checked)
    if arguments.sarif is not None:
        from shapesolve.reporting.sarif import sarif_part

        part = sarif_part(checked)
    text = checked.text + "\n" if isinstance(checked, Failure) else _printed(checked, arguments) if printed else ""
    return Reported(code, text, failed, level, document, part, certificates)


def _code(report: Report, fail_on: str) -> int:
    """Return the exit code of a report: 1 for a failure that is possible or, if so asked, for a guaranteed one only."""
    if fail_on == ALWAYS:
        return 1 if report.fails_for_all else 0
    return report.exit_code


def _printed(report: Report, arguments: argparse.Namespace) -> str:
    from shapesolve.reporting.terminal import print_report
    from shapesolve.wording.page import KeptText, Page

    kept = KeptText(sys.stdout)
    print_report(report, Page(kept, color=arguments.color), verbose=arguments.verbose, quiet=arguments.quiet)
    return kept.getvalue()
