"""Tests of refutations that an earlier operation may prevent, where a rule does not know when its region runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import checked

from shapesolve import check
from shapesolve.options import Options

RULES = '''
from shapesolve.rules import OpSemantics, rule
from shapesolve.semantics.regions import AtMostOnce


@rule("my.perhaps", example="x.mlir")
def perhaps(op, see):
    """Runs a region, or not."""
    return OpSemantics(regions=(AtMostOnce(region=op.regions[0], runs=RUNS),))


@rule("my.end", example="x.mlir")
def end(op, see):
    """The end of a region."""
    return OpSemantics()
'''

PROGRAM = """
func.func @f(%n: index) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %more = arith.cmpi sge, %n, %c5 : index
  %some = arith.cmpi sge, %n, %c3 : index
  "my.perhaps"() ({
    cf.assert %more, "five"
    "my.end"() : () -> ()
  }) : () -> ()
  cf.assert %some, "three"
  return
}
"""


@pytest.mark.parametrize(("runs", "words"), [("None", ["refuted", "undecided"]), ("TRUE", ["refuted", "proved"])])
def test_claims_behind_a_region_that_may_have_stopped_are_open(runs: str, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(
        "from shapesolve.symbolic.formula_kinds import TRUE\n" + RULES.replace("RUNS", runs), encoding="utf-8"
    )
    checked_obligations = checked(PROGRAM, rules=(str(path),)).checked_obligations
    found = [each.verdict.word for each in checked_obligations if each.obligation.op.name == "cf.assert"]
    assert found == words


ITERATIONS = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.while (%i = %c0) : (index) -> index {
    %on = arith.cmpi sle, %i, %n : index
    scf.condition(%on) %i : index
  } do {
  ^bb0(%j: index):
    %first = arith.cmpi ule, %j, %c1 : index
    cf.assert %first, "one of the first two"
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  %small = arith.cmpi sle, %n, %c1 : index
  cf.assert %small, "small"
  return
}
"""


@pytest.mark.parametrize("budget", [1, 20, 400])
def test_an_undecided_claim_of_iterations_may_stop_the_program(budget: int) -> None:
    checked_obligations = check(ITERATIONS, options=Options(execute=False, budget=budget)).checked_obligations
    found = [each.verdict.word for each in checked_obligations if each.obligation.op.name == "cf.assert"]
    assert "refuted" not in found[1:]


def test_the_iteration_that_sizes_tell_of_is_not_the_only_one() -> None:
    text = """
func.func @f(%a: tensor<1x4x1xf32>) -> tensor<1x4x1xf32> {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %t = tensor.generate %c5 {
  ^bb0(%i: index):
    %other = arith.cmpi ne, %i, %c1 : index
    cf.assert %other, "not the second"
    tensor.yield %c5 : index
  } : tensor<?xindex>
  %at = "tosa.const"() {values = dense<[[3, 1, 0]]> : tensor<1x3xi32>} : () -> tensor<1x3xi32>
  %rows = tensor.empty(%c3) : tensor<1x3x?xf32>
  %r = tosa.scatter %a, %at, %rows : (tensor<1x4x1xf32>, tensor<1x3xi32>, tensor<1x3x?xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}
"""
    checked_obligations = check(text, execute=False).checked_obligations
    assert [each.verdict.word for each in checked_obligations if each.verdict.word == "refuted"] == ["refuted"]
