"""Test of exact preconditions of possibly nested loops over integers, including the numbers between the bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from shapesolve import contract
from shapesolve.symbolic.evaluation import holds

pytestmark = pytest.mark.slow

HEAD = """
func.func @f(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %f = arith.constant 1.0 : f32
"""
STORE = "memref.store %f, %a[%k] : memref<?xf32>"

PROGRAMS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "alone": (f"scf.for %k = %c1 to %c12 step %c3 {{ {STORE} }}\n return", lambda a, n: a > 10),
    "inside of another": (
        f"scf.for %i = %c0 to %n step %c1 {{ scf.for %k = %c0 to %c2 step %c1 {{ {STORE} }} }}\n return",
        lambda a, n: n <= 0 or a > 1,
    ),
    "added to another": (
        f"""scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %c12 step %c1 {{
      %k = arith.addi %i, %j : index
      {STORE}
    }}
  }}
  return""",
        lambda a, n: n <= 0 or a > n - 1 + 11,
    ),
    "at the same time": (
        f"""scf.parallel (%i, %j) = (%c0, %c1) to (%n, %c3) step (%c1, %c1) {{
    %k = arith.addi %i, %j : index
    {STORE}
    scf.reduce
  }}
  return""",
        lambda a, n: n <= 0 or a > n - 1 + 2,
    ),
    "of blocks": (
        f"""cf.br ^head(%c0 : index)
^head(%k: index):
  %more = arith.cmpi slt, %k, %c12 : index
  cf.cond_br %more, ^body, ^end
^body:
  {STORE}
  %next = arith.addi %k, %c1 : index
  cf.br ^head(%next : index)
^end:
  return""",
        lambda a, n: a > 11,
    ),
    "where only a number in between fails": (
        f"""scf.for %k = %c0 to %c12 step %c1 {{
    %other = arith.cmpi ne, %k, %n : index
    cf.assert %other, "another"
    {STORE}
  }}
  return""",
        lambda a, n: not 0 <= n < 12 and a > 11,
    ),
    "where every other number fails": (
        """scf.for %k = %n to %c12 step %c1 {
    %odd = arith.remsi %k, %c2 : index
    %even = arith.cmpi eq, %odd, %c0 : index
    cf.assert %even, "even"
  }
  return""",
        lambda a, n: all(k % 2 == 0 for k in range(n, 12)),
    ),
    "from an argument on": (
        f"""%d = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %n to %d step %c1 {{
    %k = arith.subi %i, %c1 : index
    {STORE}
  }}
  return""",
        lambda a, n: n >= 1 or n >= a,
    ),
    "where it never runs": (f"scf.for %k = %c3 to %c2 step %c1 {{ {STORE} }}\n return", lambda a, n: True),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_contracts_of_loops_between_numbers_are_exact(name: str) -> None:
    body, is_safe = PROGRAMS[name]
    (function,) = contract(f"{HEAD}  {body}\n}}").functions
    assert function.exact
    for a, n in product(range(18), range(-2, 7)):
        sizes = {"a[0]": a, "n": n}
        found = all(
            holds(each.formula, {v: sizes[v.text] for v in each.formula.variables}) for each in function.conditions
        )
        assert found == is_safe(a, n), (a, n)
