"""The oracle itself, against numpy and Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import assignments, formulas

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import dims, of_atom, variable
from shapesolve.symbolic.evaluation import (
    CachedAssignment,
    broadcast_sizes,
    broadcast_tuples,
    evaluate,
    evaluate_atom,
    holds,
)
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.shapes import unranked

N, M = dims("N M")

small_shapes = st.lists(st.integers(0, 4), max_size=5).map(tuple)


@given(st.lists(small_shapes, max_size=4))
def test_broadcast_tuples_is_numpys(shapes: list[tuple[int, ...]]) -> None:
    try:
        expected = np.broadcast_shapes(*shapes)
    except ValueError:
        expected = None
    extents, fits = broadcast_tuples(tuple(shapes))
    assert fits is (expected is not None) and (not fits or extents == expected)


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        ([], ()),
        ([()], ()),
        ([(0,), (1,)], (0,)),
        ([(0,), (2,)], None),
        ([(2, 1), (3,)], (2, 3)),
        ([(2, 3), (2,)], None),
        ([(), (2, 0)], (2, 0)),
    ],
)
def test_broadcast_tuples_of_examples_are_numpys_or_none(
    shapes: list[tuple[int, ...]], expected: tuple[int, ...] | None
) -> None:
    extents, fits = broadcast_tuples(tuple(shapes))
    assert (extents if fits else None) == expected


@given(st.lists(st.integers(0, 5), max_size=4))
def test_broadcast_sizes_is_numpys_where_they_are_compatible(sizes: list[int]) -> None:
    try:
        expected = np.broadcast_shapes(*((size,) for size in sizes))
    except ValueError:
        return
    assert (broadcast_sizes(sizes),) == (expected or (1,))


@given(st.integers(-20, 20), st.integers(-6, 6))
def test_division_is_pythons_and_total(a: int, b: int) -> None:
    x, y = variable("x", None, None), variable("y", None, None)
    numbers = {next(iter(x.variables)): a, next(iter(y.variables)): b}
    assert evaluate(x // y, numbers) == (a // b if b else 0)
    assert evaluate(x % y, numbers) == (a % b if b else a)


def test_a_variable_without_a_number_is_an_error() -> None:
    with pytest.raises(KeyError):
        evaluate(N + M, {next(iter(N.variables)): 1})
    with pytest.raises(KeyError):
        holds(N == M, {})
    assert holds(TRUE, {})


def test_columns_beyond_the_rank_are_one() -> None:
    s = unranked("s")
    numbers = {s.symbol: (5, 7)}
    assert [evaluate(s.column(i), numbers) for i in range(-1, 4)] == [1, 7, 5, 1, 1]
    assert evaluate(s.rank, numbers) == 2
    assert evaluate(s.extent(0), numbers) == 5


def test_atoms_have_values_of_their_own() -> None:
    size = N % 4
    (atom,) = size.atoms()
    assert evaluate_atom(atom, {next(iter(N.variables)): 7}) == 3
    assert of_atom(atom) is size


@given(st.lists(formulas, min_size=1, max_size=4), assignments)
def test_cached_atoms_change_no_value(claims: list[Formula], sizes: dict[Variable, int | tuple[int, ...]]) -> None:
    kept = CachedAssignment(sizes)
    for claim in (*claims, *claims):
        assert holds(claim, kept) == holds(claim, sizes)
