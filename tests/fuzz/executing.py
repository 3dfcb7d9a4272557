"""Differential test of the interpreter against compiled programs: a sample, since execution takes a hundred times as
long.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fuzz.machine import Array, Ending, Run, compiled
from fuzz.vectors import fresh, vectors

from shapesolve.execution.execution import Execution, Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

VECTORS = 10


def differences(text: str, name: str, seed: int, counts: Counter[str]) -> list[str]:
    """Return the differences of a compiled function from the interpreter. Undefined behavior may do anything."""
    machine = compiled(text)
    types = machine.functions[name].argument_types
    tried = vectors(types, random.Random(seed), VECTORS)
    runs = [machine.run(name, fresh(vector)) for vector in tried]
    kept = [pair for pair in zip(tried, runs, strict=True) if pair[1].ending in (Ending.RETURNED, Ending.ABORTED)]
    executions = execute_many(text, name, [_inputs(vector) for vector, _ in kept], runtime_checks=False)
    found: list[str] = []
    counts["functions compiled"] += 1
    for (vector, run), execution in zip(kept, executions, strict=True):
        if execution.outcome is Outcome.NOT_EXECUTABLE:
            counts["not executable"] += 1
            continue
        counts["executions"] += 1
        if not _agrees(run, execution):
            shown = [each.shape if isinstance(each, Array) else each for each in vector]
            found.append(f"@{name} {shown}: {run} and executed {execution}")
    return found


def _inputs(vector: Sequence[Any]) -> list[Input]:
    given: list[Input] = []
    for each in vector:
        if isinstance(each, Array):
            values = each.elements()
            given.append(TensorInput(each.shape, None if values is None else tuple(values)))
        else:
            given.append(ScalarInput(each))
    return given


def _agrees(run: Run, execution: Execution) -> bool:
    if run.ending is Ending.ABORTED:
        return execution.outcome is Outcome.ABORTED and run.words in execution.message
    if execution.outcome is not Outcome.RETURNED:
        return False
    pairs = zip(run.results, execution.result_extents, strict=True)
    return all(mine == theirs for mine, theirs in pairs if mine is not None and theirs is not None)
