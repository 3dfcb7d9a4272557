"""Comparisons of one sum with numbers, joined: each means what they meant."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import SCOPE, assignments, formulas, quotient_sums

from shapesolve.simplification.readable import joined, joined_bounds, readable
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import Assignment, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, unequal
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

NUMBERS = st.integers(-3, 6)
FREE = variable("i", None)


def _compared(size: Dim, number: int, how: str) -> Formula:
    found = {"==": equal, "!=": unequal, ">=": at_least}.get(how)
    return at_least(number, size) if found is None else found(size, number)


def comparisons_of(size: Dim) -> st.SearchStrategy[Formula]:
    """Comparisons of one size with a small number."""
    return st.builds(_compared, st.just(size), NUMBERS, st.sampled_from(("==", "!=", ">=", "<=")))


@given(formulas, assignments)
def test_a_formula_means_the_same(claim: Formula, numbers: Assignment) -> None:
    assert holds(joined_bounds(claim), numbers) == holds(claim, numbers)


@given(quotient_sums, st.data(), assignments)
def test_comparisons_of_one_sum_mean_the_same(size: Dim, data: st.DataObject, numbers: Assignment) -> None:
    parts = data.draw(st.lists(comparisons_of(size), min_size=2, max_size=5))
    both = conjunction(parts)
    assert holds(conjunction(joined(parts)), numbers) == holds(both, numbers)
    for claim in (both, disjunction(parts)):
        assert holds(joined_bounds(claim), numbers) == holds(claim, numbers)
        assert holds(parse_formula(readable(claim), SCOPE), numbers) == holds(claim, numbers)


@given(st.lists(comparisons_of(dim(FREE)), min_size=2, max_size=5), st.integers(-6, 9))
def test_comparisons_of_a_number_that_may_be_negative_mean_the_same(parts: list[Formula], number: int) -> None:
    there: Assignment = {FREE.atom: number}  # pyright: ignore[reportAssignmentType]
    for claim in (conjunction(parts), disjunction(parts)):
        assert holds(joined_bounds(claim), there) == holds(claim, there)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("N >= 2 and N != 1", "N >= 2"),
        ("N >= 2 and N != 1 and N >= 1", "N >= 2"),
        ("N + M >= 5 and N + M >= 9 and N + M != 4", "M + N >= 9"),
        ("N >= 2 and N != 2", "N >= 3"),
        ("N != 1 and N != 0", "N >= 2"),
        ("N <= 5 and N != 7", "N <= 5"),
        ("N == 3 and N != 4", "N == 3"),
        ("N >= 2 and N != 4", "N >= 2 and N != 4"),
        ("N >= 2 or N >= 5", "N >= 2"),
        ("N == 0 or N >= 2", "N != 1"),
        ("N == 0 or N == 1", "N <= 1"),
        ("N == 0 or M == 1 or N == 1", "N <= 1 or M == 1"),
        ("N % 4 != 0 and N % 4 != 3", "1 <= N % 4 <= 2"),
        ("M == 1 or (N >= 2 and N != 1)", "M == 1 or N >= 2"),
        ("N != 0", "N != 0"),
        ("N >= 3 and N <= 1", "3 <= N <= 1"),
    ],
)
def test_joined_bounds_are_shown_and_mean_the_same(text: str, shown: str) -> None:
    claim = parse_formula(text, Scope.free())
    assert readable(claim) == shown
    read = parse_formula(shown, Scope.free())
    sizes = sorted(claim.variables, key=str)
    for numbers in product(range(12), repeat=len(sizes)):
        there = dict(zip(sizes, numbers, strict=True))
        assert holds(read, {each: there[each] for each in sizes}) == holds(claim, there)
