"""Test that only loops with unused results are left out of executions for sizes."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve import Refuted, check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.lowering.builder import descendants
from shapesolve.execution.lowering.pass_pipeline import take
from shapesolve.execution.lowering.runtime_checks import drop_repeated
from shapesolve.execution.runner import execute_many
from shapesolve.ir import bindings

pytestmark = pytest.mark.process

LONG = 3000
"""A product of matrices of so many rows and columns takes longer than an execution may."""

BEHIND_A_LONG_LOOP = f"""func.func @f(%a: tensor<?x{LONG}xf32>, %b: tensor<?x{LONG}xf32>) -> tensor<?x{LONG}xf32> {{
  %weights = arith.constant dense<1.0> : tensor<{LONG}x{LONG}xf32>
  %zero = arith.constant dense<0.0> : tensor<{LONG}x{LONG}xf32>
  %long = linalg.matmul ins(%weights, %weights : tensor<{LONG}x{LONG}xf32>, tensor<{LONG}x{LONG}xf32>)
      outs(%zero : tensor<{LONG}x{LONG}xf32>) -> tensor<{LONG}x{LONG}xf32>
  %one = tensor.extract_slice %long[0, 0] [1, {LONG}] [1, 1] : tensor<{LONG}x{LONG}xf32> to tensor<1x{LONG}xf32>
  %next = tensor.concat dim(0) %one, %a : (tensor<1x{LONG}xf32>, tensor<?x{LONG}xf32>) -> tensor<?x{LONG}xf32>
  %both = tensor.concat dim(1) %next, %b : (tensor<?x{LONG}xf32>, tensor<?x{LONG}xf32>) -> tensor<?x{2 * LONG}xf32>
  %end = tensor.extract_slice %both[0, 0] [1, {LONG}] [1, 1] : tensor<?x{2 * LONG}xf32> to tensor<1x{LONG}xf32>
  %any = tensor.cast %end : tensor<1x{LONG}xf32> to tensor<?x{LONG}xf32>
  return %any : tensor<?x{LONG}xf32>
}}
"""

COMPUTED = """#same = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<?xf32>, %n: tensor<?xi64>, %b: tensor<?xf32>) -> (RESULT) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %size = tensor.dim %a, %c0 : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?xi64>
  %indices = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%empty : tensor<?xi64>) {
  ^bb0(%x: f32, %o: i64):
    %i = linalg.index 0 : index
    %j = arith.subi %c2, %i : index
    %k = arith.index_cast %j : index to i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  %floats = tensor.empty(%size) : tensor<?xf32>
  %twice = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%floats : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %kept = linalg.add ins(%n, %n : tensor<?xi64>, tensor<?xi64>) outs(%indices : tensor<?xi64>) -> tensor<?xi64>
  LOOKED
  return GIVEN
}
"""

LOOKED_AT = {
    "by an assertion": (
        "%e = tensor.extract %indices[%c0] : tensor<?xi64>\n  %l = arith.constant 2 : i64\n"
        '  %ok = arith.cmpi ne, %e, %l : i64\n  cf.assert %ok, "two"',
        "%twice : tensor<?xf32>",
    ),
    "as a size": (
        "%e = tensor.extract %indices[%c0] : tensor<?xi64>\n  %s = arith.index_cast %e : i64 to index\n"
        "  %v = tensor.empty(%s) : tensor<?xf32>",
        "%v : tensor<?xf32>",
    ),
    "as an index": (
        "%e = tensor.extract %indices[%c0] : tensor<?xi64>\n  %s = arith.index_cast %e : i64 to index\n"
        "  %v = tensor.extract %b[%s] : tensor<?xf32>",
        "%v : f32",
    ),
    "as a shape": (
        "%sh = tensor.extract_slice %indices[0] [1] [1] : tensor<?xi64> to tensor<1xi64>\n"
        "  %v = tensor.reshape %b(%sh) : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>",
        "%v : tensor<?xf32>",
    ),
    "in another loop": (
        "%v = linalg.generic {indexing_maps = [#same, #same], iterator_types = ['parallel']}\n"
        "      ins(%indices : tensor<?xi64>) outs(%twice : tensor<?xf32>) {\n  ^bb0(%x: i64, %o: f32):\n"
        "    %i = arith.index_cast %x : i64 to index\n    %y = tensor.extract %b[%i] : tensor<?xf32>\n"
        "    linalg.yield %y : f32\n  } -> tensor<?xf32>".replace("'", '"'),
        "%v : tensor<?xf32>",
    ),
    "as a divisor in another loop": (
        "%v = linalg.generic {indexing_maps = [#same, #same], iterator_types = ['parallel']}\n"
        "      ins(%indices : tensor<?xi64>) outs(%n : tensor<?xi64>) {\n  ^bb0(%x: i64, %o: i64):\n"
        "    %y = arith.divsi %o, %x : i64\n    linalg.yield %y : i64\n  } -> tensor<?xi64>".replace("'", '"'),
        "%twice : tensor<?xf32>",
    ),
    "as a result": ("", "%indices : tensor<?xi64>"),
    "as no result": ("", "%kept : tensor<?xi64>"),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("runtime_checks", [False, True])
@pytest.mark.parametrize("how", LOOKED_AT)
def test_observed_contents_are_computed(how: str, runtime_checks: bool) -> None:
    looked, given = LOOKED_AT[how]
    text = COMPUTED.replace("LOOKED", looked).replace("GIVEN", given).replace("RESULT", given.partition(" : ")[2])
    sizes = list(product((0, 1, 2), (0, 1, 2), (0, 2))) if runtime_checks else [(2, 2, 2), (2, 2, 4)]
    runs = [[TensorInput((a,)), TensorInput((n,)), TensorInput((b,))] for a, n, b in sizes]
    last_line = len(text.splitlines())
    whole = execute_many(text, "f", runs, runtime_checks=runtime_checks)
    assert execute_many(text, "f", runs, runtime_checks=runtime_checks, first=(last_line, 1)) == whole
    assert {each.outcome for each in whole} & {Outcome.RETURNED, Outcome.ABORTED, Outcome.CRASHED}


def test_a_counterexample_behind_a_long_loop_is_executed() -> None:
    (refuted,) = [each for each in check(BEHIND_A_LONG_LOOP).checked_obligations if isinstance(each.verdict, Refuted)]
    assert refuted.confirmation is not None and refuted.confirmation.shown is Shown.FAILED_HERE
    assert "tensor.concat" in refuted.confirmation.text


def test_loops_behind_what_is_in_question_are_run_where_nothing_is_checked() -> None:
    """The behavior without checks is reported, so every operation that its sizes make fail must be kept."""
    text = COMPUTED.replace("LOOKED", "").replace("GIVEN", "%kept : tensor<?xi64>").replace("RESULT", "tensor<?xi64>")
    run = [[TensorInput((3,)), TensorInput((300_000,)), TensorInput((1,))]]
    (crashed,) = execute_many(text, "f", run, runtime_checks=False, first=(3, 3))
    assert crashed.outcome is execute_many(text, "f", run, runtime_checks=False)[0].outcome is Outcome.CRASHED


def test_assertions_are_not_repeated() -> None:
    text = """func.func @f(%a: i1, %b: i1) {
      %true = arith.constant true
      cf.assert %true, "always"
      cf.assert %a, "first"
      scf.if %b {
        cf.assert %a, "again, inside"
        cf.assert %b, "only inside"
      }
      cf.assert %b, "outside"
      cf.assert %a, "again"
      return
    }"""
    with bindings.without_dialect_classes(), take():
        module = bindings.ir().Module.parse(text)
        drop_repeated(module.operation)
        left = [str(op.attributes["msg"].value) for op in descendants(module.operation) if op.name == "cf.assert"]
    assert left == ["first", "only inside", "outside"]


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_a_read_out_of_elided_weights_does_not_fold_away(element: str) -> None:
    report = check(
        f"""func.func @pick(%i: index) -> {element} {{
  %weights = arith.constant dense_resource<__elided__> : tensor<8x{element}>
  %one = tensor.extract %weights[%i] : tensor<8x{element}>
  return %one : {element}
}}
"""
    )
    (refuted,) = (each for each in report.checked_obligations if isinstance(each.verdict, Refuted))
    assert refuted.confirmation is not None and refuted.confirmation.shown is Shown.FAILED_HERE
