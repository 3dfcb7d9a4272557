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


LOOP = """func.func @f(%m: memref<?xf32>, %k: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %{first} to %n step %c1 {{
    %before = arith.subi %i, %c1 : index
    %after = arith.addi %i, %c1 : index
    %later = arith.cmpi sgt, %i, %{first} : index
    {body}
  }}
  return
}}"""
BEFORE, AFTER = (f"%{name[0]} = memref.load %m[%{name}] : memref<?xf32>" for name in ("before", "after"))
BEHIND_A_GUARD = "scf.if %later {\n%g = memref.load %m[%k] : memref<?xf32>\n}"


@pytest.mark.parametrize(
    ("first", "body", "words"),
    [
        ("c0", (BEFORE, AFTER), ["refuted", "undecided"]),  # the second is never the first to fail
        ("c0", (AFTER, BEFORE), ["undecided", "refuted"]),
        ("c1", (BEHIND_A_GUARD, AFTER), ["undecided", "refuted"]),  # the guarded one is not in the first iteration
    ],
)
def test_nothing_precedes_the_first_claim_of_the_first_iteration(
    first: str, body: tuple[str, str], words: list[str]
) -> None:
    text = LOOP.format(first=first, body="\n    ".join(body))
    found = check(text, execute=False).checked_obligations
    assert [each.verdict.word for each in found if each.obligation.op.name == "memref.load"] == words


NEST = """func.func @f(%m: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %k = memref.dim %m, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %k {
      %above = affine.load %m[%i - 1, %j] : memref<?x?xf32>
      %below = affine.load %m[%i + 1, %j] : memref<?x?xf32>
    }
  }
  return
}"""


def test_a_loop_whose_variable_a_claim_does_not_mention_may_be_in_its_first_iteration() -> None:
    refuted = check(NEST, execute=False).refuted
    assert [each.obligation.location.line for each in refuted] == [8]
