"""One rendered report on the command line, as text and numbers alone, so that another process may print it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shapesolve.commands.fail_on import FailOn
from shapesolve.judging.report import Failure, Report
from shapesolve.records import value_record

if TYPE_CHECKING:
    from shapesolve.certifying.files import Certificate
    from shapesolve.diagnosis.diagnosis import Diagnosis, Request
    from shapesolve.reporting.sarif import Part

FAILED = 2


@value_record
class Reported:
    """``text`` is to be printed, of a file that could not be checked on standard error; the rest is for files.

    ``level`` is that of a model; ``certificates`` are None where nothing was checked.
    ``continues``: the text goes on with that of the report before. ``failing_call``: an expression of Python that calls
    the model so that it raises, and how.
    """

    code: int
    text: str
    failed: bool
    level: str
    object: Mapping[str, object] | None
    sarif: Part | None
    certificates: tuple[Certificate, ...] | None
    continues: bool = False
    failing_call: tuple[str, str] | None = None


def reported(checked: Report | Failure, arguments: argparse.Namespace, *, printed: bool) -> Reported:
    """Diagnose a report and render it; its text only where it is ``printed``."""
    code, failed = _code(checked, arguments.fail_on), isinstance(checked, Failure) and checked.lowering_of is None
    if isinstance(checked, Failure):
        found, level, certificates = checked, "", None
    else:
        from shapesolve.diagnosis.diagnosis import diagnose

        found = diagnose(checked, _request(arguments, printed=printed))
        level = checked.program.level
        certificates = tuple(each for function in checked.functions for each in function.certificates)
    document, part = None, None
    if arguments.json is not None:
        from shapesolve.reporting.json_report import file_object

        document = file_object(found)
    if arguments.sarif is not None:
        from shapesolve.reporting.sarif import sarif_part

        part = sarif_part(found)
    text = _printed(found, checked.lowering_of, arguments) if printed or failed else ""
    return Reported(
        code, text, failed, level, document, part, certificates, checked.lowering_of is not None, _failing_call(checked)
    )


def _failing_call(checked: Report | Failure) -> tuple[str, str] | None:
    if isinstance(checked, Failure):
        return None
    return next(((each.reproducer, each.original) for each in checked.judgements if each.reproducer), None)


def _request(arguments: argparse.Namespace, *, printed: bool) -> Request:
    """Return the parts of a diagnosis that the wanted reports show."""
    from shapesolve.diagnosis.diagnosis import GROUPS

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


def _code(checked: Report | Failure, fail_on: FailOn) -> int:
    """Return the exit code of a report under --fail-on."""
    counts = fail_on.model if checked.lowering_of is None else fail_on.lowering
    if isinstance(checked, Failure):
        return FAILED if counts or checked.lowering_of is None else 0
    if not counts:
        return 0
    if fail_on.always:
        return 1 if checked.fails_for_all else 0
    return checked.exit_code


def _printed(found: Diagnosis | Failure, model: Report | None, arguments: argparse.Namespace) -> str:
    if model is None and isinstance(found, Failure):
        return found.text + "\n"
    from shapesolve.wording.page import KeptText, Page

    kept = KeptText(sys.stdout)
    page = Page(kept, color=arguments.color)
    if model is not None:
        from shapesolve.diagnosis.diagnosis import GROUPS, diagnose
        from shapesolve.reporting.lowering_text import print_with_lowering

        own = diagnose(model, GROUPS)
        print_with_lowering(own, found, page, verbose=arguments.verbose, quiet=arguments.quiet)
    elif not isinstance(found, Failure):
        from shapesolve.reporting.terminal import print_report

        print_report(found, page, verbose=arguments.verbose, quiet=arguments.quiet)
    return kept.getvalue()
