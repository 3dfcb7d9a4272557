"""Test of correct passes on tensors of integers and booleans: none is refuted, and the elements are compared."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.process

ARITH = """\
func.func @mixed(%a: tensor<?xi8>, %b: tensor<?xi8>) -> (tensor<?xi32>, tensor<?xi1>) {
  %s = arith.addi %a, %b : tensor<?xi8>
  %d = arith.subi %s, %b : tensor<?xi8>
  %e = arith.extsi %d : tensor<?xi8> to tensor<?xi32>
  %p = arith.cmpi ult, %a, %b : tensor<?xi8>
  %m = arith.maxsi %a, %b : tensor<?xi8>
  %x = arith.extui %m : tensor<?xi8> to tensor<?xi32>
  %r = arith.select %p, %e, %x : tensor<?xi1>, tensor<?xi32>
  return %r, %p : tensor<?xi32>, tensor<?xi1>
}
"""
STABLEHLO = """\
func.func @signs(%a: tensor<?xi8>, %b: tensor<?xi8>) -> (tensor<?xi32>, tensor<?xi1>) {
  %s = stablehlo.add %a, %b : tensor<?xi8>
  %q = stablehlo.compare GT, %s, %b, SIGNED : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi1>
  %n = stablehlo.not %q : tensor<?xi1>
  %m = stablehlo.maximum %a, %b : tensor<?xi8>
  %k = stablehlo.negate %m : tensor<?xi8>
  %t = stablehlo.select %n, %k, %s : tensor<?xi1>, tensor<?xi8>
  %r = stablehlo.convert %t : (tensor<?xi8>) -> tensor<?xi32>
  return %r, %n : tensor<?xi32>, tensor<?xi1>
}
"""
PASSES = [
    ("canonicalize", ARITH),
    ("func.func(convert-elementwise-to-linalg)", ARITH),
    ("func.func(convert-elementwise-to-linalg,linalg-fuse-elementwise-ops)", ARITH),
    ("func.func(stablehlo-aggressive-simplification)", STABLEHLO),
    ("func.func(stablehlo-legalize-to-linalg)", STABLEHLO),
]


@pytest.mark.slow
@pytest.mark.parametrize(("passes", "program"), PASSES, ids=[each for each, _ in PASSES])
def test_a_pass_on_integers_is_proved_with_its_elements(passes: str, program: str) -> None:
    found = shapesolve.validate(program, f"builtin.module({passes})")
    assert all(each.standing in (Standing.PROVED, Standing.IDENTICAL) for each in found.steps), found.steps
    assert any(each.standing is Standing.PROVED for each in found.steps)
    assert not any(each.omissions for step in found.steps for each in step.refinements)
