"""Claims and results of StableHLO at the borders of its rules: empty transforms, partly known slices, messages."""

from __future__ import annotations

from support.claims_at_sizes import trace_of

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program

EMPTY_TRANSFORM = """func.func @f(%a: tensor<?xcomplex<f32>>) -> tensor<0xf32> {
  %0 = stablehlo.fft %a, type = IRFFT, length = [0] : (tensor<?xcomplex<f32>>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}"""

SLICE_FROM_AN_ARGUMENT = """func.func @f(%i: tensor<1xi64>) -> tensor<?xi64> {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %l = stablehlo.add %i, %two : tensor<1xi64>
  %s = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %c, %i, %l, %s
    : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}"""

ASSERTED = """func.func @f(%p: tensor<i1>, %i: tensor<2xi32>, %j: tensor<i32>, %k: tensor<?xi32>) {
  stablehlo.custom_call @shape_assertion(%p, %i, %j, %k) {
    api_version = 2 : i32, error_message = "of {0}, {1} and {2}", has_side_effect = true
  } : (tensor<i1>, tensor<2xi32>, tensor<i32>, tensor<?xi32>) -> ()
  return
}"""


def only(text: str) -> CheckedObligation:
    """The only checked obligation of ``@f``."""
    (report,) = check_program(read_text(text), Options(execute=False)).functions
    (found,) = report.checked_obligations
    return found


def test_the_inverse_of_an_empty_transform_of_real_numbers_is_empty() -> None:
    (claim,) = [each.claim for each in trace_of(EMPTY_TRANSFORM).obligations]
    assert str(claim) == "a[0] == 0"


def test_a_slice_of_known_length_from_a_start_that_is_not_known_has_a_claim_about_it() -> None:
    found = only(SLICE_FROM_AN_ARGUMENT).obligation
    assert found.clause == "C1"
    assert [str(size) for _, size in found.shown] == ["i.values[0]", "i.values[0] + 2", "3"]


def test_a_message_has_the_sizes_of_scalars_and_the_names_of_other_tensors() -> None:
    found = only(ASSERTED).obligation
    assert found.message == "of %i, j.values[0] and %k"
    assert [name for name, _ in found.shown] == ["%j"]
