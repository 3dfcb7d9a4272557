"""One rendered report on the command line, as text and numbers alone, so that another process may print it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shapesolve.commands.arguments import ALWAYS
from shapesolve.diagnosis.diagnosis import GROUPS, Diagnosis, Request, diagnose
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
    """Diagnose a report and render it; its text only where it is ``printed``."""
    if isinstance(checked, Failure):
        found, code, level, text, certificates = checked, FAILED, "", checked.text + "\n", None
    else:
        found = diagnose(checked, _request(arguments, printed=printed))
        code, level = _code(checked, arguments.fail_on), checked.program.level
        text = _printed(found, arguments) if printed else ""
        certificates = tuple(each for function in checked.functions for each in function.certificates)
    document, part = None, None
    if arguments.json is not None:
        from shapesolve.reporting.json_report import file_object

        document = file_object(found)
    if arguments.sarif is not None:
        from shapesolve.reporting.sarif import sarif_part

        part = sarif_part(found)
    return Reported(code, text, isinstance(checked, Failure), level, document, part, certificates)


def _request(arguments: argparse.Namespace, *, printed: bool) -> Request:
    """Return the parts of a diagnosis that the wanted reports show."""
    request = GROUPS
    if printed:
        from shapesolve.reporting.terminal import text_request

        request |= text_request(verbose=arguments.verbose, quiet=arguments.quiet)
    if arguments.json is not None:
        from shapesolve.reporting import json_report

        request |= json_report.REQUEST
    if arguments.sarif is not None:
        from shapesolve.reporting import sarif

        request |= sarif.REQUEST
    return request


def _code(report: Report, fail_on: str) -> int:
    """Return the exit code of a report: 1 for a failure that is possible or, if so asked, for a guaranteed one only."""
    if fail_on == ALWAYS:
        return 1 if report.fails_for_all else 0
    return report.exit_code


def _printed(diagnosis: Diagnosis, arguments: argparse.Namespace) -> str:
    from shapesolve.reporting.terminal import print_report
    from shapesolve.wording.page import KeptText, Page

    kept = KeptText(sys.stdout)
    print_report(diagnosis, Page(kept, color=arguments.color), verbose=arguments.verbose, quiet=arguments.quiet)
    return kept.getvalue()
