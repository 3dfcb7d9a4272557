"""torch-mlir's own structured operations, executed: what they compute is what numpy computes."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

SCANS = Path(__file__).parents[1] / "cases" / "tm_tensor" / "scan.mlir"


@pytest.mark.parametrize("runtime_checks", [False, True])
def test_a_scan_computes_running_sums(runtime_checks: bool) -> None:
    inputs = [numpy.arange(6).reshape(2, 3), numpy.zeros((0, 3), int), numpy.full((3, 1), 5)]
    given = [[TensorInput(each.shape, tuple(each.flatten().tolist()))] for each in inputs]
    found = execute_many(SCANS.read_text(encoding="utf-8"), "sums", given, runtime_checks=runtime_checks)
    assert [each.outcome for each in found] == [Outcome.RETURNED] * 3
    expected = [tuple(numpy.cumsum(each, axis=1).flatten().tolist()) for each in inputs]
    assert [each.result_values[0] for each in found] == expected


def test_a_scan_into_less_fails_at_the_scan() -> None:
    given = [TensorInput((2, 4)), TensorInput((1, 4)), TensorInput((2,))]
    (found,) = execute_many(SCANS.read_text(encoding="utf-8"), "elsewhere", [given], runtime_checks=True)
    assert (found.outcome, found.failing_op) == (Outcome.ABORTED, "tm_tensor.scan")


def test_a_sort_moves_what_goes_with_it() -> None:
    text = (Path(__file__).parents[1] / "cases" / "tm_tensor" / "sort.mlir").read_text(encoding="utf-8")
    given = [
        [TensorInput((2, 4)), TensorInput((2, 4), (0, 1, 2, 3, 4, 5, 6, 7))],
        [TensorInput((2, 4)), TensorInput((1, 4))],
    ]
    for runtime_checks in (False, True):
        kept, _ = execute_many(text, "elsewhere", given, runtime_checks=runtime_checks)
        assert kept.result_values == ((0, 1, 2, 3, 4, 5, 6, 7),)  # equal values stay where they are
    assert _.outcome is Outcome.ABORTED and _.failing_op == "tm_tensor.sort"
