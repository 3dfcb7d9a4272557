"""Contracts of functions whose arithmetic wraps around, against the numbers of the machine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

import shapesolve
from shapesolve.options import Options
from shapesolve.symbolic.evaluation import holds

ENDS = (0, 1, -1, 3, 5, 7, 2**61, 2**62 - 1, 2**62, -(2**62), 2**63 - 5, 2**63 - 1, -(2**63), -(2**63) + 4)


def signed(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


CASES: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "a sum is at least a part": (
        "%s = arith.addi %m, %n : i64\n  %ok = arith.cmpi sge, %s, %n : i64",
        lambda m, n: signed(m + n) >= n,
    ),
    "a difference is at least 5": (
        "%s = arith.subi %m, %n : i64\n  %five = arith.constant 5 : i64\n  %ok = arith.cmpi sge, %s, %five : i64",
        lambda m, n: signed(m - n) >= 5,
    ),
    "a multiple is greater": (
        "%four = arith.constant 4 : i64\n  %s = arith.muli %m, %four : i64\n  %ok = arith.cmpi slt, %n, %s : i64",
        lambda m, n: n < signed(4 * m),
    ),
    "the double of a sum is the sum of the doubles": (
        "%s = arith.addi %m, %n : i64\n  %d = arith.addi %s, %s : i64\n  %e = arith.addi %m, %m : i64\n"
        "  %f = arith.addi %n, %n : i64\n  %g = arith.addi %e, %f : i64\n  %ok = arith.cmpi eq, %d, %g : i64",
        lambda m, n: True,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_conditions_hold_exactly_where_the_machine_passes(name: str) -> None:
    body, passes = CASES[name]
    text = f'func.func @f(%m: i64, %n: i64) {{\n  {body}\n  cf.assert %ok, "no"\n  return\n}}'
    (found,) = shapesolve.contract(text, options=Options(check_wraps=True)).functions
    assert found.exact
    for m, n in product(ENDS, ENDS):
        numbers = {"m": m, "n": n}
        conditions = [each.formula for each in found.conditions]
        states = [holds(each, {variable: numbers[variable.name] for variable in each.variables}) for each in conditions]
        assert all(states) == passes(m, n), (m, n, conditions)
