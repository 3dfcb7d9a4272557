"""Test what IREE states of integers against arithmetic on unsigned numbers."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import pytest

import shapesolve
from shapesolve.options import Options
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import conjunction

parts_of_unsigned = import_module("shapesolve.constraints.iree")._parts

WIDTH = 6


@pytest.mark.slow
@pytest.mark.parametrize("divisor", [None, 1, 2, 3, 5, 8, 32, 40])
def test_bounds_and_divisors_are_of_the_unsigned_number(divisor: int | None) -> None:
    for least, most in product([None, 0, 1, 5, 31, 32, 40, 63], [None, 0, 7, 31, 32, 50, 63]):
        given = {"umin": least, "umax": most, "udiv": divisor}
        stated = {name: str(each) for name, each in given.items() if each is not None}
        for bits in range(2**WIDTH):
            signed = bits - 2**WIDTH if bits >= 2 ** (WIDTH - 1) else bits
            wanted = (
                bits >= (0 if least is None else least)
                and bits <= (2**WIDTH if most is None else most)
                and bits % (1 if divisor is None else divisor) == 0
            )
            assert holds(conjunction(parts_of_unsigned(dim(signed), WIDTH, stated)), {}) == wanted


def test_statements_are_believed_unless_they_are_distrusted() -> None:
    text = """
    func.func @f(%n: index) {
      %0 = util.assume.int %n<umin = 1, umax = 8> : index
      %c1 = arith.constant 1 : index
      %some = arith.cmpi sge, %0, %c1 : index
      cf.assert %some, "some"
      return
    }
    """
    believed, distrusted = (
        shapesolve.check(text, options=Options(distrust=each, execute=False)) for each in (False, True)
    )
    assert believed.exit_code == 0
    assert distrusted.exit_code == 1
    assert "util.assume.int" in believed.text()
