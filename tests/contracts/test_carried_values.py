"""Contracts of loops whose carried values change in other ways than by the same amount, against running them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from shapesolve import contract
from shapesolve.symbolic.evaluation import holds

pytestmark = pytest.mark.slow

HEAD = """func.func @f(%x: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %a = tensor.dim %x, %c0 : tensor<?xf32>
"""


@dataclass(frozen=True)
class Carries:
    """A loop as text, and whether running it fails nowhere, by the extent of `x` and by `n`."""

    text: str
    is_safe: Callable[[int, int], bool]


def _counted(carried: str, body: str, after: str) -> str:
    return f"""%r = scf.for %i = %c0 to %n step %c1 iter_args(%v = {carried}) -> (index) {{
    {body}
    scf.yield %w : index
  }}
  %ok = arith.cmpi {after} : index
  cf.assert %ok, "what it ends with"
"""


def _cache(a: int, n: int) -> bool:
    return all(3 + i * a <= 7 for i in range(n))


LOOPS = {
    "a sum of counters": Carries(
        _counted("%c0", "%w = arith.addi %v, %i : index", "eq, %r, %a"), lambda a, n: sum(range(n)) == a
    ),
    "by turns": Carries(
        _counted("%c0", "%w = arith.subi %a, %v : index", "slt, %r, %c3"), lambda a, n: n <= 0 or n % 2 == 0 or a < 3
    ),
    "no more than a size": Carries(
        _counted("%c2", "%s = arith.addi %v, %c1 : index\n %w = arith.minsi %s, %a : index", "eq, %r, %a"),
        lambda a, n: (2 if n <= 0 else min(2 + n, a)) == a,
    ),
    "a flag that ends it": Carries(
        """%r:2 = scf.while (%i = %c0, %on = %true) : (index, i1) -> (index, i1) {
    %less = arith.cmpi slt, %i, %a : index
    %both = arith.andi %less, %on : i1
    scf.condition(%both) %i, %on : index, i1
  } do {
  ^bb0(%i: index, %on: i1):
    %j = arith.addi %i, %c1 : index
    %still = arith.cmpi ne, %i, %n : index
    scf.yield %j, %still : index, i1
  }
  %ok = arith.cmpi eq, %r#0, %a : index
  cf.assert %ok, "to its end"
""",
        lambda a, n: not 0 <= n < a - 1,
    ),
    "the root of a size, which is the least such": Carries(
        """%r = scf.while (%i = %c0) : (index) -> index {
    %square = arith.muli %i, %i : index
    %less = arith.cmpi slt, %square, %n : index
    scf.condition(%less) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %square = arith.muli %r, %r : index
  %ok = arith.cmpi sge, %square, %n : index
  cf.assert %ok, "not less"
  %before = arith.subi %r, %c1 : index
  %smaller = arith.muli %before, %before : index
  %less = arith.cmpi slt, %smaller, %n : index
  %none = arith.cmpi eq, %r, %c0 : index
  %least = arith.ori %less, %none : i1
  cf.assert %least, "the least"
  %positive = arith.cmpi sge, %a, %n : index
  cf.assert %positive, "and something else"
""",
        lambda a, n: a >= n,
    ),
    "the next power of two": Carries(
        """%r = scf.while (%i = %c1) : (index) -> index {
    %less = arith.cmpi slt, %i, %a : index
    scf.condition(%less) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.muli %i, %c2 : index
    scf.yield %j : index
  }
  %ok = arith.cmpi sge, %r, %a : index
  cf.assert %ok, "enough"
  %half = arith.divui %r, %c2 : index
  %less = arith.cmpi sle, %half, %a : index
  cf.assert %less, "and not too much"
""",
        lambda a, n: True,
    ),
    "a cache that begins with what nobody wrote": Carries(
        """%e = tensor.empty(%c3) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %e) -> (tensor<?xf32>) {
    %d = tensor.dim %v, %c0 : tensor<?xf32>
    %c7 = arith.constant 7 : index
    %small = arith.cmpi sle, %d, %c7 : index
    cf.assert %small, "room for more"
    %w = tensor.concat dim(0) %v, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
""",
        _cache,
    ),
    "what grows by more each time": Carries(
        """%e = tensor.empty(%c2) : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %e) -> (tensor<?xf32>) {
    %more = tensor.empty(%i) : tensor<?xf32>
    %w = tensor.concat dim(0) %v, %more : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  %ok = arith.cmpi sle, %d, %a : index
  cf.assert %ok, "as much as there is"
""",
        lambda a, n: 2 + sum(range(n)) <= a,
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_the_contract_is_exact(name: str) -> None:
    (found,) = contract(HEAD + LOOPS[name].text + "return }").functions
    assert found.exact
    sizes = {each.text: each for each in found.report.trace.input_variables}
    for a in range(9):
        for n in range(-2, 9):
            at = {sizes["x[0]"]: a, sizes["n"]: n}
            assert all(holds(each.formula, at) for each in found.conditions) == LOOPS[name].is_safe(a, n), (a, n)
