"""Test that a program whose user rules contradict themselves is not proved to refine another."""

from __future__ import annotations

from pathlib import Path

from support.refined_pairs import refined

from shapesolve.options import Options
from shapesolve.solver.verdicts import Undecided

RULES = """
from shapesolve.symbolic.formulas import at_least
from shapesolve.rules import OpSemantics, rule


@rule("my.say", example="x.mlir")
def say(op, see):
    '''Says of its operand that it is at least 5, and at most 4.'''
    n = see.integer(op.operands[0])
    return OpSemantics(ensures=((at_least(n, 5), "at least 5"), (at_least(MOST, n), "not more")))
"""

SOURCE = """
func.func @f(%n: index) -> index {
  return %n : index
}
"""

TARGET = """
func.func @f(%n: index) -> index {
  "my.say"(%n) : (index) -> ()
  %c1 = arith.constant 1 : index
  %more = arith.addi %n, %c1 : index
  return %more : index
}
"""


def test_contradictory_facts_prove_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(RULES.replace("MOST", "4"), encoding="utf-8")
    found = refined(SOURCE, TARGET, Options(execute=False, rules=(str(path),)))
    assert found.word == "undecided"
    assert isinstance(found.findings[-1].verdict, Undecided)
    assert "contradicts itself" in found.findings[-1].verdict.reason


def test_consistent_facts_show_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(RULES.replace("MOST", "9"), encoding="utf-8")
    found = refined(SOURCE, TARGET, Options(execute=False, rules=(str(path),)))
    assert found.word == "refuted"
