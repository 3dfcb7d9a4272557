"""Test of claims that the sizes alone would falsify, but that an earlier iteration may prevent from being reached."""

from __future__ import annotations

import pytest

from shapesolve import check

LOOP = """
func.func @f(%n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %n step %c1 {{
{body}  }}
{behind}  return
}}
"""

NOT_THE_FOURTH = """\
    %other = arith.cmpi ne, %i, %c3 : index
    cf.assert %other, "not the fourth"
"""

AT_MOST_FIVE = """\
    %low = arith.cmpi slt, %i, %c5 : index
    cf.assert %low, "at most five"
"""

FEW = """\
  %few = arith.cmpi sle, %n, %c3 : index
  cf.assert %few, "few"
"""

BEHIND = LOOP.format(body=NOT_THE_FOURTH, behind=FEW)
BESIDE = LOOP.format(body=AT_MOST_FIVE + NOT_THE_FOURTH, behind="")
IN_TWO_BRANCHES = """\
    %fourth = arith.cmpi eq, %i, %c3 : index
    scf.if %fourth {
      %other = arith.cmpi ne, %i, %c3 : index
      cf.assert %other, "not the fourth"
    } else {
      %low = arith.cmpi slt, %i, %c5 : index
      cf.assert %low, "at most five"
    }
"""

BRANCHES = LOOP.format(body=IN_TWO_BRANCHES, behind="")
ALONE = LOOP.format(body=NOT_THE_FOURTH, behind="")


def words(text: str) -> dict[int, str]:
    """The verdict on every assertion, by line."""
    report = check(text, execute=False)
    return {
        each.obligation.location.line: each.verdict.word
        for each in report.checked_obligations
        if each.obligation.op.name == "cf.assert"
    }


def test_demands_of_every_iteration_hold_behind_the_loop() -> None:
    """More than three iterations stop in the fourth, so that there are at most three behind the loop."""
    assert words(BEHIND) == {9: "refuted", 12: "proved"}


def test_failures_of_later_iterations_are_undecided() -> None:
    """With four iterations the first claim never fails, and the second one does in the fourth, which is the last."""
    assert words(BESIDE) == {9: "undecided", 11: "refuted"}


def test_branch_beside_a_stop_of_an_earlier_iteration_is_undecided() -> None:
    """The sixth iteration does not take the first branch, but the fourth does, and stops."""
    assert words(BRANCHES) == {11: "refuted", 14: "undecided"}


def test_the_only_claim_of_a_body_that_can_fail_is_refuted() -> None:
    assert words(ALONE) == {9: "refuted"}


@pytest.mark.process
def test_executing_tells_where_the_loop_stops() -> None:
    report = check(BESIDE)
    verdicts = {each.obligation.location.line: each.verdict.word for each in report.checked_obligations}
    assert verdicts[11] in ("refuted", "undecided")
    assert verdicts[9] != "refuted"
