"""Guards of torch.export: each is decided from the declared sizes and by running the model itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any

from shapesolve.checker.claims_in_runs import MOST_TRIED, Failure, claims_with_runs, failing_sizes, is_passed
from shapesolve.checker.declared_conditions import Conditions, declared_symbols, holds_at, sizes_of_symbols
from shapesolve.checker.exporter_findings import ExporterFinding, Outside
from shapesolve.checker.reference_runs import Call, ModelRun, Run
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.diagnosis.suggestions import suggestions
from shapesolve.domain.values import Tensor
from shapesolve.errors import InputError
from shapesolve.execution.execution import TensorInput, arguments
from shapesolve.interpreter.inputs import ADMITTED
from shapesolve.ir.declarations import Declarations, Guard, shown_text, sizes_without_zero_or_one
from shapesolve.options import Options
from shapesolve.preconditions.functions import SourcedText
from shapesolve.records import record
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.evaluation import Sizes, evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula, IsZero
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Obligation

_FIXED = re.compile(r"[A-Za-z_]\w* == \d+")
"""A declared size that is a number."""

_MOST_ROUNDS = 4
_LARGEST = 1 << 20
"""Largest size at which the model is run outside of what its exporter admits."""


def settled(
    report: Report, options: Options, check: Callable[[Options], Report], run: Run | None, *, passes: bool = True
) -> Report:
    """Return the report with what the model itself does where its exporter looked away.

    A refutation stands where the model raises. Where it returns, at sizes that a condition of the exporter excludes,
    the program is not the model there: the claims are decided again under that condition, which becomes a finding.
    Without ``run`` no condition is decided: each is a finding of which nothing was run. With ``passes``, it is also
    tried that the model passes a claim and raises behind it, which stands if runs show a condition to be the reason.
    """
    given_report, passed = report, set[str]()
    declared = report.program.declarations
    if declared is None or len(report.functions) != 1:
        return report
    admitted: dict[Guard, None] = {}
    failures: dict[Guard, Failure] = {}
    for _ in range(_MOST_ROUNDS):
        raised: dict[Obligation, Failure] = {}
        if run is not None and declared.can_run:
            function, raised = claims_with_runs(report.functions[0], run)
            report = replace(report, functions=(function,))
        needed = _excluding(report.functions[0], declared, admitted, raised, failures, passed if passes else None)
        if not needed:
            break
        admitted.update(dict.fromkeys(needed))
        given = [SourcedText.of(shown_text(each), ADMITTED) for each in _shortest(report, declared, admitted, options)]
        report = check(replace(options, assumptions=(*options.assumptions, *given)))
    found = _findings(report.functions[0], declared, options, admitted, failures, run)
    if not passed <= {each.place for each in found if each.outside is Outside.FAILS and each.is_confirmed}:
        return settled(given_report, options, check, run, passes=False)
    function = _with_other_sizes_within([each.guard for each in found], report.functions[0], declared)
    return replace(report, functions=(function,), exporter=found)


def _shortest(
    report: Report, declared: Declarations, admitted: Mapping[Guard, None], options: Options
) -> tuple[str, ...]:
    """Return conditions in the shortest form that is the same for all declared sizes."""
    conditions = Conditions.declared(report.functions[0], declared, options)
    texts = tuple(each.text for each in admitted)
    return texts if conditions is None else conditions.shortest(*texts)


def _excluding(
    function: FunctionReport,
    declared: Declarations,
    admitted: Mapping[Guard, None],
    raised: Mapping[Obligation, Failure],
    failures: dict[Guard, Failure],
    passed: set[str] | None,
) -> list[Guard]:
    """Return the conditions that exclude sizes at which a claim fails and the model does, or may do, something else.

    It returns there, or was not run; or it raises at another line, which brought in a condition that excludes these
    sizes: that condition is the finding then, and joins the failures, unless a claim of that line is one already. Or it
    reaches that line only behind the claim, which it passes: the line joins those of the ``passed`` claims, unless that
    is None or other claims are confirmed, which such a condition might hide.
    """
    found: dict[Guard, None] = {}
    confirmed = {
        raised[each.obligation].place
        for each in function.checked_obligations
        if isinstance(each.verdict, Refuted) and each.obligation in raised and not each.raises_elsewhere
    }
    for each in function.checked_obligations:
        failing = failing_sizes(each)
        failure = raised.get(each.obligation)
        is_confirmed = bool(each.original) and not each.original_returns
        if failing is None or (is_confirmed and (failure is None or failure.place in each.model_lines)):
            continue
        sizes = _symbol_sizes(function, declared, failing.sizes)
        if sizes is None:
            continue
        for guard in declared.guards:
            if guard.is_specialization or guard in admitted or not _is_false(guard.text, sizes):
                continue
            if failure is None:
                found[guard] = None
            elif failure.place == _line(guard) and failure.place not in confirmed:
                found[guard] = None
                failures[guard] = failure
            elif passed is not None and not confirmed and is_passed(function, each, failure.place):
                found[guard] = None
                passed.add(failure.place)
    return [each for each in found if each.is_branch] or list(found)


def _symbol_sizes(function: FunctionReport, declared: Declarations, given: Sizes) -> dict[str, int] | None:
    """Return the sizes of the declared symbols at sizes of the program; None if its arguments have no such sizes."""
    found = arguments(function.trace, given)
    if isinstance(found, str):
        return None
    extents = {
        position: argument.extents if isinstance(argument, TensorInput) else (int(argument.value),)
        for position, argument in enumerate(found)
    }
    return sizes_of_symbols(declared, extents)


def _with_other_sizes_within(
    guards: Sequence[Guard], function: FunctionReport, declared: Declarations
) -> FunctionReport:
    """Return the function with refutations that say of other sizes only what conditions of the exporter admit.

    The program is the model only where these hold, and what is said of other sizes was not run.
    """
    texts = [each.text for each in guards if not sizes_without_zero_or_one([each.text])]
    scope = Scope.free()
    bound = {each.text for text in texts for each in parse_formula(text, scope).variables}
    if not bound:
        return function
    fixed = {
        variable
        for position, value in enumerate(function.trace.inputs)
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for text, extent in zip(declared.shapes.get(position, ()), value.shape.dims, strict=False)
        if text in bound
        for variable in extent.variables
    }

    def narrowed(refuted: Refuted) -> Refuted:
        also = refuted.also
        if also is not None:
            there = _symbol_sizes(function, declared, {**refuted.sizes, **also})
            also = None if there is None or any(_is_false(text, there) for text in texts) else also
        return replace(refuted, also=also, free=refuted.free - fixed, restricted=refuted.restricted - fixed)

    return replace(
        function,
        checked_obligations=tuple(
            replace(each, verdict=narrowed(each.verdict)) if isinstance(each.verdict, Refuted) else each
            for each in function.checked_obligations
        ),
    )


def _is_false(text: str, sizes: Mapping[str, int]) -> bool:
    try:
        formula = parse_formula(text, Scope.free())
        return not holds(formula, {each: sizes[each.text] for each in formula.variables})
    except (InputError, KeyError, ZeroDivisionError):
        return False


def _findings(
    function: FunctionReport,
    declared: Declarations,
    options: Options,
    admitted: Mapping[Guard, None],
    failures: Mapping[Guard, Failure],
    run: Run | None,
) -> tuple[ExporterFinding, ...]:
    """Return a finding for each condition that does not follow from what is declared and from those before it."""
    conditions = Conditions.declared(function, declared, options)
    if conditions is None:
        return tuple(ExporterFinding(each, Outside.NOT_RUN, is_needed=each in admitted) for each in declared.guards)
    refuted = [each for each in function.checked_obligations if isinstance(each.verdict, Refuted)]
    failing = {line for each in refuted for line in each.model_lines[:1]}
    about_data = {line for each in function.checked_obligations if each.is_about_data for line in each.model_lines[:1]}
    independent: list[Guard] = []
    for guard in declared.guards:
        if not conditions.entail(guard.text):
            conditions.add(guard.text)
            independent.append(guard)
    readable = _readable(function, declared, options, independent)
    found: list[ExporterFinding] = []
    outside = _outside(independent, function, declared, options, run)
    outside |= {
        guard: [_behind(guard, Outside.FAILS, failures[guard])]
        for guard, (first, *_) in outside.items()
        if guard in failures and first.place != failures[guard].place
    }
    firsts = [each for each, *_ in outside.values() if each.outside is Outside.FAILS]
    certain = {each.place for each in firsts if each.is_confirmed}
    told: set[str] = set()
    for guard, (finding, *others) in outside.items():
        if others and not finding.is_confirmed and finding.place in failing | certain | about_data:
            finding = others[0]  # what raises is reported with the condition that it comes from, or depends on data
        elif not finding.is_confirmed and finding.place in about_data and sizes_without_zero_or_one(readable[guard]):
            finding = ExporterFinding(guard, Outside.NOT_RUN)  # no index is in range of an empty table
        elif finding.outside is Outside.FAILS and not finding.is_confirmed and finding.place in certain:
            continue  # another condition excludes these sizes, and others at which that line raises
        is_known = finding.place in (told if finding.is_beside_claims else failing)
        if finding.outside is Outside.FAILS and is_known and not guard.is_specialization:
            continue  # the failure that is reported already
        if finding.outside is Outside.FAILS and not finding.place and not readable[guard]:
            continue  # in a module of the framework, and at sizes at which a claim that is reported fails
        if finding.outside is Outside.FAILS:
            failing.add(finding.place)
            told.add(finding.place)
        shown = readable[guard]
        if not shown and finding.outside is not Outside.FAILS:
            continue  # where no claim fails, the sizes that it excludes are excluded by those before it
        is_choice = finding.outside is not Outside.FAILS and not guard.is_branch
        not_traced = sizes_without_zero_or_one(shown) if is_choice else ()
        guard = replace(guard, text=conditions.joined(shown) or guard.text)
        found.append(replace(finding, guard=guard, is_needed=guard in admitted, not_traced=not_traced))
    return _under_each_other(found, function, declared, options)


def _under_each_other(
    findings: Sequence[ExporterFinding], function: FunctionReport, declared: Declarations, options: Options
) -> tuple[ExporterFinding, ...]:
    """Return findings that say the same together, without those that the others imply.

    Each that the model returns outside of is as short as the others make it: ``B*T + T % 4 > T`` is ``B >= 2`` beside
    ``T % 4 == 0`` and ``T >= 8``; two of one line that are a single condition are one. A finding stays as it is if the
    sizes that the model was run at meet the shorter condition.
    """
    known = Conditions.declared(function, declared, options)
    if known is None:
        return tuple(findings)
    known.formulas += _safe(function, declared, known)[0]
    found = list(findings)
    for each in findings:
        if len(found) > 1 and _is_note(each):
            found = _as_one([each], found, known, declared)
    for pair in combinations([each for each in found if _is_note(each)], 2):
        if all(each in found for each in pair) and _line(pair[0].guard) == _line(pair[1].guard):
            found = _as_one(pair, found, known, declared)
    return tuple(found)


def _as_one(
    chosen: Sequence[ExporterFinding], findings: list[ExporterFinding], known: Conditions, declared: Declarations
) -> list[ExporterFinding]:
    """Return the findings with the chosen ones as a single shorter condition, without them if the others imply them."""
    first = chosen[0]
    conditions = Conditions(known.scope, ())
    conditions.formulas += known.formulas
    for other in findings:
        if other not in chosen:
            conditions.add(other.guard.text)
    shorter = conditions.shortest(*(each.guard.text for each in chosen))
    if not shorter:
        return [each for each in findings if each not in chosen]
    text = conditions.joined(shorter)
    is_shorter = len(shorter) == 1 if len(chosen) > 1 else len(text) < len(first.guard.text)
    if not text or not is_shorter or not _is_false(text, _sizes_of(first, declared)):
        return findings
    joint = replace(first, guard=replace(first.guard, text=text), not_traced=sizes_without_zero_or_one(shorter))
    return [joint if each is first else each for each in findings if each is first or each not in chosen]


def _is_note(finding: ExporterFinding) -> bool:
    """Return whether a finding is a condition within which the export is narrower than the model, and no more."""
    is_condition = not finding.guard.is_branch and not finding.guard.is_specialization
    return is_condition and finding.outside is Outside.RETURNS and not finding.is_zero_or_one


def _sizes_of(finding: ExporterFinding, declared: Declarations) -> dict[str, int]:
    """Return the sizes of the declared symbols in the arguments that the model was run with."""
    given = {
        position: each if isinstance(each, tuple) else (each,)
        for position, each in zip(sorted(declared.shapes), finding.arguments, strict=False)
    }
    return sizes_of_symbols(declared, given)


def _readable(
    function: FunctionReport, declared: Declarations, options: Options, guards: Sequence[Guard]
) -> Mapping[Guard, tuple[str, ...]]:
    """Return each condition in its shortest form, for the sizes at which the model is safe and those before it hold."""
    conditions = Conditions.declared(function, declared, options)
    assert conditions is not None
    conditions.formulas += _safe(function, declared, conditions)[0] if guards else []
    found: dict[Guard, tuple[str, ...]] = {}
    for guard in guards:
        shorter = conditions.shortest(guard.text)
        is_kept = guard.is_specialization and not (len(shorter) == 1 and _FIXED.fullmatch(shorter[0]))
        found[guard] = (guard.text,) if is_kept else shorter
        conditions.add(guard.text)
    return found


def _safe(function: FunctionReport, declared: Declarations, conditions: Conditions) -> tuple[list[Formula], bool]:
    """Return conditions that refuted claims need, none where nothing is refuted, and whether they suffice for all."""
    found: list[Formula] = []
    if not any(isinstance(each.verdict, Refuted) for each in function.checked_obligations):
        return found, False
    names = [argument.name.lstrip("%") for argument in function.trace.function.arguments]
    suggested = suggestions(function)
    for text in suggested.assumptions:
        with suppress(InputError):
            found.append(parse_formula(declared.over_symbols(text, names), conditions.scope))
    return found, bool(found) and len(found) == len(suggested.assumptions) and suggested.exact


def _outside(
    guards: Sequence[Guard], function: FunctionReport, declared: Declarations, options: Options, run: Run | None
) -> dict[Guard, list[ExporterFinding]]:
    """Return what the model does at a few declared sizes that each condition excludes, run in one process for all.

    The sizes that exclude nothing else come first: at others, what raises may be something else.
    """
    nothing = {each: [ExporterFinding(each, Outside.NOT_RUN)] for each in guards}
    conditions = Conditions.declared(function, declared, options)
    if run is None or not declared.can_run or conditions is None:
        return nothing
    for each in sorted(declared_symbols(declared, with_scalars=True)):
        conditions.add(f"{each} <= {min(options.max_size, _LARGEST)}")
    trials: list[_Trial] = []
    safe, suffice = _safe(function, declared, conditions)
    before = [*safe]
    parsed = {each: parse_formula(each.text, conditions.scope) for each in guards}
    for number, guard in enumerate(guards[:MOST_TRIED]):
        behind = [parsed[each] for each in guards[number + 1 :]]
        samples = conditions.outside(guard.text, [*before, *behind], declared)
        if not samples:  # sizes that few of the others exclude: equal sizes stay equal
            equal = [each for each in parsed.values() if isinstance(each, IsZero) and each != parsed[guard]]
            samples = conditions.outside(guard.text, [*safe, *equal], declared) if equal else []
        samples += conditions.outside(guard.text, before, declared) or conditions.outside(guard.text, (), declared)
        before.append(parsed[guard])
        for sizes in samples:
            call = _call(declared, sizes)
            if call is not None and not any(each.guard == guard and each.call == call for each in trials):
                is_alone = all(holds_at(formula, sizes) for each, formula in parsed.items() if each != guard)
                is_safe = suffice and all(holds_at(each, sizes) for each in safe)
                trials.append(_Trial(guard, call, is_alone, is_safe))
    tried: dict[Guard, list[tuple[_Trial, ModelRun]]] = {}
    answers = run([each.call for each in trials]) if trials else ()
    for trial, answer in zip(trials, answers, strict=True):
        tried.setdefault(trial.guard, []).append((trial, answer))
    return nothing | {guard: _tried(guard, answers) for guard, answers in tried.items()}


@record
class _Trial:
    """Call of the model at sizes that a condition excludes.

    Attributes:
        guard: The condition.
        call: The arguments.
        is_alone: Whether no other condition excludes the call.
        is_safe: Whether the call meets what the refuted claims need.
    """

    guard: Guard
    call: Call
    is_alone: bool
    is_safe: bool


def _tried(guard: Guard, answers: Sequence[tuple[_Trial, ModelRun]]) -> list[ExporterFinding]:
    """Return what the answers of the model to some calls say of a condition that excludes them, a failure first."""
    raising = [
        replace(
            _behind(guard, Outside.FAILS, Failure(trial.call, run)),
            is_confirmed=trial.is_alone or run.place == _line(guard),
            returns_elsewhere=any(each.returned for _, each in answers),
            is_beside_claims=trial.is_safe,
        )
        for trial, run in answers
        if run.raised
    ]
    returning = [_behind(guard, Outside.RETURNS, Failure(trial.call, run)) for trial, run in answers if run.returned]
    raising.sort(key=lambda each: not each.is_confirmed)
    return [*raising[:1], *returning[:1]] or [ExporterFinding(guard, Outside.NOT_RUN)]


def _behind(guard: Guard, outside: Outside, answer: Failure) -> ExporterFinding:
    call, run = answer.call, answer.run
    given = tuple(tuple(each["extents"]) if "extents" in each else int(each["value"]) for each in call)
    return ExporterFinding(guard, outside, _shown(call), run.text, run.place, run.call, arguments=given)


def _line(guard: Guard) -> str:
    return f"{guard.file}:{guard.line}"


def _call(declared: Declarations, sizes: Mapping[str, int]) -> Call | None:
    """Return the arguments at sizes; those that matter to no condition are 2."""
    call: list[Mapping[str, Any]] = []
    for position in sorted(declared.shapes):
        numbers: list[int] = []
        for text in declared.shapes[position]:
            size = parse_size(text, Scope.free())
            numbers.append(evaluate(size, {each: sizes.get(each.text, 2) for each in size.variables}))
        if any(each < 0 for each in numbers) and position not in declared.scalars:
            return None
        call.append({"value": numbers[0]} if position in declared.scalars else {"extents": numbers, "values": None})
    return call


def _shown(call: Call) -> str:
    return ", ".join(str(each["extents"]) if "extents" in each else str(each["value"]) for each in call)
