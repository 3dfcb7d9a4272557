"""Test that assumptions on a function's callers do not apply to calls inside the program, which pass no entry guard."""

from __future__ import annotations

from typing import Any

import pytest

from shapesolve import prune
from shapesolve.execution.execution import Outcome, ScalarInput
from shapesolve.execution.runner import execute
from shapesolve.options import Options

pytestmark = pytest.mark.process

PUBLIC = """
func.func @f(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %long = arith.cmpi sge, %d, %c3 : index
  %none = arith.cmpi eq, %d, %c0 : index
  %some = arith.ori %long, %none : i1
  cf.assert %some, "none or three"
  %few = arith.cmpi slt, %n, %c3 : index
  %ten = arith.cmpi eq, %n, %c10 : index
  %fits = arith.ori %few, %ten : i1
  cf.assert %fits, "few or ten"
  return %n : index
}
"""

CALLER = """
func.func @g(%m: index) -> index {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %none = tensor.empty(%c0) : tensor<?xf32>
  %r = func.call @f(%none, %c10) : (tensor<?xf32>, index) -> index
  return %r : index
}
"""

ASSUMED = PUBLIC.replace("-> index {", 'attributes {shapesolve.assume = ["n <= 5", "x[0] >= 1"]} {', 1).replace(
    ") attributes", ") -> index attributes"
)


def at_entry_of_f(text: str, **options: Any) -> list[str]:
    result = prune(text, at_entry=True, options=Options(**options))
    assert execute(result.text, "g", [ScalarInput(1)], runtime_checks=True).outcome is Outcome.RETURNED
    return [each.condition for each in result.written if each.function == "f"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (ASSUMED, {}),
        (ASSUMED, {"functions": ("f",)}),
        (PUBLIC, {"assumptions": ("@f: n <= 5", "@f: x[0] >= 1")}),
        (PUBLIC, {"assumptions": ("@f: n <= 5", "@f: x[0] >= 1"), "functions": ("f",)}),
        (PUBLIC, {"assumptions": ("@f: n <= 5",), "min_size": 1}),
    ],
)
def test_consequences_of_assumptions_stop_no_inner_call(text: str, options: dict[str, Any]) -> None:
    assert at_entry_of_f(text + CALLER, **options) == []


def test_unconditional_needs_are_checked() -> None:
    caller = CALLER.replace("%c0 = arith.constant 0", "%c0 = arith.constant 4").replace("constant 10", "constant 1")
    callee = ASSUMED.replace("arith.ori %few, %ten", "arith.andi %few, %few")
    assert at_entry_of_f(callee + caller) == ["n <= 2"]


def test_assumptions_count_without_inner_calls() -> None:
    text = ASSUMED + CALLER.replace(
        "func.call @f(%none, %c10) : (tensor<?xf32>, index) -> index", "arith.addi %m, %m : index"
    )
    assert at_entry_of_f(text) == ["x[0] >= 3", "n <= 2"]


def test_preconditions_must_hold_of_every_call() -> None:
    text = ASSUMED.replace("shapesolve.assume", "shapesolve.requires") + CALLER
    result = prune(text, at_entry=True)
    assert [each.condition for each in result.written if each.function == "f"] == ["x[0] >= 3", "n <= 2"]


NAMED = """
func.func @f(%x: tensor<?xf32> {shapesolve.shape = "[N]"}, %y: tensor<?xf32> {shapesolve.shape = "[N]"}) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi ne, %d, %e : index
  %long = arith.cmpi sge, %d, %c3 : index
  %fits = arith.ori %long, %same : i1
  cf.assert %fits, "long"
  return %d : index
}
func.func @g(%m: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = tensor.empty(%c0) : tensor<?xf32>
  %one = tensor.empty(%c1) : tensor<?xf32>
  %r = func.call @f(%one, %none) : (tensor<?xf32>, tensor<?xf32>) -> index
  return %r : index
}
"""


@pytest.mark.parametrize("names", ["[N]", ""])
def test_names_of_sizes_are_assumptions_too(names: str) -> None:
    shapes = () if names else ("x=[N]", "y=[N]")
    text = NAMED if names else NAMED.replace(' {shapesolve.shape = "[N]"}', "")
    assert at_entry_of_f(text, shapes=tuple(f"@f: {each}" for each in shapes)) == []
