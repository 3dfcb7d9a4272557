"""The interpreter's answers on images and tables, and verdicts on random programs of TOSA."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz import image_ops
from fuzz.campaign import TRIALS
from fuzz.judging import Plan, examine
from fuzz.machine import Array, Ending, compiled

assert image_ops

WINDOWS = """
func.func @convolved(%a: tensor<1x?x5x?xf32>, %w: tensor<4x3x2x3xf32>, %b: tensor<?xf32>, %z: tensor<1xf32>)
    -> tensor<1x?x?x4xf32> {
  %0 = tosa.conv2d %a, %w, %b, %z, %z {pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 1>,
    dilation = array<i64: 1, 2>, acc_type = f32}
    : (tensor<1x?x5x?xf32>, tensor<4x3x2x3xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x4xf32>
  return %0 : tensor<1x?x?x4xf32>
}
func.func @pooled(%a: tensor<?x?x4x2xf32>) -> tensor<?x?x2x2xf32> {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 3, 2>, stride = array<i64: 1, 2>, pad = array<i64: 0, 1, 0, 0>}
    : (tensor<?x?x4x2xf32>) -> tensor<?x?x2x2xf32>
  return %0 : tensor<?x?x2x2xf32>
}
func.func @looked_up(%t: tensor<2x?x?xf32>, %i: tensor<2x1xi32>) -> tensor<2x1x?xf32> {
  %0 = tosa.gather %t, %i : (tensor<2x?x?xf32>, tensor<2x1xi32>) -> tensor<2x1x?xf32>
  return %0 : tensor<2x1x?xf32>
}
"""


def test_windows_end_where_the_image_does() -> None:
    machine = compiled(WINDOWS)
    one = Array((1,))
    fitting = machine.run("convolved", [Array((1, 4, 5, 3)), Array((4, 3, 2, 3)), Array((4,)), one])
    assert fitting.results == ((1, 2, 3, 4),)
    for image, bias in (((1, 3, 5, 3), 4), ((1, 1, 5, 3), 4), ((1, 4, 5, 2), 4), ((1, 4, 5, 3), 3)):
        run = machine.run("convolved", [Array(image), Array((4, 3, 2, 3)), Array((bias,)), one])
        assert run.ending is Ending.UNDEFINED
    assert machine.run("pooled", [Array((0, 2, 4, 2))]).results == ((0, 1, 2, 2),)
    assert machine.run("pooled", [Array((0, 1, 4, 2))]).ending is Ending.UNDEFINED


def test_rows_are_looked_up_where_there_are_columns() -> None:
    machine, indices = compiled(WINDOWS), Array((2, 1), [0, 3])
    assert machine.run("looked_up", [Array((2, 4, 5)), indices]).results == ((2, 1, 5),)
    assert machine.run("looked_up", [Array((2, 3, 5)), indices]).ending is Ending.UNDEFINED
    assert machine.run("looked_up", [Array((2, 0, 0)), indices]).results == ((2, 1, 0),)


def test_an_array_without_elements_is_gone_through_at_once() -> None:
    assert Array((2**40, 0), []).elements() == []


def test_an_extent_that_a_type_states_is_what_it_says() -> None:
    """A check of it may go, whatever the operation computes: MLIR folds the extent before anything else."""
    text = """
    func.func @f(%a: tensor<?xf32>) -> tensor<6xf32> {
      %c0 = arith.constant 0 : index
      %c6 = arith.constant 6 : index
      %t = tosa.exp %a : (tensor<?xf32>) -> tensor<6xf32>
      %d = tensor.dim %t, %c0 : tensor<6xf32>
      %p = arith.cmpi eq, %d, %c6 : index
      cf.assert %p, "six"
      return %t : tensor<6xf32>
    }"""
    assert examine(text, Plan(0, prune=True)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_verdicts_on_random_programs_are_what_happens(seed: int) -> None:
    counts = Counter[str]()
    assert TRIALS["images"][0](6 + 3 * seed, counts) == []
    assert counts["programs"] >= 3
