"""Test that a condition on several remainders is split into one of each, where that is equivalent and as short."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.simplification.comparisons import canonical, of_each_remainder
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, less_than, unequal

pytestmark = pytest.mark.slow

X, Y = variable("x", 0, None), variable("y", 0, None)


def at_most(size: Dim, value: int) -> Formula:
    return at_least(value, size)


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (equal((X % 2) * (Y % 3), 2), "x % 2 == 1 and y % 3 == 2"),
        (equal((X % 2) * (Y % 3), 0), "x % 2 == 0 or y % 3 == 0"),
        (unequal((X % 4) * (Y % 6), 0), "x % 4 >= 1 and y % 6 >= 1"),
        (equal(X % 2 + Y % 3, 0), "x % 2 == 0 and y % 3 == 0"),
        (equal(X % 4 + Y % 6, 8), "x % 4 == 3 and y % 6 == 5"),
        (less_than(X % 4 + Y % 6, 8), "x % 4 + y % 6 <= 7"),
        (at_most(X % 2 + Y % 3, 1), "x % 2 + y % 3 <= 1"),
        (equal(X % 2, Y % 2), "x % 2 == y % 2"),
        (equal((X % 2) * (Y % 3), Y), "(x % 2)*(y % 3) == y"),
        (equal(((X % 3) + Y) % 2 + Y % 2, 0), "(x % 3 + y) % 2 == 0 and y % 2 == 0"),
    ],
)
def test_each_remainder_has_a_condition_of_its_own(condition: Formula, shown: str) -> None:
    found = canonical(condition)
    assert str(found) == shown
    variables = sorted(condition.variables, key=str)
    for values in product(range(13), repeat=len(variables)):
        sizes = dict(zip(variables, values, strict=True))
        assert holds(found, sizes) == holds(condition, sizes) == holds(of_each_remainder(condition), sizes)
