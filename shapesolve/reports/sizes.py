"""Sizes to test at, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.errors import plural
from shapesolve.reasons import NO_INPUT
from shapesolve.reports.check_json import fact_object, location_object, origin_object
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import NO_BODIES
from shapesolve.statistics import stage
from shapesolve.test_generation.targets import Target
from shapesolve.test_generation.vectors import Expected, FunctionSizes, SizesReport, TestVector
from shapesolve.trace.concretization import argument_texts, arguments_in_short

FORMAT = "shapesolve-sizes"

_STYLES = {
    Expected.RETURNS: "proved",
    Expected.FAILS: "refuted",
    Expected.OPEN: "undecided",
    Expected.NOT_EXPORTED: "undecided",
}
_WORDS = {
    Expected.RETURNS: "returns",
    Expected.FAILS: "fails",
    Expected.OPEN: "returns or fails: not decided by sizes alone",
    Expected.NOT_EXPORTED: "what the model itself does: its export does not admit these sizes",
}

Json = dict[str, object]


@stage("report")
def print_sizes(report: SizesReport, page: Page, *, verbose: bool = False) -> None:
    """Print every function with its vectors; each target stands at the first vector that covers it unless verbose."""
    page.line(report.program.file, "bold")
    for note in report.program.notes:
        page.field("note", note)
    if not report.functions:
        page.field("nothing", f"was checked: {NO_BODIES}", STYLES["undecided"])
    for function in report.functions:
        page.line()
        _print_function(function, ModelText(report.program, function.trace.function), page, verbose)


def _print_function(function: FunctionSizes, words: ModelText, page: Page, verbose: bool) -> None:
    arguments = ", ".join(f"{each.name}: {each.type}" for each in function.trace.function.arguments)
    page.paragraph(f"@{function.trace.function.name}({arguments})", "bold", hanging=4)
    targets = len({id(each) for vector in function.vectors for each in vector.covers})
    vectors = len(function.vectors)
    contradiction = function.contract.report.contradiction
    if contradiction:
        page.paragraph(f"no sizes to test at: {NO_INPUT}", indent=3)
        page.field("assumed", "; ".join(each.source_text for each in contradiction))
        return
    page.paragraph(headline(vectors, targets, open=len(function.open)), indent=3)
    shown: set[int] = set()
    for number, vector in enumerate(function.vectors, 1):
        page.line()
        _print_vector(number, vector, function, words, page, None if verbose else shown)
        shown |= {id(each) for each in vector.covers}
    dead = [each for each in function.impossible if verbose or each.kind == "branch"]
    if dead or function.open or function.omitted:
        page.line()
    for each in dead:
        page.field("no sizes", f"{target_text(each, is_own=words.is_own)}: proved")
    for each in function.open:
        page.field(
            "not found",
            f"{target_text(each, is_own=words.is_own)}: no sizes were found, and that there are none is not proved",
        )
    if function.omitted:
        page.field("left out", f"{plural(function.omitted, 'more target')}")


def headline(vectors: int, targets: int, *, open: int = 0) -> str:
    """Return the number of vectors and of what they cover; ``open`` targets have no sizes that are known."""
    if not vectors and open:
        return f"no sizes were found for {plural(open, 'target')}: branches, guards and borders"
    if not vectors:
        return "no branch, guard or border depends on sizes"
    cover = "covers" if vectors == 1 else "cover"
    return f"{plural(vectors, 'vector')} of sizes {cover} {plural(targets, 'target')}: branches, guards and borders"


def _print_vector(
    number: int, vector: TestVector, function: FunctionSizes, words: ModelText, page: Page, shown: set[int] | None
) -> None:
    """Print a vector with the targets that it covers.

    Without those ``shown`` above, and those of an operation that a condition of the contract says as well; None: all.
    """
    sizes = arguments_in_short(function.trace, vector.sizes)
    page.paragraph(f"{number}. {sizes}", hanging=4)
    expected = _WORDS[vector.expected]
    if vector.failing is not None and words.is_placed(vector.failing.obligation.op):
        obligation = vector.failing.obligation
        expected += f" at {words.place(obligation)}: {words.operation(obligation.op)}"
    elif vector.failing is not None:
        obligation = vector.failing.obligation
        expected += f" at line {obligation.location.line}: {obligation.label}"
        if obligation.op.origin is not None and obligation.op.origin.line:
            expected += f" ({obligation.op.origin})"
    page.field("expected", expected, STYLES[_STYLES[vector.expected]])
    if vector.executed:
        differs = "; this is not what was proved, so take it for no test" if vector.disagrees else ""
        page.field("run", f"{vector.executed}{differs}")
    new = [each for each in vector.covers if id(each) not in (shown or ())]
    told = new if shown is None else _told_once(new)
    for line, text in enumerate(dict.fromkeys(target_text(each, is_own=words.is_own) for each in told)):
        page.field("" if line else "covers", text)
    if len(new) < len(vector.covers):
        page.field("", f"and {len(vector.covers) - len(new)} of those above")


def _told_once(targets: Sequence[Target]) -> list[Target]:
    """Return targets without those of a condition of an operation that are targets of the contract as well."""
    conditions = {(each.location, each.condition) for each in targets if each.kind == "contract"}
    return [each for each in targets if each.kind == "contract" or (each.location, each.condition) not in conditions]


def target_text(target: Target, *, is_own: bool = False) -> str:
    """Return what a target says, with its line: that of the model in its own program."""
    origin = target.origin
    if is_own:
        place = f"{origin}: " if origin is not None and origin.file else ""
        return f"{place}{target.text}{f': {target.condition}' if target.condition else ''}"
    model = f" ({origin})" if origin is not None and origin.line else ""
    line = f"line {target.location.line}{model}: " if target.location.line else ""
    return f"{line}{target.text}{f': {target.condition}' if target.condition else ''}"


def sizes_document(report: SizesReport, version: str) -> Json:
    """Return the document of ``sizes --json``."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "shapesolve": version,
        "file": report.program.file,
        "notes": list(report.program.notes),
        "exit_code": report.exit_code,
        "functions": [_function(each) for each in report.functions],
    }


def _function(function: FunctionSizes) -> Json:
    return {
        "name": function.trace.function.name,
        "contradiction": [fact_object(each) for each in function.contract.report.contradiction],
        "vectors": [_vector(each, function) for each in function.vectors],
        "impossible": _targets(function.impossible),
        "not_found": _targets(function.open),
        "left_out": function.omitted,
    }


def _vector(vector: TestVector, function: FunctionSizes) -> Json:
    failing = None
    if vector.failing is not None:
        obligation = vector.failing.obligation
        failing = {
            "op": obligation.op.name,
            "clause": obligation.clause,
            "location": location_object(obligation.location),
            "model": origin_object(obligation.op.origin),
        }
    return {
        "sizes": {each.text: list(size) if isinstance(size, tuple) else size for each, size in vector.sizes.items()},
        "arguments": argument_texts(function.trace, vector.sizes),
        "expected": vector.expected.value,
        "fails_in": failing,
        "executed": vector.executed or None,
        "disagrees": vector.disagrees,
        "call": vector.call or None,
        "covers": _targets(vector.covers),
    }


def _targets(targets: Sequence[Target]) -> list[Json]:
    return [
        {
            "kind": each.kind,
            "text": each.text,
            "condition": each.condition or None,
            "location": location_object(each.location),
            "model": origin_object(each.origin),
        }
        for each in targets
    ]
