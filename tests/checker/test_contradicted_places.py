"""Test that all claims behind a contradiction share one verdict and one reason."""

from __future__ import annotations

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Unreachable

PROGRAM = """
func.func @f(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.cmpi eq, %n, %c1 : index
  cf.assert %one, "one"
  %two = arith.cmpi eq, %n, %c2 : index
  cf.assert %two, "two"
  %a = arith.cmpi eq, %m, %c1 : index
  cf.assert %a, "third"
  %b = arith.cmpi eq, %m, %c2 : index
  cf.assert %b, "fourth"
  return
}
"""


def test_claims_of_one_place_share_the_verdict_and_are_one_finding() -> None:
    report = check_program(read_text(PROGRAM), Options(execute=False))
    verdicts = [each.verdict for each in report.checked_obligations[-2:]]
    assert all(isinstance(each, Unreachable) for each in verdicts)
    assert verdicts[0] is verdicts[1]
    (function,) = diagnose(report).functions
    unreachable = [each for each in function.findings if isinstance(each.verdict, Unreachable)]
    assert [len(each.checked_obligations) for each in unreachable] == [2]
