"""Demands of shape functions become run-time checks: error values and required witnesses, in the author's words."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import library_text, written

from shapesolve import prune
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved

EXTENTS = """    %0 = const_size 0
    %1 = const_size 1
    %is = shape_of %image : !shape.value_shape -> !shape.shape
    %gs = shape_of %gain : !shape.value_shape -> !shape.shape
    %x = get_extent %is, %1 : !shape.shape, !shape.size -> !shape.size
    %y = get_extent %gs, %0 : !shape.shape, !shape.size -> !shape.size
"""
ERROR = f"""
  func @scale(%image: !shape.value_shape, %gain: !shape.value_shape) -> !shape.shape {{
{EXTENTS}    %c = meet %x, %y, error = "one gain for each channel" : !shape.size, !shape.size -> !shape.size
    %r = from_extents %y, %c : !shape.size, !shape.size
    return %r : !shape.shape
  }}
"""
REQUIRED = f"""
  func @scale(%image: !shape.value_shape, %gain: !shape.value_shape) -> !shape.shape {{
{EXTENTS}    %a = size_to_index %x : !shape.size
    %b = size_to_index %y : !shape.size
    %ok = arith.cmpi eq, %a, %b : index
    %w = cstr_require %ok, "one gain for each channel"
    %r = assuming %w -> !shape.shape {{
      shape.assuming_yield %is : !shape.shape
    }}
    return %r : !shape.shape
  }}
"""
PROGRAM = """func.func @model(%image: tensor<?x?xf32>, %gain: tensor<?xf32>) -> tensor<?x?xf32> {
  %scaled = "my.scale"(%image, %gain) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %scaled : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("body", [ERROR, REQUIRED], ids=["error", "required"])
@pytest.mark.parametrize("mode", ["harden", "at_entry"])
def test_demands_become_checks(body: str, mode: str, tmp_path: Path) -> None:
    path = written(tmp_path, library_text(body, "my.scale = @scale"))
    result = prune(PROGRAM, options=Options(libraries=(path,), execute=False), **{mode: True})  # pyright: ignore[reportArgumentType]
    assert result.text.count("cf.assert") == 1
    assert "one gain for each channel" in result.text
    report = check_program(read_text(result.text), Options(libraries=(path,), execute=False))
    rest = [each for each in report.checked_obligations if each.obligation.op.name != "cf.assert"]
    assert any(each.obligation.op.name == "my.scale" for each in rest)
    assert all(isinstance(each.verdict, Proved) for each in rest)
