"""Wording of sizes, values, claims, facts and call paths, shared by all reports."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import ReturnedError
from shapesolve.checker.undecided_reasons import data_remedies
from shapesolve.diagnosis.findings import Finding
from shapesolve.diagnosis.requirements import CalleeRequirement
from shapesolve.diagnosis.suggestions import Suggestions
from shapesolve.domain.values import Abstract, Size, Tensor, Witness, validity
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import Function, Program
from shapesolve.preconditions.functions import entry_points
from shapesolve.reasons import listed
from shapesolve.semantics.codes import OF_EVERY_OPERATION
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Verdict
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.assumed_overflow import memory_words
from shapesolve.trace.concretization import in_short, mentions_iteration_number, number_at, truth_at
from shapesolve.trace.events import Fact, Kind, Obligation, Trace

KINDS = {
    Kind.TYPE: "the types contradict the operation",
    Kind.UB: "undefined behavior",
    Kind.CHECK: "a runtime check fails",
}

NO_BODIES = "no function has a body"
"""Reason why nothing is checked of declarations."""
_MOST_NAMED = 6
PREFERENCE = "by the fewest sizes of 0, then of 1"
ORDER = "by the largest size, then the sum, then size after size"


def clause_words(obligation: Obligation) -> str:
    """Return the text of the clause that an obligation comes from, or an empty text."""
    return obligation.words or OF_EVERY_OPERATION.get(obligation.clause, "")


def check_with(function: Function, program: Program, texts: Iterable[str]) -> list[str]:
    """Return the options that assume conditions of a function, as they are typed in a shell."""
    flags = [flag("--assume", text) for text in texts]
    if len(entry_points(program)) > 1:
        flags.insert(0, flag("--function", function.name))
    return flags


def data_remedy_texts(findings: Iterable[Finding], function: Function, program: Program) -> list[str]:
    """Return the ways out of findings that depend on data alone, each once."""
    stated: dict[str, None] = {}
    claims: tuple[list[CheckedObligation], list[CheckedObligation]] = ([], [])
    for each in findings:
        text = "" if each.data is None else each.data.assumption
        stated |= dict.fromkeys([text] if text else [])
        claims[bool(text)].extend(each.checked_obligations)
    others, about = claims
    options = check_with(function, program, stated)
    return list(dict.fromkeys((*data_remedies(about, options), *data_remedies(others))))


def flag(option: str, value: str) -> str:
    """Return an option with a value, as it is typed in a shell."""
    return f"{option}={shlex.quote(value)}" if value.startswith("-") else f"{option} {shlex.quote(value)}"


_LONGEST_WORD = 15
"""Characters of a word that a cut leaves out rather than dividing it."""


def shortened(text: str, limit: int) -> str:
    """Return the text, cut in the middle, between words if it can be, if it is longer than the limit."""
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    before, after = text[:half], text[-half:]
    word, rest = before.rfind(" "), after.find(" ")
    if 0 <= half - word <= min(_LONGEST_WORD, half) and not text[half].isspace():
        before = before[:word]
    if 0 <= rest <= _LONGEST_WORD and not text[-half - 1].isspace():
        after = after[rest:]
    return f"{before.rstrip()} ... {after.lstrip()}"


def domain_words(min_size: int, max_size: int = MAX_SIZE) -> str:
    """Return the sizes that the verdicts cover: ``every `?` is any size from 0 to 2^63-1``."""
    exponent = (max_size + 1).bit_length() - 1
    largest = f"2^{exponent}-1" if max_size + 1 == 2**exponent and exponent > 10 else str(max_size)
    return f"every `?` is any size from {min_size} to {largest}"


def checked_domain(traces: Sequence[Trace], min_size: int, max_size: int) -> str:
    """Return the sizes and the memory that the verdicts on some functions cover."""
    largest = min(largest_size(each, max_size) for each in traces)
    memory = next((words for each in traces if (words := memory_words(each))), "")
    return f"{domain_words(min_size, largest)}{memory and f', and {memory}'}"


def largest_size(trace: Trace, max_size: int) -> int:
    """Return the largest size that a function was checked for: operations may allow for less than the option."""
    bounds = [
        variable.upper
        for value in trace.inputs
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for variable in value.shape.variables
        if variable.upper is not None
    ]
    return min([max_size, *bounds])


_ALGEBRA = "algebra"
_PROPAGATION = "bounds and equalities"


def strategy_words(proved: Proved) -> str:
    """Return by what a claim was proved, in a few words."""
    match proved.strategy:
        case "normal form":
            return f"{_ALGEBRA} alone, whatever the sizes"
        case "propagation":
            return f"{_PROPAGATION} of the facts" if proved.facts else "the bounds of the sizes"
        case _:
            of_facts = " satisfy the facts and" if proved.facts else ""
            return f"{strategy_name(proved.strategy)}: no sizes{of_facts} make it false"


def strategy_name(strategy: str) -> str:
    """Return the words of reports for a strategy that JSON names."""
    return {"normal form": _ALGEBRA, "propagation": _PROPAGATION}.get(strategy, f"the solver ({strategy})")


def condition_rows(suggested: Suggestions) -> list[tuple[str, str]]:
    """Return the conditions under which nothing is refuted, each with its label; that of a continuation is empty.

    A signature stands first if it says all of them. They follow if they are exact where the signature is not: for
    empty tensors. What a model needs of undeclared sizes stands last, in one row.
    """
    label, texts, rows = "safe when" if suggested.exact else "holds when", suggested.texts, list[tuple[str, str]]()
    if suggested.signature:
        rows.append((label, suggested.signature))
        label, texts = "exactly" if suggested.exact else "needs", texts if suggested.sufficient else ()
    rows += [("" if number else label, text) for number, text in enumerate(texts)]
    return rows + ([("", " and ".join(suggested.undeclared))] if suggested.undeclared else [])


def error_values_words(errors: Iterable[ReturnedError]) -> str:
    """Return that results are always errors, with the author's words: ``result 0 is always an error: "..."``."""
    return " and ".join(
        f"result {each.position} is always an error" + (f': "{each.message}"' if each.message else "")
        for each in errors
    )


def only_errors_words(suggested: Suggestions) -> str:
    """Return that wherever nothing is refuted, some result is an error."""
    return f"nothing to suggest: where {' and '.join(suggested.under)}, {error_values_words(suggested.errors)}"


def only_empty_words(suggested: Suggestions) -> str:
    """Return that nothing is refuted only where some arguments are empty."""
    return f"that is, only with {' and '.join(f'an empty {name}' for name in suggested.empty)}"


def missing_words(suggested: Suggestions) -> str:
    """Return that no condition was found for some of what is refuted."""
    return f"no condition on the inputs was found for {suggested.inexpressible} of the checks refuted above"


def inexact_words(suggested: Suggestions, checked_obligations: Iterable[CheckedObligation]) -> str:
    """Return what conditions are good for that are not known to be exactly those under which a function is safe."""
    rest = "the rest of what" if suggested.inexpressible else "what"
    is_open = any(isinstance(each.verdict, Undecided) for each in checked_obligations)
    more = ", and what is not decided may need more" if is_open else ""
    return f"enough for {rest} is refuted above; perhaps less would do{more}"


def minimality_notes(trace: Trace, refuted: Refuted, fails: str = "fails") -> list[str]:
    """Return notes on a counterexample: in which order it is the smallest, and other failing sizes.

    ``fails`` is the verb: "fails" or "may fail".
    """
    notes: list[str] = []
    free = arbitrary_sizes(trace, refuted)
    named = [each.name for each in refuted.sizes if each in free]
    smallest = "the smallest at which the operation fails in no other way" if refuted.isolated else "the smallest"
    if refuted.smallest and refuted.floor == 2:
        notes.append(
            f"{smallest}{',' * refuted.isolated} with every size {'that matters ' * bool(named)}at least 2, {ORDER}"
        )
    elif refuted.smallest and refuted.floor is not None and refuted.needs is None:
        notes.append(f"{smallest}, {PREFERENCE}, then {ORDER}")
    elif not refuted.smallest and refuted.floor is not None:
        notes.append("small, but smaller sizes may fail")
    if refuted.also is not None:
        notes.append(f"{', '.join(other_arguments(trace, refuted, refuted.also))} {fails} too")
    if refuted.needs is not None:
        notes.append(f"fails only when {refuted.needs}")
    if named:
        anything = f"{_listed(named)} may be anything else that is allowed"
        notes.insert(-1 if refuted.fixed_elsewhere else len(notes), anything)
    return notes


def other_arguments(trace: Trace, refuted: Refuted, also: Sizes) -> Iterator[str]:
    """Yield the arguments that differ at other sizes, ``x: 1x2``."""
    others = {**refuted.sizes, **also}
    changed = frozenset(each for each, size in also.items() if refuted.sizes[each] != size)
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        variables = input_variables(value, refuted.sizes)
        is_told = not variables.isdisjoint(refuted.fixed_elsewhere)
        if not is_told and changed.isdisjoint(variables | validity(value).variables):
            continue
        here, there = (in_short(argument, value, sizes) for sizes in (refuted.sizes, others))
        if there is not None and (here != there or is_told):
            yield there


def input_variables(value: Abstract, sizes: Sizes) -> frozenset[Variable]:
    """Return the variables of an argument: its sizes, its elements, its number; where it is an error, of that too."""
    match value:
        case Tensor():
            elements = value.elements or ()
            held = [each.variables for each in elements if isinstance(each, Dim | Formula)]
            found = value.shape.variables.union(*held)
        case Dim() | Formula() | Shape():
            found = value.variables
        case Size():
            found = value.value.variables | value.valid.variables
        case Witness():
            found = value.passing.variables
        case _:
            found = frozenset[Variable]()
    valid = validity(value)
    return found - valid.variables if truth_at(valid, sizes) else found


def arbitrary_sizes(trace: Trace, refuted: Refuted) -> frozenset[Variable]:
    """Return the sizes of a counterexample that may be anything else, except those of what is an error there."""
    found = set(refuted.free)
    for value in trace.inputs:
        valid = validity(value)
        found -= valid.variables if truth_at(valid, refuted.sizes) else input_variables(value, refuted.sizes)
    return frozenset(found)


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
    return listed(names)


def claim_values(obligation: Obligation, refuted: Refuted, verdict: Verdict) -> list[tuple[str, int, str]]:
    """Return the values that a claim compares: a name, the number, and the expression unless it is just a number.

    If the ``verdict`` leaves open whether these sizes fail, values that do not depend on the inputs alone are omitted.
    """
    sizes = {**refuted.within, **refuted.sizes} if verdict is refuted else refuted.sizes
    found: list[tuple[str, int, str]] = []
    for name, size in obligation.shown:
        number = number_at(size, sizes)
        if number is not None:
            found.append(
                (name, number, "" if size.is_constant or mentions_iteration_number(size.variables) else str(size))
            )
    return found


LONGEST = 120


def not_traced_words(names: str) -> str:
    """Return the statement that an exporter did not trace sizes 0 and 1."""
    return f"sizes 0 and 1 of {names}, which PyTorch's exporter takes for 2 or more by its choice"


def fact_text(fact: Fact, claim: str) -> str:
    """Return a fact with its source; ``claim`` is its formula as text, perhaps shortened."""
    source_text = fact.source_text
    return source_text if fact.formula is TRUE or source_text.endswith(f": {claim}") else f"{source_text}: {claim}"


def call_path(obligation: Obligation) -> str:
    """Return the call path: ``line 12 calls @helper, line 5 calls @inner``; empty in the function itself."""
    return ", ".join(f"line {each.op.location.line} calls @{each.function.name}" for each in obligation.calls)


def callee_requirement_text(need: CalleeRequirement) -> str:
    """Return the requirement of a called function: ``@helper needs n % 2 == 0; this call gives n = %n + 1``."""
    gives = ", ".join(f"{name} = {shortened(text, LONGEST)}" for name, text in need.guard)
    return f"@{need.function} needs {need.with_exception or need.condition}; this call gives {gives}"


def counts_text(counts: Counter[str]) -> str:
    """Return names with their numbers, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered)


def certain_failure_words(place: str, message: str, *, is_first: bool, function: str = "") -> str:
    """Return the statement that every call fails, with the place and the message.

    Args:
        place: The line and the operation that fails.
        message: Words for what it needs.
        is_first: Whether nothing before it fails.
        function: The name of the function, where that is to be said.
    """
    before = "" if is_first else "; some may fail before"
    of = f" of @{function}" if function else ""
    return f"EVERY CALL FAILS{of}: none of the sizes that are allowed gets past {place}: {message}{before}."


def failing_claim_words(failing: CheckedObligation) -> str:
    """Return the statement that every call fails at a claim."""
    obligation = failing.obligation
    called = f", where {call_path(obligation)}" if obligation.calls else ""
    place = f"line {obligation.location.line}{called}: {obligation.op.name}"
    return certain_failure_words(place, obligation.message, is_first=isinstance(failing.verdict, Refuted))


def returned_error_words(error: ReturnedError) -> str:
    """Return the statement that a result is an error in every call, with the author's words."""
    place = "" if error.producer is None else f", from line {error.producer.location.line}: {error.producer.name}"
    message = f': "{error.message}"' if error.message else ""
    return f"ALWAYS AN ERROR{message}: result {error.position} is an error in every call{place}."
