"""Endings of executions: returned, aborted, crashed, timed out, not executable."""

from __future__ import annotations

import pytest

from shapesolve.execution.execution import ExecutionLimits, Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute, execute_many

pytestmark = pytest.mark.process

CAST_TO_FIVE = """
func.func @f(%a: tensor<?xf32>) -> tensor<5xf32> {
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}
"""

ADD_OF_LINALG = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
"""

BELOW_TWO = r"""
func.func @f(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %p = arith.cmpi ult, %n, %c2 : index
  cf.assert %p, "n must be\0Abelow 2"
  return %n : index
}
"""

IDENTITY = "func.func @f(%a: tensor<5x?xf32>) -> tensor<5x?xf32> { return %a : tensor<5x?xf32> }"

NEVER_ENDS = """
func.func @f(%a: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c0] : memref<1xi64>
    %w = arith.addi %v, %v : i64
    memref.store %w, %a[%c0] : memref<1xi64>
  }
  return
}
"""


def sized(*extents: int) -> TensorInput:
    """A tensor of these extents."""
    return TensorInput(extents)


def test_a_cast_to_a_wrong_size_aborts_when_checked_and_passes_when_not() -> None:
    checked = execute(CAST_TO_FIVE, "f", [sized(3)], runtime_checks=True)
    assert checked.outcome is Outcome.ABORTED
    assert checked.message == "tensor.cast: size mismatch of dim 0"
    assert checked.failing_location == (3, 8)
    assert checked.failing_op == "tensor.cast"
    assert checked.with_runtime_checks
    unchecked = execute(CAST_TO_FIVE, "f", [sized(3)], runtime_checks=False)
    assert (unchecked.outcome, unchecked.result_extents) == (Outcome.RETURNED, ((3,),))
    assert not unchecked.with_runtime_checks


def test_each_run_of_many_is_judged_alone() -> None:
    runs = [[sized(a), sized(b)] for a in range(4) for b in range(4)]
    checked = execute_many(ADD_OF_LINALG, "f", runs, runtime_checks=True)
    for (left, right), execution in zip(runs, checked, strict=True):
        if left == right or left.extents == (0,):  # a loop that does not run touches nothing
            assert (execution.outcome, execution.result_extents) == (Outcome.RETURNED, (left.extents,))
        else:
            assert execution.outcome is Outcome.ABORTED
            assert (execution.failing_op, execution.failing_location) == ("linalg.add", (6, 8))
    unchecked = execute_many(ADD_OF_LINALG, "f", runs, runtime_checks=False)
    for (left, right), execution in zip(runs, unchecked, strict=True):
        reads_too_far = left.extents[0] > right.extents[0]
        assert execution.outcome is (Outcome.CRASHED if reads_too_far else Outcome.RETURNED)


def test_empty_operands_of_what_becomes_a_loop_must_fit_too() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %s = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %s : tensor<?xf32>
    }"""
    execution = execute(text, "f", [sized(0), sized(3)], runtime_checks=True)
    assert (execution.outcome, execution.failing_op) == (Outcome.ABORTED, "tosa.add")


@pytest.mark.parametrize("runtime_checks", [False, True])
def test_an_assertion_of_the_program_arrives_with_its_message(runtime_checks: bool) -> None:
    runs: list[list[Input]] = [[ScalarInput(1)], [ScalarInput(2)], [ScalarInput(-1)]]
    fine, two, negative = execute_many(BELOW_TWO, "f", runs, runtime_checks=runtime_checks)
    assert (fine.outcome, fine.result_extents) == (Outcome.RETURNED, (1,))
    for failed in (two, negative):
        assert failed.outcome is Outcome.ABORTED
        assert failed.message == "n must be below 2"
        assert failed.failing_location == (5, 3)


def test_division_by_zero_is_a_crash_or_a_failed_check() -> None:
    text = "func.func @f(%a: i32, %b: i32) -> i32 {\n  %0 = arith.remsi %a, %b : i32\n  return %0 : i32\n}"
    assert execute(text, "f", [ScalarInput(-7), ScalarInput(2)], runtime_checks=True).result_extents == (-1,)
    checked = execute(text, "f", [ScalarInput(7), ScalarInput(0)], runtime_checks=True)
    assert (checked.outcome, checked.message) == (Outcome.ABORTED, "arith.remsi: division by zero")
    assert checked.failing_location == (2, 8)


def test_an_element_out_of_range_crashes_because_memory_ends_there() -> None:
    text = """func.func @f(%a: tensor<?xi8>, %i: index) -> i8 {
      %0 = tensor.extract %a[%i] : tensor<?xi8>
      return %0 : i8
    }"""
    given = TensorInput((3,), (4, 5, -6))
    runs: list[list[Input]] = [[given, ScalarInput(2)], [given, ScalarInput(3)], [sized(0), ScalarInput(0)]]
    last, after, empty = execute_many(text, "f", runs, runtime_checks=False)
    assert (last.outcome, last.result_extents) == (Outcome.RETURNED, (-6,))
    assert after.outcome is Outcome.CRASHED and "SIGSEGV" in after.message
    assert empty.outcome is Outcome.CRASHED
    _, after, empty = execute_many(text, "f", runs, runtime_checks=True)
    assert {after.outcome, empty.outcome} == {Outcome.ABORTED}
    assert after.message == "tensor.extract: out-of-bounds access"


def test_a_loop_without_an_end_times_out() -> None:
    limits = ExecutionLimits(timeout_seconds=0.5)
    (execution,) = execute_many(NEVER_ENDS, "f", [[sized(1)]], runtime_checks=False, limits=limits)
    assert (execution.outcome, execution.message) == (Outcome.TIMED_OUT, "still running after 0.5 seconds")


def test_many_turns_of_a_loop_do_not_use_up_the_stack() -> None:
    text = """func.func @f(%a: memref<?xi64>, %n: index) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> i64 {
        %d = memref.dim %a, %c0 : memref<?xi64>
        %e = arith.index_cast %d : index to i64
        %next = arith.addi %acc, %e : i64
        scf.yield %next : i64
      }
      return %s : i64
    }"""
    execution = execute(text, "f", [sized(3), ScalarInput(2_000_000)], runtime_checks=False)
    assert (execution.outcome, execution.result_extents) == (Outcome.RETURNED, (6_000_000,))


def test_too_much_memory_inside_the_program_is_not_its_fault_but_a_negative_size_is() -> None:
    text = """func.func @f(%n: index) -> tensor<?xf32> {
      %0 = tensor.empty(%n) : tensor<?xf32>
      return %0 : tensor<?xf32>
    }"""
    runs = [[ScalarInput(3)], [ScalarInput(1 << 40)], [ScalarInput(-1)]]
    fine, large, negative = execute_many(text, "f", runs, runtime_checks=False)
    assert fine.result_extents == ((3,),)
    assert (large.outcome, large.message) == (Outcome.NOT_EXECUTABLE, "needs more than 1,073,741,824 bytes of memory")
    assert negative.outcome is Outcome.CRASHED
    (checked,) = execute_many(text, "f", [[ScalarInput(-1)]], runtime_checks=True)
    assert (checked.outcome, checked.message) == (Outcome.ABORTED, "tensor.empty: size number 1 is negative")


def test_who_never_ends_is_not_called_for_ever() -> None:
    text = """func.func @f(%n: index) -> index {
      %r = scf.while (%i = %n) : (index) -> index {
        %z = arith.constant 0 : index
        %p = arith.cmpi ne, %i, %z : index
        scf.condition(%p) %i : index
      } do {
      ^bb0(%i: index):
        scf.yield %i : index
      }
      return %r : index
    }"""
    runs: list[list[Input]] = [[ScalarInput(n)] for n in (0, 1, 2, 3, 0)]
    limits = ExecutionLimits(timeout_seconds=1.0)
    executions = execute_many(text, "f", runs, runtime_checks=False, limits=limits)
    outcomes = [each.outcome for each in executions]
    assert outcomes == [Outcome.RETURNED, *[Outcome.TIMED_OUT] * 2, *[Outcome.NOT_EXECUTABLE] * 2]
    assert executions[3].message == "not called: two calls before took all of their time"


def test_more_memory_than_there_is() -> None:
    text = """func.func @f(%n: index) -> f32 {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.0 : f32
      %m = memref.alloc(%n) : memref<?xf32>
      memref.store %x, %m[%c0] : memref<?xf32>
      %r = memref.load %m[%c0] : memref<?xf32>
      return %r : f32
    }"""
    (execution,) = execute_many(text, "f", [[ScalarInput(25 << 30)]], runtime_checks=False)
    assert (execution.outcome, execution.message) == (
        Outcome.NOT_EXECUTABLE,
        f"needs more than {1 << 30:,} bytes of memory",
    )


def test_recursion_without_an_end() -> None:
    text = """func.func @f(%n: index) -> index {
      %one = arith.constant 1 : index
      %m = arith.addi %n, %one : index
      %r = func.call @f(%m) : (index) -> index
      %s = arith.addi %r, %m : index
      return %s : index
    }"""
    (execution,) = execute_many(text, "f", [[ScalarInput(1)]], runtime_checks=False)
    assert execution.outcome in (Outcome.CRASHED, Outcome.TIMED_OUT)


@pytest.mark.exhaustive
@pytest.mark.parametrize("attributes", ["", " {shapesolve.beyond_execution}"])
def test_no_words_or_attributes_of_a_program_end_its_execution(attributes: str) -> None:
    text = BELOW_TWO.replace(r"n must be\0Abelow 2", "not executable: n is large").replace(
        'large"', f'large"{attributes}'
    )
    for checks in (True, False):
        small, large = execute_many(text, "f", [[ScalarInput(1)], [ScalarInput(2)]], runtime_checks=checks)
        assert small.outcome is Outcome.RETURNED
        assert (large.outcome, large.message) == (Outcome.ABORTED, "not executable: n is large")
        assert not large.failed_in_lowered_form
