"""Test that no claim is refuted in a branch with unknown condition, which may exclude the failing sizes."""

from __future__ import annotations

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Undecided, UndecidedReason

TEXT = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %same = "stablehlo.map"(%n, %m) ({
  ^body(%x: tensor<i32>, %y: tensor<i32>):
    %e = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %e : tensor<i1>
  }) {dimensions = array<i64>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%same) ({
    %sum = stablehlo.add %a, %b : tensor<?xf32>
    stablehlo.return %sum : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_a_claim_under_a_condition_that_is_not_followed() -> None:
    (function,) = check_program(read_text(TEXT), Options(execute=False)).functions
    (checked_obligation,) = (
        each for each in function.checked_obligations if each.obligation.op.name == "stablehlo.add"
    )
    assert isinstance(checked_obligation.verdict, Undecided)
    assert checked_obligation.verdict.reason_kind is UndecidedReason.APPROXIMATION
    assert checked_obligation.verdict.candidate is not None
