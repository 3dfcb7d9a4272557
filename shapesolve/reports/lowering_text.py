"""Second section of the report on a model: failures that only its lowering adds, counted apart from the model's own."""

from __future__ import annotations

from shapesolve.checker.report import Failure
from shapesolve.diagnosis.diagnosis import Diagnosis
from shapesolve.errors import plural
from shapesolve.reports.check_text import checks_text, print_report, print_summary
from shapesolve.reports.finding_text import FindingPrinter
from shapesolve.reports.page import Page, SourceLines
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable

HEADING = "torch-mlir's lowering, not your model"
MOST_SHOWN = 3


def print_with_lowering(
    model: Diagnosis, lowered: Diagnosis | Failure, page: Page, *, verbose: bool = False, quiet: bool = False
) -> None:
    """Print the section on a model's lowering, and the summaries of both, a line each."""
    if not quiet:
        _print_lowering(model, lowered, page, verbose=verbose)
    print_summary(model, page)
    page.paragraph(lowering_summary(lowered))


def _print_lowering(model: Diagnosis, lowered: Diagnosis | Failure, page: Page, *, verbose: bool) -> None:
    """Print findings of the lowered program only or, if ``verbose``, its whole report."""
    if isinstance(lowered, Failure):
        page.paragraph(f"{HEADING}: {lowered.message}")
        page.line()
        return
    if lowered.report.exit_code == 0:
        return
    level = lowered.program.level
    page.paragraph(f"{HEADING} ({level}):{_every_call(lowered)}", "bold")
    if model.report.count(Refuted) or model.report.fails_outside:
        page.field("note", "looked at for the sizes at which the model itself is safe")
    if verbose:
        print_report(lowered, page, verbose=True)
        page.line()
        return
    for function in lowered.functions:
        text = FindingPrinter(function, SourceLines(lowered.program), page)
        found = [each for each in function.findings if not isinstance(each.verdict, Unreachable)]
        run = ""
        for finding in found[:MOST_SHOWN]:
            run = text.print_finding(finding, run)
        if len(found) > MOST_SHOWN:
            page.field("more", f"and {plural(len(found) - MOST_SHOWN, 'finding')}")
    page.field("details", f"--level {level} reports on the lowered program alone")
    page.line()


def _fails_in_every_call(lowered: Diagnosis) -> bool:
    return any(each.fails_for_all is not None for each in lowered.report.functions)


def _every_call(lowered: Diagnosis) -> str:
    """Return the statement that the lowered program always fails, with the checks behind that; empty if it may not."""
    if not _fails_in_every_call(lowered):
        return ""
    count = lowered.report.count(Unreachable)
    behind = f"; {checks_text(count)} behind that {'was' if count == 1 else 'were'} not checked" if count else ""
    return (
        " the program that torch-mlir makes of the model fails in every call, which concerns you only if you run that "
        f"program{behind}"
    )


def lowering_summary(lowered: Diagnosis | Failure) -> str:
    """Return the summary line of a model's lowering."""
    if isinstance(lowered, Failure):
        return f"{HEADING}: nothing was checked of it"
    report, fails = lowered.report, _fails_in_every_call(lowered)
    total = checks_text(len(report.checked_obligations))
    numbers = (
        (report.count(Refuted), "refuted"),
        (report.count(Undecided), "undecided"),
        (report.count(Unreachable), "not checked behind that" if fails else "unreachable"),
    )
    counts = [f"{report.count(Proved)} proved", *(f"{count} {words}" for count, words in numbers if count)]
    return f"{HEADING} ({lowered.program.level}): {total}: {', '.join(counts)}"
