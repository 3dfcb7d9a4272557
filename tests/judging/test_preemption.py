"""Refutations that something may come before, where a rule does not know when its region runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import checked

RULES = '''
from shapesolve.rules import Meaning, rule
from shapesolve.walking.region_runs import Once


@rule("my.perhaps", example="x.mlir")
def perhaps(op, see):
    """Runs a region, or not."""
    return Meaning(regions=(Once(region=op.regions[0], runs=RUNS),))


@rule("my.end", example="x.mlir")
def end(op, see):
    """The end of a region."""
    return Meaning()
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
def test_what_lies_behind_a_region_that_may_have_stopped_is_open(runs: str, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text("from shapesolve.language.formulas import TRUE\n" + RULES.replace("RUNS", runs), encoding="utf-8")
    judgements = checked(PROGRAM, rules=(str(path),)).judgements
    found = [each.verdict.word for each in judgements if each.obligation.op.name == "cf.assert"]
    assert found == words
