"""Differential test of ranking functions against runs: loops with one end, with the stated values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from shapesolve import contract
from shapesolve.symbolic.evaluation import holds
from shapesolve.trace.events import MayNotReturn

pytestmark = pytest.mark.slow

PROGRAM = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = tensor.dim %x, %c0 : tensor<?xf32>
  %b = tensor.dim %y, %c0 : tensor<?xf32>
  %r = scf.while (%i = {first}) : (index) -> index {{
    %on = arith.cmpi {goes_on} : index
    scf.condition(%on) %i : index
  }} do {{
  ^bb0(%i: index):
    {body}
    scf.yield %next : index
  }}
  %same = arith.cmpi eq, %r, %b : index
  cf.assert %same, "what it ends with"
  return
}}"""


@dataclass(frozen=True)
class Loop:
    """A loop as text and as Python; whether it is known to end, and what with, or that it never does."""

    first: str
    goes_on: str
    body: str
    starts: Callable[[int], int]
    lasts: Callable[[int, int], bool]
    next: Callable[[int], int]
    ends: bool = True
    followed: bool = True


LOOPS = {
    "halves": Loop(
        "%a", "sgt, %i, %c1", "%next = arith.divui %i, %c2 : index", lambda a: a, lambda i, a: i > 1, lambda i: i // 2
    ),
    "halves to nothing": Loop(
        "%a", "sgt, %i, %c0", "%next = arith.divsi %i, %c2 : index", lambda a: a, lambda i, a: i > 0, lambda i: i // 2
    ),
    "halves while it is not nothing": Loop(
        "%a", "ne, %i, %c0", "%next = arith.divsi %i, %c2 : index", lambda a: a, lambda i, a: i != 0, lambda i: i // 2
    ),
    "halves while it is not one": Loop(
        "%a",
        "ne, %i, %c1",
        "%next = arith.divsi %i, %c2 : index",
        lambda a: a,
        lambda i, a: i != 1,
        lambda i: i // 2,
        ends=False,
        followed=False,
    ),
    "halves and rounds up": Loop(
        "%a",
        "sgt, %i, %c1",
        "%next = arith.ceildivsi %i, %c2 : index",
        lambda a: a,
        lambda i, a: i > 1,
        lambda i: (i + 1) // 2,
    ),
    "takes a third": Loop(
        "%a",
        "sge, %i, %c3",
        "%next = arith.divui %i, %c3 : index",
        lambda a: a,
        lambda i, a: i >= 3,
        lambda i: i // 3,
        followed=False,
    ),
    "doubles": Loop(
        "%c1",
        "slt, %i, %a",
        "%next = arith.muli %i, %c2 : index",
        lambda a: 1,
        lambda i, a: i < a,
        lambda i: 2 * i,
        followed=False,
    ),
    "doubles what may be nothing": Loop(
        "%b",
        "slt, %i, %a",
        "%next = arith.muli %i, %c2 : index",
        lambda a: 1,
        lambda i, a: i < a,
        lambda i: 2 * i,
        ends=False,
        followed=False,
    ),
    "halves for ever": Loop(
        "%a",
        "sge, %i, %c0",
        "%next = arith.divui %i, %c2 : index",
        lambda a: a,
        lambda i, a: i >= 0,
        lambda i: i // 2,
        ends=False,
    ),
    "grows in between": Loop(
        "%a",
        "sgt, %i, %c1",
        "%half = arith.divui %i, %c2 : index\n %next = arith.addi %half, %c2 : index",
        lambda a: a,
        lambda i, a: i > 1,
        lambda i: i // 2 + 2,
        ends=False,
        followed=False,
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_contracts_state_when_a_loop_with_a_ranking_function_ends(name: str) -> None:
    loop = LOOPS[name]
    text = PROGRAM.format(first=loop.first, goes_on=loop.goes_on, body=loop.body)
    (found,) = contract(text).functions
    stops = [each for each in found.report.trace.events if isinstance(each, MayNotReturn)]
    assert bool(stops) != loop.ends
    assert found.exact == loop.followed
    if not loop.followed:
        assert not found.sufficient or found.conditions
        return
    if not loop.ends:  # nothing behind it is ever reached
        assert found.conditions == ()
        return
    sizes = {each.text: each for each in found.report.trace.input_variables}
    for a in range(20):
        last = loop.starts(a)
        while loop.lasts(last, a):
            last = loop.next(last)
        for b in range(20):
            at = {sizes["x[0]"]: a, sizes["y[0]"]: b}
            assert all(holds(each.formula, at) for each in found.conditions) == (last == b), (a, b)
