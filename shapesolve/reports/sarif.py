"""A diagnosis as SARIF 2.1.0, for code hosts that put annotations on lines: one result for each finding."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import cast
from urllib.parse import quote

from shapesolve import __version__
from shapesolve.checker.report import Failure, FunctionReport, PossibleError, ReturnedError
from shapesolve.diagnosis.diagnosis import Diagnosis, FunctionDiagnosis, Request
from shapesolve.diagnosis.findings import Finding
from shapesolve.diagnosis.fixes import TextInsertion
from shapesolve.diagnosis.needs import are_exact, stated_together
from shapesolve.ir.program import Location, Operation, Origin, Program
from shapesolve.records import value_record
from shapesolve.reports.certificates import SARIF_SCHEMA
from shapesolve.reports.exporter_text import exporter_results
from shapesolve.reports.finding_formats import STOPPED
from shapesolve.reports.finding_line import needed_of, wrapping_words
from shapesolve.reports.phrases import KINDS, NO_BODIES, callee_requirement_text, clause_words, shortened
from shapesolve.semantics.codes import OF_NO_CLAUSE, POSSIBLE, RETURNED, UNCHECKED, WRAPS
from shapesolve.semantics.registry import RULEBOOK
from shapesolve.solver.verdicts import Refuted, Undecided, Unreachable
from shapesolve.statistics import stage
from shapesolve.trace.concretization import arguments_in_short
from shapesolve.trace.events import Obligation

LEVELS = {"refuted": "error", "undecided": "warning", "unreachable": "note"}
_LONGEST = 400

REQUEST = Request(None, 0, data=True, obligations=False, suggestions=True, fixes=True, trust=False)
"""Parts of a diagnosis that the log shows."""

Json = dict[str, object]


@value_record
class Part:
    """Contribution of one report to a SARIF log.

    Attributes:
        rules: Clauses of operations, by code.
        results: Findings.
        notifications: Files that could not be checked.
    """

    rules: Mapping[str, Json]
    results: Sequence[Json] = ()
    notifications: Sequence[Json] = ()


@stage("report")
def sarif_part(checked: Diagnosis | Failure, *, as_notes: Collection[Finding] = ()) -> Part:
    """Return the contribution of a file: its rules are clauses of operations, its results are findings.

    Findings that are given ``as_notes`` do not count for the exit code.
    """
    if isinstance(checked, Failure):
        return Part({}, notifications=(_notification(checked),))
    rules: dict[str, Json] = {}
    results: list[Json] = []
    for function in checked.functions:
        contract = _contract(checked.program, function)
        for finding in function.findings:
            result = _result(checked.program, function, finding, rules)
            if finding in as_notes:
                result["level"] = "note"
            results.append({**result, **contract} if isinstance(finding.verdict, Refuted) else result)
        results += _returned_errors(checked.program, function, rules)
        results += _unchecked(checked.program, function.report, rules)
        results += _wrapping(checked.program, function.report, rules)
    results += exporter_results(checked.report, rules, _location)
    if checked.report.lowering_of is not None:
        results = [{**each, "level": "note", "properties": _of_lowering(each)} for each in results]
    if not checked.functions:
        return Part(rules, results, (_note(f"nothing was checked: {NO_BODIES}", checked.program.file),))
    return Part(rules, results)


def _of_lowering(result: Json) -> Json:
    """Return the properties of a result in the lowered program of a model, not in the model."""
    given = result.get("properties")
    return {**(cast("Json", given) if given else {}), "lowering": True}


def sarif_document(checked: Sequence[Diagnosis | Failure]) -> Json:
    """Return a SARIF log with one run over some checked files."""
    return sarif_log([sarif_part(each) for each in checked])


def sarif_log(parts: Sequence[Part]) -> Json:
    """Return a SARIF log with one run over the contributions of some files."""
    run = SarifRun()
    return run.log([result for part in parts for result in run.add(part)])


class SarifRun:
    """Rules and notifications of a run whose results are written elsewhere as they come."""

    def __init__(self) -> None:
        self._rules: dict[str, Json] = {}
        self._order: dict[str, int] = {}
        self._notifications: list[Json] = []

    def add(self, part: Part) -> list[Json]:
        """Return the results of a report, with the indices of their rules."""
        for identity, rule in part.rules.items():
            self._rules.setdefault(identity, rule)
            self._order.setdefault(identity, len(self._order))
        self._notifications += part.notifications
        return [{**each, "ruleIndex": self._order[str(each["ruleId"])]} for each in part.results]

    def stop(self) -> None:
        """Note that the run was stopped, so that the log says not to be complete."""
        self._notifications.append({"level": "error", "message": {"text": STOPPED}})

    def log(self, results: object) -> Json:
        """Return the log around its results, or around a placeholder for them."""
        driver: Json = {
            "name": "shapesolve",
            "version": __version__,
            **_pages("informationUri"),
            "rules": list(self._rules.values()),
        }
        is_complete = all(each["level"] == "note" for each in self._notifications)
        invocation: Json = {"executionSuccessful": is_complete, "toolExecutionNotifications": self._notifications}
        run: Json = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": results,
        }
        return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(program: Program, function: FunctionDiagnosis, finding: Finding, rules: dict[str, Json]) -> Json:
    obligation = finding.first.obligation
    identity = obligation.code
    if identity not in rules:
        rules[identity] = _rule(identity, obligation)
    result: Json = {
        "ruleId": identity,
        "level": LEVELS[finding.verdict.word],
        "message": {"text": message(function, finding)},
        "locations": [_place(program, obligation.op, function.name)],
        "partialFingerprints": {"shapesolve/v1": fingerprint(function, finding)},
    }
    elsewhere = {_key(each.obligation.op): each.obligation.op for each in finding.others}
    elsewhere.pop(_key(obligation.op), None)
    related = [("the same cause", _place(program, each, function.name)) for each in elsewhere.values()]
    related += [(f"calls @{each.function.name}", _place(program, each.op, function.name)) for each in obligation.calls]
    if obligation.op.origin is not None and obligation.op.origin.line and not program.model:
        related.insert(0, ("in the model", _origin(obligation.op.origin, function.name)))
    if related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": words}, **place} for number, (words, place) in enumerate(related, 1)
        ]
    return result


def _contract(program: Program, function: FunctionDiagnosis) -> Json:
    """Return the assumptions under which nothing is refuted, and the fix that states them in the program."""
    suggested = function.suggestions
    if not suggested.assumptions:
        return {}
    found: Json = {"properties": {"safeWhen": list(suggested.complete), "safeOnlyThen": suggested.exact}}
    if function.fix is None:
        return found
    words = f"State what @{function.name} needs of its arguments: {' and '.join(suggested.assumptions)}"
    return {**found, "fixes": [_fix(function.fix, words, uri(program.file))]}


def _fix(insertion: TextInsertion, words: str, uri: str) -> Json:
    line, column = insertion.line, insertion.column
    region: Json = {"startLine": line, "startColumn": column, "endLine": line, "endColumn": column}
    replacement: Json = {"deletedRegion": region, "insertedContent": {"text": insertion.text}}
    return {
        "description": {"text": words},
        "artifactChanges": [{"artifactLocation": {"uri": uri}, "replacements": [replacement]}],
    }


def _returned_errors(program: Program, diagnosis: FunctionDiagnosis, rules: dict[str, Json]) -> list[Json]:
    """Return an error for each result that is one in every call, and a note for each that is one for some sizes.

    They stand at the operation that makes the result an error.
    """
    function = diagnosis.report
    found: list[tuple[str, str, ReturnedError | PossibleError, str]] = [
        (RETURNED, "error", each, "in every call") for each in function.errors
    ]
    found += [(POSSIBLE, "note", error, f"unless {words}") for error, words in diagnosis.possible_errors]
    results: list[Json] = []
    for identity, level, error, when in found:
        rules.setdefault(identity, _rule_of_no_clause(identity))
        message = f'"{error.message}": ' if error.message else ""
        op = error.producer or function.trace.function.operation
        results.append(
            {
                "ruleId": identity,
                "level": level,
                "message": {"text": f"{message}result {error.position} of @{function.name} is an error {when}."},
                "locations": [_place(program, op, function.name)],
                "partialFingerprints": {"shapesolve/v1": digest((function.name, identity, str(error.position)))},
            }
        )
    return results


def _unchecked(program: Program, function: FunctionReport, rules: dict[str, Json]) -> list[Json]:
    """Return a warning for each operation whose requirements are not known."""
    results: list[Json] = []
    for op, location, reason in dict.fromkeys((each.op, each.location, each.reason) for each in function.unchecked):
        rules.setdefault(UNCHECKED, _rule_of_no_clause(UNCHECKED))
        parts = (function.name, op, UNCHECKED, reason)
        results.append(
            {
                "ruleId": UNCHECKED,
                "level": "warning",
                "message": {"text": f"{op} may fail and is not checked: {reason}."},
                "locations": [_location(location, function.name, program)],
                "partialFingerprints": {"shapesolve/v1": digest(parts)},
            }
        )
    return results


def _wrapping(program: Program, function: FunctionReport, rules: dict[str, Json]) -> list[Json]:
    """Return a note for each operation that is not proved not to wrap around."""
    results: list[Json] = []
    for each in function.wrapping:
        rules.setdefault(WRAPS, _rule_of_no_clause(WRAPS))
        results.append(
            {
                "ruleId": WRAPS,
                "level": "note",
                "message": {"text": f"{wrapping_words(function.trace, each)}."},
                "locations": [_location(each.location, function.name, program)],
                "partialFingerprints": {"shapesolve/v1": digest((function.name, WRAPS, each.operation))},
            }
        )
    return results


def message(diagnosis: FunctionDiagnosis, finding: Finding) -> str:
    """Return a finding in one to three sentences."""
    obligation, verdict = finding.first.obligation, finding.verdict
    together = stated_together(diagnosis.needs, finding.checked_obligations)
    stated = needed_of(diagnosis, finding) if len(together) > 1 else ""
    function, claim = diagnosis.report, shortened(stated or diagnosis.requirements[finding.first], _LONGEST)
    verb = "requires" if are_exact(diagnosis.needs, together if stated else (finding.first,)) else "safe if"
    requirement = f"{obligation.message} ({verb} {claim})."
    match verdict:
        case Refuted():
            sizes = arguments_in_short(function.trace, verdict.sizes)
            kind = KINDS[obligation.kind]
            text = f"{kind[0].upper()}{kind[1:]} at {sizes or 'any sizes'}: {requirement}"
            if function.fails_for_all is finding.first:
                text = f"Every call fails: no allowed sizes get past this. {text}"
            if obligation in diagnosis.callee_requirements:
                text += f" {callee_requirement_text(diagnosis.callee_requirements[obligation])}."
            if verdict.needs is not None:
                text += f" Fails only when {verdict.needs}."
            if finding.first.wraps:
                text += f" It fails only because {finding.first.wraps} wraps around."
        case Undecided() if finding.data is not None:
            needed = shortened(finding.data.text, _LONGEST)
            text = f"{needed[0].upper()}{needed[1:]}. Otherwise: {obligation.message}."
        case Undecided():
            why = verdict.reason_kind.value
            text = f"Undecided whether {requirement} {why[0].upper()}{why[1:]}: {shortened(verdict.reason, _LONGEST)}."
        case Unreachable():
            text = f"Never reached, because facts contradict each other: {obligation.op.name}."
        case _:
            text = requirement
    others = len(finding.checked_obligations) - (len(together) if stated else 1)
    return f"{text} {others} more of the same cause." if others else text


def _rule(identity: str, obligation: Obligation) -> Json:
    rule = RULEBOOK.get(obligation.op.name)
    words = clause_words(obligation) or f"{obligation.op.name} demands this of its sizes."
    clause: Json = {"operation": obligation.op.name, "clause": obligation.clause}
    described: Json = {"id": identity, "name": identity, "shortDescription": {"text": words}, "properties": clause}
    if rule is not None:
        described["fullDescription"] = {"text": rule.words}
    more = [] if rule is None else [rule.words]
    return {**described, "help": _help(identity, words, more), **_pages("helpUri")}


def _rule_of_no_clause(identity: str) -> Json:
    words = OF_NO_CLAUSE[identity]
    described: Json = {"id": identity, "name": identity, "shortDescription": {"text": words}}
    return {**described, "help": _help(identity, words), **_pages("helpUri")}


def _help(identity: str, words: str, more: Sequence[str] = ()) -> Json:
    """Return the help of a rule, as text and as Markdown: what it demands, more of it, and the command for all."""
    command = f"shapesolve rules {identity}"
    return {
        "text": "\n\n".join((words, *more, f"More: {command}")),
        "markdown": "\n\n".join((f"**{words}**", *more, f"More: `{command}`")),
    }


def _pages(key: str) -> Json:
    address = project_address()
    return {} if address is None else {key: address}


@cache
def project_address() -> str | None:
    """Return the address of the documentation that the package's metadata has; None if it has none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        stated = metadata("shapesolve").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return None
    named = {name.strip().lower(): address.strip() for name, _, address in (each.partition(",") for each in stated)}
    return next((named[name] for name in ("documentation", "homepage", "repository") if name in named), None)


def _key(op: Operation) -> tuple[Location, Origin | None]:
    return op.location, op.origin


def _place(program: Program, op: Operation, function: str) -> Json:
    """Return the location of an operation: the line of the model if it is known, else the place in the MLIR."""
    if program.model and op.origin is not None and op.origin.line:
        return _origin(op.origin, function)
    return _location(op.location, function, program)


def _origin(origin: Origin, function: str) -> Json:
    names: list[Json] = [{"name": function, "kind": "function"}]
    if origin.module:
        names.append({"name": origin.module, "kind": "module"})
    region: Json = {"startLine": origin.line}
    if origin.column:
        region["startColumn"] = origin.column
    place: Json = {"artifactLocation": {"uri": uri(origin.file)}, "region": region}
    return {"physicalLocation": place, "logicalLocations": names}


def _location(location: Location, function: str, program: Program) -> Json:
    is_file = not program.model or location.file != program.file
    place: Json = {"artifactLocation": {"uri": uri(location.file if is_file else program.model)}}
    if location.line and is_file:
        region: Json = {"startLine": location.line}
        if location.column:
            region["startColumn"] = location.column
        place["region"] = region
    return {"physicalLocation": place, "logicalLocations": [{"name": function, "kind": "function"}]}


def uri(file: str) -> str:
    """Return a relative path as a relative reference, an absolute one as a file URI."""
    path = PurePath(file)
    if path.is_absolute():
        return Path(file).as_uri()
    return quote(path.as_posix(), errors="surrogateescape")


def fingerprint(function: FunctionDiagnosis, finding: Finding) -> str:
    """Return an identifier of a cause that does not depend on the line."""
    obligation = finding.first.obligation
    parts = (function.name, obligation.op.name, obligation.clause, obligation.message, str(obligation.claim))
    return digest(parts)


def digest(parts: Sequence[str]) -> str:
    """Return a digest of some texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _notification(failure: Failure) -> Json:
    text = f"{failure.where}: {failure.message}" if failure.where else failure.message
    level = "error" if failure.lowering_of is None else "note"
    return {**_note(text, failure.file), "level": level}


def _note(text: str, file: str) -> Json:
    place: Json = {"physicalLocation": {"artifactLocation": {"uri": uri(file)}}}
    return {"level": "note", "message": {"text": text}, "locations": [place]}
