"""Test of preconditions of loops that end at a given number, against counting."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve import check, contract
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.evaluation import holds

pytestmark = pytest.mark.slow

UNTIL = """
func.func @f(%n: index, %x: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %cstart = arith.constant {start} : index
  %step = arith.constant {step} : index
  %r = scf.while (%i = %{first}) : (index) -> index {{
    %p = arith.cmpi ne, %i, %n : index
    scf.condition(%p) %i : index
  }} do {{
  ^bb0(%i: index):
    %j = arith.addi %i, %step : index
    %v = tensor.extract %x[%{read}] : tensor<?xf32>
    scf.yield %j : index
  }}
  %e = arith.cmpi eq, %r, %n : index
  cf.assert %e, "it ends there"
  return
}}"""


def returns(start: int, step: int, read_next: bool, n: int, size: int) -> bool:
    """Return whether every element that is read is one."""
    i = start
    while i != n:
        if not 0 <= (i + step if read_next else i) < size:
            return False
        i += step
    return True


@pytest.mark.parametrize(
    ("start", "step", "read"), [(0, 1, "i"), (3, 1, "i"), (0, 2, "i"), (1, 3, "i"), (2, 2, "j"), (None, -1, "j")]
)
def test_conditions_to_meet_a_number(start: int | None, step: int, read: str) -> None:
    first = "d" if start is None else "cstart"
    text = UNTIL.format(first=first, start=start or 0, step=step, read=read)
    (function,) = contract(text).functions
    assert function.exact
    named = {each.name: each for each in function.report.trace.input_variables}
    for value, size in product(range(-3, 10), range(7)):
        sizes = {named["n"]: value, named["x[0]"]: size}
        is_safe = all(holds(each.formula, sizes) for each in function.conditions)
        assert is_safe == returns(size if start is None else start, step, read == "j", value, size), (value, size)
    again = check(text, assume=function.texts, execute=False)
    assert all(isinstance(each.verdict, Proved) for each in again.checked_obligations)
