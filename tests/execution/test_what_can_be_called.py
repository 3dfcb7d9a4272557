"""Tests of executability: which functions of which programs run, and with which arguments."""

from __future__ import annotations

import pytest

from shapesolve.execution.execution import Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute, execute_many

pytestmark = pytest.mark.process

IDENTITY = "func.func @f(%a: tensor<5x?xf32>) -> tensor<5x?xf32> { return %a : tensor<5x?xf32> }"


def sized(*extents: int) -> TensorInput:
    """A tensor of these extents."""
    return TensorInput(extents)


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ([sized(3, 2)], "argument 0: extent 3 given where the type says 5, in dimension 0"),
        ([sized(5)], "argument 0: rank 1 given where the type says 2"),
        ([ScalarInput(5)], "argument 0: a scalar given where the type is a tensor"),
        ([], "0 arguments given where the function takes 1"),
        ([sized(5, 10**9)], "the arguments take 20,000,000,000 bytes, and the limit is 1,073,741,824"),
        ([TensorInput((5, 1), (1, 2, 3, 4, 5))], "argument 0: integer contents given for elements of type f32"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(inputs: list[Input], reason: str) -> None:
    execution = execute(IDENTITY, "f", inputs, runtime_checks=True)
    assert (execution.outcome, execution.message) == (Outcome.NOT_EXECUTABLE, reason)


def test_the_wrong_number_of_values_is_refused() -> None:
    text = "func.func @f(%a: tensor<?xindex>) { return }"
    execution = execute(text, "f", [TensorInput((3,), (1, 2))], runtime_checks=False)
    assert (execution.outcome, execution.message) == (
        Outcome.NOT_EXECUTABLE,
        "argument 0: 2 values given for 3 elements",
    )


def test_a_negative_extent_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="argument 0 has a negative extent"):
        execute(IDENTITY, "f", [sized(5, -1)], runtime_checks=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("func.func @f(", "the module does not parse"),
        ("func.func @g() { return }", "there is no function @f; the module has @g"),
        ('func.func @f() { "foo.bar"() : () -> ()\n return }', "foo.bar"),
        ("func.func private @g()\nfunc.func @f() { call @g() : () -> ()\n return }", "@g is declared, but has no body"),
        ("func.func @f(%a: !shape.value_shape) { return }", "argument 0 has type !shape.value_shape"),
    ],
)
def test_a_program_without_a_way_to_the_machine_says_why(text: str, reason: str) -> None:
    execution = execute(text, "f", [sized(3)], runtime_checks=False)
    assert execution.outcome is Outcome.NOT_EXECUTABLE
    assert reason in execution.message


def test_functions_that_are_not_needed_do_no_harm() -> None:
    text = """
    func.func private @callee(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }
    func.func @other() { "foo.bar"() : () -> () return }
    func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = call @callee(%a) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    """
    assert execute(text, "f", [sized(4)], runtime_checks=True).result_extents == ((4,),)


def test_tensors_without_values_are_filled_as_asked() -> None:
    text = """func.func @f(%a: tensor<2xf32>, %b: tensor<2xi32>) -> (i1, i32) {
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %v = tensor.extract %a[%c1] : tensor<2xf32>
      %p = arith.cmpf oeq, %v, %zero : f32
      %w = tensor.extract %b[%c1] : tensor<2xi32>
      return %p, %w : i1, i32
    }"""
    runs = [[sized(2), sized(2)]]
    (usual,) = execute_many(text, "f", runs, runtime_checks=False)
    (zeros,) = execute_many(text, "f", runs, runtime_checks=False, integer_fill=0, zero_floats=True)
    assert (usual.result_extents, zeros.result_extents) == ((0, 1), (1, 0))
