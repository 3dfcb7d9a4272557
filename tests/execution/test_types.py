"""Round-trip test of every kind of argument and result."""

from __future__ import annotations

import numpy as np
import pytest

from shapesolve.execution.execution import Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute, execute_many

pytestmark = pytest.mark.process


@pytest.mark.parametrize("runtime_checks", [False, True])
@pytest.mark.parametrize("element", ["i1", "i4", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"])
def test_tensors_of_every_element_type(element: str, runtime_checks: bool) -> None:
    operation = "addf" if "f" in element else "addi"
    text = f"""func.func @f(%a: tensor<?x{element}>, %b: tensor<?x{element}>) -> tensor<?x{element}> {{
      %0 = arith.{operation} %a, %b : tensor<?x{element}>
      return %0 : tensor<?x{element}>
    }}"""
    if element in {"index", "i8", "i16", "i32", "i64"}:
        left, right = TensorInput((3,), (1, -2, 100)), TensorInput((3,), (5, 6, 27))
        expected: tuple[tuple[int, ...] | None, ...] = ((6, 4, 127),)
    else:
        left = right = TensorInput((3,))
        expected = ({"i1": (0, 0, 0), "i4": (2, 2, 2)}.get(element),)
    execution = execute(text, "f", [left, right], runtime_checks=runtime_checks)
    assert (execution.outcome, execution.result_extents) == (Outcome.RETURNED, ((3,),))
    assert execution.result_values == expected


@pytest.mark.parametrize(("element", "half"), [("f16", 0.5), ("bf16", 0.5), ("f32", 0.5), ("f64", 0.5)])
def test_floats_are_filled_with_one_half(element: str, half: float) -> None:
    text = f"""func.func @f(%a: tensor<?x{element}>) -> i1 {{
      %c0 = arith.constant 0 : index
      %v = tensor.extract %a[%c0] : tensor<?x{element}>
      %half = arith.constant {half} : {element}
      %p = arith.cmpf oeq, %v, %half : {element}
      return %p : i1
    }}"""
    assert execute(text, "f", [TensorInput((2,))], runtime_checks=False).result_extents == (1,)


def test_scalars_go_in_and_come_out() -> None:
    text = """func.func @f(%a: f16, %b: bf16, %c: f32, %d: i1, %e: i8, %g: f64) -> (i8, f16, i1, bf16, index, i64, i1) {
      %n = arith.constant 9 : index
      %two = arith.constant 2.0 : bf16
      %p = arith.cmpf oeq, %b, %two : bf16
      %six = arith.fptosi %g : f64 to i64
      return %e, %a, %d, %b, %n, %six, %p : i8, f16, i1, bf16, index, i64, i1
    }"""
    execution = execute(text, "f", [ScalarInput(value) for value in (1, 2, 3, 1, -5, 6)], runtime_checks=False)
    assert execution.result_extents == (-5, None, 1, None, 9, 6, 1)


def test_ranks_from_zero_and_sizes_from_zero() -> None:
    text = """func.func @f(%a: tensor<f32>, %b: tensor<i64>, %c: tensor<?x0x?xi8>)
        -> (tensor<f32>, tensor<i64>, tensor<?x0x?xi8>) {
      return %a, %b, %c : tensor<f32>, tensor<i64>, tensor<?x0x?xi8>
    }"""
    inputs = [TensorInput(()), TensorInput((), (-9,)), TensorInput((4, 0, 2))]
    execution = execute(text, "f", inputs, runtime_checks=True)
    assert execution.result_extents == ((), (), (4, 0, 2))
    assert execution.result_values == (None, (-9,), ())


def test_the_rank_may_be_unknown() -> None:
    text = """func.func @f(%a: tensor<*xf32>) -> (tensor<*xf32>, index, tensor<?x?xf32>) {
      %r = tensor.rank %a : tensor<*xf32>
      %c = tensor.cast %a : tensor<*xf32> to tensor<?x?xf32>
      return %a, %r, %c : tensor<*xf32>, index, tensor<?x?xf32>
    }"""
    two, one = execute_many(text, "f", [[TensorInput((3, 2))], [TensorInput((3,))]], runtime_checks=True)
    assert two.result_extents == ((3, 2), 2, (3, 2))
    assert (one.outcome, one.message) == (Outcome.ABORTED, "tensor.cast: rank mismatch")


def test_buffers_are_passed_like_tensors() -> None:
    text = """func.func @f(%a: memref<?x?xi32>, %n: index, %m: index) -> memref<?x?xi32> {
      %0 = memref.alloc(%n, %m) : memref<?x?xi32>
      memref.copy %a, %0 : memref<?x?xi32> to memref<?x?xi32>
      return %0 : memref<?x?xi32>
    }"""
    given = TensorInput((2, 2), (1, 2, 3, 4))
    runs = [[given, ScalarInput(2), ScalarInput(extent)] for extent in (2, 1)]
    same, smaller = execute_many(text, "f", runs, runtime_checks=False)
    assert (same.result_extents, same.result_values) == (((2, 2),), ((1, 2, 3, 4),))
    assert smaller.outcome is Outcome.CRASHED
    assert execute(text, "f", runs[1], runtime_checks=True).outcome is Outcome.ABORTED


def test_a_view_with_strides_is_read_back_in_order() -> None:
    text = """func.func @f(%a: tensor<?x?xi32>) -> tensor<?x?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d0 = tensor.dim %a, %c0 : tensor<?x?xi32>
      %d1 = tensor.dim %a, %c1 : tensor<?x?xi32>
      %e = tensor.empty(%d1, %d0) : tensor<?x?xi32>
      %t = linalg.transpose ins(%a : tensor<?x?xi32>) outs(%e : tensor<?x?xi32>) permutation = [1, 0]
      %s = tensor.extract_slice %t[1, 0] [2, 2] [1, 2] : tensor<?x?xi32> to tensor<2x2xi32>
      %r = tensor.cast %s : tensor<2x2xi32> to tensor<?x?xi32>
      return %r : tensor<?x?xi32>
    }"""
    matrix = np.arange(12).reshape(3, 4)
    given = TensorInput((3, 4), tuple(int(each) for each in matrix.flatten()))
    execution = execute(text, "f", [given], runtime_checks=True)
    assert execution.result_values == (tuple(int(each) for each in matrix.T[1:3, 0:4:2].flatten()),)


def test_the_fill_of_integers_can_be_chosen() -> None:
    text = "func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> { return %a : tensor<2xi32> }"
    given: list[Input] = [TensorInput((2,))]
    assert execute(text, "f", given, runtime_checks=False).result_values == ((1, 1),)
    assert execute(text, "f", given, runtime_checks=False, integer_fill=0).result_values == ((0, 0),)


def test_bytecode_is_read_too() -> None:
    import io

    from shapesolve.ir import bindings

    text = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }"
    written = io.BytesIO()
    with bindings.new_context():
        bindings.ir().Module.parse(text).operation.write_bytecode(written)
    assert execute(written.getvalue(), "f", [TensorInput((7,))], runtime_checks=True).result_extents == ((7,),)
