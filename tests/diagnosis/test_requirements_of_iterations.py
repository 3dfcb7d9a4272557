"""Requirements of claims on each iteration of a loop, as conditions on the inputs."""

from __future__ import annotations

import pytest

import shapesolve

TILED = """
func.func @tiled(%x: memref<?xf32>, %t: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %t {{
    %end = arith.addi %i, %t : index
    %last = arith.subi %end, {back} : index
    memref.store %z, %x[%last] : memref<?xf32>
  }}
  return
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("back", "condition"),
    [("%c1", "x[0] % t == 0"), ("%t", None)],
    ids=["the last element of each tile", "the first element of each tile"],
)
def test_a_step_that_is_a_size(back: str, condition: str | None) -> None:
    report = shapesolve.check(TILED.format(back=back), assume=["t >= 1"], execute=False)
    text = report.text()
    if condition is None:
        assert not report.refuted
    else:
        assert f"memref.store needs {condition}  [" in text
        assert f"safe with  --assume '{condition}'" in text


def test_a_condition_that_an_earlier_operation_requires_is_known() -> None:
    text = shapesolve.check(TILED.format(back="%c1"), execute=False).text()
    assert "scf.for needs t >= 1  [" in text
    assert "memref.store needs x[0] % t == 0  [" in text


SLICES = """
func.func @copy(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %k: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c4 {{
    scf.for %j = %c0 to %n step %c4 {{
      %rows = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%m]
      %columns = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%j)[%n]
      %0 = memref.subview %y[%i, %j] [{sizes}] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    }}
  }}
  return
}}
"""


@pytest.mark.slow
def test_where_a_slice_begins_is_left_out_where_its_end_is_required() -> None:
    line, *rest = shapesolve.check(SLICES.format(sizes="%rows, %columns"), execute=False).text().splitlines()
    assert "needs y[0] >= x[0] (unless x[1] is 0), y[1] >= x[1] (unless x[0] is 0)  [" in line
    assert not any(">= %i" in each or ">= %j" in each for each in rest)


@pytest.mark.slow
def test_where_a_slice_begins_is_said_where_its_end_says_less() -> None:
    """A slice of no rows ends where it begins; of none of its claims on rows is the condition on inputs known."""
    report = shapesolve.check(SLICES.format(sizes="%c0, %columns"), execute=False)
    text = " ".join(report.text().split())
    assert "needs y[0] >= %i" in text and "y[1] >= x[1]" in text, text
    assert report.refuted


NEXT_ROW = """
func.func @shifted(%a: memref<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {{
    %next = arith.addi %i, {forward} : index
    %x = memref.load %a[%next, %c0] : memref<?x?xf32>
    memref.store %x, %a[%i, %c0] : memref<?x?xf32>
  }}
  return
}}
"""


def test_a_claim_that_no_run_reaches_where_the_others_hold_is_left_out() -> None:
    """Each row but none is read behind the last one, so nothing is left to say of the columns."""
    text = shapesolve.check(NEXT_ROW.format(forward="%c1"), execute=False).text()
    assert "memref.load needs a[0] == 0  [" in text
    assert "safe when  (a: [0, M])" in text


def test_a_claim_that_some_run_reaches_is_said() -> None:
    text = shapesolve.check(NEXT_ROW.format(forward="%c0"), execute=False).text()
    assert "holds with --assume 'a[1] >= 1'" in text
