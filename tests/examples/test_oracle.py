"""Differential test of every example at many small sizes: proofs and predictions against compiled execution."""

from __future__ import annotations

import csv
import functools

import pytest
from support.checked_files import executed_report, program_of
from support.example_subjects import EXAMPLES, SUBJECTS, Subject
from support.predicted_outcomes import Prediction, Sizes, contradiction, predicted

from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import Shown
from shapesolve.checker.report import FunctionReport
from shapesolve.domain.fresh_variables import single_variable
from shapesolve.domain.values import Tensor
from shapesolve.execution.execution import Input, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.execution.sandbox import can_fork
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Kind, Trace

pytestmark = pytest.mark.slow

every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=str)


@functools.cache
def trace(subject: Subject) -> Trace:
    program = program_of(subject.path)
    return trace_of(program, program.functions[subject.function], Options())


def report(subject: Subject) -> FunctionReport:
    functions = executed_report(subject.path).functions
    (function,) = (each for each in functions if each.trace.function.name == subject.function)
    return function


@functools.cache
def cases(subject: Subject) -> list[Sizes]:
    variables = trace(subject).input_variables
    return [dict(zip(variables, vector, strict=True)) for vector in subject.vectors]


@functools.cache
def predictions(subject: Subject) -> list[Prediction]:
    """Return the prediction for every case."""
    return [predicted(trace(subject), sizes) for sizes in cases(subject)]


def inputs_of(subject: Subject, sizes: Sizes) -> tuple[Input, ...]:
    found = arguments(trace(subject), sizes)
    assert not isinstance(found, str)
    return found


@pytest.mark.exhaustive
@every_subject
def test_the_first_claim_that_is_false_is_where_the_program_fails(subject: Subject) -> None:
    every = 1 if can_fork else 40  # without forks, each compiles the program again
    tried, predicted_there = cases(subject)[::every], predictions(subject)[::every]
    runs = [inputs_of(subject, sizes) for sizes in tried]
    program = program_of(subject.path)
    plain = execute_many(program.executable, subject.function, runs, runtime_checks=False)
    checked = execute_many(program.executable, subject.function, runs, runtime_checks=True)
    different = {
        str(sizes): modeled
        for sizes, prediction, as_compiled, verified in zip(tried, predicted_there, plain, checked, strict=True)
        if (modeled := contradiction(prediction, as_compiled, verified))
    }
    assert not different
    fine = sum(not each.failures for each in predicted_there)
    assert 0 < fine < len(tried)


@pytest.mark.exhaustive
@every_subject
def test_proved_claims_hold_at_every_size_that_gets_there(subject: Subject) -> None:
    verdicts = {
        checked_obligation.obligation.identity: checked_obligation.verdict
        for checked_obligation in report(subject).checked_obligations
    }
    assert len(verdicts) == len(report(subject).checked_obligations)
    failing: set[str] = set()
    for sizes, prediction in zip(cases(subject), predictions(subject), strict=True):
        for failure in prediction.unexcused:
            assert isinstance(verdicts[failure.obligation.identity], Refuted), (sizes, str(failure))
            failing.add(failure.obligation.identity)
    assert 0 < len(failing) < len(verdicts)


@pytest.mark.exhaustive
@every_subject
def test_every_refutation_fails_when_executed(subject: Subject) -> None:
    refuted = [each for each in report(subject).checked_obligations if not isinstance(each.verdict, Proved)]
    assert refuted
    for each in refuted:
        assert isinstance(each.verdict, Refuted)
        assert each.confirmation is not None
        # Other claims of the operation may be false at these sizes, too: where the run stops is the same.
        assert each.confirmation.shown in (Shown.FAILED_HERE, Shown.ANOTHER_CLAIM), each.confirmation


@every_subject
def test_nothing_but_data_is_left_unmodeled(subject: Subject) -> None:
    assert {(each.op, each.reason) for each in trace(subject).approximations} == subject.data


# The recorded runs ---------------------------------------------------------------------------------------------------


def recorded(subject: Subject) -> list[dict[str, str]]:
    with (EXAMPLES / "observed.csv").open(encoding="utf-8", newline="") as rows:
        return [
            row for row in csv.DictReader(rows) if row["file"] == subject.file and row["function"] == subject.function
        ]


def sizes_of(subject: Subject, row: dict[str, str]) -> Sizes:
    """The sizes of a row: ``2x3x8 2x3x8`` spells the extents of the arguments."""
    sizes: dict[Variable, int] = {}
    for spelled, value in zip(row["arguments"].split(), trace(subject).inputs, strict=True):
        assert isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for number, extent in zip(spelled.split("x"), value.shape.dims, strict=True):
            variable = single_variable(extent)
            if variable is not None:
                sizes[variable] = int(number)
    return sizes


def says(row: dict[str, str], prediction: Prediction, *, some_is_empty: bool) -> bool:
    """Return whether a recorded run is what was predicted."""
    seen = row["with_checks"] or row["as_compiled"]
    certain = prediction.certain
    if seen == "ok":
        return not prediction.failures
    if seen.startswith("undefined: linalg.generic") and some_is_empty:
        return True  # the recorded checks want extents to agree also where no loop runs
    if certain is None:
        return False
    op = certain.obligation.op
    if seen.startswith("abort: "):
        message = seen.removeprefix("abort: ")
        modeled = op.attributes.get("msg", op.attributes.get("call_target_name"))
        return certain.obligation.kind is Kind.CHECK and modeled == message
    undefined = seen.removeprefix("undefined: ")
    return op.name.startswith("arith.div") if undefined == "division by zero" else undefined.startswith(f"{op.name} ")


@pytest.mark.parametrize("subject", [each for each in SUBJECTS if recorded(each)], ids=str)
def test_the_recorded_runs_are_what_was_predicted(subject: Subject) -> None:
    rows = recorded(subject)
    different: dict[str, str] = {}
    for row in rows:
        sizes = sizes_of(subject, row)
        prediction = predicted(trace(subject), sizes)
        if not says(row, prediction, some_is_empty=0 in sizes.values()):
            different[row["arguments"]] = f"{prediction.certain} instead of {row['with_checks'] or row['as_compiled']}"
    assert not different


def test_all_recorded_functions_are_compared() -> None:
    with (EXAMPLES / "observed.csv").open(encoding="utf-8", newline="") as rows:
        everything = {(row["file"], row["function"]) for row in csv.DictReader(rows)}
    assert everything == {(each.file, each.function) for each in SUBJECTS if recorded(each)}
