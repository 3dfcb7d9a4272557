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
