"""Explanation of the obligations at one place of a program, as text."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport, Report, ReturnedError
from shapesolve.checker.undecided_reasons import reason_text
from shapesolve.diagnosis.explanation import Explained, Step, iterations_of
from shapesolve.errors import InputError, plural
from shapesolve.ir.program import Location, Origin
from shapesolve.reasons import NO_INPUT
from shapesolve.records import value_record
from shapesolve.reports.check_text import verdict_counts
from shapesolve.reports.evidence_text import sizes_text
from shapesolve.reports.finding_text import FindingPrinter
from shapesolve.reports.long_conditions import print_condition
from shapesolve.reports.page import FIELD_INDENT, STYLES, Page, SourceLines
from shapesolve.reports.phrases import NO_BODIES, checked_domain, returned_error_words, shortened, strategy_name
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.statistics import stage
from shapesolve.trace.assumed_overflow import modeling_assumptions
from shapesolve.trace.concretization import with_source_names
from shapesolve.trace.events import IterationNumber, Obligation

MOST_STEPS = 60
MOST_VALUES = 12
"""Values on the way to a proved claim: the last ones, which its operation is made of."""
SHORTEST_REASON = 24
MOST_LINES = 20


@value_record
class Place:
    """Line of a file, and a column if one is given; without a line the whole file."""

    file: str
    line: int | None = None
    column: int | None = None

    def matches(self, location: Location) -> bool:
        """Return whether a location is at this place."""
        return self.line is None or (
            location.line == self.line and (self.column is None or location.column == self.column)
        )


def at_place(report: Report, place: Place) -> list[tuple[FunctionReport, CheckedObligation]]:
    """Return the checked obligations at a place.

    The place is a line of the model, if an obligation comes from that line, else a line of the program.

    Raises:
        InputError: The file has no such line.
    """
    if place.line is None:
        return [(function, each) for function in report.functions for each in function.checked_obligations]
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
    """Print everything about some obligations: those that are not proved come first."""
    source = SourceLines(report.program)
    for number, each in enumerate(sorted(found, key=_rank), 1):
        if number > 1:
            page.line()
        _print_one(each, page, source, verbose)
    page.line()
    traces = [each.diagnosis.report.trace for each in found]
    page.field("domain", checked_domain(traces, report.min_size, report.max_size))
    for words in dict.fromkeys(str(each) for trace in traces for each in modeling_assumptions(trace)):
        page.field("assumes", words)
    page.print_note_on_cuts()


def _rank(each: Explained) -> int:
    verdict = each.checked_obligation.verdict
    return 0 if isinstance(verdict, Refuted) else 1 if isinstance(verdict, Undecided) else 2


def _print_one(each: Explained, page: Page, source: SourceLines, verbose: bool) -> None:
    checked_obligation = each.checked_obligation
    obligation = checked_obligation.obligation
    printer = FindingPrinter(each.diagnosis, source, page, verbose)
    printer.print_obligation(checked_obligation)
    for position, iteration in enumerate(each.iterations):
        where = f" (line {iteration.loop.location.line})" if iteration.loop.location.line else ""
        of = f"{iteration.number} of {iteration.total} of {iteration.loop.name}{where}"
        page.field("" if position else "iteration", of)
    printer.print_claim(checked_obligation)
    trace = each.diagnosis.report.trace
    if isinstance(checked_obligation.verdict, Proved):
        _print_proved_claim(each, page, verbose)
    elif each.exactly:
        page.field("exactly", each.exactly)
    path = each.path
    if path is None:
        page.field("reached", "under conditions that are not modeled exactly")
    elif str(path) != "true":
        page.field("reached", f"where {with_source_names(path, trace)}")
    printer.print_evidence(checked_obligation)
    steps = each.steps if verbose else [step for step in each.steps if _is_worth_showing(step, obligation)]
    _print_steps("steps", steps, page, verbose)
    if each.query is not None:
        page.field("query", each.query.split("\n", 1)[0] if "\n" not in each.query else "")
        if "\n" in each.query:
            for line in each.query.rstrip("\n").split("\n"):
                page.line(line, indent=5)


def _print_proved_claim(each: Explained, page: Page, verbose: bool) -> None:
    """Print a claim as its rule raised it, and the values that it speaks of in terms of the inputs."""
    obligation = each.checked_obligation.obligation
    if each.raised is not None and each.raised != "true":
        print_condition(page, "claim", each.raised, verbose=verbose)
    for position, (name, size) in enumerate(obligation.shown):
        page.field("where" if position == 0 else "", f"{name} = {size}")
    values = each.values if verbose else [value for value in each.values if not _is_constant(value)][-MOST_VALUES:]
    _print_steps("values", values, page, verbose)
    if len(values) < len(each.values):
        page.field("", f"and {plural(len(each.values) - len(values), 'value')} before these; --verbose shows them")


def _is_worth_showing(step: Step, obligation: Obligation) -> bool:
    """Return whether a step says more than the sizes at which a claim fails, which are those of a caller in a call."""
    return not _is_constant(step) if step.op else bool(obligation.calls)


def _is_constant(value: Step) -> bool:
    return ".const" in value.op or value.op.endswith(".literal")


def _print_steps(label: str, steps: Sequence[Step], page: Page, verbose: bool) -> None:
    for position, step in enumerate(steps):
        if position >= MOST_STEPS and not verbose:
            page.field("", f"and {len(steps) - position} more values; --verbose shows them")
            return
        tail = f"   ({step.op}, line {step.location.line})" if step.location is not None and step.location.line else ""
        page.field(label if position == 0 else "", f"{step.name} = {step.value}{tail}")


@stage("report")
def print_list(report: Report, page: Page) -> None:
    """Print all obligations in one line each, with place, code, verdict and what it rests on, and their number."""
    for number, function in enumerate(report.functions):
        if number:
            page.line()
        page.line(f"@{function.name}", "bold")
        iterations = iterations_of(function.trace)
        rows = Counter(_row(function, each, iterations[each.obligation]) for each in function.checked_obligations)
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
        for (place, code, verdict, evidence), count in rows.items():
            columns = f"{place.rjust(widths[0])}  {code.ljust(widths[1])}  "
            times = f" ({count} claims)" if count > 1 else ""
            room = page.width - FIELD_INDENT - len(columns) - widths[2] - 2 - len(times)
            page.pieces(
                (" " * FIELD_INDENT + columns, ""),
                (verdict.ljust(widths[2]), STYLES.get(verdict, "")),
                (f"  {shortened(evidence, max(room, SHORTEST_REASON))}{times}", ""),
            )
        if not rows:
            page.line("nothing to prove", indent=FIELD_INDENT)
    page.line()
    if report.checked_obligations:
        page.line(f"{report.program.title}: {verdict_counts(report)}")


def _row(
    function: FunctionReport, checked_obligation: CheckedObligation, iterations: Sequence[IterationNumber]
) -> tuple[str, str, str, str]:
    """Return the columns of an obligation in a list."""
    obligation, verdict = checked_obligation.obligation, checked_obligation.verdict
    place = ":".join(str(each) for each in (obligation.location.line, obligation.location.column) if each) or "?"
    match verdict:
        case Proved():
            lines = dict.fromkeys(str(each.location.line) for each in verdict.facts if each.location is not None)
            evidence = f"by {strategy_name(verdict.strategy)}"
            if lines:
                evidence = f"from line{'s' * (len(lines) > 1)} {', '.join(lines)}"
        case Refuted():
            evidence = "fails for all sizes" if verdict.always else f"fails at {sizes_text(function.trace, verdict)}"
        case Undecided():
            evidence = reason_text(function.approximations, verdict)
        case Unreachable():
            evidence = f"never reached: {NO_INPUT}" if function.contradiction else "never reached"
    if iterations and not isinstance(verdict, Proved):
        evidence += f", in iteration {', '.join(str(each.number) for each in iterations)}"
    return place, obligation.code, verdict.word.value, evidence


def print_nothing_here(report: Report, place: Place, page: Page) -> None:
    """Print that no obligation is at a place, and the nearest lines that have some."""
    column = "" if place.column is None else f", column {place.column}"
    page.paragraph(f"{report.program.file}: nothing to prove at line {place.line}{column}")
    if not report.functions:
        page.field("nothing", f"was checked: {NO_BODIES}")
        return
    places = [each.obligation.location for each in report.checked_obligations]
    places += [each.producer.location for f in report.functions for each in f.errors if each.producer is not None]
    lines = sorted({each.line for each in places if each.line})
    if not lines:
        page.field("others", "there is nothing anywhere in the functions that were checked")
        return
    asked = place.line or 0
    nearest = sorted(sorted(lines, key=lambda line: (abs(line - asked), line))[:MOST_LINES])
    rest = f", and {len(lines) - len(nearest)} other lines" if len(lines) > len(nearest) else ""
    several = "s" if len(nearest) > 1 else ""
    page.field("others", f"there is something at line{several} {', '.join(map(str, nearest))}{rest}")
