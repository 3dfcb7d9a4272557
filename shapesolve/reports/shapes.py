"""Shapes of the values of a function, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.diagnosis.requirements import names_library_values, required
from shapesolve.ir.program import ScalarType
from shapesolve.reasons import NO_INPUT
from shapesolve.reports.check_json import returned_error_object
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import failing_claim_words, returned_error_words
from shapesolve.shape_inference.known_extents import Inferred, KnownExtent
from shapesolve.shape_inference.value_shapes import ValueShape, result_shapes
from shapesolve.statistics import stage
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.trace.assumed_overflow import assumption_texts

FORMAT = "shapesolve-shapes"
WIDEST_NAME = 24


# Text ----------------------------------------------------------------------------------------------------------------


@stage("report")
def print_shapes(
    inferred: Inferred,
    chosen: Sequence[ValueShape],
    conditions: Sequence[CheckedObligation] | None,
    page: Page,
    verbose: bool,
) -> None:
    """Print some values of one function and, with the conditions on them, its results."""
    page.line(f"@{inferred.trace.function.name}", "bold")
    if inferred.contradiction:
        page.field(
            "assumed", f"{NO_INPUT}: {'; '.join(each.source_text for each in inferred.contradiction)}", "magenta"
        )
    if conditions is not None:
        _print_certain_errors(inferred, page)
    widest = min(max((len(each.name) for each in chosen), default=0), WIDEST_NAME)
    for each in chosen:
        page.line(f"{each.name.ljust(widest)}  {each.shape}", indent=3)
        if verbose:
            for extent in each.known:
                page.paragraph(_reason(extent), indent=3 + widest + 2, hanging=3)
    if conditions is None:
        return
    results = [
        str(type) if isinstance(type, ScalarType) and text == "?" else text
        for type, text in zip(inferred.trace.function.result_types, result_shapes(inferred), strict=True)
    ]
    if results:
        page.field("returns", ", ".join(results))
    provided = dict.fromkeys(_condition(inferred, each) for each in conditions)
    for label, text in zip(_labels("provided"), provided, strict=False):
        page.field(label, text)
    if assumed := assumption_texts(inferred.trace, in_full=False):
        page.field("assumes", "; ".join(assumed))
    for label, text in zip(_labels("unknown"), dict.fromkeys(_unmodeled(inferred)), strict=False):
        page.field(label, text)


def _print_certain_errors(inferred: Inferred, page: Page) -> None:
    """Print that every call fails, or that a result is an error in every call."""
    failing = inferred.fails_for_all
    words = [] if failing is None else [failing_claim_words(failing)]
    for each in (*words, *map(returned_error_words, inferred.errors)):
        page.paragraph(each, STYLES["refuted"], indent=3)


def _condition(inferred: Inferred, checked_obligation: CheckedObligation) -> str:
    obligation = checked_obligation.obligation
    if obligation.claim is FALSE or names_library_values(obligation, inferred.trace):
        return f"never: {obligation.message}   (line {obligation.location.line}: {obligation.label})"
    claim = required(obligation, checked_obligation.verdict, inferred.trace, tells_empty_apart=True)
    return f"{claim}   (line {obligation.location.line}: {obligation.label})"


def _labels(label: str) -> Iterable[str]:
    yield label
    while True:
        yield ""


def _reason(extent: KnownExtent) -> str:
    words = "; ".join(dict.fromkeys(each.source_text for each in extent.facts)) or "what the operation computes"
    return f"extent {extent.position} is {extent.number} because of {words}"


def _unmodeled(inferred: Inferred) -> list[str]:
    return [
        f"{each.op} is not modeled: {each.reason} (line {each.location.line})" for each in inferred.trace.approximations
    ]


# JSON ----------------------------------------------------------------------------------------------------------------


def function_object(
    inferred: Inferred, chosen: Sequence[ValueShape], conditions: Sequence[CheckedObligation]
) -> dict[str, object]:
    """Return the object of one function."""
    return {
        "name": inferred.trace.function.name,
        "values": [_value_object(each) for each in chosen],
        "results": result_shapes(inferred),
        "where": [_condition_object(each) for each in conditions],
        "fails_for_all_sizes": None if inferred.fails_for_all is None else _condition_object(inferred.fails_for_all),
        "returned_errors": [returned_error_object(each) for each in inferred.errors],
        "contradiction": [each.source_text for each in inferred.contradiction],
        "model_assumptions": list(assumption_texts(inferred.trace)),
        "approximations": _unmodeled(inferred),
    }


def _condition_object(condition: CheckedObligation) -> dict[str, object]:
    obligation = condition.obligation
    return {
        "claim": str(obligation.claim),
        "op": obligation.op.name,
        "clause": obligation.clause,
        "line": obligation.location.line,
        "verdict": condition.verdict.word,
    }


def _value_object(value: ValueShape) -> dict[str, object]:
    return {
        "name": value.name,
        "type": value.type,
        "op": value.op or None,
        "line": value.location.line,
        "column": value.location.column,
        "shape": value.shape,
        "known": [
            {"extent": each.position, "number": each.number, "because": [fact.source_text for fact in each.facts]}
            for each in value.known
        ],
    }
