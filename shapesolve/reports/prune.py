"""Results of pruning, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shapesolve.errors import plural
from shapesolve.ir.program import Location
from shapesolve.pruning.result import CheckOutcome, InsertedCheck, PruneResult
from shapesolve.reports.check_json import location_object
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import shortened
from shapesolve.statistics import stage

FORMAT = "shapesolve-prune"
MOST_LISTED = 20
LONGEST_REASON = 300
LONGEST_MESSAGE = 140

Json = dict[str, object]


@stage("report")
def print_pruning(source: str, target: str | None, result: PruneResult, page: Page, *, verbose: bool = False) -> None:
    """Print the checks before and after, and the reason why each remaining one stays.

    Without a target nothing was written, since the program stays as it is.
    """
    page.line(source, "bold")
    for note in result.notes:
        page.field("note", note)
    for name, (before, after) in result.counts.items():
        page.field(
            name if len(name) <= 10 else "checks", f"{'' if len(name) <= 10 else name + ': '}{before} -> {after}"
        )
    _print_inserted(result.written, page, verbose)
    _print_outcomes("stays", result.kept, page, verbose)
    shown = result.kept if verbose else result.kept[:MOST_LISTED]
    for number, remedy in enumerate(dict.fromkeys(remedy for each in shown for remedy in each.remedies)):
        page.field("" if number else "try", remedy)
    if verbose:
        _print_outcomes("gone", result.removed, page, verbose)
        _print_outcomes("simpler", result.simplified, page, verbose)
    elif result.removed:
        page.field("gone", _by_op(result.removed))
        _print_removal_reasons(result.removed, page)
    if result.simplified and not verbose:
        page.field("simpler", _by_op(result.simplified))
    if result.may_be_undefined:
        page.field("undefined", _undefined_words(result.may_be_undefined), STYLES["undecided"])
    written = "unchanged" if target is None else f"written to {'standard output' if target == '-' else target}"
    summary = f"{source}: {plural(len(result.checks), 'check')}, {len(result.removed)} removed, {len(result.kept)} kept"
    summary += f", {len(result.written)} put in" if result.written else ""
    page.paragraph(f"{summary}; {written}", STYLES["proved"], hanging=2)


def pruning_documents(documents: Sequence[Json]) -> Json:
    """Return the document on several pruned files."""
    return {"format": f"{FORMAT}-files", "version": VERSION, "files": list(documents)}


def _undefined_words(places: Sequence[Location]) -> str:
    """Return a sentence about the remaining operations that are not proved to be defined."""
    lines = [str(each.line) for each in places if each.line]
    shown = ", ".join(lines[:MOST_LISTED]) + (f" and {len(lines) - MOST_LISTED} more" if lines[MOST_LISTED:] else "")
    where = f": line{'s' if lines[1:] else ''} {shown}" if lines else ""
    stays = "stays, and is" if len(places) == 1 else "stay, and are"
    return f"{plural(len(places), 'operation')} {stays} not proved to be defined for all sizes{where}"


def _print_inserted(checks: Sequence[InsertedCheck], page: Page, verbose: bool) -> None:
    """Print the inserted checks: the condition of each, and the operations that need it."""
    several = len({check.function for check in checks}) > 1
    for number, check in enumerate(checks):
        if number >= MOST_LISTED and not verbose:
            page.field("", f"and {len(checks) - number} more; --verbose shows them")
            return
        places: dict[str, list[int]] = {}
        for op, location in check.needed_by:
            places.setdefault(op, []).append(location.line)
        needed = "; ".join(f"{op} (line {', '.join(map(str, lines))})" for op, lines in places.items())
        function = f"@{check.function}: " if several else ""
        words = f"{function}{check.condition}" + (f", needed by {needed}" if needed else "")
        page.field("put in" if number == 0 else "", words if verbose else shortened(words, LONGEST_REASON))


def _by_op(checks: Sequence[CheckOutcome]) -> str:
    counts = Counter(check.op for check in checks)
    return ", ".join(f"{op} {count}" for op, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _print_removal_reasons(checks: Sequence[CheckOutcome], page: Page) -> None:
    """Print the reasons of removed checks, each with the lines of its checks."""
    lines: dict[str, list[int]] = {}
    for check in checks:
        lines.setdefault(check.reason, []).append(check.location.line)
    for number, (reason, places) in enumerate(lines.items()):
        if number >= MOST_LISTED:
            page.field("", f"and {len(lines) - number} more reasons; --verbose shows them")
            return
        where = ", ".join(str(line) for line in places if line) or "no place known"
        page.field("because" if number == 0 else "", f"{shortened(reason, LONGEST_REASON)}: line {where}")


def _print_outcomes(label: str, checks: Sequence[CheckOutcome], page: Page, verbose: bool) -> None:
    for number, check in enumerate(checks):
        if number >= MOST_LISTED and not verbose:
            page.field("", f"and {len(checks) - number} more; --verbose shows them")
            return
        place = f"line {check.location.line}: {check.op}" if check.location.line else check.op
        said = (
            check.message
            if verbose or len(check.message) <= LONGEST_MESSAGE
            else f"{check.message[:LONGEST_MESSAGE]} ..."
        )
        message = f' "{said}"' if said else ""
        loud = "ALWAYS FAILS, " if check.always_fails else ""
        reason = check.reason if verbose else shortened(check.reason, LONGEST_REASON)
        style = STYLES["refuted"] if check.always_fails else ""
        page.field(label if number == 0 else "", f"{place}{message}: {loud}{check.verdict}: {reason}", style)


def pruning_object(source: str, target: str, result: PruneResult) -> Json:
    """Return the result of pruning, as docs/json.md describes it."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": source,
        "output": target,
        "notes": list(result.notes),
        "summary": {
            "checks": len(result.checks),
            "removed": len(result.removed),
            "kept": len(result.kept),
            "simplified": len(result.simplified),
            "possibly_undefined": len(result.may_be_undefined),
            "operations": {name: {"before": b, "after": a} for name, (b, a) in result.counts.items()},
        },
        "checks": [_outcome_object(check) for check in result.checks],
        "try": list(dict.fromkeys(remedy for each in result.kept for remedy in each.remedies)),
        "inserted": [_written_object(check) for check in result.written],
        "open_in_output": list(result.still_open),
        "simplified": [_outcome_object(each) for each in result.simplified],
        "possibly_undefined": [location_object(each) for each in result.may_be_undefined],
    }


def _written_object(check: InsertedCheck) -> Json:
    return {
        "function": check.function,
        "op": check.op,
        "condition": check.condition,
        "message": check.message,
        "line_in_output": check.location.line if check.location is not None else None,
        "needed_by": [{"op": op, "location": location_object(location)} for op, location in check.needed_by],
    }


def _outcome_object(check: CheckOutcome) -> Json:
    return {
        "identity": check.identity,
        "op": check.op,
        "location": location_object(check.location),
        "message": check.message,
        "removed": check.removed,
        "verdict": check.verdict,
        "always_fails": check.always_fails,
        "reason": check.reason,
    }
