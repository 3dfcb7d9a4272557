"""Exhaustive test of bounds of quotients that are rounded towards zero."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import pytest

from shapesolve.domain.values import IntegerInterval
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import evaluate, holds

IntervalEnvironment = import_module("shapesolve.constraints.transfer.intervals").IntervalEnvironment
ROUNDINGS = import_module("shapesolve.constraints.transfer.floats").ROUNDINGS


@pytest.mark.parametrize(("divisor", "offset"), [*product((1, 2, 3, 8), (-5, 0, 1))])
def test_no_quotient_lies_outside(divisor: int, offset: int) -> None:
    """The ends are those that are reached, where what is divided reaches its own."""
    x, low, high = (variable(name, None, None) for name in ("x", "low", "high"))
    (inner,) = x.variables
    known = IntervalEnvironment({inner: IntegerInterval(low, high)}, {inner.name})
    ends = known.interval(ROUNDINGS["trunc"](x + offset, dim(divisor)))
    assert ends.low is not None and ends.high is not None
    for least, count in product(range(-20, 20), range(8)):
        sizes: dict[Variable, int] = {**_of(low, least), **_of(high, least + count)}
        reached = [int((each + offset) / divisor) for each in range(least, least + count + 1)]
        if holds(ends.where, sizes):
            assert evaluate(ends.low, sizes) <= min(reached) and max(reached) <= evaluate(ends.high, sizes)
            if reached[-1] >= 0:
                assert max(reached) == evaluate(ends.high, sizes)


def _of(size: Dim, number: int) -> dict[Variable, int]:
    (only,) = size.variables
    return {only: number}
