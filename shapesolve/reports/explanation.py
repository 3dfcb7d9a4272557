"""Explanation of the obligations at one place of a program, as text."""

from __future__ import annotations

import os
from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport, Report, ReturnedError
from shapesolve.diagnosis.explanation import Explained
from shapesolve.errors import InputError, plural
from shapesolve.ir.program import Location, Origin
from shapesolve.records import value_record
from shapesolve.reports.finding_text import FindingPrinter
from shapesolve.reports.page import STYLES, Page, SourceLines
from shapesolve.reports.phrases import NO_BODIES, domain_words, largest_size, returned_error_words
from shapesolve.statistics import stage
from shapesolve.trace.concretization import with_source_names

MOST_STEPS = 60
MOST_LINES = 20


@value_record
class Place:
    """Line of a file, and a column if one is given."""

    file: str
    line: int
    column: int | None = None

    def matches(self, location: Location) -> bool:
        """Return whether a location is at this place."""
        return location.line == self.line and (self.column is None or location.column == self.column)


def at_place(report: Report, place: Place) -> list[tuple[FunctionReport, CheckedObligation]]:
    """Return the checked obligations at a place.

    The place is a line of the model, if an obligation comes from that line, else a line of the program.

    Raises:
        InputError: The file has no such line.
    """
    of_model = _at_line_of_model(report, place)
    if of_model or place.file.endswith(".py"):
        return of_model
    lines = SourceLines(report.program).count
    if place.line < 1 or (lines is not None and place.line > lines):
        have = "" if lines is None else f": the file has {plural(lines, 'line')}"
        raise InputError(f"there is no line {place.line}{have}", where=report.program.file)
    if place.column == 0:
        raise InputError("there is no column 0: columns begin at 1", where=f"{report.program.file}:{place.line}")
    return [
        (function, checked_obligation)
        for function in report.functions
        for checked_obligation in function.checked_obligations
        if place.matches(checked_obligation.obligation.location)
    ]


def errors_at_place(report: Report, place: Place) -> list[tuple[FunctionReport, ReturnedError]]:
    """Return the errors that an operation at a place makes, and that are results in every call."""
    return [
        (function, error)
        for function in report.functions
        for error in function.errors
        if error.producer is not None and place.matches(error.producer.location)
    ]


def _at_line_of_model(report: Report, place: Place) -> list[tuple[FunctionReport, CheckedObligation]]:
    """Return the checked obligations whose operations come from a line of a model in Python, or are called there."""
    model = report.program.model
    if not model.endswith(".py"):
        return []

    def is_there(origin: Origin | None) -> bool:
        lines = [] if origin is None else [(origin.file, origin.line), *origin.callers]
        return any(line == place.line and os.path.realpath(file) == os.path.realpath(model) for file, line in lines)

    return [
        (function, checked_obligation)
        for function in report.functions
        for checked_obligation in function.checked_obligations
        if is_there(checked_obligation.obligation.op.origin)
    ]


@stage("report")
def print_returned_errors(report: Report, found: Sequence[tuple[FunctionReport, ReturnedError]], page: Page) -> None:
    """Print the errors that operations at a place make."""
    source = SourceLines(report.program)
    for number, (function, error) in enumerate(found):
        if number:
            page.line()
        page.paragraph(f"@{function.name}: {returned_error_words(error)}", STYLES["refuted"], hanging=3)
        excerpt = None if error.producer is None else source.excerpt(error.producer.location, page.width)
        for line in excerpt or ():
            page.line(line, "dim", indent=3)
    if found:
        page.line()


@stage("report")
def print_explanation(report: Report, found: list[Explained], page: Page, *, verbose: bool = False) -> None:
    """Print everything about some obligations."""
    source = SourceLines(report.program)
    for number, each in enumerate(found, 1):
        if number > 1:
            page.line()
        _print_one(each, page, source, verbose)
    page.line()
    largest = min(largest_size(each.diagnosis.report.trace, report.max_size) for each in found)
    page.field("domain", domain_words(report.min_size, largest))
    for words in dict.fromkeys(words for each in found for words in each.diagnosis.report.trace.leans_on):
        page.field("assumes", words)


def _print_one(each: Explained, page: Page, source: SourceLines, verbose: bool) -> None:
    checked_obligation = each.checked_obligation
    obligation = checked_obligation.obligation
    printer = FindingPrinter(each.diagnosis, source, page, verbose)
    printer.print_obligation(checked_obligation)
    printer.print_claim(checked_obligation)
    trace = each.diagnosis.report.trace
    claim = str(with_source_names(obligation.claim, trace))
    if claim != each.diagnosis.requirements[checked_obligation]:
        page.field("exactly", claim)
    path = each.path
    if path is None:
        page.field("reached", "under conditions that are not modeled exactly")
    elif str(path) != "true":
        page.field("reached", f"where {with_source_names(path, trace)}")
    printer.print_evidence(checked_obligation)
    for position, step in enumerate(each.steps):
        if position >= MOST_STEPS and not verbose:
            page.field("", f"and {len(each.steps) - position} more values; --verbose shows them")
            break
        tail = f"   ({step.op}, line {step.location.line})" if step.location is not None and step.location.line else ""
        page.field("steps" if position == 0 else "", f"{step.name} = {step.value}{tail}")
    if each.query is not None:
        page.field("query", each.query.split("\n", 1)[0] if "\n" not in each.query else "")
        if "\n" in each.query:
            for line in each.query.rstrip("\n").split("\n"):
                page.line(line, indent=5)


def print_nothing_here(report: Report, place: Place, page: Page) -> None:
    """Print that no obligation is at a place, and the nearest lines that have some."""
    column = "" if place.column is None else f", column {place.column}"
    page.paragraph(f"{report.program.file}: no obligations at line {place.line}{column}")
    if not report.functions:
        page.field("nothing", f"was checked: {NO_BODIES}")
        return
    places = [each.obligation.location for each in report.checked_obligations]
    places += [each.producer.location for f in report.functions for each in f.errors if each.producer is not None]
    lines = sorted({each.line for each in places if each.line})
    if not lines:
        page.field("others", "there are no obligations anywhere in the functions that were checked")
        return
    nearest = sorted(sorted(lines, key=lambda line: (abs(line - place.line), line))[:MOST_LINES])
    rest = f", and {len(lines) - len(nearest)} other lines" if len(lines) > len(nearest) else ""
    page.field("others", f"there are some at line {', '.join(map(str, nearest))}{rest}")
