"""Validations of pass pipelines, as text and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from shapesolve.errors import plural
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.page import Page
from shapesolve.reports.phrases import shortened
from shapesolve.reports.refinement import SHAPES_ONLY, above_words, print_refinements, refine_document
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.statistics import stage
from shapesolve.validation.outcome import Standing, StepResult, Validation

FORMAT = "shapesolve-validate"
LONGEST_REASON = 120

_STYLES = {
    Standing.REFUTED: "bold red",
    Standing.INVALID: "bold red",
    Standing.CRASHED: "bold red",
    Standing.TIMED_OUT: "bold red",
    Standing.PROVED: "green",
    Standing.UNDECIDED: "yellow",
    Standing.NOT_COMPARED: "yellow",
    Standing.FAILED: "yellow",
}


def headline(found: Validation) -> str:
    """Return the verdict on the whole in one line."""
    if found.findings:
        first = found.findings[0]
        more = len(found.findings) - 1
        others = f"; so is {plural(more, 'later pass').replace('passs', 'passes')}" if more else ""
        return f"{found.file}: {place(found, first)} {_fault(first)}{others}"
    if found.unsettled:
        first = found.unsettled[0]
        return f"{found.file}: not settled: {place(found, first)} {_open(first)}"
    if all(each.standing is not Standing.PROVED for each in found.steps):
        changed = any(each.standing is Standing.IDENTICAL for each in found.steps)  # in spelling
        same = "reads as the same program as" if changed else "is the same program as"
        return f"{found.file}: nothing to prove: every output {same} its input"
    if found.is_partial:
        return f"{found.file}: {_proved_part(found)}"
    return f"{found.file}: proved: {_shown(found)}"


def place(found: Validation, result: StepResult) -> str:
    """Return the pass in words: its name and its number."""
    if found.end_to_end:
        return result.step.name
    return f"{result.step.name} (pass {result.step.number} of {len(found.steps)})"


def _fault(result: StepResult) -> str:
    match result.standing:
        case Standing.REFUTED:
            refuted = [each for each in result.refinements if each.word is VerdictKind.REFUTED]
            first = refuted[0]
            if first.from_size is not None:
                return f"does not refine its input, but does for sizes >= {first.from_size}"
            limited = "" if first.above is None else f"; {above_words(first, first.above)}"
            return f"does not refine its input{limited}"
        case Standing.INVALID:
            return "returns what MLIR's verifier rejects"
        case Standing.CRASHED:
            return "crashes"
        case _:
            return "does not end in time"


def _open(result: StepResult) -> str:
    match result.standing:
        case Standing.FAILED:
            return "gave up"
        case Standing.UNDECIDED:
            return "is undecided"
        case Standing.NOT_RUN:
            return "was not run"
        case _:
            return "cannot be compared"


def _shown(found: Validation) -> str:
    subject = "the last output refines the input" if found.end_to_end else "every pass refines its input"
    if not found.not_compared:
        return f"{subject} in sizes, checks and elements" if found.compares_elements else subject
    return f"{subject} in sizes and checks; {' and '.join(found.not_compared)} not compared"


def _proved_part(found: Validation) -> str:
    """Return what was proved, what was not compared, and why, where more was asked for than was compared."""
    missing = " and ".join(found.not_compared)
    partial = ((step, each) for step in found.steps for each in step.refinements if each.is_partial)
    step, omission = next((step, each.partial_omissions[0]) for step, each in partial)
    first = "" if found.end_to_end else f"{step.step.name}: "
    why = shortened(f"{first}{omission.reason or omission.words}", LONGEST_REASON)
    return f"sizes and checks proved, {missing} not compared ({why})"


@stage("report")
def print_validation(found: Validation, page: Page, *, verbose: bool = False) -> None:
    """Print the verdict on a file, a line for every pass, and the evidence against the first passes at fault."""
    page.line(headline(found), _headline_style(found))
    for note in found.notes:
        page.field("note", note, "yellow")
    page.field("run by", found.runner)
    if not found.end_to_end:
        counts = [f"{number} {standing.value}" for standing, number in found.count()]
        page.field("passes", f"{len(found.steps)}: {', '.join(counts)}")
    _print_passes(found, page, verbose)
    if found.is_partial and not found.findings and not found.unsettled:
        page.field("try", SHAPES_ONLY)
    for result in found.steps:
        if verbose or not result.standing.is_shown:
            _print_evidence(found, result, page, verbose)


def _headline_style(found: Validation) -> str:
    return "bold red" if found.findings else "yellow" if found.unsettled or found.is_partial else "green"


def _print_passes(found: Validation, page: Page, verbose: bool) -> None:
    quiet = (Standing.UNCHANGED, Standing.NOT_RUN)
    for result in found.steps:
        if verbose or result.standing not in quiet:
            left_out = result.not_compared if result.standing is Standing.PROVED else ()
            missing = f"sizes and checks proved, {' and '.join(left_out)} not compared" if left_out else ""
            words = f"{result.step.number:5}  {result.step.name}: {missing or result.standing.value}"
            page.line(words, _STYLES.get(result.standing, "dim"))


def _print_evidence(found: Validation, result: StepResult, page: Page, verbose: bool) -> None:
    if not (result.reason or result.refinements or result.notes):
        return
    page.line()
    page.line(f"{place(found, result)}: {result.standing.value}", _STYLES.get(result.standing, ""))
    if result.reason:
        page.field("because", result.reason)
    for note in result.notes:
        page.field("note", note)
    wanted = [each for each in result.refinements if verbose or each.word is not VerdictKind.PROVED]
    print_refinements(wanted, page, verbose=verbose)
    if result.standing.is_finding and result.standing is not Standing.REFUTED:
        page.field("again", f"--pipeline {shlex.quote(result.step.pipeline)}")


# JSON ------------------------------------------------------------------------------------------------------------


@stage("report")
def validate_document(files: Sequence[dict[str, object]], code: int) -> dict[str, object]:
    """Return the JSON document of one ``shapesolve validate``."""
    return {"format": FORMAT, "version": VERSION, "exit_code": code, "files": list(files)}


def validation_object(found: Validation) -> dict[str, object]:
    """Return the JSON object of one file."""
    return {
        "file": found.file,
        "headline": headline(found),
        "exit_code": found.exit_code,
        "runner": found.runner,
        "end_to_end": found.end_to_end,
        "not_compared": list(found.not_compared),
        "counts": {standing.name.lower(): number for standing, number in found.count()},
        "notes": list(found.notes),
        "passes": [_pass(each) for each in found.steps],
    }


def _pass(result: StepResult) -> dict[str, object]:
    document: dict[str, object] = {
        "number": result.step.number,
        "name": result.step.name,
        "pipeline": result.step.pipeline,
        "standing": result.standing.name.lower(),
        "reason": result.reason,
        "notes": list(result.notes),
        "functions": refine_document(result.refinements, 0)["functions"],
    }
    if result.standing.is_finding:
        document |= {"before": _module(result.before), "after": _module(result.after)}
    return document


def _module(text: str | bytes | None) -> str | None:
    return text if isinstance(text, str) else None
