"""Test that candidates behind thousands of operations are not executed."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.checker.confirmation import MOST_BEFORE_CANDIDATE
from shapesolve.solver.verdicts import Refuted, Undecided

pytestmark = pytest.mark.process

EACH = "  %v{} = arith.addi %n, %n : index\n"


def program(before: int, condition: str) -> str:
    """A function that asserts something after so many operations."""
    lines = "".join(EACH.format(number) for number in range(before))
    return f"""func.func @f(%n: index, %x: f32) {{
  %c9 = arith.constant 9 : index
{lines}{condition}  cf.assert %ok, "small"
  return
}}"""


KNOWN = "  %ok = arith.cmpi slt, %n, %c9 : index\n"
OF_A_FLOAT = """  %e = math.exp %x : f32
  %i = arith.fptosi %e : f32 to i32
  %m = arith.index_cast %i : i32 to index
  %s = arith.addi %m, %n : index
  %ok = arith.cmpi slt, %s, %c9 : index
"""


@pytest.mark.parametrize("far", [False, True])
def test_a_refutation_is_executed_wherever_it_is(far: bool) -> None:
    (checked_obligation,) = check(program(MOST_BEFORE_CANDIDATE if far else 10, KNOWN)).checked_obligations
    assert isinstance(checked_obligation.verdict, Refuted)
    assert checked_obligation.confirmation is not None and checked_obligation.confirmation.shown is Shown.FAILED_HERE


@pytest.mark.parametrize("far", [False, True])
def test_near_candidates_are_executed(far: bool) -> None:
    checked_obligation = check(program(MOST_BEFORE_CANDIDATE if far else 10, OF_A_FLOAT)).checked_obligations[-1]
    assert isinstance(checked_obligation.verdict, Undecided)
    assert checked_obligation.confirmation is not None
    is_explained = "more than 2,000 operations come before it" in checked_obligation.confirmation.text
    assert (checked_obligation.confirmation.shown is Shown.NOT_EXECUTED, is_explained) == (far, far)
