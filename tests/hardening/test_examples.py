"""Every example with checks put in, executed at random sizes: it returns what it returned, or stops if it failed."""

from __future__ import annotations

import random

import pytest
from support.example_subjects import SUBJECTS, Subject
from support.predicted_outcomes import predicted

from shapesolve.executing import Outcome, execute_many
from shapesolve.executing.arguments import arguments
from shapesolve.executing.execution import Input
from shapesolve.executing.isolation import can_fork
from shapesolve.hardening.at_entry import prune_at_entry
from shapesolve.hardening.in_place import harden
from shapesolve.judging.traces import trace_of
from shapesolve.options import Options
from shapesolve.reading.mlir_reader import read_file

WAYS = {"at_entry": prune_at_entry, "harden": harden}
TRIED = 24


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_it_returns_what_it_returned_and_stops_everywhere_else(subject: Subject, way: str) -> None:
    program = read_file(subject.path)
    options = Options(functions=(subject.function,), execute=False)
    result = WAYS[way](program, options)
    assert result.still_open == ()
    trace = trace_of(program, program.functions[subject.function], options)
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
    said = [each.message.partition("{")[0] for each in (*result.written, *result.kept)]  # values are filled in there
    assert all(any(text in each.message for text in said) for each in after[len(fine) :])
