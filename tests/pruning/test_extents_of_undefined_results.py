"""Test that lookups out of bounds and products of unequal sizes have undefined elements, and extents as always."""

from __future__ import annotations

import pytest
from support.pruned_programs import gone, prune

from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

GATHER = """"stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}>"""
SCATTER = """"stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  })"""
BATCHES = "stablehlo.dot_general %x, %i, batching_dims = [0] x [0], contracting_dims = [2] x [1]"
MATMUL, ZERO = "tosa.matmul %x, %i, %u, %u", "tensor<1xf32>"
ROWS, PLACES, CUBE = "tensor<?x8xf32>", "tensor<?x1xi32>", "tensor<?x?x?xf32>"
TABLE, PLANE, NUMBER = "tensor<1x?x8xf32>", "tensor<?x?xf32>", "tensor<i32>"

# The operation, the types of %x, %i, %u and of its result, a dimension of the result, and what has the same extent.
LOOKUPS = {
    "gather": (GATHER, (ROWS, PLACES), ROWS, 0, "%i"),
    "scatter": (SCATTER, (ROWS, PLACES, ROWS), ROWS, 0, "%x"),
    "tosa gather": ("tosa.gather %x, %i", (TABLE, "tensor<1x?xi32>"), TABLE, 1, "%i"),
    "tosa scatter": ("tosa.scatter %x, %i, %u", (CUBE, "tensor<?x?xi32>", CUBE), CUBE, 1, "%x"),
    "batch": (BATCHES, (CUBE, CUBE), CUBE, 0, "%x"),
    "rows": (BATCHES, (CUBE, CUBE), CUBE, 1, "%x"),
    "columns": (BATCHES, (CUBE, CUBE), CUBE, 2, "%i"),
    "tosa batch": (MATMUL, (CUBE, CUBE, ZERO), CUBE, 0, "%x"),
    "tosa columns": (MATMUL, (CUBE, CUBE, ZERO), CUBE, 2, "%i"),
    "dot": ("stablehlo.dot %x, %i", (PLANE, PLANE), PLANE, 1, "%i"),
    "concat": ("tensor.concat dim(0) %x, %i", (PLANE, PLANE), PLANE, 1, "%x"),
    "update": ("stablehlo.dynamic_update_slice %x, %u, %i, %i", (PLANE, NUMBER, PLANE), PLANE, 1, "%x"),
}


def asserting(operation: str, types: tuple[str, ...], result: str, index: int, same: str) -> str:
    arguments: dict[str, str] = dict(zip(("%x", "%i", "%u"), types, strict=False))
    order = ("%x", "%u", "%i", "%i") if "update_slice" in operation else tuple(arguments)
    order = ("%x", "%i", "%u", "%u") if "matmul" in operation else order
    return f"""func.func @f({", ".join(f"{name}: {each}" for name, each in arguments.items())}) -> {result} {{
  %c = arith.constant {index} : index
  %y = {operation} : ({", ".join(arguments[each] for each in order)}) -> {result}
  %n = tensor.dim %y, %c : {result}
  %m = tensor.dim {same}, %c : {arguments[same]}
  %p = arith.cmpi eq, %n, %m : index
  cf.assert %p, "as many"
  return %y : {result}
}}"""


@pytest.mark.parametrize("case", LOOKUPS)
def test_checks_of_extents_go(case: str) -> None:
    assert gone(prune(asserting(*LOOKUPS[case]))) == ["as many"]


@pytest.mark.parametrize(
    ("operation", "types", "result", "same"),
    [
        ("tosa.gather %x, %i", (CUBE, "tensor<?x?xi32>"), CUBE, "%i"),
        (BATCHES, (CUBE, CUBE), CUBE, "%i"),
        (BATCHES, (CUBE, "tensor<4x?x?xf32>"), CUBE, "%i"),
        (BATCHES, (CUBE, "tensor<4x?x?xf32>"), CUBE, "%x"),
        (MATMUL, (CUBE, "tensor<4x?x?xf32>", ZERO), CUBE, "%i"),
        (MATMUL, (CUBE, "tensor<4x?x?xf32>", ZERO), CUBE, "%x"),
    ],
)
def test_checks_of_an_extent_that_two_operands_may_give_stay(
    operation: str, types: tuple[str, ...], result: str, same: str
) -> None:
    assert gone(prune(asserting(operation, types, result, 0, same))) == []


def test_checks_of_elements_stay() -> None:
    text = f"""func.func @f(%x: tensor<?xi32>, %i: {NUMBER}) -> i32 {{
  %c0 = arith.constant 0 : index
  %y = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<?xi32>, {NUMBER}) -> tensor<1xi32>
  %z = stablehlo.multiply %y, %y : tensor<1xi32>
  %a = tensor.extract %y[%c0] : tensor<1xi32>
  %p = arith.cmpi eq, %a, %a : i32
  cf.assert %p, "itself"
  %q = arith.constant 5 : i32
  %r = arith.cmpi sle, %a, %q : i32
  cf.assert %r, "small"
  return %a : i32
}}"""
    assert gone(prune(text)) == ["itself"]


@pytest.mark.slow
def test_lowered_lookups_in_nothing_have_the_extents_of_the_places() -> None:
    text = (
        asserting(*LOOKUPS["gather"])
        .replace(f"-> {ROWS} {{", "-> index {")
        .replace(f"return %y : {ROWS}", "return %n : index")
    )
    sizes = [(rows, places) for rows in (0, 1, 3) for places in (0, 2)]
    runs = [[TensorInput((rows, 8)), TensorInput((places, 1))] for rows, places in sizes]
    for (rows, places), run in zip(sizes, execute_many(text, "f", runs, runtime_checks=False), strict=True):
        if places and not rows and run.outcome is Outcome.CRASHED:  # there is no memory to read from
            continue
        assert (run.outcome, run.result_extents) == (Outcome.RETURNED, (places,))


@pytest.mark.slow
@pytest.mark.parametrize(("index", "of"), [(0, 0), (1, 0), (2, 1)])
def test_lowered_products_of_sizes_that_differ_have_the_extents_of_the_left_batch(index: int, of: int) -> None:
    types = ", ".join(f"%{name}: {CUBE}" for name in "xi")
    text = f"""func.func @f({types}) -> index {{
  %c = arith.constant {index} : index
  %y = {BATCHES} : ({CUBE}, {CUBE}) -> {CUBE}
  %n = tensor.dim %y, %c : {CUBE}
  return %n : index
}}"""
    sizes = [((2, 3, 4), (2, 5, 6)), ((1, 3, 0), (4, 2, 1)), ((3, 0, 2), (0, 2, 5))]
    runs = [[TensorInput(left), TensorInput(right)] for left, right in sizes]
    for both, run in zip(sizes, execute_many(text, "f", runs, runtime_checks=False), strict=True):
        assert (run.outcome, run.result_extents) == (Outcome.RETURNED, (both[of][index],))
