"""Test of every example with guards, executed at random sizes: it returns the same, or stops if the original failed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from guards.changed_programs import Way, changed
from support.example_subjects import SUBJECTS, Subject
from support.predicted_outcomes import predicted

from shapesolve.checker.check import trace_of
from shapesolve.execution.execution import Input, Outcome, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.execution.sandbox import can_fork
from shapesolve.ir.reader import read_file
from shapesolve.options import Options

TRIED = 24


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", ["at_entry", "harden"])
@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_it_returns_what_it_returned_and_stops_everywhere_else(subject: Subject, way: Way) -> None:
    program = read_file(subject.path)
    result = changed(Path(subject.path).read_text(), way)
    assert result.still_open == ()
    trace = trace_of(program, program.functions[subject.function], Options(execute=False))
    sizes = [dict(zip(trace.input_variables, vector, strict=True)) for vector in subject.vectors]
    fine = [each for each in sizes if not predicted(trace, each).failures]
    failing = [each for each in sizes if predicted(trace, each).failures]
    choice = random.Random(str(subject))
    count = TRIED if can_fork else 2
    fine, failing = (choice.sample(each, min(count, len(each))) for each in (fine, failing))
    runs: list[tuple[Input, ...]] = []
    for each in [*fine, *failing]:
        found = arguments(trace, each)
        assert not isinstance(found, str)
        runs.append(found)
    before = execute_many(program.executable, subject.function, runs[: len(fine)], runtime_checks=False)
    after = execute_many(result.text, subject.function, runs, runtime_checks=False)
    assert [(each.outcome, each.result_extents) for each in after[: len(fine)]] == [
        (Outcome.RETURNED, each.result_extents) for each in before
    ]
    assert {each.outcome for each in after[len(fine) :]} == {Outcome.ABORTED}
    written = [each for each in result.written if each.function == subject.function]
    messages = [each.message.partition("{")[0] for each in (*written, *result.kept)]  # values are filled in there
    assert all(any(text in each.message for text in messages) for each in after[len(fine) :])
