"""Programs that once gave a wrong verdict, or none."""

from __future__ import annotations

import pytest

from shapesolve.checker.checked_obligation import CheckedObligation, Shown
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable, Verdict
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.dims import floordiv, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import at_least, disjunction, divides, equal
from shapesolve.trace.events import Fact, Source


def judged(text: str, *, execute: bool = False) -> list[CheckedObligation]:
    """The checked obligations on the first function of a module, in program order."""
    report = check_program(read_text(text), Options(execute=execute))
    return list(report.functions[0].checked_obligations)


def verdicts(text: str, op: str, *, execute: bool = False) -> list[Verdict]:
    """The verdicts on an operation of the first function, in program order."""
    return [each.verdict for each in judged(text, execute=execute) if each.obligation.op.name == op]


def test_a_divisor_whose_sign_is_not_known_may_be_negative() -> None:
    a, x, y = variable("a"), variable("x", -(2**63), 2**63 - 1), variable("y", -(2**63), 2**63 - 1)
    divisor = floordiv(x, y)
    fact, claim = divides(divisor, a), disjunction((equal(a, 0), at_least(divisor, 0)))
    prover = Prover(Z3Solver(), inputs=[next(iter(each.variables)) for each in (a, x, y)])
    prover.assume(Fact(fact, Source.ASSUMPTION, "it is divided without a rest"))
    verdict = prover.verdict_on(claim)
    assert isinstance(verdict, Refuted)
    assert holds(fact, verdict.sizes)
    assert not holds(claim, verdict.sizes)


def test_blocks_are_walked_in_the_order_of_control() -> None:
    (verdict,) = verdicts(
        """func.func @f(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  cf.br ^bb3
^bb1:
  %s = arith.addi %d, %n : index
  cf.br ^bb2
^bb2:
  return %s : index
^bb3:
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  cf.br ^bb1
}""",
        "tensor.dim",
    )
    assert isinstance(verdict, Proved)


def test_blocks_to_which_no_branch_leads_may_use_what_comes_later() -> None:
    (verdict,) = verdicts(
        """func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  return %n : index
^bb1:
  %s = arith.addi %t, %n : index
  %t = arith.addi %s, %n : index
  %k = arith.cmpi sge, %t, %c0 : index
  cf.assert %k, "never asked"
  cf.br ^bb1
}""",
        "cf.assert",
    )
    assert isinstance(verdict, Unreachable)


def test_a_region_of_an_unknown_operation_may_use_what_comes_later() -> None:
    found = verdicts(
        """func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  "foo.bar"() ({
    cf.br ^bb2
  ^bb1:
    cf.assert %k, "behind"
    "foo.end"() : () -> ()
  ^bb2:
    %k = arith.cmpi sge, %n, %c1 : index
    cf.br ^bb1
  }) : () -> ()
  return
}""",
        "cf.assert",
    )
    assert [type(each) for each in found] == [Undecided]


WHILE = {
    "stablehlo": """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {{
  %p = stablehlo.constant dense<{}> : tensor<i1>
  %r = stablehlo.while(%x = %a) : tensor<?xf32>
    cond {{
      stablehlo.return %p : tensor<i1>
    }} do {{
      %s = stablehlo.add %x, %b : tensor<?xf32>
      stablehlo.return %x : tensor<?xf32>
    }}
  return %r : tensor<?xf32>
}}""",
    "tosa": """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {{
  %p = "tosa.const"() <{{values = dense<{}> : tensor<i1>}}> : () -> tensor<i1>
  %r = "tosa.while_loop"(%a) ({{
    ^bb0(%x: tensor<?xf32>):
      tosa.yield %p : tensor<i1>
  }}, {{
    ^bb0(%x: tensor<?xf32>):
      %s = tosa.add %x, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      tosa.yield %x : tensor<?xf32>
  }}) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}""",
}


@pytest.mark.parametrize("dialect", WHILE)
def test_the_body_of_a_loop_runs_only_while_its_condition_holds(dialect: str) -> None:
    never, always = (verdicts(WHILE[dialect].format(value), f"{dialect}.add") for value in ("false", "true"))
    assert never
    assert all(isinstance(each, Unreachable) for each in never)
    assert any(isinstance(each, Refuted) for each in always)


def test_a_reducer_that_may_never_run_refutes_nothing() -> None:
    (verdict,) = verdicts(
        """func.func @f(%a: tensor<0xi32>, %i: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.reduce(%a init: %i) across dimensions = [0] : (tensor<0xi32>, tensor<i32>) -> tensor<i32>
   reducer(%x: tensor<i32>, %y: tensor<i32>) {
     %never = stablehlo.constant dense<false> : tensor<i1>
     stablehlo.custom_call @shape_assertion(%never) {has_side_effect = true} : (tensor<i1>) -> ()
     stablehlo.return %x : tensor<i32>
   }
  return %r : tensor<i32>
}""",
        "stablehlo.custom_call",
    )
    assert isinstance(verdict, Undecided)


@pytest.mark.process
def test_a_claim_behind_a_loop_that_fails_before_is_not_refuted() -> None:
    inside, behind = judged(
        """func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.cmpi ne, %i, %c3 : index
    cf.assert %k, "in the loop"
  }
  %j = arith.cmpi sle, %n, %c3 : index
  cf.assert %j, "behind the loop"
  return
}""",
        execute=True,
    )[1:]
    assert isinstance(inside.verdict, Refuted)
    assert isinstance(behind.verdict, Proved)  # more than three iterations do not get there


def test_no_counterexample_lies_outside_the_sizes_that_are_asked_for() -> None:
    text = """func.func @f(%a: tensor<*xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = tensor.rank %a : tensor<*xf32>
  %k = arith.cmpi sge, %r, %c1 : index
  cf.assert %k, "a rank"
  %d = tensor.dim %a, %c0 : tensor<*xf32>
  %p = arith.cmpi sge, %d, %c1 : index
  cf.assert %p, "at least 1"
  %q = arith.cmpi sle, %d, %c9 : index
  cf.assert %q, "at most 9"
  return
}"""
    options = Options(execute=False, min_size=1, max_size=9)
    (function,) = check_program(read_text(text), options).functions
    asked = [each.verdict for each in function.checked_obligations if each.obligation.op.name == "cf.assert"]
    assert [type(each) for each in asked] == [Refuted, Undecided, Undecided]
    wider = Options(execute=False, min_size=1, max_size=10)
    (function,) = check_program(read_text(text), wider).functions
    assert isinstance(function.checked_obligations[-1].verdict, Refuted)


def test_a_private_function_that_is_also_a_value_is_checked_for_all_arguments() -> None:
    report = check_program(
        read_text("""func.func private @g(%n: index) {
  %c1 = arith.constant 1 : index
  %k = arith.cmpi sge, %n, %c1 : index
  cf.assert %k, "positive"
  return
}
func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  func.call @g(%c1) : (index) -> ()
  %g = func.constant @g : (index) -> ()
  func.call_indirect %g(%n) : (index) -> ()
  return
}"""),
        Options(execute=False),
    )
    asked = [each.verdict for function in report.functions for each in function.checked_obligations]
    assert {type(each) for each in asked} == {Proved, Refuted}


def test_a_claim_about_a_rank_that_is_known_is_refuted() -> None:
    first, last = verdicts(
        """func.func @f(%a: tensor<*xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %r = tensor.rank %a : tensor<*xf32>
  %k = arith.cmpi eq, %r, %c0 : index
  cf.assert %k, "a scalar"
  %l = arith.cmpi eq, %r, %c3 : index
  cf.assert %l, "of rank 3"
  return
}""",
        "cf.assert",
    )
    assert isinstance(first, Refuted)
    assert isinstance(last, Refuted)
    assert list(last.sizes.values()) == [()]


@pytest.mark.process
def test_a_candidate_of_a_named_operation_is_confirmed_by_its_execution() -> None:
    """The body that MLIR gives to a named operation stands where the operation stands, and cannot be what failed."""
    inside, behind = [
        each
        for each in judged(
            """func.func @f(%n: index, %a: tensor<?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.cmpi ne, %i, %c3 : index
    cf.assert %k, "in the loop"
  }
  %r = linalg.broadcast ins(%a : tensor<?xf32>) outs(%b : tensor<2x?xf32>) dimensions = [0]
  return %r : tensor<2x?xf32>
}""",
            execute=True,
        )
        if not isinstance(each.verdict, Proved)
    ]
    assert isinstance(inside.verdict, Refuted)
    assert isinstance(behind.verdict, Refuted)
    assert behind.confirmation is not None and behind.confirmation.shown is Shown.FAILED_HERE
