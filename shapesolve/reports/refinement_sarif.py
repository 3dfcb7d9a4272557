"""Refinements as SARIF 2.1.0: one result for each function that is not shown to refine its source."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.ir.program import Function
from shapesolve.refinement.outcome import Refinement
from shapesolve.reports.phrases import NO_BODIES
from shapesolve.reports.refinement import headline, refuted_words
from shapesolve.reports.sarif import Json, Part, digest, uri
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.statistics import stage

_RULES = {
    VerdictKind.REFUTED: "The target does not refine the source.",
    VerdictKind.UNDECIDED: "Whether the target refines the source is not decided.",
    VerdictKind.PROVED: "Sizes and checks refine, and something else was not compared.",
    VerdictKind.UNREACHABLE: "No input fulfills what is assumed.",
}


@stage("report")
def refinement_part(found: Sequence[Refinement]) -> Part:
    """Return the contribution of a comparison of two programs to a SARIF log."""
    if not found:
        note: Json = {"level": "note", "message": {"text": f"nothing was compared: {NO_BODIES}"}}
        return Part({}, notifications=(note,))
    rules: dict[str, Json] = {}
    results: list[Json] = []
    for each in found:
        if each.word is VerdictKind.PROVED and not each.is_partial:
            continue
        kind = each.word
        identity = "refine-not-compared" if kind is VerdictKind.PROVED else f"refine-{kind.value}"
        rules[identity] = {"id": identity, "name": identity, "shortDescription": {"text": _RULES[kind]}}
        results.append(_result(each, identity))
    return Part(rules, results)


def _result(found: Refinement, identity: str) -> Json:
    is_refuted = found.word is VerdictKind.REFUTED
    details = [refuted_words(found, finding) for finding in found.refuted[:1]]
    name = found.target.trace.function.name
    return {
        "ruleId": identity,
        "level": "error" if is_refuted else "warning",
        "message": {"text": "; ".join([headline(found, names_files=True), *details])},
        "locations": [function_location(found.target.program.file, found.target.trace.function)],
        "relatedLocations": [function_location(found.source.program.file, found.source.trace.function)],
        "partialFingerprints": {"shapesolve/v1": digest((identity, found.source.trace.function.name, name))},
    }


def function_location(file: str, function: Function) -> Json:
    """Return the location of a function that comes from a file."""
    physical: Json = {"artifactLocation": {"uri": uri(file)}}
    if function.location.file == file and function.location.line:
        physical["region"] = {"startLine": function.location.line}
    return {"physicalLocation": physical, "logicalLocations": [{"name": function.name, "kind": "function"}]}
