"""Test of safe regions of two sizes: each point agrees with execution or with the formula."""

from __future__ import annotations

from pathlib import Path

import pytest

import shapesolve
from shapesolve.contracts.contract import FunctionContract
from shapesolve.contracts.safe_region import PointKind, SafeRegion, safe_region
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

PROGRAM = """
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def contract(text: str, **options: object) -> FunctionContract:
    (found,) = shapesolve.contract(text, **options).functions  # pyright: ignore[reportArgumentType]
    return found


def kinds(region: SafeRegion) -> list[list[str]]:
    return [[each.kind.name for each in row] for row in region.rows]


@pytest.mark.process
def test_it_is_what_running_the_program_shows() -> None:
    region = safe_region(contract(PROGRAM), "x[1]", "w[0]", up_to=4)
    runs = [[TensorInput((2, a)), TensorInput((b, 2)), TensorInput((2, 2))] for b in range(5) for a in range(5)]
    returned = [each.outcome is Outcome.RETURNED for each in execute_many(PROGRAM, "f", runs, runtime_checks=True)]
    assert [kind == "SAFE" for row in kinds(region) for kind in row] == returned
    assert region.fixed == {"x[0]": 2, "w[1]": 2, "b[0]": 2, "b[1]": 2}


@pytest.mark.slow
def test_other_sizes_follow_those_that_are_given() -> None:
    region = safe_region(contract(PROGRAM), "x[1]", "w[0]", at={"w[1]": 5}, up_to=3)
    assert region.fixed == {"x[0]": 2, "w[1]": 5, "b[0]": 2, "b[1]": 5}
    assert kinds(region)[3][3] == "SAFE" and kinds(region)[2][3] == "FAILS"
    assert "w[0] == x[1]" in region.rows[2][3].condition


@pytest.mark.slow
def test_assumptions_exclude_points() -> None:
    region = safe_region(contract(PROGRAM, assume="x[1] >= 2"), "x[1]", "w[0]", up_to=3)
    assert {row[0] for row in kinds(region)} == {"EXCLUDED"}


NEVER = """
func.func @f(%n: tensor<?x?xf32>) {
  %false = arith.constant false
  cf.assert %false, "never"
  return
}
"""


def test_a_program_that_is_safe_for_no_sizes_fails_everywhere() -> None:
    region = safe_region(contract(NEVER), "n[0]", "n[1]", up_to=2)
    assert {kind for row in kinds(region) for kind in row} == {"FAILS"}


UNKNOWN = """
func.func @f(%x: tensor<?xf32>, %m: memref<index>, %n: index) {
  %i = memref.load %m[] : memref<index>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %s = arith.addi %d, %i : index
  %ok = arith.cmpi ne, %s, %n : index
  cf.assert %ok, "data decide"
  return
}
"""


@pytest.mark.slow
def test_points_that_depend_on_data_are_undecided() -> None:
    region = safe_region(contract(UNKNOWN), "x[0]", "n", up_to=2)
    assert {kind for row in kinds(region) for kind in row} == {"OPEN"}
    assert region.rows[0][0].kind is PointKind.OPEN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ("x[7]", "w[0]", "there are"),
        ("K", "w[0]", "there are"),
        ("x[0]", "x[0]", "two different"),
        ("x[0] + 1", "w[0]", "there are"),
    ],
)
def test_sizes_that_there_are_not(x: str, y: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        safe_region(contract(PROGRAM), x, y)


def test_safe_region_of_named_sizes_is_safe_where_they_are_equal() -> None:
    found = contract(PROGRAM, shapes=["x=[M, K]", "w=[L, N]", "b=[M, N]"])
    region = safe_region(found, "K", "L", up_to=3)
    assert [kinds(region)[at][at] for at in range(4)] == ["SAFE"] * 4 and kinds(region)[2][1] == "FAILS"


def test_an_example_of_the_repository() -> None:
    path = Path(__file__).parents[2] / "examples" / "unet.mlir"
    (unet,) = shapesolve.contract(path).functions
    region = safe_region(unet, "arg0[2]", "arg0[3]", up_to=9)
    assert [[kind == "SAFE" for kind in row] for row in kinds(region)] == [
        [a % 4 == 0 and b % 4 == 0 for a in range(10)] for b in range(10)
    ]
