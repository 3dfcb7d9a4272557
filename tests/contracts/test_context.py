"""Tests of simplification under premises, by example and by brute force."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.conditions_compared import same_at_small_sizes
from support.examples import examples

from shapesolve.simplification.context import under_premises
from shapesolve.simplification.simplify import shortest
from shapesolve.symbolic.formula_kinds import Formula, Or
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope


def read(texts: list[str], scope: Scope) -> list[Formula]:
    return [parse_formula(each, scope) for each in texts]


def alternatives(conditions: list[Formula]) -> set[frozenset[object]]:
    """Return the conditions as sets of alternatives, in no order."""
    return {frozenset(each.parts if isinstance(each, Or) else [each]) for each in conditions}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "given", "expected"),
    [
        # factors that are known not to be 0
        (["a >= 1", "b >= 1"], ["b == c", "a*b == c*d"], ["b == c", "a == d"]),
        (["n >= 1"], ["a*n == b*n"], ["a == b"]),
        (["n >= 1"], ["a*n > b*n"], ["a > b"]),
        (["n >= 1"], ["a*n >= b*n + c*n"], ["a >= b + c"]),
        ([], ["n >= 1", "a*n != b*n"], ["n >= 1", "a != b"]),
        (["n >= 2"], ["a*n*n + n == b*n"], ["a*n + 1 == b"]),
        (["n >= 3"], ["a*(n - 2) == b*(n - 2)"], ["a == b"]),
        (["max(a, b) >= 1"], ["c*max(a, b) == d*max(a, b)"], ["c == d"]),
        # without what is known they stay
        ([], ["a*n == b*n"], ["n == 0 or a == b"]),
        # sizes that others settle
        ([], ["a == 0", "b == 3*a"], ["a == 0", "b == 0"]),
        ([], ["a == 3", "n >= a//4 + 2"], ["a == 3", "n >= 2"]),
        ([], ["a == b", "b == 1", "c == a"], ["a == 1", "b == 1", "c == 1"]),
        ([], ["a % 4 == 0", "b == 2*(a//2)"], ["a % 4 == 0", "a == b"]),
        # quotients of what leaves no remainder
        ([], ["a % 2 == 0", "b % 2 == 0", "a//2 == b//2"], ["b % 2 == 0", "a == b"]),
        ([], ["a % 2 == 0", "a//2 >= b + 1"], ["a % 2 == 0", "a >= 2*b + 2"]),
        ([], ["a % 6 == 0", "b % 6 == 0", "a//2 == b//3"], ["a % 6 == 0", "b % 6 == 0", "2*b == 3*a"]),
        # alternatives under one another
        ([], ["a == 1 or (a != 1 and b == 2)"], ["a == 1 or b == 2"]),
        ([], ["n == 0 or a == select(n == 0, 7, b)"], ["n == 0 or a == b"]),
        ([], ["(a >= 3 and a >= 5) or b == 1"], ["b == 1 or a >= 5"]),
        ([], ["a <= b", "a >= b or c == 1"], ["b >= a", "c == 1 or a == b"]),
    ],
)
def test_each_condition_is_simplified_under_the_others(known: list[str], given: list[str], expected: list[str]) -> None:
    scope = Scope.free()
    facts, before = read(known, scope), read(given, scope)
    found = shortest(before, facts, scope)
    assert same_at_small_sizes(before, found, facts, 6)
    assert alternatives(found) == alternatives(read(expected, scope)), [str(each) for each in found]


ATOMS = (
    "a == b",
    "b == c",
    "a == 1",
    "n == 0",
    "n >= 1",
    "a >= 1",
    "c <= 2",
    "a*n == b*n",
    "a*b == c*n",
    "a*n > b",
    "a*n >= b*n",
    "n != c",
    "b % 3 == 0",
    "c == 3*(b//3)",
    "a == select(n >= 2, b, c)",
    "max(a, b) == c",
    "compatible(a, c)",
)


@examples(60)
@given(
    st.lists(st.sampled_from(ATOMS), max_size=2),
    st.lists(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=3), min_size=1, max_size=4),
)
def test_conditions_under_premises_are_equivalent(known: list[str], clauses: list[list[str]]) -> None:
    scope = Scope.free()
    facts = read(known, scope)
    before = read([" or ".join(f"({each})" for each in clause) for clause in clauses], scope)
    assert same_at_small_sizes(before, under_premises(before, facts), facts, 6)


@pytest.mark.slow
@examples(20)
@given(
    st.lists(st.sampled_from(ATOMS), max_size=2),
    st.lists(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=2), min_size=1, max_size=4),
)
def test_the_meaning_stays_all_the_way(known: list[str], clauses: list[list[str]]) -> None:
    scope = Scope.free()
    facts = read(known, scope)
    before = read([" or ".join(f"({each})" for each in clause) for clause in clauses], scope)
    assert same_at_small_sizes(before, shortest(before, facts, scope), facts, 6)
