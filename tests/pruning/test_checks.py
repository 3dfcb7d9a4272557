"""Test of the definition of a check: it can only stop the program; an operation with other results is none."""

from __future__ import annotations

from shapesolve import prune

BROADCAST = "chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
HEAD = "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>)"


def test_an_operation_that_computes_is_no_check() -> None:
    for used in (True, False):
        result = prune(
            f"{HEAD} -> tensor<?xf32> {{\n  %0 = {BROADCAST}\n  return {'%0' if used else '%a'} : tensor<?xf32>\n}}"
        )
        assert (result.checks, result.counts) == ((), {})
        assert "chlo.broadcast_add" in result.text


def test_a_witness_that_is_used_is_one() -> None:
    text = f"""{HEAD} {{
  %p = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %q = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_eq %p, %q : tensor<1xindex>, tensor<1xindex>
  shape.assuming %w {{
    "test.use"() : () -> ()
  }}
  return
}}"""
    assert {each.op for each in prune(text).kept} == {"shape.cstr_eq", "shape.assuming"}
