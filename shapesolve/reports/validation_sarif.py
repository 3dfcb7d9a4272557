"""Validations of pass pipelines as SARIF 2.1.0: one result for each pass at fault, or not settled."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.refinement.outcome import Refinement
from shapesolve.reports.refinement import headline
from shapesolve.reports.refinement_sarif import function_location
from shapesolve.reports.sarif import Json, Part, digest, uri
from shapesolve.reports.validation import place
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.statistics import stage
from shapesolve.validation.outcome import Standing, StepResult, Validation

_RULES = {
    Standing.REFUTED: "A pass returns a program that does not refine its input.",
    Standing.INVALID: "A pass returns what MLIR's verifier rejects.",
    Standing.CRASHED: "A pass ends its process.",
    Standing.TIMED_OUT: "A pass does not end in time.",
    Standing.UNDECIDED: "Whether a pass's output refines its input is not decided.",
    Standing.NOT_COMPARED: "The output of a pass cannot be compared with its input.",
    Standing.FAILED: "A pass reports an error.",
}


@stage("report")
def validation_part(found: Validation) -> Part:
    """Return the contribution of one file to a SARIF log."""
    rules: dict[str, Json] = {}
    results: list[Json] = []
    for step in found.steps:
        description = _RULES.get(step.standing)
        if description is None:
            continue
        identity = f"validate-{step.standing.name.lower().replace('_', '-')}"
        rules[identity] = {"id": identity, "name": identity, "shortDescription": {"text": description}}
        results += (_result(found, step, identity, text, of) for text, of in _messages(step))
    return Part(rules, results)


def failed_part(file: str, message: str) -> Part:
    """Return the contribution of a file that could not be used."""
    return Part({}, notifications=({"level": "error", "message": {"text": message}, "locations": [_location(file)]},))


def _messages(step: StepResult) -> Iterator[tuple[str, Refinement | None]]:
    if step.reason or not step.refinements:
        yield step.reason or step.standing.value, None
    for each in step.refinements:
        if each.word not in (VerdictKind.PROVED, VerdictKind.UNREACHABLE):
            yield headline(each), each


def _result(found: Validation, step: StepResult, identity: str, text: str, of: Refinement | None) -> Json:
    location = _location(found.file) if of is None else function_location(found.file, of.source.trace.function)
    name = "" if of is None else of.source.trace.function.name
    return {
        "ruleId": identity,
        "level": "error" if step.standing.is_finding else "warning",
        "message": {"text": f"{place(found, step)}: {text}"},
        "locations": [location],
        "partialFingerprints": {"shapesolve/v1": digest((step.step.name, identity, name))},
        "properties": {"pass": step.step.name, "number": step.step.number, "pipeline": step.step.pipeline},
    }


def _location(file: str) -> Json:
    return {"physicalLocation": {"artifactLocation": {"uri": uri(file)}}}
