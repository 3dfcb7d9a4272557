"""Contracts as text, as lines of ``--assume`` and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.checker.undecided_reasons import reason_text, remedies
from shapesolve.contracts.contract import Condition, ContractReport, ExportCondition, FunctionContract
from shapesolve.deadline import TIME_LIMIT
from shapesolve.diagnosis.assumptions import stated_assumptions
from shapesolve.diagnosis.contracts import ContractDiagnosis, ContractsDiagnosis
from shapesolve.diagnosis.signature import Signature
from shapesolve.errors import plural
from shapesolve.ir.declarations import ExcludedSizes
from shapesolve.reasons import NO_INPUT
from shapesolve.reports.check_json import counts, fact_object, location_object, origin_object, sizes_object
from shapesolve.reports.json_versions import VERSION
from shapesolve.reports.long_conditions import print_condition, print_names, with_names
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.page import STYLES, Page
from shapesolve.reports.phrases import (
    NO_BODIES,
    check_with,
    checked_domain,
    error_values_words,
    flag,
    not_traced_words,
    shortened,
)
from shapesolve.reports.suggestions_text import TO_PASTE, print_command
from shapesolve.solver.verdicts import Refuted, Undecided, VerdictKind
from shapesolve.statistics import stage
from shapesolve.trace.assumed_overflow import assumption_texts, full_texts, modeling_assumptions
from shapesolve.trace.concretization import argument_texts, arguments_in_short
from shapesolve.trace.events import Approximation, Obligation

FORMAT = "shapesolve-contract"
MOST_LISTED = 6
LONGEST = 400
_FOUND_BY = "torch.export; nothing checks it once the program is lowered"
_NOT_EXPORTED = "no operation of the program fails there, but it was not exported for these sizes"
_OTHER_BRANCH = "the model takes another way there, which is not in the program"

Json = dict[str, object]


@stage("report")
def print_contracts(diagnosis: ContractsDiagnosis, page: Page, *, verbose: bool = False) -> None:
    """Print every function with its conditions, the obligations that need each, and what fails without it."""
    report = diagnosis.report
    page.line(report.program.file, "bold")
    for note in report.program.notes:
        page.field("note", note)
    if not report.functions:
        page.field("nothing", f"was checked: {NO_BODIES}", STYLES["undecided"])
    for function in diagnosis.functions:
        page.line()
        _print_function(function, report, page, verbose)


@stage("report")
def print_assumptions(report: ContractReport, page: Page) -> None:
    """Print a line for each function that any command takes: ``--function f --assume '...' ...``."""
    for function in report.functions:
        words = " ".join(flag("--assume", each) for each in function.complete)
        page.verbatim(f"{flag('--function', function.name)} {words}".rstrip())


def headline(function: FunctionContract) -> str:
    """Return the statement of a contract in one phrase."""
    if function.report.contradiction:
        return f"nothing to say: {NO_INPUT}"
    if function.hopeless:
        return "safe for no sizes at all"
    if function.exact:
        is_bare = not function.conditions and not function.undeclared
        if _admitted(function) and is_bare:
            return "safe for all sizes that the export admits, which are these:"
        traced = any(each.is_zero_or_one for each in function.admits)
        if not is_bare:
            return f"{'of the sizes that were traced, ' if traced else ''}safe exactly when all of these hold:"
        return f"safe for all sizes{' that were traced' if traced else ''}"
    if function.sufficient:
        return "safe when all of these hold (whether all of them are needed is open):"
    if not function.conditions and all(each.is_about_data for each in function.open) and function.open:
        return "whether it is safe depends on data:"
    if not function.conditions:
        return f"no condition was found{'' if function.in_time else ' in time'} under which everything is proved"
    if all(each.necessary for each in function.conditions):
        return "what follows is needed, but not known to be enough:"
    if not function.in_time:
        return f"not verified in time: whether it is safe when all of these hold ({TIME_LIMIT}):"
    return "not known to be safe, but more is proved when all of these hold:"


def _print_function(diagnosis: ContractDiagnosis, report: ContractReport, page: Page, verbose: bool) -> None:
    function = diagnosis.contract
    words = ModelText(report.program, function.report.trace.function)
    arguments = ", ".join(f"{each.name}: {each.type}" for each in function.report.trace.function.arguments)
    page.paragraph(f"@{function.name}({arguments})", "bold", hanging=4)
    style = STYLES[{0: "proved", 1: "refuted", 3: "undecided"}[function.exit_code]]
    ordinary = [each for each in function.conditions if each.holds_below is None]
    huge = [each for each in function.conditions if each.holds_below is not None]
    text = headline(function)
    if huge and not ordinary and function.sufficient:
        text = f"safe for all but huge sizes; in general, {text.removeprefix('safe ')}"
    if diagnosis.signature is not None and diagnosis.signature.equalities:
        _print_signature(diagnosis.signature, page, verbose=verbose)
    page.paragraph(text, style, indent=3)
    for number, condition in enumerate(ordinary, 1):
        _print_condition(number, condition, diagnosis, page, verbose, words)
    if huge and ordinary:
        page.line()
        page.paragraph("and, which matters for huge sizes only:", style, indent=3)
    for number, condition in enumerate(huge, len(ordinary) + 1):
        _print_condition(number, condition, diagnosis, page, verbose, words)
    _print_undeclared(function, page)
    _print_export_conditions(function, page, verbose, words)
    page.line()
    _print_open(diagnosis, page, verbose, words)
    if function.conditions and not function.sufficient:
        page.line()
    if function.verified.errors:
        page.field("returns", f"in every safe call {error_values_words(function.verified.errors)}")
    else:
        _print_options(diagnosis, report, page, verbose)
    if function.hopeless:
        refuted = [each.obligation for each in function.report.checked_obligations if isinstance(each.verdict, Refuted)]
        page.field("because", f"these demand what excludes each other or itself: {places(refuted, verbose, words)}")
    if function.sufficient and not function.report.contradiction:
        page.field("verified", verified_words(function))
    page.field("domain", checked_domain([function.report.trace], report.min_size, report.max_size))
    assumed = (each.source_text for each in (stated_assumptions(function.report) if verbose else diagnosis.assumptions))
    for number, text in enumerate(dict.fromkeys(assumed)):
        page.field("" if number else "assumed", shortened(text, LONGEST))
    for each in full_texts(modeling_assumptions(function.report.trace)) if verbose else map(str, diagnosis.trust):
        page.field("assumes", each)


def _print_options(diagnosis: ContractDiagnosis, report: ContractReport, page: Page, verbose: bool) -> None:
    """Print the conditions as options to paste: without the case of empty tensors, where that is shorter."""
    conditions = diagnosis.contract.conditions
    undeclared = [each.guard.shown for each in diagnosis.contract.undeclared]
    if not conditions and not undeclared:
        return
    texts = [text for each in conditions for text in each.readable]
    if diagnosis.unless_empty.sufficient and not verbose:
        texts = [*diagnosis.unless_empty.sufficient, *(text for each in conditions for text in each.sufficient)]
        page.line(TO_PASTE, indent=3)
    texts += undeclared
    print_command(check_with(diagnosis.contract.report.trace.function, report.program, dict.fromkeys(texts)), page)
    page.line()


def _print_signature(found: Signature, page: Page, *, verbose: bool) -> None:
    """Print the signature, the conditions that it does not state, and the calls that it leaves out."""
    print_condition(page, "signature", found.text, "bold", verbose=verbose)
    for number, text in enumerate(found.conditions):
        print_condition(page, "" if number else "where", text, verbose=verbose)
    if found.excludes_empty:
        page.field("", "that is enough; calls in which some size is 0 may be safe without it")
    page.line()


def _print_condition(
    number: int, condition: Condition, diagnosis: ContractDiagnosis, page: Page, verbose: bool, words: ModelText
) -> None:
    function = diagnosis.contract
    text = condition_text(condition, verbose)
    shown = text if verbose else diagnosis.unless_empty.shown.get(text, text)
    page.line()
    named = with_names(shown)
    page.paragraph(f"{number}. {named.text}", "bold", indent=3, hanging=3)
    print_names(page, named, len(shown), indent=6, verbose=True)
    if condition.needed_by:
        page.field("needed by", places(condition.needed_by, verbose, words), indent=6)
    if condition.witness is not None:
        there = arguments_in_short(function.report.trace, condition.witness)
        first = condition.failing[0]
        message = words.words(first.message, first.op)
        page.field("otherwise", f"{there}: {message} ({words.short_place(first)})", indent=6)
    if text := open_words(condition):
        page.field("open", text, indent=6)
    if condition.holds_below is not None:
        page.field("huge", f"it holds wherever no size exceeds {condition.holds_below} in absolute value", indent=6)


def _admitted(function: FunctionContract) -> list[ExportCondition]:
    """Return the conditions of the exporter that are more than its choice not to trace sizes 0 and 1."""
    return [each for each in function.admits if not each.is_zero_or_one]


def _print_undeclared(function: FunctionContract, page: Page) -> None:
    """Print the conditions on undeclared sizes that the model itself needs."""
    if function.undeclared and function.conditions:
        page.line()
        page.paragraph("and, of sizes that nothing declares, the model itself needs these:", indent=3)
    for number, each in enumerate(function.undeclared, len(function.conditions) + 1):
        page.line()
        page.paragraph(f"{number}. {each.guard.shown}", "bold", indent=3, hanging=3)
        for label, text in undeclared_rows(each):
            page.field(label, text, indent=6)


def undeclared_rows(each: ExcludedSizes) -> list[tuple[str, str]]:
    """Return what is known of a condition that the model itself needs, each with its label."""
    rows = [("otherwise", f"the model itself raises {each.inputs}")] if each.inputs else []
    if each.guard.file:
        source = f": {each.guard.source}" if each.guard.source else ""
        rows.append(("model", f"{each.guard.file}:{each.guard.line}{source}"))
    return rows


def _print_export_conditions(function: FunctionContract, page: Page, verbose: bool, words: ModelText) -> None:
    """Print the conditions that the exporter found, each with what it is for."""
    admitted = _admitted(function)
    if admitted and (function.conditions or function.undeclared or not function.exact):
        page.line()
        page.paragraph("and the export admits only sizes for which these hold:", STYLES["undecided"], indent=3)
    for number, each in enumerate(admitted, len(function.conditions) + len(function.undeclared) + 1):
        page.line()
        page.paragraph(f"{number}. {each.text}", "bold", indent=3, hanging=3)
        page.field("found by", _FOUND_BY, indent=6)
        if each.model:
            page.field("branch" if each.is_branch else "model", each.model, indent=6)
        if each.needed_by:
            page.field("needed by", _model_places(each.needed_by, verbose, words), indent=6)
        if each.excluded is not None:
            there = arguments_in_short(function.report.trace, each.excluded)
            why = _OTHER_BRANCH if each.is_branch else _NOT_EXPORTED
            page.field("excludes", f"{there}: {why}", indent=6)
    if names := ", ".join(dict.fromkeys(size for each in function.admits for size in each.not_traced)):
        page.line()
        page.field("not traced", not_traced_words(names))
    if function.frozen:
        page.line()
        texts = [f"extent {place} of {name} is {number}" for name, place, number in function.frozen]
        page.field("fixed", ", ".join(texts))


def _model_places(found: Sequence[Obligation], verbose: bool, words: ModelText) -> str:
    """Return the operations with their lines in the model, where these are known."""
    origins = dict.fromkeys(
        str(each.op.origin) for each in found if each.op.origin is not None and not words.is_placed(each.op)
    )
    model = f"; in the model {', '.join(origins)}" if origins else ""
    return places(found, verbose, words) + model


def condition_text(condition: Condition, verbose: bool) -> str:
    """Return a condition, or a shorter sufficient one if it is too long to read."""
    if verbose or not condition.sufficient:
        return condition.text
    whole = f"in full it has {len(condition.text):,} characters, which --verbose shows"
    return f"holds where {' and '.join(condition.sufficient)}; {whole}"


def open_words(condition: Condition) -> str:
    """Return what is not known of the need for a condition, "" if nothing is open."""
    unknown = "" if condition.necessary else "whether something fails wherever it does not hold"
    if condition.is_in_time:
        return unknown
    needs = "what else needs it" if condition.needed_by else "what needs it"
    both = f"{unknown}, and {needs}," if unknown else needs
    return f"{both} was not verified in time: {TIME_LIMIT}"


def verified_words(function: FunctionContract) -> str:
    """Return what was proved under the conditions."""
    if not function.verified.checked_obligations:
        return "no checks of sizes found: nothing is demanded of the sizes here"
    judged = f"{plural(len(function.verified.checked_obligations), 'check')} of sizes"
    if not function.conditions and not function.undeclared:
        return f"{judged}, {_all(function)}"
    held = f"{judged}, {_all(function)} under {_these(function)}"
    if function.exact and all(each.inputs for each in function.undeclared):
        rest = (
            "; without it, something fails" if _count(function) == 1 else "; without any one of them, something fails"
        )
        return f"{held}{rest}"
    return held


def _all(function: FunctionContract) -> str:
    kinds = {each.verdict.word for each in function.verified.checked_obligations}
    return "all proved" if kinds == {VerdictKind.PROVED} else "all proved or not reached"


def _these(function: FunctionContract) -> str:
    return "this condition" if _count(function) == 1 else f"these {_count(function)} conditions"


def _count(function: FunctionContract) -> int:
    return len(function.conditions) + len(function.undeclared)


def _print_open(diagnosis: ContractDiagnosis, page: Page, verbose: bool, words: ModelText) -> None:
    function = diagnosis.contract
    _print_some("data", data_texts(diagnosis, words), page, verbose)
    left = [each for each in function.open if not each.is_about_data]
    _print_some("open", [open_reason(function.verified, each, words) for each in left], page, verbose)
    if function.verified.unchecked and not function.hopeless:
        named = places(function.verified.unchecked, verbose, words)
        page.field("open", f"what some operations demand is not known: {named}")
    for number, remedy in enumerate(remedies(function.verified.approximations, (each.verdict for each in left))):
        page.field("" if number else "try", remedy)


def _print_some(name: str, texts: Sequence[str], page: Page, verbose: bool) -> None:
    shown = texts if verbose else texts[:MOST_LISTED]
    for number, text in enumerate(shown):
        page.field("" if number else name, text)
    if len(texts) > len(shown):
        page.field("", f"and {len(texts) - len(shown)} more; --verbose shows them")


def data_texts(diagnosis: ContractDiagnosis, words: ModelText) -> list[str]:
    """Return the requirements on data, each with its location."""
    return [
        f"{words.short_place(first.obligation)}: {words.operation(first.obligation.op)}: "
        f"{shortened(words.words(demand), LONGEST)}"
        for first, demand in diagnosis.data
    ]


def open_reason(function: FunctionReport, checked_obligation: CheckedObligation, words: ModelText) -> str:
    """Return an obligation that is not proved under the conditions, with its reason."""
    obligation, verdict = checked_obligation.obligation, checked_obligation.verdict
    place = f"{words.short_place(obligation)}: {words.operation(obligation.op)} [{obligation.code}]"
    if isinstance(verdict, Undecided):
        return f"{place}: {verdict.reason_kind.value}: {words.words(reason_text(function.approximations, verdict))}"
    message = words.words(obligation.message, obligation.op)
    return f"{place}: {message}, which no condition on the inputs was found for"


def places(found: Iterable[Obligation | Approximation], verbose: bool, words: ModelText) -> str:
    """Return operations with their lines: those of the model where the program is the model's own."""
    lines: dict[str, dict[str, None]] = {}
    for each in sorted(found, key=lambda one: one.location.line):
        if isinstance(each, Obligation) and words.is_placed(each.op):
            op, place = words.operation(each.op), words.place(each)
        else:
            op, place = each.op if isinstance(each.op, str) else each.op.name, str(each.location.line)
        lines.setdefault(op, {})[place] = None
    texts: list[str] = []
    for op, known in lines.items():
        places = list(known)
        shown = places if verbose else places[:MOST_LISTED]
        more = f" and {len(places) - len(shown)} more" if len(places) > len(shown) else ""
        label = ("lines " if places[1:] else "line ") if places[0].isdecimal() else ""
        texts.append(f"{op} ({label}{', '.join(shown)}{more})")
    return ", ".join(texts)


# For programs ----------------------------------------------------------------------------------------------------


@stage("report")
def contract_document(diagnosis: ContractsDiagnosis, version: str) -> Json:
    """Return the JSON document of one ``shapesolve contract``."""
    report = diagnosis.report
    return {
        "format": FORMAT,
        "version": VERSION,
        "shapesolve": version,
        "file": report.program.file,
        "exit_code": report.exit_code,
        "notes": list(report.program.notes),
        "domain": {"min_size": report.min_size, "max_size": report.max_size},
        "functions": [function_object(each) for each in diagnosis.functions],
    }


def function_object(diagnosis: ContractDiagnosis) -> Json:
    """Return the object of one function's contract."""
    function = diagnosis.contract
    return {
        "name": function.name,
        "location": location_object(function.report.trace.function.location),
        "arguments": [{"name": each.name, "type": str(each.type)} for each in function.report.trace.function.arguments],
        "signature": _signature_object(diagnosis.signature),
        "exact": function.exact,
        "sufficient": function.sufficient,
        "safe_for_no_sizes": function.hopeless,
        "never_reached": bool(function.report.contradiction),
        "conditions": [_condition_object(each, function) for each in function.conditions],
        "admits": [
            {
                "text": each.text,
                "needed_by": [_place_object(need) for need in each.needed_by],
                "is_needed": each.is_needed,
                "is_branch": each.is_branch,
                "is_zero_or_one": each.is_zero_or_one,
                "model": each.model or None,
                "excludes": None if each.excluded is None else argument_texts(function.report.trace, each.excluded),
            }
            for each in function.admits
        ],
        "undeclared": [
            {"text": each.guard.shown, "raises": each.inputs or None, "model": dict(undeclared_rows(each)).get("model")}
            for each in function.undeclared
        ],
        "frozen": [{"argument": name, "dimension": place, "size": size} for name, place, size in function.frozen],
        "open": [_open_object(each, diagnosis) for each in function.open],
        "unchecked": [
            {"op": each.op, "location": location_object(each.location)} for each in function.verified.unchecked
        ],
        "assumptions": [fact_object(each) for each in function.report.assumptions],
        "model_assumptions": list(assumption_texts(function.report.trace)),
        "summary": counts(function.report.checked_obligations),
        "summary_under_conditions": counts(function.verified.checked_obligations),
    }


def _signature_object(found: Signature | None) -> Json | None:
    if found is None:
        return None
    return {"text": found.text, "conditions": list(found.conditions), "excludes_empty": found.excludes_empty}


def _condition_object(condition: Condition, function: FunctionContract) -> Json:
    witness = condition.witness
    return {
        "text": condition.text,
        "enough": list(condition.sufficient),
        "necessary": condition.necessary,
        "holds_below": condition.holds_below,
        "in_time": condition.is_in_time,
        "needed_by": [_place_object(each) for each in condition.needed_by],
        "witness": None
        if witness is None
        else {
            "sizes": sizes_object(function.report.trace, dict(sorted(witness.items(), key=lambda item: item[0].name))),
            "arguments": argument_texts(function.report.trace, witness),
            "failing": [_place_object(each) for each in condition.failing],
        },
    }


def _place_object(obligation: Obligation) -> Json:
    return {
        "op": obligation.op.name,
        "clause": obligation.clause,
        "identity": obligation.identity,
        "location": location_object(obligation.location),
        "model": origin_object(obligation.op.origin),
    }


def _open_object(checked_obligation: CheckedObligation, diagnosis: ContractDiagnosis) -> Json:
    verdict = checked_obligation.verdict
    reason = verdict.reason if isinstance(verdict, Undecided) else None
    data = diagnosis.data_requirements.get(checked_obligation)
    return {**_place_object(checked_obligation.obligation), "verdict": verdict.word, "reason": reason, "data": data}
