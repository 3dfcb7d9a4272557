"""Hunts for wrong passes, as text, as a Markdown page and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from shapesolve.errors import plural
from shapesolve.hunting.causes import Cause, Complaint
from shapesolve.hunting.record import HuntRecord
from shapesolve.reports.page import Page
from shapesolve.statistics import stage
from shapesolve.validation.outcome import Standing

_COLUMNS = (
    ("unchanged", (Standing.UNCHANGED, Standing.IDENTICAL)),
    ("proved", (Standing.PROVED,)),
    ("refuted", (Standing.REFUTED,)),
    ("undecided", (Standing.UNDECIDED,)),
    ("not compared", (Standing.NOT_COMPARED,)),
    ("gave up", (Standing.FAILED,)),
    ("invalid", (Standing.INVALID,)),
    ("crashed", (Standing.CRASHED, Standing.TIMED_OUT)),
)
_MOST_OPERATIONS = 6
_MOST_CHARACTERS = 160


def headline(found: HuntRecord) -> str:
    """Return the outcome of a hunt in one line."""
    tried = plural(found.tried - found.refused, "program")
    if found.causes:
        return f"{plural(len(found.causes), 'cause')} of wrong passes in {tried}"
    if found.tried == found.refused:
        return "no program was tried"
    return f"no pass was found to be wrong in {tried}"


def cause_line(cause: Cause) -> str:
    """Return a cause in one line, without its number."""
    shown = cause.shown
    others = f" and {len(cause.seen) - 1} more" if len(cause.seen) > 1 else ""
    words = f"{shown.complaint.pass_name}{others}: {complaint_words(shown.complaint)}"
    operations = ", ".join(shown.operations[:_MOST_OPERATIONS])
    more = len(shown.operations) - _MOST_OPERATIONS
    named = f" ({operations}{f' and {more} more' if more > 0 else ''})" if operations else ""
    return f"{words}{named}"


def complaint_words(complaint: Complaint) -> str:
    """Return the way in which a pass goes wrong: ``source aborts (cf.assert), target returns``."""
    if not complaint.differences:
        text = complaint.message[:_MOST_CHARACTERS]
        return f"{complaint.standing}: {text}" if text else complaint.standing
    ours, our_claim, theirs, their_claim, compared = complaint.differences[0]
    if ours == theirs and not our_claim and not their_claim:
        return f"another {compared or 'element'} is returned"
    sides = ((ours, our_claim), (theirs, their_claim))
    first, second = (f"{ending}{f' ({claim.split()[0]})' if claim else ''}" for ending, claim in sides)
    return f"source {first}, target {second}"


@stage("report")
def print_hunt(found: HuntRecord, page: Page, *, verbose: bool = False) -> None:
    """Print the outcome, the causes, and the evidence for each."""
    page.line(headline(found), "bold red" if found.causes else "green" if not found.exit_code else "yellow")
    page.field("run by", found.runner)
    page.field("seed", f"{found.seed}, {found.seconds:.0f} s")
    if found.refused:
        page.field("left out", f"{plural(found.refused, 'program')} that MLIR or shapesolve does not read")
    counts = ", ".join(f"{number:,} {standing.value}" for standing, number in found.total())
    page.field("passes", f"{len(found.counts)}: {counts or 'none was run'}")
    for cause in found.causes:
        page.line()
        page.line(f"{cause.number}  {cause_line(cause)}", "red")
        page.field("seen", _seen(cause))
        if len(cause.seen) > 1:
            page.field("passes", ", ".join(sorted(cause.seen)))
        page.field("again", _command(cause, found))
        if verbose:
            for line in (*cause.shown.program.rstrip().splitlines(), "", *cause.shown.evidence.rstrip().splitlines()):
                page.line(line, indent=3)


def _seen(cause: Cause) -> str:
    shown = cause.shown
    ways = ["reduced" if shown.is_reduced else "not reduced"]
    if shown.complaint.differences:
        ways.append("shown by running both programs" if shown.is_executed else "not shown by a run")
    return f"{plural(cause.count, 'time')}, first kept from {shown.sample}; {', '.join(ways)}"


def _command(cause: Cause, found: HuntRecord) -> str:
    tool = [] if found.tool is None else ["--tool", found.tool]
    return shlex.join(["shapesolve", "validate", "FILE", *tool, "--pipeline", cause.shown.pipeline])


# Markdown ------------------------------------------------------------------------------------------------------------


@stage("report")
def hunt_page(found: HuntRecord) -> str:
    """Return the outcome of a hunt as a Markdown page."""
    return "\n".join(_page_lines(found)) + "\n"


def _page_lines(found: HuntRecord) -> Iterator[str]:
    yield f"# Hunt: {headline(found)}"
    yield ""
    yield f"Run by {found.runner}, seed {found.seed}, {found.seconds:.0f} s, {plural(found.tried, 'program')}."
    yield ""
    names = [name for name, _ in _COLUMNS]
    yield f"| pass | {' | '.join(names)} |"
    yield f"|---{'|---:' * len(names)}|"
    for name, counts in sorted(found.counts.items()):
        numbers = (sum(counts.get(each.value, 0) for each in standings) for _, standings in _COLUMNS)
        yield f"| {name} | {' | '.join(str(each or '') for each in numbers)} |"
    for cause in found.causes:
        shown = cause.shown
        yield ""
        yield f"## {cause.number}. {_inline(cause_line(cause))}"
        yield ""
        yield f"Seen {_seen(cause)}. Pass: `{shown.pipeline}`."
        if len(cause.seen) > 1:
            yield ""
            yield f"In passes: {', '.join(sorted(cause.seen))}."
        yield ""
        yield from _fenced("mlir", shown.program)
        if shown.output and not shown.is_reduced:
            yield ""
        elif shown.output:
            yield ""
            yield "After the pass:"
            yield ""
            yield from _fenced("mlir", shown.output)
        if shown.evidence:
            yield ""
            yield from _fenced("", shown.evidence)


def _inline(text: str) -> str:
    """Return text in which Markdown and HTML mean nothing."""
    return text.replace("<", "&lt;").replace("_", r"\_").replace("*", r"\*")


def _fenced(language: str, text: str) -> Iterator[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"{fence}{language}"
    yield from text.rstrip().splitlines()
    yield fence
