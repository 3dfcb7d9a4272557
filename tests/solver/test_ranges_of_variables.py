"""Test of ranges that formulas give to one variable against all small values, and of divisors sought in them."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve import Proved, prove
from shapesolve.solver.preprocessing.variable_bounds import Range, ranges
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import is_non_negative

X = variable("x", None, None)
VALUES = range(-60, 61)


@given(st.lists(st.tuples(st.integers(-4, 4).filter(bool), st.integers(-40, 40)), max_size=4))
def test_a_range_holds_what_satisfies_all_formulas(said: list[tuple[int, int]]) -> None:
    formulas = [
        (is_non_negative(X * slope + constant), frozenset([number])) for number, (slope, constant) in enumerate(said)
    ]
    assert isinstance(X.atom, Variable)
    name = X.atom
    found = ranges(formulas).get(name, Range())
    inside = [each for each in VALUES if all(holds(formula, {name: each}) for formula, _ in formulas)]
    assert inside == [each for each in VALUES if found.holds(each)]
    enough = [formula for formula, origin in formulas if origin & found.origin]
    assert inside == [each for each in VALUES if all(holds(formula, {name: each}) for formula in enough)]


@pytest.mark.parametrize("names", list(permutations("abc")))
def test_divisors_are_sought_where_they_can_be_whatever_the_names(names: tuple[str, ...]) -> None:
    small = names[0]
    verdict = prove("*".join(names) + " != 720720", [f"841 <= {small}", f"{small} <= 857"])
    assert isinstance(verdict, Proved)
    assert len(verdict.facts) == 2
