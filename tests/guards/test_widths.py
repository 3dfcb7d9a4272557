"""Test of guards for integers of any width, at every program point: no obligation is open afterwards."""

from __future__ import annotations

import pytest

from shapesolve import Proved, Unreachable, check, prune
from shapesolve.trace.events import Kind

pytestmark = pytest.mark.slow

HEAD = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %k: i32, %b: i8, %z: i64) {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?xf32>
"""

PROGRAMS = {
    "of a size as i64": (
        """%i = arith.index_cast %a : index to i64
  %r = arith.divui %z, %i : i64""",
        ["%i != 0"],
    ),
    "of an argument": ("%r = arith.remui %a, %n : index", ["%n != 0"]),
    "of an argument read without its sign": (
        """%i = arith.index_castui %n : index to i64
  %r = arith.ceildivui %z, %i : i64""",
        ["%i != 0"],
    ),
    "of a size as i32": (
        """%i = arith.index_cast %a : index to i32
  %r = arith.divsi %k, %i : i32""",
        ["%i != 0", "%k != -2147483648 or %i != -1"],
    ),
    "of a size as i8": (
        """%i = arith.index_cast %a : index to i8
  %r = arith.remui %b, %i : i8""",
        ["%i != 0"],
    ),
    "of what was cut off": (
        """%i = arith.trunci %k : i32 to i16
  %r = arith.ceildivui %i, %i : i16""",
        ["%i != 0"],
    ),
    "of what was made wider": (
        """%i = arith.extui %k : i32 to i64
  %r = arith.divui %z, %i : i64""",
        ["%i != 0"],
    ),
    "of a shift": ("%r = arith.shli %n, %n : index", ["0 <= %n <= 63"]),
    "of a narrow shift": ("%r = arith.shrui %k, %k : i32", ["0 <= %k <= 31"]),
    "of every position of a nest": (
        """%r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
  } ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  } -> tensor<?xf32>""",
        ["%y[0] == 0 or %x[0] >= (%y[0] + 1)//2"],
    ),
    "of an index": (
        """%i = arith.index_castui %k : i32 to index
  %r = tensor.extract %x[%i] : tensor<?xf32>""",
        ["0 <= %i < %x[0]"],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_checked_and_then_proved(name: str) -> None:
    body, conditions = PROGRAMS[name]
    result = prune(f"{HEAD}  {body}\n  return\n}}", harden=True)
    assert [each.condition for each in result.written] == conditions
    assert result.still_open == ()
    report = check(result.text, execute=False)
    undefined = [each for each in report.checked_obligations if each.obligation.kind is not Kind.CHECK]
    assert all(isinstance(each.verdict, Proved | Unreachable) for each in undefined)
