"""Test of limits found by bisection: equivalent to the condition at every tried size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.simplification.arithmetic import as_upper_bound
from shapesolve.symbolic.dims import dim, of_atom, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

N = variable("n", 0, 2**31 - 1)
(ATOM,) = N.variables


def limited(text: str, *known: str) -> str:
    scope = Scope.closed({"n": N}, {})
    return str(as_upper_bound(parse_formula(text, scope), [parse_formula(each, scope) for each in known]))


@pytest.mark.parametrize(
    ("text", "known", "expected"),
    [
        ("(n + 1073741823) % 2147483648 >= 1073741824", ["n >= 1"], "n <= 1073741824"),
        ("(n + 1073741823) % 2147483648 >= 1073741824", [], "(n + 1073741823) % 2147483648 >= 1073741824"),
        ("(3*n + 5) % 4294967296 == 3*n + 5", [], "n <= 1431655763"),
        ("(n + 7) % 16 >= 3", [], "(n + 7) % 16 >= 3"),  # holds again beyond
        ("n % 2 == 0 or n <= 7", [], "n % 2 == 0 or n <= 7"),
    ],
)
def test_limited_turns_a_threshold_into_a_bound_of_the_size(text: str, known: list[str], expected: str) -> None:
    assert limited(text, *known) == str(parse_formula(expected, Scope.closed({"n": N}, {})))


@examples(40)
@given(add=st.integers(0, 40), modulus=st.integers(2, 64), least=st.integers(0, 64), first=st.integers(0, 3))
def test_a_limit_means_the_same(add: int, modulus: int, least: int, first: int) -> None:
    n = variable("m", 0, 80)
    (atom,) = n.variables
    known = [at_least(of_atom(atom), first)]
    condition = at_least((n + add) % dim(modulus), least)
    found = as_upper_bound(condition, known)
    for size in range(first, 81):
        assert holds(found, {atom: size}) == holds(condition, {atom: size})
