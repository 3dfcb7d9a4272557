"""Results of pruning, as text and as JSON."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence

from shapesolve.errors import plural
from shapesolve.ir.program import Location
from shapesolve.pruning.result import CertainFailure, CheckOutcome, CheckStatus, InsertedCheck, PruneResult
from shapesolve.reports.check_json import location_object
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import certain_failure_words, shortened
from shapesolve.statistics import stage

FORMAT = "shapesolve-prune"
FORMAT_OF_FILES = f"{FORMAT}-files"
MOST_LISTED = 20
MOST_WITH_MESSAGE = 3
"""Removed checks with one reason, up to which their messages are printed."""
LONGEST_REASON = 300
LONGEST_MESSAGE = 140

Json = dict[str, object]


@stage("report")
def print_pruning(
    source: str, target: str | None, result: PruneResult, page: Page, *, verbose: bool = False, is_model: bool = False
) -> None:
    """Print what was inserted, removed and simplified, each kept check with its reason, notes, and the counts.

    Without a target nothing was written, since the program stays as it is. Lines are those of a file, not of a model.
    """
    page.line(source, "bold")
    for each in result.certain_failures:
        page.paragraph(_failure_words(each, is_model=is_model), STYLES["refuted"], indent=3)
    _print_inserted(result.written, page, verbose)
    removed, kept = _counted(result.removed), _counted(result.kept)
    simplified = [*(each for each in result.removed if not each.is_counted), *result.simplified]
    if verbose:
        _print_outcomes("removed", removed, page, verbose)
        _print_outcomes("simplified", simplified, page, verbose)
    else:
        _print_removed(removed, page)
        if simplified:
            page.field("simplified", _by_op(simplified))
    shown = result.kept if verbose else kept[:MOST_LISTED]
    _print_outcomes("kept", result.kept if verbose else kept, page, verbose)
    for number, remedy in enumerate(dict.fromkeys(remedy for each in shown for remedy in each.remedies)):
        page.field("" if number else "try", remedy)
    for note in result.notes:
        page.field("note", note)
    failing = [each.location for each in result.certain_failures]
    undefined = [each for each in result.may_be_undefined if each not in failing]
    if undefined and not result.still_open:
        page.field("also seen", _undefined_words(source, undefined, is_model=is_model), STYLES["undecided"])
    written = "unchanged" if target is None else f"written to {'standard output' if target == '-' else target}"
    summary = f"{source}: {plural(len(removed) + len(kept), 'check')}, {len(removed)} removed, {len(kept)} kept"
    summary += f", {len(result.written)} inserted" if result.written else ""
    page.paragraph(f"{summary}{_kinds(result)}; {written}", STYLES["proved"], hanging=2)


def _kinds(result: PruneResult) -> str:
    """Return the counts of each kind before and after, in parentheses: first checks, then what goes with them.

    Where all checks are of one kind, they are counted already.
    """
    kinds = {name: f"{name} {before} -> {after}" for name, (before, after) in result.counts.items()}
    uncounted = {each.op for each in result.checks if not each.is_counted}
    checks = [words for name, words in kinds.items() if name not in uncounted]
    others = [words for name, words in kinds.items() if name in uncounted]
    parts = (", ".join(checks) if len(checks) > 1 else "", ", ".join(others))
    return f" ({'; also '.join(filter(None, parts))})" if any(parts) else ""


def _counted(outcomes: Sequence[CheckOutcome]) -> list[CheckOutcome]:
    return [each for each in outcomes if each.is_counted]


def pruning_documents(documents: Sequence[Json]) -> Json:
    """Return the document on several pruned files."""
    return {"format": FORMAT_OF_FILES, "version": VERSION, "files": list(documents)}


def _failure_words(failure: CertainFailure, *, is_model: bool = False) -> str:
    """Return the statement that every call of a function fails, with its line unless that is one of a lowered model."""
    place = failure.op if is_model else f"line {failure.location.line}: {failure.op}"
    return certain_failure_words(place, failure.message, is_first=failure.is_first, function=failure.function)


def _undefined_words(source: str, places: Sequence[Location], *, is_model: bool) -> str:
    """Return a sentence about the remaining operations that are not proved to be defined.

    Lines of a model's exported program are not those of the model, and are not named.
    """
    lines = [] if is_model else list(dict.fromkeys(each.line for each in places if each.line))
    more = f" and {len(lines) - MOST_LISTED} more" if lines[MOST_LISTED:] else ""
    who = f"{_lines(lines[:MOST_LISTED])}{more}" if lines else plural(len(places), "operation")
    command = f" (shapesolve explain {shlex.quote(source)}:{lines[0]})" if lines and source != "-" else ""
    if is_model:
        who, command = f"{who} of the lowered program", f" (shapesolve check {shlex.quote(source)})"
    left = "it as it is" if len(lines or places) == 1 else "them as they are"
    return f"{who} may be undefined for some sizes; prune leaves {left}{command}"


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
        needed = "; ".join(f"{op} ({_lines(lines)})" for op, lines in places.items())
        function = f"@{check.function}: " if several else ""
        words = f"{function}{check.words}" + (f", needed by {needed}" if needed else "")
        page.field("inserted" if number == 0 else "", words if verbose else shortened(words, LONGEST_REASON))


def _by_op(checks: Sequence[CheckOutcome]) -> str:
    counts = Counter(check.op for check in checks)
    return ", ".join(f"{count} {op}" for op, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _print_removed(checks: Sequence[CheckOutcome], page: Page) -> None:
    """Print the lines of removed checks, those with the same reason together; of a few also the messages."""
    alike: dict[str, list[CheckOutcome]] = {}
    for check in checks:
        alike.setdefault(check.reason, []).append(check)
    for number, (reason, group) in enumerate(alike.items()):
        label = "" if number else "removed"
        if number >= MOST_LISTED:
            page.field(label, f"and for {plural(len(alike) - number, 'other reason')}; --verbose shows them")
            return
        page.field(label, f"{_places(group)}{', ' if len(group) == 1 else ': '}{shortened(reason, LONGEST_REASON)}")


def _places(checks: Sequence[CheckOutcome]) -> str:
    known = [check for check in checks if check.location.line]
    if len(known) > MOST_WITH_MESSAGE or not known:
        return _lines([check.location.line for check in checks])
    named = (
        f"{check.location.line} ({_quoted(check.message)})" if check.message else str(check.location.line)
        for check in known
    )
    return f"line{'s' if len(known) > 1 else ''} {', '.join(named)}"


def _quoted(message: str, *, whole: bool = False) -> str:
    return f'"{message if whole or len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]} ..."}"'


def _lines(lines: Sequence[int]) -> str:
    known = [str(each) for each in lines if each]
    return f"line{'s' if len(known) > 1 else ''} {', '.join(known)}" if known else "no line known"


def _print_outcomes(label: str, checks: Sequence[CheckOutcome], page: Page, verbose: bool) -> None:
    """Print the reason of each check; alike ones together."""
    alike: dict[tuple[str, str, str], list[CheckOutcome]] = {}
    for check in checks:
        alike.setdefault((check.op, check.message, _reason(check)), []).append(check)
    printed = 0
    for (op, message, reason), group in alike.items():
        if printed >= MOST_LISTED and not verbose:
            page.field("", f"and {len(checks) - printed} more; --verbose shows them")
            return
        lines = [each.location.line for each in group if each.location.line]
        place = f"{_lines(lines)}: {op}" if lines else op
        quoted = f" {_quoted(message, whole=verbose)}" if message else ""
        style = STYLES["refuted"] if any(each.always_fails for each in group) else ""
        words = reason if verbose else shortened(reason, LONGEST_REASON)
        page.field("" if printed else label, f"{place}{quoted}: {words}", style)
        printed += len(group)


def _reason(check: CheckOutcome) -> str:
    """Return why a check is removed or kept; a word for its status where the reason does not say it."""
    has_own_reason = check.removed or check.verdict in (CheckStatus.REFUTED, CheckStatus.OPEN)
    return check.reason if has_own_reason else f"{check.verdict}: {check.reason}"


def pruning_object(source: str, target: str, result: PruneResult) -> Json:
    """Return the result of pruning, as docs/json.md describes it."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": source,
        "output": target,
        "notes": [*map(_failure_words, result.certain_failures), *result.notes],
        "summary": {
            "checks": len(_counted(result.checks)),
            "removed": len(_counted(result.removed)),
            "kept": len(_counted(result.kept)),
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
        "is_counted": check.is_counted,
        "removed": check.removed,
        "verdict": check.verdict,
        "always_fails": check.always_fails,
        "reason": check.reason,
    }
