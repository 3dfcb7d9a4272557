"""TOSA's control flow, executed, against what its specification says."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

CHOSEN = """
func.func @f(%c: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.cond_if"(%c, %a) ({
  ^bb0(%x: tensor<?xf32>):
    %sum = tosa.add %x, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %sum : tensor<?xf32>
  }, {
  ^bb0(%x: tensor<?xf32>):
    %both = tosa.concat %x, %b {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %both : tensor<?xf32>
  }) : (tensor<i1>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""

REPEATED = """
func.func @f(%i: tensor<i32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %end = "tosa.const"() {values = dense<4> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "tosa.while_loop"(%i, %a) ({
  ^bb0(%n: tensor<i32>, %x: tensor<?xf32>):
    %more = tosa.greater %end, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  }, {
  ^bb0(%n: tensor<i32>, %x: tensor<?xf32>):
    %y = tosa.concat %x, %b {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %m = tosa.add %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %m, %y : tensor<i32>, tensor<?xf32>
  }) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>)
  return %0#1 : tensor<?xf32>
}
"""

SIZES = [(a, b) for a in (0, 2, 3) for b in (1, 2)]


def number(value: int) -> TensorInput:
    """A tensor of rank 0 that holds it."""
    return TensorInput((), (value,))


@pytest.mark.parametrize("runtime_checks", [False, True])
def test_one_of_two_regions_runs(runtime_checks: bool) -> None:
    runs = [[number(0), TensorInput((a,)), TensorInput((b,))] for a, b in SIZES]
    executions = execute_many(CHOSEN, "f", runs, runtime_checks=runtime_checks)
    assert [each.result_extents for each in executions] == [((a + b,),) for a, b in SIZES]


@pytest.mark.parametrize("runtime_checks", [False, True])
def test_a_region_runs_while_another_yields_true(runtime_checks: bool) -> None:
    runs = [[number(i), TensorInput((a,)), TensorInput((b,))] for i in (2, 9) for a, b in SIZES]
    executions = execute_many(REPEATED, "f", runs, runtime_checks=runtime_checks)
    assert [each.result_extents for each in executions] == [((a + n * b,),) for n in (2, 0) for a, b in SIZES]


def test_a_counterexample_in_a_region_is_executed() -> None:
    report = check(CHOSEN)
    (shown,) = [each.confirmation for each in report.functions[0].checked_obligations if each.confirmation is not None]
    assert shown.shown is Shown.FAILED_HERE
    assert shown.execution is not None and shown.execution.outcome is Outcome.ABORTED
