"""Claims on sizes that are reached under conditions on data alone, refuted by a run that raises an error there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.reference_runs import MOST_RUN, framework_results, with_time_of_default_runs
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.errors import InputError
from shapesolve.execution.execution import Input, arguments
from shapesolve.frontends.open import Kind, Model, model_in
from shapesolve.options import Options
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.symbolic.evaluation import holds_if_determined


def claims_behind_data(function: FunctionReport) -> dict[CheckedObligation, Refuted]:
    """Return the claims on sizes that are reached under conditions on data alone, each with sizes at which it is false.

    If the model raises an error at the operation of such a claim, some data satisfies the conditions.
    """
    sizes = frozenset(function.trace.input_variables)
    found: dict[CheckedObligation, Refuted] = {}
    for each in function.checked_obligations:
        if each.is_about_data and isinstance(each.verdict, Undecided) and each.obligation.claim.variables <= sizes:
            candidate = each.verdict.candidate
            if candidate is not None and holds_if_determined(each.obligation.claim, candidate.sizes) is False:
                found[each] = candidate
    return found


def with_runs_of_onnx(report: Report, options: Options) -> Report:
    """Return the report with such claims refuted if the node of the ONNX model that they belong to raises an error."""
    model = model_in(report.program.file)
    if model is None or model.kind is not Kind.ONNX:
        return report
    within = with_time_of_default_runs(options)
    with suppress(InputError):
        return replace(report, functions=tuple(_with_runs(each, model, within) for each in report.functions))
    return report


def _with_runs(function: FunctionReport, model: Model, options: Options) -> FunctionReport:
    calls: dict[tuple[Input, ...], dict[CheckedObligation, Refuted]] = {}
    for each, failing in claims_behind_data(function).items():
        given = arguments(function.trace, failing.sizes)
        if not isinstance(given, str):
            calls.setdefault(given, {})[each] = failing
    chosen = list(calls)[:MOST_RUN]
    if not chosen:
        return function
    refuted: dict[CheckedObligation, CheckedObligation] = {}
    for call, run in zip(chosen, framework_results(model, chosen, options), strict=True):
        for each, failing in calls[call].items():
            if run.place and run.place == _node(each):
                refuted[each] = replace(each, verdict=failing, confirmation=None, model_run=run)
    return replace(
        function, checked_obligations=tuple(refuted.get(each, each) for each in function.checked_obligations)
    )


def _node(checked_obligation: CheckedObligation) -> str:
    """Return the name of the node of an ONNX model that a claim belongs to; "" if it is not known."""
    origin = checked_obligation.obligation.op.origin
    return "" if origin is None else origin.module
