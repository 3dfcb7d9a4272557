"""Functions of StableHLO and of `math` that are the same, and reductions whose bodies wrap scalars in tensors."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined
from support.sampled_rows import sampled

from shapesolve.options import Options

STABLEHLO = """func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %r = stablehlo.{name} %x : tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
LINALG = """func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]}} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {{
  ^bb0(%a: f32, %b: f32):
    %y = math.{name} %a : f32
    linalg.yield %y : f32
  }} -> tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
NAMES = {
    "abs": "absf",
    "cbrt": "cbrt",
    "ceil": "ceil",
    "cosine": "cos",
    "exponential": "exp",
    "exponential_minus_one": "expm1",
    "floor": "floor",
    "log": "log",
    "log_plus_one": "log1p",
    "round_nearest_afz": "round",
    "round_nearest_even": "roundeven",
    "rsqrt": "rsqrt",
    "sine": "sin",
    "sqrt": "sqrt",
    "tan": "tan",
    "tanh": "tanh",
}


def is_proved(source: str, target: str) -> bool:
    found = refined(source, target, Options(execute=False))
    assert found.word == "proved"
    return not found.not_compared


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(NAMES, 4))
def test_only_the_same_function_is_proved(name: str) -> None:
    source = STABLEHLO.format(name=name)
    proved = [each for each in NAMES.values() if is_proved(source, LINALG.format(name=each))]
    assert proved == [NAMES[name]]


SUM = """func.func @f(%x: tensor<?x3xf32>) -> tensor<?xf32> {{
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}} ins(%x : tensor<?x3xf32>) outs(%f : tensor<?xf32>) {{
  ^bb0(%a: f32, %b: f32):
    {body}
    linalg.yield %y : f32
  }} -> tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
WRAPPED = """%s = tensor.from_elements %a : tensor<f32>
    %t = tensor.from_elements %b : tensor<f32>
    %u = tensor.extract %t[] : tensor<f32>
    %v = tensor.extract %s[] : tensor<f32>
    """
AGAIN = "\n    %q = tensor.from_elements {value} : tensor<f32>\n    %y = tensor.extract %q[] : tensor<f32>"
BODIES = {
    "both": ("%y = arith.addf %u, %v : f32", True),
    "the sum, too": ("%w = arith.addf %v, %u : f32" + AGAIN.format(value="%w"), True),
    "taken twice": ("%w = arith.addf %v, %u : f32\n    %y = arith.addf %w, %u : f32", False),
    "only what was combined": ("%y = arith.addf %u, %u : f32", False),
    "only the element": ("%y = arith.addf %v, %v : f32", False),
    "another function": ("%y = arith.mulf %u, %v : f32", False),
    "the last element": ("%w = arith.addf %u, %v : f32" + AGAIN.format(value="%v"), False),
    "the first element": ("%w = arith.addf %u, %v : f32" + AGAIN.format(value="%u"), False),
    "a sum that is changed": ("%w = math.absf %u : f32\n    %y = arith.addf %w, %v : f32", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("name", BODIES)
def test_a_body_may_wrap_its_scalars(name: str, is_reversed: bool) -> None:
    body, same = BODIES[name]
    pair = [SUM.format(body="%y = arith.addf %a, %b : f32"), SUM.format(body=WRAPPED + body)]
    assert is_proved(*(pair[::-1] if is_reversed else pair)) is same
