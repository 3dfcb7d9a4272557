"""Scalar results that differ are shown by runs of both programs; those that are equal never are."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.solver.verdicts import VerdictKind


def folded(type: str, *, first: str = "%c0", initial: str = "0", step: str = "add", given: str = "%a, %e") -> str:
    """Return a program that combines the elements of a tensor in a loop."""
    suffix, point = ("f", ".0") if type.startswith("f") else ("i", "")
    return f"""func.func @f(%t: tensor<?x{type}>) -> {type} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x{type}>
  %z = arith.constant {initial}{point} : {type}
  %r = scf.for %i = {first} to %n step %c1 iter_args(%a = %z) -> ({type}) {{
    %e = tensor.extract %t[%i] : tensor<?x{type}>
    %s = arith.{step}{suffix} {given} : {type}
    scf.yield %s : {type}
  }}
  return %r : {type}
}}"""


@pytest.mark.process
@pytest.mark.parametrize("type", ["i32", "i8", "f32", "f64"])
@pytest.mark.parametrize("changed", [{"first": "%c1"}, {"initial": "1"}])
def test_another_value_of_a_loop_is_refuted(type: str, changed: dict[str, str]) -> None:
    found = refined(folded(type), folded(type, **changed))
    assert found.word is VerdictKind.REFUTED
    (finding,) = found.refuted
    assert finding.question == "the value of result 0 is the same"
    assert finding.executed is not None
    assert finding.executed.words.startswith("result 0 is ")


@pytest.mark.process
@pytest.mark.parametrize("type", ["i32", "i8", "f32", "f64"])
def test_the_same_value_of_a_loop_is_proved(type: str) -> None:
    assert refined(folded(type), folded(type, given="%e, %a")).word is VerdictKind.PROVED


@pytest.mark.process
def test_floats_that_differ_by_rounding_are_not_refuted() -> None:
    signature = "func.func @f(%a: f32, %b: f32, %c: f32, %t: tensor<?xf32>) -> f32 {"
    left = "%x = arith.addf %a, %b : f32\n  %r = arith.addf %x, %c : f32"
    right = "%x = arith.addf %b, %c : f32\n  %r = arith.addf %a, %x : f32"
    first, second = (f"{signature}\n  {body}\n  return %r : f32\n}}" for body in (left, right))
    assert refined(first, second).word is not VerdictKind.REFUTED
