"""Test that every argument has a name in conditions: i1 arguments, and arguments named by a number."""

from __future__ import annotations

import pytest

from shapesolve import check, contract
from shapesolve.contracts.attributes import with_contracts
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved

FLAG = """
func.func @f(%train: i1, %n: index) {
  %c4 = arith.constant 4 : index
  %e = arith.cmpi sge, %n, %c4 : index
  %p = arith.ori %train, %e : i1
  cf.assert %p, "trained, or four"
  return
}"""
BRANCH = """
func.func @f(%x: tensor<?xf32>, %train: i1) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  scf.if %train {
    %r = arith.remui %n, %c8 : index
    %e = arith.cmpi eq, %r, %c0 : index
    cf.assert %e, "eights"
  }
  return
}"""
NUMBERED = """
func.func @f(%0: index, %1: i1, %2: tensor<?xf32>) -> f32 {
  cf.assert %1, "flag"
  %3 = tensor.extract %2[%0] : tensor<?xf32>
  return %3 : f32
}"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FLAG, ["train == 1 or n >= 4"]),
        (BRANCH, ["train == 0 or x[0] % 8 == 0"]),
        (NUMBERED, ["arg1 == 1", "arg0 >= 0", "arg2[0] > arg0"]),
    ],
)
def test_truths_and_numbered_arguments_have_conditions(text: str, expected: list[str]) -> None:
    (function,) = contract(text).functions
    assert function.exact
    assert sorted(function.texts) == sorted(expected)
    again = check(text, assume=expected, execute=False)
    assert all(isinstance(each.verdict, Proved) for each in again.checked_obligations)


@pytest.mark.parametrize("given", [["%0 >= 0", "%2[0] > %0", "%1 == 1"], ["arg0 >= 0", "arg2[0] > arg0", "arg1 == 1"]])
def test_a_numbered_argument_is_called_by_its_number_or_its_position(given: list[str]) -> None:
    report = check(NUMBERED, assume=given, execute=False)
    assert all(isinstance(each.verdict, Proved) for each in report.checked_obligations)


def test_a_numbered_argument_does_not_take_another_ones_name() -> None:
    text = """
func.func @f(%1: index, %arg0: tensor<?xf32>) -> f32 {
  %2 = tensor.extract %arg0[%1] : tensor<?xf32>
  return %2 : f32
}"""
    (function,) = contract(text).functions
    assert sorted(function.texts) == ["_arg0 >= 0", "arg0[0] > _arg0"]


BOTH = """
func.func @f(%0: tensor<?xf32>, %arg0: tensor<?xf32>, %arg3: tensor<?xf32>, %1: tensor<?xf32>) {
  %2 = stablehlo.add %0, %arg0 : tensor<?xf32>
  %3 = stablehlo.add %arg3, %1 : tensor<?xf32>
  return
}"""


def test_shapes_of_numbered_arguments_beside_those_called_by_a_position_have_conditions() -> None:
    (function,) = contract(BOTH).functions
    assert function.exact
    assert sorted(function.texts) == ["_arg0[0] == arg0[0]", "_arg3[0] == arg3[0]"]
    assert all(
        isinstance(each.verdict, Proved)
        for each in check(BOTH, assume=function.texts, execute=False).checked_obligations
    )
    assert all(
        isinstance(each.verdict, Proved)
        for each in check(with_contracts(contract(BOTH), Options()), execute=False).checked_obligations
    )


def test_the_extents_of_a_numbered_argument_can_be_named() -> None:
    text = "func.func @f(%0: tensor<?xf32>) -> f32 {\n %i = arith.constant 3 : index\n"
    text += " %1 = tensor.extract %0[%i] : tensor<?xf32>\n return %1 : f32\n}"
    for name in ("%0", "0", "arg0"):
        (function,) = contract(text, shapes=[f"{name}=[B]"]).functions
        assert function.texts == ("B >= 4",)
