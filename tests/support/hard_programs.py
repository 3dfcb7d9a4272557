"""Programs whose claims keep the solver busy."""

from __future__ import annotations

HEAD = "func.func @f(%a: index, %b: index, %c: index) {\n"

CUBES = """\
  %aa = arith.muli %a, %a : index
  %aaa = arith.muli %aa, %a : index
  %bb = arith.muli %b, %b : index
  %bbb = arith.muli %bb, %b : index
  %cc = arith.muli %c, %c : index
  %ccc = arith.muli %cc, %c : index
  %s = arith.addi %aaa, %bbb : index
  %t = arith.addi %s, %ccc : index
"""
"""Operations that compute `%t`, the sum of three cubes."""

NOT_A_SUM = """\
  %k{0} = arith.constant {0} : index
  %n{0} = arith.cmpi ne, %t, %k{0} : index
  cf.assert %n{0}, "no sum of three cubes"
"""

NUMBERS = (33, 42, 74, 114, 165, 390, 579, 627, 633, 732, 795, 906, 921, 975)
"""Numbers that no remainder distinguishes from sums of three cubes; only cubes beyond 10^36 can add up to them."""


def sums_of_cubes(before: str = "") -> str:
    """A function that claims of each of `NUMBERS` that it is no sum of three cubes: about two seconds each.

    ``before`` are lines in front of that.
    """
    return "".join([HEAD, before, CUBES, *map(NOT_A_SUM.format, NUMBERS), "  return\n}\n"])
