"""Test near the limits of 64 bits: no verdict may be wrong where the overflow assumptions are unsatisfiable.

The machine's results are computed by numpy. Every function has one possible input, so that any verdict but Undecided is
a statement on the program's behavior.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved, Refuted, Undecided

LIMIT = 2**63
NEAR = st.sampled_from([0, LIMIT - 1, -LIMIT, LIMIT // 2, -LIMIT // 2, LIMIT // 3]).flatmap(
    lambda middle: st.integers(max(-LIMIT, middle - 3), min(LIMIT - 1, middle + 3))
)
OPERATIONS = {"arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply}
PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ult": lambda a, b: a % 2**64 < b % 2**64,
    "uge": lambda a, b: a % 2**64 >= b % 2**64,
}

PROGRAM = """
func.func @f(%n: index) {{
  %a = {a}
  %b = arith.constant {b} : index
  %c = arith.constant {c} : index
  %r = {op} %a, %b : index
  %t = arith.cmpi {predicate}, %r, %c : index
  cf.assert %t, "as compared"
  return
}}
"""


def _computed(op: str, a: int, b: int) -> int:
    with np.errstate(over="ignore"):
        return int(OPERATIONS[op](np.int64(a), np.int64(b)))


@pytest.mark.slow
@pytest.mark.parametrize("is_constant", [True, False])
@given(a=NEAR, b=NEAR, c=NEAR, op=st.sampled_from(sorted(OPERATIONS)), predicate=st.sampled_from(sorted(PREDICATES)))
def test_no_verdict_contradicts_the_machine(is_constant: bool, a: int, b: int, c: int, op: str, predicate: str) -> None:
    made = f"arith.constant {a} : index" if is_constant else "arith.addi %n, %n : index"
    text = PROGRAM.format(a=made, b=b, c=c, op=op, predicate=predicate)
    if not is_constant:
        a -= a % 2
    options = Options(assumptions=() if is_constant else (f"n == {a // 2}",), execute=False)
    (checked_obligation,) = check_program(read_text(text), options).checked_obligations
    truth = PREDICATES[predicate](_computed(op, a, b), c)
    assert isinstance(checked_obligation.verdict, (Proved if truth else Refuted, Undecided))
    if is_constant:
        assert not isinstance(checked_obligation.verdict, Undecided), "what constants come to is known"
