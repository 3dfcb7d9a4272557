"""A diagnosis as JSON. The format is described in docs/json.md; a change that breaks readers raises VERSION."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve import __version__
from shapesolve.checker.checked_obligation import CheckedObligation, Confirmation
from shapesolve.checker.report import Failure, FunctionReport, PossibleError, ReturnedError, WrappingOperation
from shapesolve.diagnosis.diagnosis import Diagnosis, FunctionDiagnosis, Request
from shapesolve.diagnosis.findings import stable_ids
from shapesolve.diagnosis.requirements import CalleeRequirement
from shapesolve.diagnosis.unmodeled_truths import unmodeled_reasons
from shapesolve.domain.values import Tensor, element_lists
from shapesolve.ir.program import Location, Origin
from shapesolve.reports.certificates import CHECK
from shapesolve.reports.exporter_text import exporter_objects
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.phrases import arbitrary_sizes, claim_values, clause_words, largest_size
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable, Verdict, VerdictKind
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Sizes, evaluate
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.trace.assumed_overflow import assumption_texts
from shapesolve.trace.concretization import arguments_at, with_source_names
from shapesolve.trace.events import Fact, Trace

REQUEST = Request(None, 0, data=False, obligations=True, suggestions=True, fixes=False, trust=False)
"""Parts of a diagnosis that the document shows."""

Json = dict[str, object]


def check_document(checked: Sequence[Diagnosis | Failure], exit_code: int) -> Json:
    """Return the JSON document of one ``shapesolve check``."""
    return document_of([file_object(each) for each in checked], exit_code)


def document_of(files: Sequence[Mapping[str, object]], exit_code: int) -> Json:
    """Return the JSON document of a check whose files are rendered already."""
    return {
        "format": CHECK,
        "version": VERSION,
        "shapesolve": __version__,
        "exit_code": exit_code,
        "files": list(files),
    }


@stage("report")
def file_object(checked: Diagnosis | Failure) -> Json:
    """Return the object of one file, whether it could be checked or not."""
    return failure_object(checked) if isinstance(checked, Failure) else diagnosis_object(checked)


def failure_object(failure: Failure) -> Json:
    """Return the object of a file that could not be checked."""
    return {
        "file": failure.file,
        **({"lowering": True} if failure.lowering_of is not None else {}),
        "exit_code": 2,
        "error": {"where": failure.where, "message": failure.message, "excerpt": failure.excerpt},
    }


def diagnosis_object(diagnosis: Diagnosis) -> Json:
    """Return the object of one checked file."""
    report = diagnosis.report
    return {
        "file": report.program.file,
        "level": report.program.level or None,
        "lowering": report.lowering_of is not None,
        "exit_code": report.exit_code,
        "notes": list(report.program.notes),
        "domain": {"min_size": report.min_size, "max_size": report.max_size},
        "summary": counts(report.checked_obligations),
        "exporter": exporter_objects(report),
        "functions": [
            {**function_object(each), "max_size": largest_size(each.report.trace, report.max_size)}
            for each in diagnosis.functions
        ],
    }


def counts(checked_obligations: Sequence[CheckedObligation]) -> dict[str, int]:
    """Return the number of obligations, in all, by verdict, and of those that data decides."""
    kinds = [checked_obligation.verdict.word for checked_obligation in checked_obligations]
    numbers = {kind.value: kinds.count(kind) for kind in VerdictKind}
    return {"obligations": len(kinds), **numbers, "about_data": sum(each.is_about_data for each in checked_obligations)}


def function_object(diagnosis: FunctionDiagnosis) -> Json:
    """Return the object of one function: its assumptions, its obligations in program order, and its findings."""
    function, suggested = diagnosis.report, diagnosis.suggestions
    named = stable_ids(function)
    arguments = function.trace.function.arguments
    return {
        "name": function.name,
        "location": location_object(function.trace.function.location),
        "arguments": [{"name": each.name, "type": str(each.type)} for each in arguments],
        "summary": counts(function.checked_obligations),
        "never_reached": diagnosis.is_unreachable,
        "fails_for_all_sizes": None if function.fails_for_all is None else named[function.fails_for_all],
        "returned_errors": [returned_error_object(each) for each in function.errors],
        "possible_errors": [
            {**returned_error_object(error), "unless": condition} for error, condition in diagnosis.possible_errors
        ],
        "contradiction": [fact_object(fact) for fact in function.contradiction],
        "assumptions": [fact_object(fact) for fact in function.assumptions],
        "model_assumptions": list(assumption_texts(function.trace)),
        "timed_out": function.timed_out,
        "approximations": [
            {
                "op": each.op,
                "reason": each.reason,
                "location": location_object(each.location),
                "requirements_known": each.requirements_known,
            }
            for each in function.approximations
        ],
        "unchecked": [{"op": each.op, "location": location_object(each.location)} for each in function.unchecked],
        "wrapping": [_wrapping_object(function, each) for each in function.wrapping],
        "suggested_assumptions": list(suggested.complete),
        "suggestions_exact": suggested.exact,
        "suggested_signature": suggested.signature or None,
        "sufficient_assumptions": list(suggested.shortest),
        "safe_for_no_sizes": suggested.hopeless,
        "findings": [
            {
                "verdict": finding.verdict.word,
                "obligations": [named[each] for each in finding.checked_obligations],
                "code": finding.first.obligation.code,
                "requires": diagnosis.requirements[finding.first],
                "needs": diagnosis.needs[finding.first].text,
            }
            for finding in diagnosis.findings
        ],
        "obligations": [obligation_object(diagnosis, each, named[each]) for each in function.checked_obligations],
    }


def returned_error_object(error: ReturnedError | PossibleError) -> Json:
    """Return the object of a result that is an error."""
    return {
        "result": error.position,
        "op": None if error.producer is None else error.producer.name,
        "location": None if error.producer is None else location_object(error.producer.location),
        "error_message": error.message or None,
    }


def _wrapping_object(function: FunctionReport, operation: WrappingOperation) -> Json:
    verdict = operation.verdict
    return {
        "op": operation.operation,
        "location": location_object(operation.location),
        "verdict": verdict.word,
        "sizes": sizes_object(function.trace, verdict.sizes) if isinstance(verdict, Refuted) else None,
        "reason": verdict.reason if isinstance(verdict, Undecided) else None,
    }


def obligation_object(diagnosis: FunctionDiagnosis, checked_obligation: CheckedObligation, identity: str) -> Json:
    """Return the object of one obligation with its verdict and the evidence for it."""
    function, obligation = diagnosis.report, checked_obligation.obligation
    return {
        "identity": identity,
        "op": obligation.op.name,
        "clause": obligation.clause,
        "clause_words": clause_words(obligation),
        "code": obligation.code,
        "kind": obligation.kind.value,
        "location": location_object(obligation.location),
        "model": origin_object(obligation.op.origin),
        "message": obligation.message,
        "calls": [
            {"function": each.function.name, "location": location_object(each.op.location)} for each in obligation.calls
        ],
        "callee_needs": _need_object(diagnosis.callee_requirements.get(obligation)),
        "claim": str(obligation.claim),
        "readable_claim": readable_claim(with_source_names(obligation.claim, function.trace)),
        "unmodeled": unmodeled_reasons(obligation.claim, function.trace),
        "verdict": checked_obligation.verdict.word,
        "data": diagnosis.data_requirements.get(checked_obligation),
        "evidence": evidence_object(function, checked_obligation, checked_obligation.verdict),
        "original": checked_obligation.original or None,
        "wraps": checked_obligation.wraps or None,
        "raises_elsewhere": checked_obligation.raises_elsewhere,
        "reproducer": checked_obligation.reproducer or None,
        "execution": None
        if checked_obligation.confirmation is None
        else execution_object(checked_obligation.confirmation),
    }


def _need_object(need: CalleeRequirement | None) -> Json | None:
    if need is None:
        return None
    given = [{"name": name, "expression": text} for name, text in need.guard]
    return {"function": need.function, "condition": need.condition, "given": given}


def evidence_object(function: FunctionReport, checked_obligation: CheckedObligation, verdict: Verdict) -> Json:
    """Return the evidence for a verdict: facts, sizes or the reason why it is open."""
    match verdict:
        case Proved():
            return {"strategy": verdict.strategy, "facts": [fact_object(fact) for fact in verdict.facts]}
        case Unreachable():
            return {"facts": [fact_object(fact) for fact in verdict.facts]}
        case Undecided():
            candidate = verdict.candidate
            return {
                "undecided_reason": verdict.reason_kind.code,
                "reason": verdict.reason,
                "proved_where": None if verdict.limit is None else str(verdict.limit.condition),
                "candidate": None if candidate is None else evidence_object(function, checked_obligation, candidate),
            }
        case Refuted():
            return {
                "strategy": verdict.strategy,
                "sizes": sizes_object(function.trace, verdict.sizes),
                "arguments": [
                    {"name": name, "value": text} for name, text in arguments_at(function.trace, verdict.sizes)
                ],
                "values": [
                    {"name": name, "value": value, "expression": expression}
                    for name, value, expression in claim_values(
                        checked_obligation.obligation, verdict, checked_obligation.verdict
                    )
                ],
                "smallest": verdict.smallest,
                "isolated": verdict.isolated,
                "floor": verdict.floor,
                "also": None if verdict.also is None else sizes_object(function.trace, verdict.sizes, verdict.also),
                "free": _free_names(function.trace, verdict),
                "needs": verdict.needs,
                "always": verdict.always,
            }


def sizes_object(trace: Trace, sizes: Sizes, also: Sizes | None = None) -> Json:
    """Return sizes by name, the elements of index tensors of unknown length as ``s.values[0]``.

    Args:
        trace: The trace of the function.
        sizes: Sizes of all inputs.
        also: Some that are changed; if given, only these are returned.
    """
    lists, changed = _integer_lists(trace), sizes if also is None else also
    held = {**sizes, **changed}
    found: Json = {}
    for variable, size in changed.items():
        if variable not in lists:
            found[variable.name] = size if isinstance(size, int) else list(size)
            continue
        name, elements = lists[variable]
        length = evaluate(elements.extents.rank, held)
        found |= {f"{name}[{number}]": evaluate(elements.element(number), held) for number in range(length)}
    return found


def _free_names(trace: Trace, refuted: Refuted) -> list[str]:
    lists, free = _integer_lists(trace), arbitrary_sizes(trace, refuted)
    names = (lists[each][0] if each in lists else each.name for each in refuted.sizes if each in free)
    return list(dict.fromkeys(names))


def _integer_lists(trace: Trace) -> dict[Variable, tuple[str, IntegerList]]:
    """Return the variables of index tensors of unknown length, with the name and the meaning of their elements."""
    return {
        symbol: (name, elements)
        for argument, value in zip(trace.function.arguments, trace.inputs, strict=True)
        if isinstance(value, Tensor)
        for name, elements in element_lists(argument.name.removeprefix("%"), value).items()
        for whole in (elements.extents, elements.signs)
        if whole is not None
        for symbol in whole.variables
    }


def fact_object(fact: Fact) -> Json:
    """Return a fact with its source and its location."""
    return {
        "claim": str(fact.formula),
        "source": fact.source.value,
        "because": fact.because,
        "location": None if fact.location is None else location_object(fact.location),
    }


def location_object(location: Location) -> Json:
    """Return a location; line and column count from 1 and are null where they are not known."""
    return {"file": location.file, "line": location.line or None, "column": location.column or None}


def origin_object(origin: Origin | None) -> Json | None:
    """Return the place in the model that an operation comes from; unknown parts are null."""
    if origin is None:
        return None
    place = {"file": origin.file or None, "line": origin.line or None, "column": origin.column or None}
    callers = [{"file": file, "line": line} for file, line in origin.callers]
    return {**place, "module": origin.module or None, "operation": origin.operation or None, "callers": callers}


def execution_object(confirmation: Confirmation) -> Json:
    """Return the result of running a counterexample."""
    execution = confirmation.execution
    return {
        "confirmation": confirmation.shown.name.lower(),
        "text": confirmation.text,
        "outcome": None if execution is None else execution.outcome.value,
        "message": None if execution is None else execution.message,
    }
