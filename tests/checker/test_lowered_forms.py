"""Tests of candidates that fail because of the requirements of a lowered operation."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.solver.verdicts import Undecided

pytestmark = pytest.mark.process

CONVOLVED = """
func.func @f(%n: i64, %w: tensor<2x1x1x5xf32>, %b: tensor<2xf32>) -> tensor<1x?x4x?xf32> {
  %c = math.ctpop %n : i64
  %h = arith.index_cast %c : i64 to index
  %x = tensor.empty(%h) : tensor<1x?x4x5xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z
    {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
    : (tensor<1x?x4x5xf32>, tensor<2x1x1x5xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x4x?xf32>
  return %0 : tensor<1x?x4x?xf32>
}
"""


def test_demands_of_a_lowering_alone_confirm_nothing() -> None:
    """The lowering takes the channels that the type leaves open for those of the input, so that it fails for any n."""
    (open_,) = (each for each in check(CONVOLVED).checked_obligations if each.verdict.word != "proved")
    assert isinstance(open_.verdict, Undecided)
    assert open_.verdict.candidate is not None
    assert open_.confirmation is not None
    assert open_.confirmation.execution is not None
    assert open_.confirmation.execution.failed_in_lowered_form
    assert "may demand more than it does itself" in open_.confirmation.text
