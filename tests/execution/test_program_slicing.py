"""Test that a function cut off after an operation behaves like the whole one up to there."""

from __future__ import annotations

import pytest

from shapesolve import Refuted, check
from shapesolve.checker.checked_obligation import Shown
from shapesolve.checker.confirmation import CUT_ABOVE
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

CHECKED = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %small = arith.cmpi ult, %n, %c2 : index
  cf.assert %small, "too large"
  scf.if %small {
    %one = arith.cmpi eq, %n, %c0 : index
    cf.assert %one, "not empty"
  }
  %cast = tensor.cast %a : tensor<?xf32> to tensor<1xf32>
  %back = tensor.cast %cast : tensor<1xf32> to tensor<?xf32>
  AFTER
  return %back : tensor<?xf32>
}
"""
SIZES = range(4)


def outcomes(text: str, line: int | None, *, runtime_checks: bool = True) -> list[tuple[Outcome, str]]:
    runs = [[TensorInput((size,))] for size in SIZES]
    last = None if line is None else (line, 3)
    found = execute_many(text, "f", runs, runtime_checks=runtime_checks, last=last)
    return [(each.outcome, each.message) for each in found]


def test_up_to_there_it_fails_as_it_did() -> None:
    text = CHECKED.replace("AFTER", "")
    whole = outcomes(text, None)
    assert outcomes(text, 11) == whole  # nothing that may fail is left out
    assert [outcome for outcome, _ in whole] == [Outcome.ABORTED] * 4
    first = outcomes(text, 6)
    assert [outcome for outcome, _ in first] == [Outcome.RETURNED] * 2 + [Outcome.ABORTED] * 2
    assert first[2:] == whole[2:]


def test_a_line_inside_a_region_keeps_the_whole_region() -> None:
    text = CHECKED.replace("AFTER", "")
    found = outcomes(text, 8)
    assert [outcome for outcome, _ in found] == [Outcome.RETURNED] + [Outcome.ABORTED] * 3
    assert "not empty" in found[1][1]


def test_later_operations_are_sliced_away() -> None:
    text = CHECKED.replace("AFTER", "func.call @outside() : () -> ()") + "func.func private @outside()\n"
    assert outcomes(text, None)[0][0] is Outcome.NOT_EXECUTABLE
    assert outcomes(text, 6)[0][0] is Outcome.RETURNED


def test_programs_that_cannot_be_sliced_run_whole() -> None:
    text = CHECKED.replace("AFTER", "")
    assert outcomes(text, 99) == outcomes(text, None)
    branches = """func.func @f(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  cf.br ^next
^next:
  %no = arith.cmpi eq, %n, %c0 : index
  cf.assert %no, "not empty"
  return %n : index
}
"""
    assert outcomes(branches, 2) == outcomes(branches, None)
    assert outcomes(branches, 2)[1][0] is Outcome.ABORTED


def test_a_long_function_is_cut_off_after_what_may_fail() -> None:
    long = "\n".join(f"  %x{n} = arith.addi %n, %c{n % 2 * 2} : index" for n in range(CUT_ABOVE))
    text = CHECKED.replace("AFTER", f"func.call @outside() : () -> ()\n{long}") + "func.func private @outside()\n"
    (refuted, *_) = (each for each in check(text).checked_obligations if isinstance(each.verdict, Refuted))
    assert refuted.confirmation is not None and refuted.confirmation.shown is Shown.FAILED_HERE
    assert "too large" in refuted.confirmation.text


def test_the_line_that_a_slice_ran_to_is_reported() -> None:
    long = "\n".join(f"  %x{n} = arith.addi %n, %c0 : index" for n in range(CUT_ABOVE))
    text = f"""func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %cast = tensor.cast %a : tensor<?xf32> to tensor<1xf32>
{long}
  %back = tensor.cast %cast : tensor<1xf32> to tensor<?xf32>
  return %back : tensor<?xf32>
}}
"""
    (refuted,) = (each for each in check(text).checked_obligations if isinstance(each.verdict, Refuted))
    assert refuted.confirmation is not None and refuted.confirmation.shown is Shown.FAILED_HERE
    assert "without them the program went on past line 4 as if nothing had happened" in refuted.confirmation.text


@pytest.mark.parametrize(
    ("before", "after", "shown"), [(False, True, Shown.FAILED_HERE), (True, False, Shown.NOT_EXECUTED)]
)
def test_a_short_function_is_cut_off_where_what_follows_cannot_be_executed(
    before: bool, after: bool, shown: Shown
) -> None:
    call = "func.call @outside() : () -> ()"
    text = f"""func.func private @outside()
func.func @f(%a: tensor<?xf32>) -> index {{
  %c0 = arith.constant 0 : index
  {call if before else ""}
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %no = arith.cmpi eq, %n, %c0 : index
  cf.assert %no, "not empty"
  {call if after else ""}
  return %n : index
}}
"""
    (checked_obligation,) = (each for each in check(text).checked_obligations if each.obligation.op.name == "cf.assert")
    assert checked_obligation.confirmation is not None and checked_obligation.confirmation.shown is shown
    assert isinstance(checked_obligation.verdict, Refuted) is after


def test_later_operations_of_a_callee_are_not_lowered() -> None:
    text = """func.func private @outside()
func.func @f(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = func.call @checked(%a) : (tensor<?xf32>) -> index
  func.call @outside() : () -> ()
  return %n : index
}
func.func private @checked(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %some = arith.cmpi ne, %n, %c0 : index
  cf.assert %some, "empty"
  func.call @outside() : () -> ()
  return %n : index
}
"""
    (refuted,) = (each for each in check(text).checked_obligations if isinstance(each.verdict, Refuted))
    assert refuted.confirmation is not None and refuted.confirmation.shown is Shown.FAILED_HERE
    assert refuted.confirmation.text == "empty"
