"""Explanations of obligations as JSON. The format is described in docs/json.md."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve import __version__
from shapesolve.checker.report import Report
from shapesolve.diagnosis.explanation import Explained, Step
from shapesolve.diagnosis.findings import stable_ids
from shapesolve.reports.check_json import Json, location_object, obligation_object
from shapesolve.reports.json_versions import VERSION
from shapesolve.statistics import stage
from shapesolve.trace.concretization import with_source_names

FORMAT = "shapesolve-explanation"


@stage("report")
def explanation_document(report: Report, found: Sequence[Explained], exit_code: int) -> Json:
    """Return the JSON document of some explained obligations of a file."""
    named = {each.obligation: name for f in report.functions for each, name in stable_ids(f).items()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "shapesolve": __version__,
        "file": report.program.file,
        "exit_code": exit_code,
        "domain": {"min_size": report.min_size, "max_size": report.max_size},
        "obligations": [_explained_object(each, named[each.checked_obligation.obligation]) for each in found],
    }


def _explained_object(each: Explained, identity: str) -> Json:
    function = each.diagnosis.report
    reached = None if each.path is None else str(with_source_names(each.path, function.trace))
    return {
        "function": function.name,
        **obligation_object(each.diagnosis, each.checked_obligation, identity),
        "reached": reached,
        "iterations": [
            {
                "op": iteration.loop.name,
                "location": location_object(iteration.loop.location),
                "number": iteration.number,
                "count": iteration.total,
            }
            for iteration in each.iterations
        ],
        "raised": each.raised,
        "shown": [{"name": name, "size": str(size)} for name, size in each.checked_obligation.obligation.shown],
        "values": [_step_object(step) for step in each.values],
        "steps": [_step_object(step) for step in each.steps],
        "query": each.query,
    }


def _step_object(step: Step) -> Json:
    where = None if step.location is None else location_object(step.location)
    return {"name": step.name, "value": step.value, "op": step.op or None, "location": where}
