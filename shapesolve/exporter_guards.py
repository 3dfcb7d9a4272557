"""Guards of torch.export: each is decided from the declared sizes and by running the model itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.exporter_findings import ExporterFinding, Outside
from shapesolve.checker.reference_runs import Call, Run
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.errors import InputError
from shapesolve.execution.execution import TensorInput, arguments
from shapesolve.frontends.export_process import RETURNS
from shapesolve.interpreter.inputs import ADMITTED, shape_names
from shapesolve.ir.declarations import Declarations, Guard, unshown_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import GivenText, texts_about
from shapesolve.solver.entailment import entails, prove
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope

_MOST_ROUNDS = 4
_MOST_TRIED = 24
_SAMPLES = 4
_USUAL = 2
_BUDGET = 200_000


def settled(report: Report, options: Options, check: Callable[[Options], Report], run: Run | None) -> Report:
    """Return the report with what the model itself does where its exporter looked away.

    A refutation stands where the model raises. Where it returns, at sizes that a condition of the exporter excludes,
    the program is not the model there: the claims are decided again under that condition, which becomes a finding.
    Without ``run`` no condition is decided: each is a finding of which nothing was run.
    """
    declared = report.program.declarations
    if declared is None or len(report.functions) != 1:
        return report
    admitted: dict[Guard, None] = {}
    for _ in range(_MOST_ROUNDS):
        if run is not None and declared.can_run:
            report = replace(report, functions=(_with_runs(report.functions[0], declared, run),))
        needed = _excluding(report.functions[0], declared, admitted)
        if not needed:
            break
        admitted.update(dict.fromkeys(needed))
        given = [GivenText.given(each.shown, ADMITTED) for each in admitted]
        report = check(replace(options, assumptions=(*options.assumptions, *given)))
    return replace(report, exporter=_findings(report.functions[0], declared, options, admitted, run))


def _with_runs(function: FunctionReport, declared: Declarations, run: Run) -> FunctionReport:
    """Return the function with what the model does at the sizes of each refutation."""
    calls: dict[tuple[Any, ...], list[CheckedObligation]] = {}
    for each in function.judgements:
        if isinstance(each.verdict, Refuted) and not each.original:
            given = arguments(function.trace, each.verdict.sizes)
            if not isinstance(given, str):
                calls.setdefault(given, []).append(each)
    chosen = list(calls)[:_MOST_TRIED]
    if not chosen:
        return function
    answers = run([[_encoded(each) for each in call] for call in chosen])
    said = {each: words for call, (words, _) in zip(chosen, answers, strict=True) for each in calls[call]}
    return replace(
        function,
        judgements=tuple(replace(each, original=said.get(each, each.original)) for each in function.judgements),
    )


def _encoded(argument: Any) -> Mapping[str, Any]:
    if isinstance(argument, TensorInput):
        values = None if argument.values is None else list(argument.values)
        return {"extents": list(argument.extents), "values": values}
    return {"value": argument.value}


def _excluding(function: FunctionReport, declared: Declarations, admitted: Mapping[Guard, None]) -> list[Guard]:
    """Return the conditions that exclude sizes at which a claim fails and the model returns."""
    found: dict[Guard, None] = {}
    for each in function.judgements:
        if not isinstance(each.verdict, Refuted) or not each.original_returns:
            continue
        given = arguments(function.trace, each.verdict.sizes)
        if isinstance(given, str):
            continue
        sizes: dict[str, int] = {}
        for position, argument in enumerate(given):
            extents = argument.extents if isinstance(argument, TensorInput) else (argument.value,)
            for text, extent in zip(declared.shapes.get(position, ()), extents, strict=False):
                if text.isidentifier():
                    sizes[text] = int(extent)
        for guard in declared.guards:
            if not guard.is_specialization and guard not in admitted and _is_false(guard.text, sizes):
                found[guard] = None
    return [each for each in found if each.is_branch] or list(found)


def _holds(text: str, sizes: Mapping[str, int]) -> bool:
    formula = parse_formula(text, Scope.free())
    try:
        return holds(formula, {each: sizes[each.text] for each in formula.variables})
    except (KeyError, ZeroDivisionError):
        return False


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
    run: Run | None,
) -> tuple[ExporterFinding, ...]:
    """Return a finding for each condition that does not follow from what is declared and from those before it."""
    facts = _facts(function, declared, options)
    if facts is None:
        return tuple(ExporterFinding(each, Outside.NOT_RUN, is_needed=each in admitted) for each in declared.guards)
    failing = {_line(each) for each in function.judgements if isinstance(each.verdict, Refuted)}
    known, found = list(facts), list[ExporterFinding]()
    for guard in declared.guards:
        if entails(guard.text, known, budget=_BUDGET):
            continue
        finding = _finding(guard, facts, declared, run if len(found) < _MOST_TRIED else None)
        known.append(guard.text)
        if finding.outside is Outside.FAILS and finding.place in failing and not guard.is_specialization:
            continue  # the failure that is reported already
        if finding.outside is Outside.FAILS:
            failing.add(finding.place)
        found.append(replace(finding, is_needed=guard in admitted))
    return tuple(found)


def _line(judgement: CheckedObligation) -> str:
    origin = judgement.obligation.op.origin
    return f"{origin.file}:{origin.line}" if origin is not None else ""


def _facts(function: FunctionReport, declared: Declarations, options: Options) -> list[str] | None:
    """Return all that is declared, here or on the command line; None where a text of that cannot be read here."""
    facts = [*declared.claims]
    own = function.trace.function
    names = [argument.name.lstrip("%") for argument in own.arguments]
    try:
        for name in shape_names(own, options.shapes):
            for text, given in zip(declared.shapes.get(name.argument or 0, ()), name.names, strict=False):
                if given not in ("?", "_"):
                    facts.append(f"{text} == {given}")
        facts += [unshown_text(each, names) for each in texts_about(own, options.assumptions)]
        for each in facts:
            parse_formula(each, Scope.free())
    except InputError:
        return None
    symbols = {each for texts in declared.shapes.values() for each in texts if each.isidentifier()}
    extents = {
        each
        for position, texts in declared.shapes.items()
        for each in texts
        if position not in declared.scalars and each.isidentifier()
    }
    if options.min_size:
        facts += [f"{each} >= {options.min_size}" for each in sorted(extents)]
    facts += [f"{each} <= {min(options.max_size, 4096)}" for each in sorted(symbols)]
    return facts


def _finding(guard: Guard, facts: Sequence[str], declared: Declarations, run: Run | None) -> ExporterFinding:
    """Return what the model does at declared sizes that a condition excludes."""
    is_trivial = guard.text.endswith(" >= 2") and guard.text[: -len(" >= 2")].isidentifier() and not guard.file
    nothing = ExporterFinding(guard, Outside.NOT_RUN, is_zero_or_one=is_trivial)
    if run is None or not declared.can_run:
        return nothing
    samples = _samples(guard, facts, declared)
    calls = [call for call in (_call(declared, sizes) for sizes in samples) if call is not None]
    if not calls:
        return nothing
    answers = run(calls)
    found = nothing
    for call, (said, place) in zip(calls, answers, strict=True):
        if said.startswith("raises"):
            return replace(found, outside=Outside.FAILS, at=_shown(call), said=said, place=place)
        if said.startswith(RETURNS) and found.outside is Outside.NOT_RUN:
            found = replace(found, outside=Outside.RETURNS, at=_shown(call), said=said)
    return found


def _samples(guard: Guard, facts: Sequence[str], declared: Declarations) -> list[Mapping[str, int]]:
    """Return a few declared sizes that a condition excludes, the smallest first."""
    found: list[Mapping[str, int]] = []
    known = list(facts)
    symbols = {each for texts in declared.shapes.values() for each in texts if each.isidentifier()}
    for _ in range(_SAMPLES):
        verdict = prove(guard.text, known, budget=_BUDGET)
        if not isinstance(verdict, Refuted):
            break
        sizes = {each.text: number for each, number in verdict.sizes.items() if isinstance(number, int)}
        own = {name: sizes.get(name, 2) for name in symbols}
        in_guard = {each.text for each in parse_formula(guard.text, Scope.free()).variables}
        usual = [{name: own[name] if name in in_guard else other for name in symbols} for other in (2, 3)]
        found += [each for each in (*usual, own) if all(_holds(fact, each) for fact in facts)][:_USUAL]
        same = " and ".join(f"{name} == {number}" for name, number in own.items() if name in in_guard)
        if not same:
            break
        known.append(f"not ({same})")
    return found


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
