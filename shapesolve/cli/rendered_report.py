"""Reports of ``shapesolve check``, rendered as text and plain values that another process can print."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING
from zlib import crc32

from shapesolve.checker.report import Failure, Report
from shapesolve.cli.configuration import settings_of
from shapesolve.cli.fail_on import FailOn
from shapesolve.cli.finding_filter import UNUSED_IGNORE, Filtered, Selection, filtered, has_filter, without_findings
from shapesolve.cli.summary_table import FAILED as FAILED_TALLY
from shapesolve.cli.summary_table import NO_FUNCTION, Tally, tally_of
from shapesolve.errors import plural
from shapesolve.records import value_record
from shapesolve.reports.finding_formats import FileFindings

if TYPE_CHECKING:
    from shapesolve.certificates.writer import Certificate
    from shapesolve.diagnosis.diagnosis import Diagnosis, Request
    from shapesolve.diagnosis.findings import Finding
    from shapesolve.reports.page import Page
    from shapesolve.reports.page_layout import Call
    from shapesolve.reports.sarif import Part

FAILED, UNDECIDED = 2, 3


@value_record
class RenderedReport:
    """Report on one file or level, ready to be written.

    Attributes:
        code: Exit code.
        text: Text to print; on standard error if the file could not be checked.
        layouts: For the cache, the layouts of the texts by `verbosity_of`; empty if it is not kept.
        failed: Whether the file could not be checked.
        level: Level of a model, or an empty text.
        object: Object for the JSON document, if requested.
        sarif: Contribution to the SARIF log, if requested.
        certificates: Certificates of the proofs; None if nothing was checked.
        continues: Whether the text continues that of the report before.
        failing_call: A Python expression that calls the model so that it raises, and the error.
        tally: Outcome and numbers for the summary over several files.
        seconds: Time that the report took.
        findings: The findings in lines, where a format or a baseline asks for them.
        is_reused: Whether it comes from the cache.
        is_reproducible: Whether another run would say the same: no limit of time ended a question.
        html: The title, which sums it up in an index, and the element for the HTML page, if requested.
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
    tally: Tally = FAILED_TALLY
    seconds: float = 0.0
    findings: FileFindings | None = None
    is_reused: bool = False
    is_reproducible: bool = True
    html: tuple[str, str] | None = None
    layouts: Mapping[str, Sequence[Call]] = field(default_factory=dict[str, "Sequence[Call]"])


def rendered_report(checked: Report | Failure, arguments: argparse.Namespace, *, printed: bool) -> RenderedReport:
    """Diagnose a report and render it: what the command line asks for and, for the cache, what another might.

    Its text is rendered only if it is ``printed``, or kept in the cache.
    """
    kept = _is_kept(arguments)
    outside: tuple[Finding, ...] = ()
    if isinstance(checked, Failure) and checked.no_function and checked.file in arguments.searched:
        return RenderedReport(0, "", False, "", None, None, None, tally=NO_FUNCTION)
    failed = isinstance(checked, Failure) and checked.lowering_of is None
    left = None
    if isinstance(checked, Failure):
        found, level, certificates = checked, "", None
        exit_code, for_all = FAILED, True
    else:
        from shapesolve.diagnosis.diagnosis import diagnose

        found = diagnose(checked, _request(checked, arguments, printed=printed))
        exit_code, for_all = checked.exit_code, False
        selection = _selection(checked, arguments)
        if arguments.command != "baseline":  # which holds what counts with any options
            outside = _outside(found, selection, arguments.fail_on)
        if _in_lines(arguments) or has_filter(checked, selection):
            name = arguments.names.get(checked.program.file, "")
            left = filtered(found, name, selection, with_unused=not arguments.function, outside=outside)
            found, exit_code, for_all = left.diagnosis, left.exit_code, left.fails_for_all
        elif outside or arguments.fail_on.always:
            counted = without_findings(checked, outside)
            exit_code, for_all = counted.exit_code, counted.fails_for_all
        level = checked.program.level
        certificates = tuple(each for function in checked.functions for each in function.certificates)
    document, part = None, None
    if arguments.json is not None or kept:
        from shapesolve.reports.check_json import file_object

        document = file_object(found)
        if outside:
            document["exit_code"] = exit_code
    if arguments.sarif is not None or kept:
        from shapesolve.reports.sarif import sarif_part

        part = sarif_part(found, as_notes=outside)
        if left is not None:
            part = _with_selected(part, left)
    html = _html(found, arguments) if arguments.html is not None else None
    layouts = {} if isinstance(found, Failure) or not kept else _layouts(found, _remarks(left, outside))
    text = _printed(found, _remarks(left, outside), checked.lowering_of, arguments) if printed or failed else ""
    return RenderedReport(
        _code(checked, arguments.fail_on, exit_code, for_all=for_all),
        text,
        failed,
        level,
        document,
        part,
        certificates,
        continues=checked.lowering_of is not None,
        failing_call=_failing_call(checked),
        tally=FAILED_TALLY if isinstance(checked, Failure) else tally_of(checked, exit_code, is_huge=bool(outside)),
        findings=_findings(checked, left),
        is_reproducible=isinstance(checked, Report) and not any(each.timed_out for each in checked.functions),
        html=html,
        layouts=layouts,
    )


def _outside(found: Diagnosis, selection: Selection, fail_on: FailOn) -> tuple[Finding, ...]:
    """Return the findings that are reported and do not count: those that need sizes no one has, unless selected."""
    if found.report.options.check_wraps:
        return ()  # whoever looks for arithmetic that wraps around asks about such sizes
    is_any = any(finding.is_enormous for each in found.functions for finding in each.findings)
    if selection.select or fail_on.huge or not is_any:
        return ()
    from shapesolve.diagnosis.huge_sizes import findings_at_huge_sizes_only

    return findings_at_huge_sizes_only(found)


def _html(found: Diagnosis | Failure, arguments: argparse.Namespace) -> tuple[str, str]:
    from shapesolve.reports.check_text import summary
    from shapesolve.reports.html_report import failure_fragment, html_fragment

    if isinstance(found, Failure):
        return f"{found.file}: {found.message}", failure_fragment(found)
    title = found.program.title
    if arguments.is_only_file and not found.program.level:
        return title, html_fragment(found)
    return summary(found), html_fragment(found, f"{crc32(os.fsencode(title)):08x}-")


def _selection(checked: Report, arguments: argparse.Namespace) -> Selection:
    """Return the selection of findings of a file, with what the configuration says of it."""
    selection: Selection = arguments.selection
    more = [code for each in settings_of(checked.program.file, arguments.configuration) for code in each.ignore]
    return replace(selection, ignore=(*selection.ignore, *more)) if more else selection


def _with_selected(part: Part, left: Filtered) -> Part:
    """Return a contribution to a log with the results that count: findings are filtered, the others by their codes."""
    findings = {each.first.obligation.code for function in left.diagnosis.functions for each in function.findings}
    results = [
        each for each in part.results if each["ruleId"] in findings or left.selection.includes(str(each["ruleId"]))
    ]
    return replace(part, results=results)


def _in_lines(arguments: argparse.Namespace) -> bool:
    """Return whether findings are wanted in one line each."""
    is_streamed = arguments.format not in ("full", "json", "sarif")
    return arguments.command == "baseline" or is_streamed or _is_kept(arguments)


def _is_kept(arguments: argparse.Namespace) -> bool:
    """Return whether the report goes to the cache, where it should serve every format."""
    return bool(getattr(arguments, "is_cached", False))


def _findings(checked: Report | Failure, left: Filtered | None) -> FileFindings | None:
    if isinstance(checked, Failure):
        return FileFindings(checked.file, failure=checked.message, place=checked.position)
    if left is None:
        return None
    return FileFindings(checked.program.file, left.findings, admits_no_input=checked.admits_no_input)


def _failing_call(checked: Report | Failure) -> tuple[str, str] | None:
    if isinstance(checked, Failure):
        return None
    return next(((each.reproducer, each.original) for each in checked.checked_obligations if each.reproducer), None)


def _request(checked: Report, arguments: argparse.Namespace, *, printed: bool) -> Request:
    """Return the parts of a diagnosis that the wanted reports show."""
    from shapesolve.diagnosis.diagnosis import GROUPS, LINES

    request = GROUPS
    if _in_lines(arguments) or has_filter(checked, _selection(checked, arguments)):
        request |= LINES  # which of the findings count is known afterwards
    kept = _is_kept(arguments)
    if printed or kept:
        from shapesolve.reports.check_text import text_request

        if printed:
            request |= text_request(verbose=arguments.verbose, quiet=arguments.quiet)
        if kept:
            request |= text_request() | text_request(verbose=True)
    if arguments.json is not None or kept:
        from shapesolve.reports import check_json

        request |= check_json.REQUEST
    if arguments.html is not None:
        from shapesolve.reports import html_report

        request |= html_report.REQUEST
    if arguments.sarif is not None or kept:
        from shapesolve.reports import sarif

        request |= sarif.REQUEST
    return request


def _code(checked: Report | Failure, fail_on: FailOn, exit_code: int, *, for_all: bool) -> int:
    """Return the exit code of a report under --fail-on, given the one of the findings that count."""
    counts = fail_on.model if checked.lowering_of is None else fail_on.lowering
    if isinstance(checked, Failure):
        return FAILED if counts or checked.lowering_of is None else 0
    if not counts:
        return 0
    if fail_on.always:
        return 1 if for_all else 0
    if fail_on.wraps and exit_code != 1 and checked.wraps_somewhere:
        return 1
    return exit_code if fail_on.undecided or exit_code != UNDECIDED else 0


VERBOSITIES = ("", "quiet", "verbose")


def verbosity_of(arguments: argparse.Namespace) -> str:
    """Return the one of `VERBOSITIES` that is asked for."""
    return "quiet" if arguments.quiet else "verbose" if arguments.verbose else ""


def _layouts(found: Diagnosis, remarks: Sequence[str]) -> dict[str, Sequence[Call]]:
    """Return the layouts of the texts of a file, which a terminal of any width prints."""
    from shapesolve.reports.page_layout import PageRecorder

    layouts: dict[str, Sequence[Call]] = {}
    for verbosity in VERBOSITIES:
        page = PageRecorder()
        _print(found, remarks, page, verbosity)
        layouts[verbosity] = page.layout
    return layouts


def _print(found: Diagnosis, remarks: Sequence[str], page: Page, verbosity: str) -> None:
    from shapesolve.reports.check_text import print_report

    print_report(found, page, verbose=verbosity == "verbose", quiet=verbosity == "quiet")
    for each in remarks:
        page.verbatim(each)


def _remarks(left: Filtered | None, outside: Sequence[Finding]) -> list[str]:
    """Return the comments that ignore nothing, what is left out, and what does not count."""
    remarks = [] if left is None else [str(each.line) for each in left.findings if each.line.code == UNUSED_IGNORE]
    if left is not None and left.words:
        remarks.append(left.words)
    shown = outside if left is None else [each for each in outside if each in left.shown]
    if shown:
        words = f"{plural(len(shown), 'finding')} at huge sizes {'does' if len(shown) == 1 else 'do'} not count"
        remarks.append(f"{words} for the exit code (--fail-on huge-sizes)")
    return remarks


def _printed(
    found: Diagnosis | Failure, remarks: Sequence[str], model: Report | None, arguments: argparse.Namespace
) -> str:
    if model is None and isinstance(found, Failure):
        return found.text + "\n"
    from shapesolve.reports.page import CapturedText, Page

    kept = CapturedText(sys.stdout)
    page = Page(kept, color=arguments.color)
    if model is not None:
        from shapesolve.diagnosis.diagnosis import GROUPS, diagnose
        from shapesolve.reports.lowering_text import print_with_lowering

        own = diagnose(model, GROUPS)
        print_with_lowering(own, found, page, verbose=arguments.verbose, quiet=arguments.quiet)
        for each in remarks:
            page.verbatim(each)
    elif not isinstance(found, Failure):
        _print(found, remarks, page, verbosity_of(arguments))
    return kept.getvalue()
