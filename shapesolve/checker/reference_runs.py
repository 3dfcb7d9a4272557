"""Runs of counterexamples by the framework that a model was written for.

The run at the smallest sizes is no evidence of a claim where something before it, or of another line, fails there too.
At other sizes the claim may be all that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.enormous_sizes import EnormousSizes
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.deadline import Deadline
from shapesolve.errors import InputError
from shapesolve.execution.execution import Input, TensorInput, arguments
from shapesolve.frontends.export_process import ask
from shapesolve.frontends.levels import OWN
from shapesolve.frontends.model_run import Ended, ModelRun
from shapesolve.frontends.open import Kind, Model, model_in
from shapesolve.ir.declarations import Declarations
from shapesolve.ir.program import Program
from shapesolve.options import Options
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, divides, equal, implies, negation
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.events import Enter, Fact, Leave, Obligation, Trace

Call = Sequence[Mapping[str, Any]]
Run = Callable[[Sequence[Call]], list[ModelRun]]
"""Runs a model at several calls; returns the framework's answer, the raising line, and code to repeat it for each."""

MOST_SECONDS = 60.0
"""Time limit for the default runs of one function, in seconds, including the start of their process."""

_TOO_LARGE = "the model itself cannot be run at such sizes, where 32-bit integers of its export may wrap around"

MOST_SEARCHED = 4
"""Largest number of claims of one function for which other sizes are searched."""

MOST_BYTES = 1 << 28
"""Largest memory of the arguments at other sizes."""

MOST_RUN = 16
"""Largest number of different counterexamples of one function that are run."""


def with_originals(report: Report, source: str, options: Options) -> Report:
    """Return the report with the framework's own behavior at the failing sizes.

    Raises:
        InputError: The source is no model.
    """
    model = model_in(source)
    if model is None:
        raise InputError(f"{source} is no model of PyTorch, JAX or ONNX", where="--execute-original")
    program = report.program
    return replace(report, functions=tuple(_with_originals(each, model, program, options) for each in report.functions))


def with_originals_if_possible(report: Report, source: str, options: Options) -> Report:
    """Run the model at the failing sizes if it is at hand.

    Returns the report with the framework's behavior; with a note if the model cannot run in time; or unchanged if the
    program is not the level that the model itself exports.
    """
    if report.program.level not in ("", OWN):  # JAX has only one
        return report
    within = with_time_of_default_runs(options)
    try:
        return with_originals(report, source, within)
    except InputError as error:
        is_late = within.deadline.passed and not options.deadline.passed
        why = f"it had not ended after {MOST_SECONDS:.0f} seconds" if is_late else error.message
        note = f"the model was not run at all sizes that fail: {why}"  # some may have been run before its export
        return replace(report, program=replace(report.program, notes=(*report.program.notes, note)))


def with_time_of_default_runs(options: Options) -> Options:
    """Return the options with the time limit of default runs, unless their own ends before."""
    return replace(options, deadline=Deadline.after(min(options.deadline.seconds, MOST_SECONDS)))


def _with_originals(function: FunctionReport, model: Model, program: Program, options: Options) -> FunctionReport:
    calls: dict[tuple[Input, ...], list[CheckedObligation]] = {}
    for each in function.checked_obligations:
        if isinstance(each.verdict, Refuted):
            given = arguments(function.trace, each.verdict.sizes)
            if not isinstance(given, str):
                calls.setdefault(given, []).append(each)
    chosen = list(calls)[:MOST_RUN]
    if not chosen:
        return function
    further = _further_calls(function)
    both = [*dict.fromkeys((*chosen, *(call for found in further.values() for call in found)))]
    answers = framework_results(model, both, options, program.declarations, needed=len(chosen))
    answer_at = dict(zip(both, answers, strict=True))
    answer_of = {each: answer_at[call] for call in chosen for each in calls[call]}
    answered = [
        _with_further_answer(_with_answer(each, answer_of.get(each)), further.get(each, {}), answer_at)
        for each in function.checked_obligations
    ]
    if program.level != OWN and model.kind in (Kind.CALLABLE, Kind.JAX):
        answered = [_unless_it_is_too_large(function, each) for each in answered]
    return replace(function, checked_obligations=tuple(answered))


def _further_calls(function: FunctionReport) -> dict[CheckedObligation, dict[tuple[Input, ...], Refuted]]:
    """Return calls at other sizes, with these, for claims at whose first sizes the model raised elsewhere."""
    found: dict[CheckedObligation, dict[tuple[Input, ...], Refuted]] = {}
    elsewhere = [each for each in function.checked_obligations if _is_refuted_elsewhere(each)]
    for each in elsewhere[:MOST_SEARCHED]:
        for refuted in _other_counterexamples(function.trace, each, function.checked_obligations):
            given = arguments(function.trace, refuted.sizes, MOST_BYTES)
            if not isinstance(given, str):
                found.setdefault(each, {})[given] = refuted
    return found


def _is_refuted_elsewhere(checked_obligation: CheckedObligation) -> bool:
    return isinstance(checked_obligation.verdict, Refuted) and checked_obligation.raises_elsewhere


def _with_further_answer(
    checked_obligation: CheckedObligation,
    further: Mapping[tuple[Input, ...], Refuted],
    answer_at: Mapping[tuple[Input, ...], ModelRun],
) -> CheckedObligation:
    """Return the claim with the first of other sizes at which the model raises at its line, unless it does already."""
    if not checked_obligation.raises_elsewhere:
        return checked_obligation
    for call, refuted in further.items():
        tried = _with_answer(replace(checked_obligation, verdict=refuted, confirmation=None), answer_at[call])
        if tried.original_raises and tried.raised_at in tried.model_lines:
            return tried
    return checked_obligation


def _unless_it_is_too_large(function: FunctionReport, checked_obligation: CheckedObligation) -> CheckedObligation:
    """Leave a claim of a function of JAX undecided that fails at enormous sizes alone, unless JAX raises there.

    JAX itself computes sizes without a limit, and its exports in 32 bits.
    """
    verdict = checked_obligation.verdict
    if not isinstance(verdict, Refuted) or checked_obligation.original_raises:
        return checked_obligation
    if not EnormousSizes(function.trace).are_taken_by(verdict):
        return checked_obligation
    return replace(checked_obligation, verdict=Undecided(UndecidedReason.ENORMOUS, _TOO_LARGE, verdict))


def framework_results(
    model: Model,
    calls: Sequence[Sequence[Input]],
    options: Options,
    declared: Declarations | None = None,
    *,
    every_call: bool = False,
    needed: int | None = None,
) -> list[ModelRun]:
    """Return what the framework does at each call, with an expression for the call where it raises.

    Args:
        calls: The arguments of each call.
        options: Give the time limit.
        declared: Places of the arguments among the example inputs; None exports the model again to find them.
        every_call: Whether to return an expression for calls that return, too.
        needed: The number of calls that are made however long they take; None for all.
    """
    request = {
        "do": "run",
        "kind": model.kind.value,
        "file": model.file,
        "name": model.name,
        "inputs": list(options.inputs),
        "calls": [[encoded_input(each) for each in call] for call in calls],
        "places": None if declared is None else list(declared.places),
        "every_call": every_call,
        "needed": len(calls) if needed is None else needed,
    }
    where = f"{model.file}:{model.name}" if model.name else model.file
    return _answers(ask(request, where, options.deadline))


def _answers(reply: Mapping[str, Any]) -> list[ModelRun]:
    return [ModelRun.decoded(each) for each in reply["answers"]]


def _with_answer(checked_obligation: CheckedObligation, answer: ModelRun | None) -> CheckedObligation:
    return checked_obligation if answer is None else replace(checked_obligation, model_run=answer)


def encoded_input(argument: Input) -> Mapping[str, Any]:
    """Return an argument as the process of the model reads it."""
    if isinstance(argument, TensorInput):
        values = None if argument.values is None else list(argument.values)
        return {"extents": list(argument.extents), "values": values}
    return {"value": argument.value}


def runner_of(program: Program, options: Options) -> Run:
    """Return a function that runs the PyTorch model of a program at many calls in one process."""
    model = model_in(program.file)
    places = () if program.declarations is None else program.declarations.places

    def run(calls: Sequence[Call]) -> list[ModelRun]:
        if model is None:
            return [ModelRun(Ended.NOT_RUN, "cannot be run: there is no file of the model")] * len(calls)
        request = {
            "do": "run at",
            "kind": model.kind.value,
            "file": model.file,
            "name": model.name,
            "inputs": list(options.inputs),
            "calls": calls,
            "places": list(places),
        }
        where = f"{model.file}:{model.name}" if model.name else model.file
        return _answers(ask(request, where, options.deadline))

    return run


_MOST_TRIED = 6
"""Largest number of further counterexamples of one claim."""

_BUDGET = 50_000
_DIVISORS = (2, 12)
_MOST_ONES = 6


def _other_counterexamples(
    trace: Trace, checked_obligation: CheckedObligation, others: Sequence[CheckedObligation]
) -> list[Refuted]:
    """Return a few other sizes at which a refuted claim is false, and the refuted claims of other lines hold.

    Where there are none at which they all hold, those of the line that raises do, if possible.

    Args:
        trace: The trace of the function.
        checked_obligation: The claim, whose run raised at another line.
        others: All claims of the function.
    """
    verdict, obligation = checked_obligation.verdict, checked_obligation.obligation
    assert isinstance(verdict, Refuted)
    false = negation(implies(obligation.guard, obligation.claim))
    facts = _facts_before(trace, obligation)
    refuted = [
        each for each in others if isinstance(each.verdict, Refuted) and not _share_a_line(each, checked_obligation)
    ]
    raising = [each for each in others if checked_obligation.raised_at in each.model_lines[:1]]
    variables = _numbers(false.variables.union(*(each.obligation.claim.variables for each in (*refuted, *raising))))
    found: list[Refuted] = []
    for claims in dict.fromkeys((tuple(dict.fromkeys((*refuted, *raising))), tuple(raising), ())):
        known = [*facts, *(implies(each.obligation.guard, each.obligation.claim) for each in claims)]
        found += _falsifying(false, known, verdict, _restrictions(variables))
        if len(found) >= _MOST_TRIED:
            break
    return list({str(each.sizes): each for each in found}.values())[:_MOST_TRIED]


def _share_a_line(one: CheckedObligation, other: CheckedObligation) -> bool:
    return one is other or one.model_lines[:1] == other.model_lines[:1]


def _facts_before(trace: Trace, obligation: Obligation) -> list[Formula]:
    """Return what holds where an obligation is reached, but for the facts of regions that have ended."""
    found: list[list[Formula]] = [[]]
    for event in trace.events:
        if event is obligation:
            break
        if isinstance(event, Enter):
            found.append([] if event.condition is None else [event.condition.formula])
        elif isinstance(event, Leave):
            found.pop()
        elif isinstance(event, Fact):
            found[-1].append(event.formula)
    return [each for region in found for each in region]


def _numbers(variables: Iterable[Variable]) -> list[Variable]:
    return sorted((each for each in variables if not isinstance(each, ShapeSymbol)), key=lambda each: each.text)


def _restrictions(variables: Sequence[Variable]) -> Iterator[list[Formula]]:
    """Yield what sizes have in common that other lines often take: multiples of small numbers, and a single 1."""
    yield []
    for divisor in _DIVISORS:
        yield [divides(divisor, of_atom(each)) for each in variables]
    for each in variables[:_MOST_ONES]:
        yield [equal(of_atom(each), 1)]


def _falsifying(
    false: Formula, known: Sequence[Formula], first: Refuted, restrictions: Iterable[Sequence[Formula]]
) -> Iterator[Refuted]:
    """Yield sizes that satisfy a formula and what is known, others for each restriction and than the first ones."""
    apart = [_differs_from(first, false)]
    for restriction in restrictions:
        verdict = prove(negation(false), [*known, *apart, *restriction], budget=_BUDGET)
        if isinstance(verdict, Refuted):
            sizes = NamedSizes({**first.sizes, **verdict.sizes})
            found = Refuted(first.strategy, sizes, always=first.always, condition=first.condition)
            apart.append(_differs_from(found, false))
            yield found


def _differs_from(refuted: Refuted, false: Formula) -> Formula:
    """Return that a size of a formula is another one than in a counterexample."""
    sizes = {each: refuted.sizes.get(each) for each in _numbers(false.variables)}
    return negation(conjunction(equal(of_atom(each), size) for each, size in sizes.items() if isinstance(size, int)))
