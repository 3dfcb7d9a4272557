"""Findings of the random trials, made small by `shapesolve.reducer`."""

from __future__ import annotations

import pytest
from fuzz.judging import Plan, examine

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program

BEHIND_A_LOOP = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %b, %c0 : tensor<?x?xf32>
  %n = scf.while (%x = %c0) : (index) -> index {
    %p = arith.cmpi slt, %x, %d : index
    scf.condition(%p) %x : index
  } do {
  ^bb0(%x: index):
    %y = arith.addi %x, %c1 : index
    scf.yield %y : index
  }
  %s = tensor.extract_slice %a[0] [%n] [2] : tensor<?xf32> to tensor<?xf32>
  %t = tensor.extract_slice %b[0, 0] [4, 4] [1, 1] : tensor<?x?xf32> to tensor<4x4xf32>
  return
}"""

BEHIND_BLOCKS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %n = scf.execute_region -> index {
    cf.cond_br %true, ^bb1, ^bb2
  ^bb1:
    %s = tensor.from_elements %c0 : tensor<1xindex>
    %r = tensor.reshape %b(%s) : (tensor<?x2xf32>, tensor<1xindex>) -> tensor<?xf32>
    cf.br ^bb2
  ^bb2:
    scf.yield %c0 : index
  }
  %t = tensor.expand_shape %a [[0, 1]] output_shape [%c0, 2] : tensor<?xf32> into tensor<?x2xf32>
  return
}"""

IN_ONE_BODY = """
func.func @f(%a: tensor<1xf32>) {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %n = affine.for %i = 1 to affine_map<(d0) -> (d0 floordiv 2)>(%c5) iter_args(%x = %c4) -> (index) {
    %p = arith.cmpi ule, %x, %i : index
    cf.assert %p, "first"
    %d = tensor.dim %a, %c4 : tensor<1xf32>
    affine.yield %c0 : index
  }
  return
}"""


@pytest.mark.parametrize("text", [BEHIND_A_LOOP, BEHIND_BLOCKS, IN_ONE_BODY], ids=["loop", "blocks", "body"])
def test_sizes_that_refute_a_claim_do_not_stop_before(text: str) -> None:
    assert examine(text, Plan(count=40, contract=True)) == []


ALWAYS_FAILS_IN_A_GUARD = """
#map = affine_map<(d0)[s0] -> (d0 * 2 - s0)>
module {
  func.func @f(%arg0: index) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %0 = affine.apply #map(%c0)[%c5]
    %true = arith.constant true
    %1:2 = affine.delinearize_index %0 into (2, 1) : index, index
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %2:2 = scf.for %arg1 = %0 to %c0_0 step %c1 iter_args(%arg2 = %c0_0, %arg3 = %c1) -> (index, index) {
      %3:2 = scf.if %true -> (index, index) {
        %false = arith.constant false
        cf.assert %false, "check 5"
        scf.yield %arg0, %arg0 : index, index
      } else {
        scf.for %arg4 = %arg0 to %arg0 step %arg0 {
        }
        scf.yield %1#0, %arg0 : index, index
      }
      scf.yield %1#1, %arg2 : index, index
    }
    return
  }
}"""


def test_a_guard_goes_in_which_something_always_fails() -> None:
    """Taken apart, it shelters what follows from that failure no more; what was proved is so all the same."""
    result = prune_program(read_text(ALWAYS_FAILS_IN_A_GUARD), Options(execute=False))
    assert [(each.op, each.removed) for each in result.checks] == [("scf.if", True), ("cf.assert", False)]
    assert examine(ALWAYS_FAILS_IN_A_GUARD, Plan(count=40)) == []


JAX_SAYS = (
    "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. "
    "Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), ."
)
ASSERTED_AT_THE_ENTRY = f"""func.func @main(%a: tensor<?xf32>) -> tensor<i32> {{
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.compare GE, %0, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%1, %0) {{
    api_version = 2 : i32, error_message = "{JAX_SAYS}", has_side_effect = true
  }} : (tensor<i1>, tensor<i32>) -> ()
  return %0 : tensor<i32>
}}"""


def test_assertions_at_the_entry_are_not_presupposed() -> None:
    """The entry assertion counts as an assumption, so a run in which it fails is no evidence against a proof."""
    assert examine(ASSERTED_AT_THE_ENTRY, Plan(count=20, contract=True)) == []


DIVIDED_IN_A_MAP = """func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i floordiv -4 + 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""


def test_a_divisor_in_an_indexing_map_that_is_not_positive_is_undefined() -> None:
    assert examine(DIVIDED_IN_A_MAP, Plan(count=5)) == []


FLAGS_OF_UNKNOWN_SHIFTS = """func.func @f(%a: i32, %b: i32) {
  %0 = arith.shrui %a, %b : i32
  %1 = arith.shli %a, %b overflow<nsw> : i32
  return
}"""


def test_an_operation_that_is_reported_as_not_checked_contradicts_no_proof_of_another_claim() -> None:
    assert examine(FLAGS_OF_UNKNOWN_SHIFTS, Plan(count=80)) == []


EXACT_BY_EIGHT = """func.func @f(%a: i32) {
  %c = arith.constant 8 : i32
  %0 = arith.divsi %a, %c exact : i32
  return
}"""


def test_a_broken_flag_of_the_target_is_poison_that_nothing_uses() -> None:
    changed = EXACT_BY_EIGHT.replace("constant 8", "constant 16")
    assert examine(EXACT_BY_EIGHT, Plan(count=80, changed=changed)) == []


PRODUCT_OF_LARGE_SIZES = """func.func @f() {
  %c0 = arith.constant 0 : index
  %c = arith.constant 4294967295 : index
  %0 = shape.mul %c, %c : index, index -> index
  %1 = arith.cmpi sge, %c0, %0 : index
  cf.assert %1, "wraps"
  return
}"""


def test_a_product_of_sizes_that_wraps_is_no_evidence() -> None:
    """Compiled, it is below 0, which is what is computed of constants, too: the assertion holds."""
    assert examine(PRODUCT_OF_LARGE_SIZES, Plan(count=2)) == []
