"""Counterexamples of an exported model, run by the framework that the model was written for as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shapesolve.doors.calling import ask
from shapesolve.doors.kinds import Kind, Model, model_in
from shapesolve.errors import InputError
from shapesolve.executing.arguments import arguments
from shapesolve.executing.execution import Input, TensorInput
from shapesolve.judging.judgement import Judgement
from shapesolve.judging.report import FunctionReport, Report
from shapesolve.options import Options
from shapesolve.proving.verdicts import Refuted

MOST_RUN = 16
"""How many different counterexamples of one function are run."""


def with_originals(report: Report, source: str, options: Options) -> Report:
    """The report, with what the framework itself does at the sizes that fail.

    Raises InputError for a source that is no model of PyTorch or in ONNX.
    """
    model = model_in(source)
    if model is None or model.kind is Kind.JAX:
        raise InputError(f"{source} is no model of PyTorch or in ONNX", where="--execute-original")
    return replace(report, functions=tuple(_with_originals(each, model, options) for each in report.functions))


def _with_originals(function: FunctionReport, model: Model, options: Options) -> FunctionReport:
    calls: dict[tuple[Input, ...], list[Judgement]] = {}
    for each in function.judgements:
        if isinstance(each.verdict, Refuted):
            given = arguments(function.trace, each.verdict.sizes)
            if not isinstance(given, str):
                calls.setdefault(given, []).append(each)
    chosen = list(calls)[:MOST_RUN]
    if not chosen:
        return function
    request = {
        "do": "run",
        "kind": model.kind.value,
        "file": model.file,
        "name": model.name,
        "calls": [[_encoded(each) for each in call] for call in chosen],
    }
    where = f"{model.file}:{model.name}" if model.name else model.file
    answers: list[str] = ask(request, where, options.deadline)["answers"]
    said = {each: answer for call, answer in zip(chosen, answers, strict=True) for each in calls[call]}
    judgements = tuple(replace(each, original=said[each]) if each in said else each for each in function.judgements)
    return replace(function, judgements=judgements)


def _encoded(argument: Input) -> Mapping[str, Any]:
    if isinstance(argument, TensorInput):
        values = None if argument.values is None else list(argument.values)
        return {"extents": list(argument.extents), "values": values}
    return {"value": argument.value}
