"""Test that results whose comparison is too large are left undecided, and the rest is still decided."""

from __future__ import annotations

import shapesolve
from shapesolve.solver.verdicts import Undecided, VerdictKind

NEVER = '    cf.assert %never, "never"\n'
NESTED = """func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %never = arith.constant false
  %l = scf.for %i = %c0 to %c5 step %c1 iter_args(%c = %c0) -> index {
CHECK    %x = arith.addi %c, %c1 : index
    %y = arith.remsi %x, %n : index
    scf.yield %y : index
  }
  %r = arith.LAST %l, %n : index
  return %r : index
}
"""


def nested(last: str, check: str = "") -> str:
    return NESTED.replace("LAST", last).replace("CHECK", check)


def test_results_whose_difference_is_too_long_are_undecided() -> None:
    (found,) = shapesolve.refine(nested("remsi"), nested("minsi"), execute=False)
    assert found.word is VerdictKind.UNDECIDED
    (finding,) = found.undecided
    assert isinstance(finding.verdict, Undecided) and "too long" in str(finding.verdict)


def test_a_lost_check_is_refuted_though_the_results_are_too_long_to_compare() -> None:
    (found,) = shapesolve.refine(nested("remsi", NEVER), nested("minsi"), execute=False)
    assert found.word is VerdictKind.REFUTED


def test_printed_numbers_whose_difference_is_too_long_are_undecided() -> None:
    printed = [nested(each).replace("  return", "  vector.print %r : index\n  return") for each in ("remsi", "minsi")]
    (found,) = shapesolve.refine(*printed, execute=False)
    assert found.word is VerdictKind.UNDECIDED
