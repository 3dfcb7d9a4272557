"""Runs of operations that MLIR's own folds and lowerings get wrong: they show what the operations are said to do."""

from __future__ import annotations

import math
import struct

import pytest

from shapesolve.execution.execution import Input, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

NEGATED_TWICE = """func.func @f(%a: tensor<3xi8>) -> tensor<3xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = tosa.negate %a, %zero, %zero : (tensor<3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  %c = tosa.negate %b, %zero, %zero : (tensor<3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return %c : tensor<3xi8>
}"""
TIMES_ZERO = """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a, %zero, %shift : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""
INVERSE = """func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %b = tosa.log %a : (tensor<2xf32>) -> tensor<2xf32>
  %c = tosa.exp %b : (tensor<2xf32>) -> tensor<2xf32>
  return %c : tensor<2xf32>
}"""
PAIRS = [(-(2**63), 2), (-(2**63), 3), (2**63 - 1, -1), (1 - 2**63, -1), (7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3)]


def values(text: str, given: Input) -> tuple[int, ...]:
    (run,) = execute_many(text, "f", [[given]], runtime_checks=True)
    (found,) = run.result_values
    assert found is not None, run.message
    return found


def floats(text: str, *given: float) -> list[float]:
    bits = values(text, TensorInput((len(given),), floats=given))
    return [struct.unpack("=f", struct.pack("=I", each))[0] for each in bits]


def test_two_saturating_negations() -> None:
    assert values(NEGATED_TWICE, TensorInput((3,), (-128, 127, 5))) == (-127, 127, 5)


def test_a_product_with_zero() -> None:
    nan, negative, positive, infinite = floats(TIMES_ZERO, math.nan, -2.0, 3.0, math.inf)
    assert math.isnan(nan)
    assert math.isnan(infinite)
    assert (str(negative), str(positive)) == ("-0.0", "0.0")


def test_the_exponential_of_a_logarithm() -> None:
    negative, positive = floats(INVERSE, -1.0, 1.0)
    assert math.isnan(negative)
    assert positive == 1.0


@pytest.mark.parametrize("name", ["ceildivs", "floordivs"])
def test_divisions_of_indices(name: str) -> None:
    text = f"func.func @f(%x: index, %y: index) -> index {{\n%r = index.{name} %x, %y\nreturn %r : index\n}}"
    runs = execute_many(text, "f", [list(map(ScalarInput, each)) for each in PAIRS], runtime_checks=True)
    right = [-(-x // y) if name == "ceildivs" else x // y for x, y in PAIRS]
    assert [run.result_extents for run in runs] == [(each,) for each in right]
