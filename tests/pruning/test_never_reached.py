"""Test that a claim proved in the original may be unreachable in the output, where more is known."""

from __future__ import annotations

from typing import Any

import pytest
from support.pruned_programs import ops, prune

from shapesolve.checker.check import trace_of
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.undefined_operations import held_or_never_reached
from shapesolve.trace.events import Trace

NOTHING_ASKED = Options()

LOOP_THAT_DOES_NOT_RUN = """
func.func @f(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %small = arith.cmpi sle, %n, %c1 : index
  cf.assert %small, "small"
  %last = scf.for %i = %c1 to %n step %c1 iter_args(%before = %n) -> (index) {
    %minus = arith.constant -1 : index
    scf.yield %minus : index
  }
  %large = arith.cmpi sle, %c2, %last : index
  cf.assert %large, "large"
  %made = tensor.empty(%last) : tensor<?xf32>
  return %last : index
}"""

ASSUMED = """
func.func @f(%a: tensor<?xf32> {shapesolve.shape = "[n]"}) attributes {shapesolve.assume = ["n >= 3"]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %small = arith.cmpi sle, %n, %c2 : index
  cf.assert %small, "small"
  %cast = tensor.cast %a : tensor<?xf32> to tensor<7xf32>
  %extent = tensor.dim %cast, %c0 : tensor<7xf32>
  return
}"""


def test_unreachable_parts_of_a_peeled_loop_are_no_loss() -> None:
    result = prune(LOOP_THAT_DOES_NOT_RUN)
    assert "scf.for" not in result.text
    assert '"small"' in result.text
    assert '"large"' in result.text


@pytest.mark.parametrize(("assumption", "is_fine"), [("n >= 0", False), ("n >= 2", False), ("n >= 3", True)])
def test_always_failing_checks_make_later_ones_unreachable(assumption: str, *, is_fine: bool) -> None:
    """The output states the admitted sizes, and guarantees nothing for others."""
    assert ("C2" in fine_of_cast(ASSUMED.replace("n >= 3", assumption))) == is_fine


@pytest.mark.parametrize("trusted", [False, True])
def test_trusted_demands_make_later_checks_unreachable(*, trusted: bool) -> None:
    before = "  %two = tensor.cast %a : tensor<?xf32> to tensor<2xf32>\n  %cast"
    text = ASSUMED.replace('  cf.assert %small, "small"\n', "").replace("  %cast", before)
    assert ("C2" in fine_of_cast(text, Options(trust_ub=trusted))) == trusted


CONTRADICTED = """
func.func @f(%a: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %quotient = arith.divsi %n, %d : index
  %some = arith.cmpi sgt, %d, %c0 : index
  %x = arith.select %some, %quotient, %n : index
  %none = arith.cmpi eq, %d, %c0 : index
  cf.assert %none, "none"
  %same = arith.cmpi eq, %n, %x : index
  %positive = arith.cmpi sge, %n, %c0 : index
  %either = arith.ori %same, %positive : i1
  cf.assert %either, "either"
  %slice = tensor.extract_slice %a[0] [%x] [1] : tensor<?xf32> to tensor<?xf32>
  return
}"""


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"min_size": 2}, {"min_size": 2, "trust_ub": True}])
def test_a_check_goes_that_follows_from_what_contradicts_an_assumption(options: dict[str, Any]) -> None:
    """The later requirement follows from that check without the other one: both were proved, but not at once."""
    kept = [check.location.line for check in prune(CONTRADICTED, **options).kept]
    assert kept == [9]


def test_a_check_keeps_away_what_contradicts_it() -> None:
    checked = ASSUMED.replace(
        "  %cast", '  %large = arith.cmpi sgt, %n, %c2 : index\n  cf.assert %large, "large"\n  %cast'
    )
    assert "C2" in fine_of_cast(checked)


def fine_of_cast(text: str, options: Options = NOTHING_ASKED) -> set[str]:
    """The clauses of the last cast of a program that hold or that nothing gets to."""
    program = read_text(text)

    def walk(undefined_ops: UndefinedOps) -> Trace:
        return trace_of(program, program.functions["f"], options, undefined_ops)

    fine = held_or_never_reached(walk, options, NO_UNDEFINED_OPS)
    found = [each for each in walk(NO_UNDEFINED_OPS).obligations if each.op.name == "tensor.cast"]
    found = [each for each in found if each.op.number == found[-1].op.number]
    assert found
    return {each.clause for each in found if each.identity in fine}


def test_a_branch_in_a_loop_that_never_runs_goes_with_it() -> None:
    """A contradiction elsewhere has the branch decided as well; the loop goes as a whole."""
    result = prune("""
func.func @stated(%m: index) attributes {shapesolve.assume = ["m != 3"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c0 step %c1 {
    %false = arith.constant false
    cf.assert %false, "no iteration"
  }
  return
}
func.func @f(%b: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %c0) -> index {
    %1 = scf.if %b -> index {
      scf.yield %x : index
    } else {
      %2 = scf.for %j = %c1 to %c0 step %c0 iter_args(%y = %c0) -> index {
        scf.yield %n : index
      }
      scf.yield %2 : index
    }
    scf.yield %1 : index
  }
  return %0 : index
}""")
    assert {each.reason for each in result.removed} == {"it stands in a loop that never runs"}
    assert not {"scf.for", "scf.if", "cf.assert"} & {*ops(result.text)}
