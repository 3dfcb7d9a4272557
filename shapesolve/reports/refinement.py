"""Results of refinement, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.checker.undecided_reasons import remedies, undecided_words
from shapesolve.errors import plural
from shapesolve.ir.program import Location
from shapesolve.reasons import NO_INPUT
from shapesolve.refinement.outcome import BY_RUN, Behavior, Ending, Finding, ProvedAbove, Refinement
from shapesolve.reports.check_json import fact_object, location_object
from shapesolve.reports.finding_text import LONGEST_EXPRESSION
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import Page
from shapesolve.reports.phrases import NO_BODIES, domain_words
from shapesolve.solver.verdicts import Refuted, Undecided, VerdictKind
from shapesolve.statistics import stage
from shapesolve.trace.assumed_overflow import memory_words, modeling_assumptions
from shapesolve.trace.concretization import arguments_at, arguments_in_short, number_at
from shapesolve.trace.events import Approximation
from shapesolve.trace.trust import AssumedNoOverflow, ModelingAssumption, TrustedStatements

FORMAT = "shapesolve-refine"
SHAPES_ONLY = "--shapes-only, if only sizes and checks matter: then this is exit code 0"
"""Way out where all but elements is proved."""
MOST_SHOWN = 3
"""Findings printed of each kind, unless everything is wanted."""
_STYLES = {"proved": "green", "refuted": "red", "undecided": "yellow", "unreachable": "yellow"}


def headline(found: Refinement, *, names_files: bool = False) -> str:
    """Return the verdict in one line; a refuted target and its source by their files if wanted and these differ."""
    source, target = found.source.trace.function.name, found.target.trace.function.name
    names = f"@{source}" if source == target else f"@{source} by @{target}"
    if found.identical:
        return f"{names}: proved: both are the same program"
    if found.word is VerdictKind.PROVED:
        return f"{names}: {_proved_part(found) if found.is_partial else f'proved: {_shown(found)}'}"
    if found.word is VerdictKind.UNREACHABLE:
        return f"{names}: unreachable: {NO_INPUT}"
    if found.word is VerdictKind.UNDECIDED:
        return f"{names}: undecided: no difference was found, and no proof ({_undecided(found)})"
    if found.above is not None:
        return f"{names}: refuted, but {above_words(found, found.above)}"
    files = found.target.program.file, found.source.program.file
    if names_files and all(files) and files[0] != files[1]:
        return f"{names}: refuted: the target {files[0]} does not refine the source {files[1]}"
    return f"{names}: refuted: the target does not refine the source"


def above_words(found: Refinement, above: ProvedAbove) -> str:
    """Return what is proved for all but the smallest sizes, and what was not compared there."""
    if found.from_size is not None:
        return f"proved for sizes >= {above.least}"
    missing = " and ".join(above.not_compared)
    return f"for sizes >= {above.least}, sizes and checks are proved; {missing} not compared"


def _shown(found: Refinement) -> str:
    """Return the part of the refinement that was proved, and what was not compared."""
    if not found.not_compared:
        return "sizes, checks and elements refine" if found.compares_elements else "the target refines the source"
    return f"sizes and checks refine; {' and '.join(found.not_compared)} not compared"


def _proved_part(found: Refinement) -> str:
    """Return what was proved and what was not compared, where more was asked for than was compared."""
    missing = " and ".join(found.not_compared)
    return f"sizes and checks proved, {missing} not compared"


def _undecided(found: Refinement) -> str:
    return f"{len(found.undecided)} of {plural(len(found.findings), 'comparison')} open"


@stage("report")
def print_refinements(
    found: Sequence[Refinement], page: Page, *, verbose: bool = False, names_files: bool = False
) -> None:
    """Print the verdicts on all functions, their evidence and their assumptions."""
    if not found:
        page.line(f"nothing was compared: {NO_BODIES}", _STYLES["undecided"])
    for number, each in enumerate(found):
        if number:
            page.line()
        page.line(headline(each, names_files=names_files), "yellow" if each.is_partial else _STYLES[each.word])
        _print(each, page, verbose)


def _print(found: Refinement, page: Page, verbose: bool) -> None:
    shown = len(found.findings) if verbose else MOST_SHOWN
    for finding in found.refuted[:shown]:
        _print_refuted(found, finding, page)
    if verbose or not found.refuted:
        _print_undecided(found, found.undecided[:shown], page)
    tried = remedies(_approximations(found), (each.verdict for each in found.undecided[:shown]))
    if found.word is VerdictKind.PROVED and found.is_partial:
        tried = [*tried, SHAPES_ONLY]
    for number, remedy in enumerate([] if found.refuted else tried):
        page.field("" if number else "try", remedy)
    hidden = max(0, len(found.refuted) - shown) + max(0, len(found.undecided) - shown)
    if hidden:
        page.line(f"   ... and {hidden} more (--verbose shows them)", "dim")
    if verbose:
        for finding in found.findings:
            if finding not in found.refuted and finding not in found.undecided:
                page.field(finding.verdict.word, finding.question)
    if found.findings:
        page.gap()
    _print_scope(found, page, verbose)


def _print_scope(found: Refinement, page: Page, verbose: bool) -> None:
    """Print what the verdict covers: sizes, notes, assumptions, and what was not compared where nothing differs."""
    page.field("domain", domain_words(found.min_size, found.max_size))
    for note in found.notes:
        page.field("note", note, "yellow")
    if found.allow_lost_checks:
        page.field("note", "where the source aborts, the target may do anything (--allow-lost-checks)")
    _print_assumptions(found, page, verbose)
    for number, each in enumerate(found.omissions if verbose or not found.refuted else ()):
        because = f": {each.reason}" if each.reason else ""
        page.field("" if number else "left out", f"{each.words}{because}")


def _print_assumptions(found: Refinement, page: Page, verbose: bool) -> None:
    for number, text in enumerate(dict.fromkeys(fact.source_text for fact in found.assumptions)):
        page.field("" if number else "assumed", text)
    unchecked, others = list[str](), list[str]()
    for assumption, sides in _modeling_assumptions(found).items():
        is_unchecked = isinstance(assumption, TrustedStatements) and assumption.is_unchecked
        (unchecked if is_unchecked else others).append(f"{assumption} ({' and '.join(sides)})")
    for text in (*unchecked, *(others if verbose or not others else ["; ".join(others)])):
        page.field("assumes", text)


def _modeling_assumptions(found: Refinement) -> dict[ModelingAssumption, list[str]]:
    """Return what the modeling of the source and of the target assumes, each with the sides that assume it."""
    may_overflow = any(each.overflows for each in found.refuted)
    sides: dict[ModelingAssumption, list[str]] = {}
    for trace, name in ((found.source.trace, "source"), (found.target.trace, "target")):
        for each in (*modeling_assumptions(trace), *filter(None, [memory_words(trace)])):
            if not (may_overflow and isinstance(each, AssumedNoOverflow)):
                sides.setdefault(each, []).append(name)
    return sides


def _print_refuted(found: Refinement, finding: Finding, page: Page) -> None:
    assert isinstance(finding.verdict, Refuted)
    page.line()
    page.field("for", _call(found, finding.verdict), "bold")
    page.field("source", finding.source.words)
    page.field("target", finding.target.words, "red")
    makers = _maker_locations(found, finding)
    places = {side: f"line {place.line}" for side, place in makers.items() if place is not None and place.line}
    differing = _differing(finding, finding.verdict)
    for number, (side, value, expression) in enumerate(differing):
        shown = expression if len(expression) <= LONGEST_EXPRESSION else ""
        made = ", ".join(filter(None, (shown, places.get(side, ""))))
        page.field("" if number else "where", f"in the {side} it is {value}{f'   ({made})' if made else ''}")
    if places and not differing:
        page.field(
            "where",
            "the result is made at " + " and at ".join(f"{place} of the {side}" for side, place in places.items()),
        )
    if finding.verdict.needs is not None:
        page.field("only when", finding.verdict.needs)
    if finding.executed is not None:
        hidden = "; a run shows poison as some number" if _is_poison(finding) else ""
        page.field("run", finding.executed.words + hidden)


def refuted_words(found: Refinement, finding: Finding) -> str:
    """Return the arguments of a refutation and what both programs do with them, in one phrase."""
    assert isinstance(finding.verdict, Refuted)
    call = _call(found, finding.verdict)
    return f"for {call}: the source {finding.source.words}, the target {finding.target.words}"


def _maker_locations(found: Refinement, finding: Finding) -> dict[str, Location | None]:
    """Return where the result is made that differs, in the source and the target; in the target if it is poison."""
    if finding.result is None or (finding.source.ending, finding.target.ending) not in _WITH_RESULTS:
        return {}
    sides = (("source", found.source), ("target", found.target))
    return {name: side.maker_location(finding.result) for name, side in (sides[1:] if _is_poison(finding) else sides)}


_WITH_RESULTS = ((Ending.RETURNS, Ending.RETURNS), (Ending.RETURNS, Ending.UNDEFINED))


def _is_poison(finding: Finding) -> bool:
    """Return whether a result of the target is poison; elsewhere, undefined behavior is that of an operation."""
    return finding.result is not None and finding.target.ending is Ending.UNDEFINED


def _differing(finding: Finding, verdict: Refuted) -> list[tuple[str, int, str]]:
    """Return the numbers that differ between the source and the target, each with its expression."""
    compared = finding.compared
    if compared is None:
        return []
    sides = (("source", compared.source), ("target", compared.target))
    found = [(side, number_at(size, verdict.sizes), "" if size.is_constant else str(size)) for side, size in sides]
    known = [(side, number, expression) for side, number, expression in found if number is not None]
    return known if len({number for _, number, _ in known}) == 2 else []


def _print_undecided(found: Refinement, findings: Sequence[Finding], page: Page) -> None:
    """Print what is not decided; questions in the same words with the same reason once."""
    counts: dict[tuple[str, str, str], int] = {}
    for each in findings:
        assert isinstance(each.verdict, Undecided)
        candidate = each.verdict.candidate
        perhaps = "" if candidate is None else _call(found, candidate)
        key = (each.question, undecided_words(_approximations(found), each.verdict), perhaps)
        counts[key] = counts.get(key, 0) + 1
    for (question, reason, perhaps), times in counts.items():
        page.line()
        page.field("undecided", f"{question} ({times} times)" if times > 1 else question, "yellow")
        page.field("because", reason)
        if perhaps:
            page.field("perhaps", perhaps)


def _approximations(found: Refinement) -> list[Approximation]:
    """Return what is not modeled in the source and in the target, each named with its side."""
    return [
        replace(each, op=f"{each.op} of the {side}")
        for trace, side in ((found.source.trace, "source"), (found.target.trace, "target"))
        for each in trace.approximations
    ]


def _call(found: Refinement, verdict: Refuted) -> str:
    return arguments_in_short(found.source.trace, verdict.sizes, _unknown(verdict)) or "no arguments"


def _unknown(verdict: Refuted) -> str:
    """Return what other arguments may be; a run that shows a difference in elements shows it for its numbers only."""
    return "some" if verdict.strategy == BY_RUN else "any"


# JSON ------------------------------------------------------------------------------------------------------------


@stage("report")
def refine_document(found: Sequence[Refinement], code: int) -> dict[str, object]:
    """Return the JSON document of one ``shapesolve refine``."""
    return {"format": FORMAT, "version": VERSION, "exit_code": code, "functions": [_function(each) for each in found]}


def _function(found: Refinement) -> dict[str, object]:
    return {
        "source": {"file": found.source.program.file, "function": found.source.trace.function.name},
        "target": {"file": found.target.program.file, "function": found.target.trace.function.name},
        "verdict": found.word,
        "headline": headline(found),
        "identical": found.identical,
        "source_returns": found.source_returns,
        "allow_lost_checks": found.allow_lost_checks,
        "min_size": found.min_size,
        "max_size": found.max_size,
        "proved_from_size": found.from_size,
        "assumptions": [fact_object(each) for each in found.assumptions],
        "model_assumptions": [
            {"assumption": str(each), "sides": sides} for each, sides in _modeling_assumptions(found).items()
        ],
        "not_compared": list(found.left_out),
        "notes": list(found.notes),
        "findings": [_finding(found, each) for each in found.findings],
    }


def _finding(found: Refinement, finding: Finding) -> dict[str, object]:
    document: dict[str, object] = {"question": finding.question, "verdict": finding.verdict.word}
    verdict = finding.verdict
    if isinstance(verdict, Refuted):
        document |= _counterexample(found, verdict)
        document |= {"source": _behavior(finding.source), "target": _behavior(finding.target)}
        document["made_at"] = {
            side: None if place is None else location_object(place)
            for side, place in _maker_locations(found, finding).items()
        }
        document["values"] = [
            {"side": side, "value": value, "expression": expression}
            for side, value, expression in _differing(finding, verdict)
        ]
    if isinstance(verdict, Undecided):
        document |= {"undecided_reason": verdict.reason_kind.code, "reason": verdict.reason}
        if verdict.candidate is not None:
            document["candidate"] = _counterexample(found, verdict.candidate)
    if finding.executed is not None:
        document["executed"] = {
            "source": finding.executed.source.outcome.value,
            "target": finding.executed.target.outcome.value,
            "words": finding.executed.words,
        }
    return document


def _counterexample(found: Refinement, verdict: Refuted) -> dict[str, object]:
    sizes = {str(name): list(each) if isinstance(each, tuple) else each for name, each in verdict.sizes.items()}
    return {
        "sizes": sizes,
        "arguments": [
            {"name": name, "value": text}
            for name, text in arguments_at(found.source.trace, verdict.sizes, _unknown(verdict))
        ],
        "smallest": verdict.smallest,
        "needs": verdict.needs,
    }


def _behavior(behavior: Behavior) -> dict[str, object]:
    at = behavior.obligation
    return {
        "ending": behavior.ending.name.lower(),
        "words": behavior.words,
        "op": None if at is None else at.op.name,
        "clause": None if at is None else at.clause,
        "location": None if at is None else location_object(at.location),
    }
