"""Programs of every dialect that can be run, against what numpy and the dialects' documents say."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from shapesolve.execution.execution import Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute, execute_many

pytestmark = pytest.mark.process

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def sized(*extents: int) -> TensorInput:
    """A tensor of these extents."""
    return TensorInput(extents)


def vector(*values: int) -> TensorInput:
    """A tensor of rank 1 that holds these integers."""
    return TensorInput((len(values),), values)


def broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """numpy's answer; None if the shapes do not broadcast."""
    try:
        return tuple(np.broadcast_shapes(*shapes))
    except ValueError:
        return None


CONSTRAINED_BROADCAST = """
func.func @f(%a: tensor<?xindex>, %b: tensor<?xindex>) -> tensor<?xindex> {
  %w = shape.cstr_broadcastable %a, %b : tensor<?xindex>, tensor<?xindex>
  %r = shape.assuming %w -> (tensor<?xindex>) {
    %s = shape.broadcast %a, %b : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    shape.assuming_yield %s : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("runtime_checks", [False, True])
def test_constrained_broadcast_agrees_with_numpy(runtime_checks: bool) -> None:
    shapes = [shape for rank in range(3) for shape in itertools.product((0, 1, 2, 3), repeat=rank)][::2]
    pairs = list(itertools.product(shapes, repeat=2))
    runs = [[vector(*left), vector(*right)] for left, right in pairs]
    executions = execute_many(CONSTRAINED_BROADCAST, "f", runs, runtime_checks=runtime_checks)
    for (left, right), execution in zip(pairs, executions, strict=True):
        expected = broadcast(left, right)
        if expected is None:
            assert execution.outcome is Outcome.ABORTED, (left, right)
            assert execution.failing_op == "shape.cstr_broadcastable"
        else:
            assert execution.result_values == (expected,), (left, right)


@pytest.mark.parametrize(
    ("witness", "line"),
    [
        ('%p = arith.constant false\n%w = shape.cstr_require %p, "never"', 3),
        ("%w = shape.const_witness false", 3),
        ("%t = shape.const_witness true\n%n = shape.const_witness false\n%w = shape.assuming_all %t, %n", 5),
    ],
)
def test_a_witness_known_to_be_false_is_not_folded_away(witness: str, line: int) -> None:
    text = f"""func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
{witness}
%r = shape.assuming %w -> (tensor<?xf32>) {{ shape.assuming_yield %a : tensor<?xf32> }}
return %r : tensor<?xf32> }}"""
    execution = execute(text, "f", [sized(3)], runtime_checks=False)
    assert execution.outcome is Outcome.ABORTED
    assert execution.failing_location is not None and execution.failing_location[0] == line
    passing = text.replace("false", "true")
    assert execute(passing, "f", [sized(3)], runtime_checks=False).result_extents == ((3,),)


def test_witnesses_may_be_returned_and_constraints_hold_on_shapes() -> None:
    text = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> !shape.witness {
      %0 = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
      %1 = shape.shape_of %b : tensor<?x?xf32> -> !shape.shape
      %w = shape.cstr_eq %0, %1 : !shape.shape, !shape.shape
      return %w : !shape.witness
    }"""
    runs = [[sized(2, 3), sized(2, 3)], [sized(2, 3), sized(3, 2)]]
    equal, unequal = execute_many(text, "f", runs, runtime_checks=False)
    assert (equal.outcome, equal.result_extents) == (Outcome.RETURNED, (1,))
    assert (unequal.outcome, unequal.message) == (Outcome.ABORTED, "shape.cstr_eq: required equal shapes")


def test_shapes_and_sizes_run_until_one_is_an_error_value() -> None:
    text = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> (!shape.shape, !shape.size, tensor<?xindex>) {
      %0 = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
      %1 = shape.shape_of %b : tensor<?xf32> -> !shape.shape
      %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
      %3 = shape.num_elements %2 : !shape.shape -> !shape.size
      %c = shape.const_shape [7, 8] : !shape.shape
      %4 = shape.concat %2, %c : !shape.shape, !shape.shape -> !shape.shape
      %one = shape.const_size 1
      %head, %tail = "shape.split_at"(%4, %one) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
      %5 = shape.to_extent_tensor %tail : !shape.shape -> tensor<?xindex>
      return %4, %3, %5 : !shape.shape, !shape.size, tensor<?xindex>
    }"""
    fine, error = execute_many(text, "f", [[sized(2, 3), sized(1)], [sized(2, 3), sized(2)]], runtime_checks=True)
    assert fine.result_values == ((2, 3, 7, 8), None, (3, 7, 8))
    assert fine.result_extents[1] == 6
    assert error.outcome is Outcome.NOT_EXECUTABLE
    assert "shape.broadcast (line 4) gives an error value here" in error.message


def test_tosa_add_when_no_size_is_zero() -> None:
    text = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }"""
    shapes = list(itertools.product((1, 2, 3), (1, 2)))
    pairs = list(itertools.product(shapes, repeat=2))
    runs = [[sized(*left), sized(*right)] for left, right in pairs]
    for (left, right), execution in zip(pairs, execute_many(text, "f", runs, runtime_checks=True), strict=True):
        expected = broadcast(left, right)
        if expected is None:
            assert (execution.outcome, execution.failing_op) == (Outcome.ABORTED, "tosa.add"), (left, right)
        else:
            assert execution.result_extents == (expected,), (left, right)


def test_chlo_broadcasts_as_numpy_does() -> None:
    text = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
      %0 = chlo.broadcast_add %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }"""
    pairs = list(itertools.product([(2, 0), (2, 1), (0, 3), (2, 3)], [(0,), (1,), (2,), (3,)]))
    executions = execute_many(text, "f", [[sized(*left), sized(*right)] for left, right in pairs], runtime_checks=False)
    for (left, right), execution in zip(pairs, executions, strict=True):
        expected = broadcast(left, right)
        if expected is None:
            assert (execution.outcome, execution.failing_location) == (Outcome.ABORTED, (2, 12)), (left, right)
        else:
            assert execution.result_extents == (expected,), (left, right)


def test_stablehlo_broadcasts_by_the_sizes_that_are_there() -> None:
    text = """func.func @f(%a: tensor<?x3xf32>, %s: tensor<2xi32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1]
        : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
      %t = stablehlo.add %r, %b : tensor<?x3xf32>
      return %t : tensor<?x3xf32>
    }"""
    cases: list[tuple[list[Input], str]] = [
        ([sized(1, 3), vector(4, 3), sized(4, 3)], ""),
        ([sized(4, 3), vector(4, 3), sized(4, 3)], ""),
        ([sized(2, 3), vector(4, 3), sized(4, 3)], "stablehlo.dynamic_broadcast_in_dim"),
        ([sized(1, 3), vector(4, 2), sized(4, 3)], "stablehlo.dynamic_broadcast_in_dim"),
        ([sized(1, 3), vector(4, 3), sized(5, 3)], "stablehlo.add"),
    ]
    executions = execute_many(text, "f", [inputs for inputs, _ in cases], runtime_checks=True)
    assert [execution.failing_op for execution in executions] == [culprit for _, culprit in cases]
    assert executions[0].result_extents == ((4, 3),)


@pytest.mark.parametrize(
    "operation",
    [
        "tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
        "tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
        "stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
    ],
)
def test_concatenations_are_checked_in_every_dialect(operation: str) -> None:
    text = f"""func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {{
      %0 = {operation}
      return %0 : tensor<?x?xf32>
    }}"""
    runs = [[sized(2, 3), sized(4, width)] for width in (2, 3, 5)]
    narrow, same, wide = execute_many(text, "f", runs, runtime_checks=True)
    assert same.result_extents == ((6, 3),)
    for execution in (narrow, wide):
        assert execution.outcome is Outcome.ABORTED
        assert execution.message.endswith("dimension 1 of operand 1 differs from operand 0")
        assert execution.failing_op == operation.partition(" ")[0]


CHECKED_TENSOR_OPS: list[tuple[str, str, list[Input], list[Input]]] = [
    (
        "(%a: tensor<?xf32>, %n: index) -> tensor<?x4xf32>",
        "tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>",
        [sized(8), ScalarInput(2)],
        [sized(7), ScalarInput(1)],
    ),
    (
        "(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: index, %n: index) -> tensor<?xf32>",
        "tensor.insert_slice %a into %b[%o] [%n] [1] : tensor<?xf32> into tensor<?xf32>",
        [sized(2), sized(4), ScalarInput(2), ScalarInput(2)],
        [sized(2), sized(4), ScalarInput(3), ScalarInput(2)],
    ),
    (
        "(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: index, %n: index) -> tensor<?xf32>",
        "tensor.insert_slice %a into %b[%o] [%n] [1] : tensor<?xf32> into tensor<?xf32>",
        [sized(0), sized(4), ScalarInput(4), ScalarInput(0)],
        [sized(3), sized(4), ScalarInput(0), ScalarInput(2)],
    ),
    (
        "(%a: tensor<?xf32>, %o: index) -> tensor<?xf32>",
        "tensor.extract_slice %a[%o] [2] [1] : tensor<?xf32> to tensor<2xf32>\n"
        "%1 = tensor.cast %0 : tensor<2xf32> to tensor<?xf32>",
        [sized(4), ScalarInput(2)],
        [sized(4), ScalarInput(3)],
    ),
    (
        "(%a: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32>",
        "tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>",
        [sized(6), vector(2, 3)],
        [sized(6), vector(2, 2)],
    ),
    (
        "(%a: tensor<?xf32>, %n: index) -> tensor<7xf32>",
        "tensor.pad %a low[%n] high[1] { ^bb0(%i: index): %z = arith.constant 0.0 : f32\n"
        "tensor.yield %z : f32 } : tensor<?xf32> to tensor<7xf32>",
        [sized(4), ScalarInput(2)],
        [sized(4), ScalarInput(1)],
    ),
]


@pytest.mark.parametrize(("signature", "operation", "good", "bad"), CHECKED_TENSOR_OPS)
def test_tensor_operations_abort_by_name(signature: str, operation: str, good: list[Input], bad: list[Input]) -> None:
    result = signature.partition("-> ")[2]
    last = "%1" if "%1 =" in operation else "%0"
    text = f"func.func @f{signature} {{\n%0 = {operation}\nreturn {last} : {result}\n}}"
    fine, wrong = execute_many(text, "f", [good, bad], runtime_checks=True)
    assert fine.outcome is Outcome.RETURNED, fine.message
    assert (wrong.outcome, wrong.failing_op) == (Outcome.ABORTED, operation.partition(" ")[0])
    assert wrong.failing_location == (2, 6)


def test_branches_choose_by_the_values_given() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
      %r = scf.if %p -> tensor<?xf32> {
        %c = arith.constant 4 : index
        %e = tensor.empty(%c) : tensor<?xf32>
        scf.yield %e : tensor<?xf32>
      } else {
        scf.yield %a : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }"""
    runs = [[sized(2), ScalarInput(truth)] for truth in (0, 1)]
    assert [each.result_extents for each in execute_many(text, "f", runs, runtime_checks=True)] == [((2,),), ((4,),)]


def test_torch_operations_keep_their_names() -> None:
    text = """func.func @f(%a: !torch.vtensor<[?,3],f32>, %b: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
      %i = torch.constant.int 1
      %0 = torch.aten.add.Tensor %a, %b, %i : !torch.vtensor<[?,3],f32>, !torch.vtensor<[?,3],f32>, !torch.int
        -> !torch.vtensor<[?,3],f32>
      return %0 : !torch.vtensor<[?,3],f32>
    }"""
    same, other = execute_many(
        text, "f", [[sized(2, 3), sized(2, 3)], [sized(2, 3), sized(1, 3)]], runtime_checks=False
    )
    assert same.result_extents == ((2, 3),)
    assert (other.outcome, other.message) == (Outcome.ABORTED, "mismatched size for broadcast")
    assert other.failing_op == "torch.aten.add.Tensor"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("file", "function", "inputs", "extents"),
    [
        ("unet.mlir", "forward", [sized(1, 1, 8, 8)], (1, 1, 8, 8)),
        ("linear.mlir", "forward", [sized(1, 1, 8)], (1, 1, 4)),
        ("transformer.mlir", "forward", [sized(2, 3, 8), sized(2, 3, 8), sized(2, 1, 3, 3)], (2, 3, 8)),
        ("transformer_stablehlo.mlir", "forward", [sized(2, 3, 8), sized(2, 3, 8), sized(2, 1, 3, 3)], (2, 3, 8)),
        ("jax_assertions.mlir", "main", [sized(1, 8, 4), sized(4)], (1, 4)),
        ("tosa_chain.mlir", "blend", [sized(2, 3), sized(2, 3), sized(2, 1)], (2, 3)),
    ],
)
def test_exported_models_run(file: str, function: str, inputs: list[Input], extents: tuple[int, ...]) -> None:
    text = (EXAMPLES / file).read_text(encoding="utf-8")
    for runtime_checks in (False, True):
        execution = execute(text, function, inputs, runtime_checks=runtime_checks)
        assert (execution.outcome, execution.message) == (Outcome.RETURNED, "")
        assert execution.result_extents == (extents,)


def test_an_odd_picture_breaks_the_unet_at_the_concatenation() -> None:
    text = (EXAMPLES / "unet.mlir").read_text(encoding="utf-8")
    execution = execute(text, "forward", [sized(1, 1, 7, 8)], runtime_checks=True)
    assert (execution.outcome, execution.failing_op) == (Outcome.ABORTED, "tensor.concat")
