"""Constants that are no numbers: their signs and payloads can be observed."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options
from shapesolve.solver.verdicts import VerdictKind

QUIET, PAYLOAD, NEGATIVE = "0x7FC00000", "0x7FC00001", "0xFFC00000"
FORMS = {
    "scalar": ("{}", "f32", "i32"),
    "the same everywhere": ("dense<{}>", "tensor<4xf32>", "tensor<4xi32>"),
    "a table": ("dense<[1.0, {}]>", "tensor<2xf32>", "tensor<2xi32>"),
}


def bits(value: str, form: str) -> str:
    literal, floats, integers = FORMS[form]
    return f"""func.func @f() -> {integers} {{
  %c = arith.constant {literal.format(value)} : {floats}
  %r = arith.bitcast %c : {floats} to {integers}
  return %r : {integers}
}}"""


def sign(value: str, form: str) -> str:
    literal, floats, _ = FORMS[form]
    return f"""func.func @f(%a: {floats}) -> {floats} {{
  %c = arith.constant {literal.format(value)} : {floats}
  %r = math.copysign %a, %c : {floats}
  return %r : {floats}
}}"""


def is_proved(source: str, target: str) -> bool:
    found = refined(source, target, Options(execute=False))
    return found.word is VerdictKind.PROVED and not found.omissions


@pytest.mark.parametrize("form", FORMS)
def test_nans_of_another_payload_differ(form: str) -> None:
    assert is_proved(bits(QUIET, form), bits(QUIET, form).replace("%c", "%d"))
    assert not is_proved(bits(QUIET, form), bits(PAYLOAD, form))


@pytest.mark.parametrize("form", FORMS)
def test_constants_of_another_sign_differ(form: str) -> None:
    assert is_proved(sign(NEGATIVE, form), sign(NEGATIVE, form).replace("%c", "%d"))
    assert not is_proved(sign(QUIET, form), sign(NEGATIVE, form))


def test_a_scalar_is_the_same_constant_as_a_tensor_of_it() -> None:
    splat = f"""func.func @f() -> tensor<4xf32> {{
  %c = arith.constant {NEGATIVE} : f32
  %r = tensor.splat %c : tensor<4xf32>
  return %r : tensor<4xf32>
}}"""
    constant = f"""func.func @f() -> tensor<4xf32> {{
  %r = arith.constant dense<{NEGATIVE}> : tensor<4xf32>
  return %r : tensor<4xf32>
}}"""
    assert is_proved(splat, constant)
    assert not is_proved(splat, constant.replace(NEGATIVE, QUIET))
