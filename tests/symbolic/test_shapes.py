"""Shapes of known and unknown rank: broadcasting against numpy, equality and validity against plain tuples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import assignments, extent_tuples, shapes

from shapesolve.symbolic.dims import dim, dims, variable
from shapesolve.symbolic.evaluation import Assignment, evaluate, evaluate_extents, evaluate_shape, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import compatible
from shapesolve.symbolic.shape_kinds import INVALID, RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_extents, same_shape, shape, unranked

N, M, K = dims("N M K")
s, t, u = map(unranked, "stu")


def numpy_broadcast(tuples: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(*tuples)
    except ValueError:
        return None


@given(st.lists(extent_tuples, min_size=1, max_size=4))
def test_constant_shapes_broadcast_as_in_numpy(tuples: list[tuple[int, ...]]) -> None:
    expected = numpy_broadcast(tuples)
    result = broadcast(*tuples)
    assert broadcastable(*tuples) is (FALSE if expected is None else TRUE)
    assert evaluate_shape(result, {}) == expected
    assert (result is INVALID) == (expected is None)


@given(st.lists(extent_tuples, min_size=1, max_size=3))
def test_symbolic_extents_broadcast_as_in_numpy(tuples: list[tuple[int, ...]]) -> None:
    names = [[variable(f"x{i}_{j}") for j in range(len(extents))] for i, extents in enumerate(tuples)]
    numbers: Assignment = {
        next(iter(size.variables)): extent
        for sizes, extents in zip(names, tuples, strict=True)
        for size, extent in zip(sizes, extents, strict=True)
    }
    expected = numpy_broadcast(tuples)
    result = broadcast(*names)
    assert evaluate_shape(result, numbers) == expected
    assert holds(broadcastable(*names), numbers) == (expected is not None)
    assert holds(result.valid, numbers) == (expected is not None)


@given(extent_tuples, extent_tuples, extent_tuples)
def test_shapes_of_unknown_rank_broadcast_as_in_numpy(
    a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]
) -> None:
    numbers: Assignment = {s.symbol: a, t.symbol: b, next(iter(N.variables)): 2}
    expected = numpy_broadcast([a, b, c, (2, 1)])
    result = broadcast(s, t, c, [N, 1])
    assert evaluate_shape(result, numbers) == expected
    assert holds(broadcastable(s, t, c, [N, 1]), numbers) == (expected is not None)
    if expected is not None:
        assert evaluate(result.rank, numbers) == len(expected)
        padded = (1,) * 5 + expected
        assert [evaluate(result.column(i), numbers) for i in range(5)] == [padded[-1 - i] for i in range(5)]
        assert tuple(evaluate(result.extent(i), numbers) for i in range(len(expected))) == expected


@given(st.lists(shapes, min_size=1, max_size=3), assignments)
def test_broadcasts_of_broadcasts(parts: list[Shape], numbers: Assignment) -> None:
    values = [evaluate_shape(part, numbers) for part in parts]
    known = [value for value in values if value is not None]
    negative = any(extent < 0 for value in known for extent in value)
    expected = numpy_broadcast(known) if len(known) == len(values) and not negative else None
    result = broadcast(*parts)
    if not negative:
        assert evaluate_shape(result, numbers) == expected
        assert holds(broadcastable(*parts), numbers) == (expected is not None)
    assert holds(result.valid, numbers) == holds(broadcastable(*parts), numbers)


@given(shapes, shapes, assignments)
def test_same_shape_holds_where_both_evaluate_to_the_same(a: Shape, b: Shape, numbers: Assignment) -> None:
    one, other = evaluate_shape(a, numbers), evaluate_shape(b, numbers)
    assert holds(same_shape(a, b), numbers) == (one == other)
    assert holds(a == b, numbers) == (one == other)
    assert holds(a != b, numbers) == (one != other)
    assert holds(same_extents(a, b), numbers) == (evaluate_extents(a, numbers) == evaluate_extents(b, numbers))
    assert holds(same_shape(b, a), numbers) == (one == other)


@given(shapes, assignments)
def test_rank_and_columns(whole: Shape, numbers: Assignment) -> None:
    extents = evaluate_extents(whole, numbers)
    assert evaluate(whole.rank, numbers) == len(extents)
    for i, extent in enumerate(extents):
        assert evaluate(whole.extent(i), numbers) == extent
        assert evaluate(whole.column(len(extents) - 1 - i), numbers) == extent
        assert evaluate(whole.column(dim(len(extents) - 1 - i) + 0 * N), numbers) == extent
    assert evaluate(whole.column(len(extents)), numbers) == 1
    assert evaluate(whole.column(len(extents) + 7), numbers) == 1


@given(extent_tuples, st.integers(0, 5))
def test_a_column_at_a_symbolic_place(extents: tuple[int, ...], place: int) -> None:
    numbers: Assignment = {next(iter(N.variables)): place}
    expected = extents[-1 - place] if place < len(extents) else 1
    assert evaluate(shape(extents).column(N), numbers) == expected
    if place < len(extents):
        assert evaluate(shape(extents).extent(N), numbers) == extents[place]


def test_zero_beats_one_and_not_two() -> None:
    assert str(broadcast([0], [1])) == "[0]"
    assert broadcast([0], [2]) is INVALID
    assert broadcast([], [0]) is shape([0])
    assert broadcast() is shape([])


def test_broadcasts_of_examples_have_the_printed_form_and_validity() -> None:
    assert str(broadcast([N, 1], [M])) == "[N, M]"
    assert broadcast([N, 1], [M]).valid is TRUE
    assert str(broadcast([N], [M])) == "[broadcast(M, N)]"
    assert broadcast([N], [M]).valid is compatible([N, M])
    assert broadcast([N], [3]) is not shape([3])  # only where N is 1 or 3
    assert str(broadcast([N], [3])) == "[3]"
    assert (shape([N, M]) == [N]) is FALSE
    assert (shape([N, M]) == [N, M]) is TRUE
    assert (shape([N]) == [M]) is (N == M)
    assert str(broadcast(s, t)) == "broadcast(s, t)"
    assert broadcast(s, s) is s
    assert broadcast(s, []) is s
    assert broadcast(s, t, u) is broadcast(u, t, s, t)
    assert str(broadcast(s, broadcast(t, u))) == str(broadcast(u, s, t))
    assert broadcastable(s) is TRUE
    assert (s == s) is TRUE


def test_an_invalid_shape_equals_only_an_invalid_one() -> None:
    assert same_shape(INVALID, INVALID) is TRUE
    assert same_shape(INVALID, [N]) is FALSE
    assert same_shape(INVALID, broadcast([N], [M])) is ~compatible([N, M])
    assert broadcast(s, INVALID) is INVALID
    assert broadcastable(s, INVALID) is FALSE
    assert evaluate_shape(INVALID, {}) is None
    assert RankedShape.of([N], FALSE) is INVALID


def test_the_condition_of_a_shape_is_part_of_it() -> None:
    never_equal = same_shape(broadcast([N], [M]), [N])
    numbers: Assignment = {next(iter(N.variables)): 2, next(iter(M.variables)): 3}
    assert not holds(never_equal, numbers)
    assert evaluate_shape(broadcast(s, broadcast([N], [M])), {**numbers, s.symbol: ()}) is None


def test_extents_of_a_ranked_part_may_be_negative() -> None:
    column = broadcast(s, [N - 5]).column(0)
    low, _ = column.bounds()
    assert low is not None
    assert low <= evaluate(column, {next(iter(N.variables)): 0, s.symbol: ()}) == -5


def test_shapes_do_not_compare_with_other_things() -> None:
    with pytest.raises(TypeError):
        _ = shape([N]) < shape([M])  # pyright: ignore[reportOperatorIssue]
    assert shape([N]).__eq__(3) is NotImplemented
