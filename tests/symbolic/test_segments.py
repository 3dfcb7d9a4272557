"""Concatenations, slices and folds of shapes of unknown rank, against plain tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve import Proved, Refuted, prove
from shapesolve.int64 import MAX_SIZE
from shapesolve.solver.models import Ranking
from shapesolve.symbolic.atoms import Largest, Product, ShapeFold, Smallest, Total, Variable
from shapesolve.symbolic.dims import Dim, dim, dims, variable
from shapesolve.symbolic.evaluation import Assignment, evaluate, evaluate_extents, evaluate_shape, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula, parse_shape, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.segments import choose_shape, cut_at, folded, number_of_elements, sliced
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast, compatible_extents, concat, same_extents, unranked
from shapesolve.symbolic.visitors import Instantiation

N, M = dims("N M")
PLACE = variable("i", None, None)
s, t = unranked("s"), unranked("t")


def _largest(extents: Sequence[int]) -> int:
    return max((0, *extents))


def _smallest(extents: Sequence[int]) -> int:
    return min((MAX_SIZE, *extents))


FOLDS: dict[type[ShapeFold], Callable[[Sequence[int]], int]] = {
    Product: prod,
    Total: sum,
    Largest: _largest,
    Smallest: _smallest,
}

extents = st.lists(st.integers(0, 3), max_size=4).map(tuple)
ends = st.sampled_from([dim(-1), dim(0), dim(1), dim(2), N, N - 1, M])
assignments = st.fixed_dictionaries(
    {
        s.symbol: extents,
        t.symbol: extents,
        **{next(iter(size.variables)): st.integers(0, 4) for size in (N, M)},
    }
)
claims = st.sampled_from([N >= 2, N == M, M < 1])
leaves = st.one_of(
    st.sampled_from([s, t]), st.lists(st.sampled_from([N, M, dim(1), dim(2)]), max_size=3).map(RankedShape.of)
)


def _sliced(parts: tuple[Shape, Dim, Dim, bool, bool]) -> Shape:
    whole, start, stop, from_right, to_right = parts
    return sliced(whole, whole.rank - start if from_right else start, whole.rank - stop if to_right else stop)


def _compound(inner: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    return st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: concat(*parts)),
        st.tuples(inner, ends, ends, st.booleans(), st.booleans()).map(_sliced),
        st.lists(inner, min_size=1, max_size=2).map(lambda parts: broadcast(*parts)),
        st.builds(choose_shape, claims, inner, inner),
    )


shapes = st.recursive(leaves, _compound, max_leaves=5)


@given(st.lists(shapes, max_size=3), assignments)
def test_concat_is_that_of_tuples(parts: list[Shape], sizes: Assignment) -> None:
    found = [evaluate_shape(part, sizes) for part in parts]
    expected = None if None in found else tuple(extent for each in found for extent in each or ())
    assert evaluate_shape(concat(*parts), sizes) == expected


@given(claims, shapes, shapes, assignments)
def test_a_choice_is_one_of_its_shapes(claim: Formula, one: Shape, other: Shape, sizes: Assignment) -> None:
    chosen = one if holds(claim, sizes) else other
    assert evaluate_shape(choose_shape(claim, one, other), sizes) == evaluate_shape(chosen, sizes)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("select(N >= 2, s, t)", "select(N >= 2, rank(s), rank(t))"),
        ("select(N >= 2, [N], t)", "select(N >= 2, 1, rank(t))"),
        ("concat(select(N >= 2, s, t), [M, 2])", "select(N >= 2, rank(s), rank(t)) + 2"),
        ("select(N >= 2, select(M < 1, s, t), [N, M])", "select(N >= 2, select(M <= 0, rank(s), rank(t)), 2)"),
    ],
)
def test_choices_are_read_and_printed(text: str, rank: str) -> None:
    scope = Scope.closed({"N": N, "M": M}, {"s": s, "t": t})
    whole = parse_shape(text, scope)
    assert str(whole.rank) == rank
    assert parse_shape(str(whole), scope) is whole


def test_a_choice_of_equal_shapes_is_that_shape() -> None:
    chosen = choose_shape(N >= 2, s, t)
    assert isinstance(prove(chosen == t, assuming=[s == t]), Proved)
    assert isinstance(prove(chosen == s, assuming=[N >= 2]), Proved)
    assert isinstance(prove(chosen == s), Refuted)


@given(shapes, ends, ends, st.booleans(), st.booleans(), assignments)
def test_slices_are_those_of_tuples(
    whole: Shape, start: Dim, stop: Dim, from_right: bool, to_right: bool, sizes: Assignment
) -> None:
    inside = evaluate_shape(whole, sizes)
    if inside is None:
        return
    first, last = evaluate(start, sizes), evaluate(stop, sizes)
    first = len(inside) - first if from_right else first
    last = len(inside) - last if to_right else last
    found = evaluate_extents(_sliced((whole, start, stop, from_right, to_right)), sizes)
    assert found == inside[max(first, 0) : max(last, 0)]


@given(shapes, assignments)
def test_ranks_columns_and_folds(whole: Shape, sizes: Assignment) -> None:
    inside = evaluate_shape(whole, sizes)
    if inside is None:
        return
    assert evaluate(whole.rank, sizes) == len(inside)
    for index in range(-1, len(inside) + 2):
        expected = inside[-1 - index] if 0 <= index < len(inside) else 1
        assert evaluate(whole.column(index), sizes) == expected
        assert evaluate(whole.column(PLACE), {**sizes, _variable(PLACE): index}) == expected
    for index, extent in enumerate(inside):
        assert evaluate(whole.extent(index), sizes) == extent
    for kind, meaning in FOLDS.items():
        size = folded(kind, whole)
        assert evaluate(size, sizes) == meaning(inside)
        low, high = size.bounds()
        assert (low is None or low <= meaning(inside)) and (high is None or meaning(inside) <= high)


def _variable(size: Dim) -> Variable:
    return next(iter(size.variables))


@given(shapes, shapes, assignments)
def test_same_extents_holds_where_the_extents_are_equal(a: Shape, b: Shape, sizes: Assignment) -> None:
    x, y = evaluate_shape(a, sizes), evaluate_shape(b, sizes)
    if x is not None and y is not None:
        assert holds(same_extents(a, b), sizes) == (x == y)


@given(shapes, shapes, assignments)
def test_giving_ranks_keeps_the_meaning(a: Shape, b: Shape, sizes: Assignment) -> None:
    ranks = {each.symbol: len(sizes[each.symbol]) for each in (s, t)}  # pyright: ignore[reportArgumentType]
    ranking = Ranking(ranks)
    numbers = {
        extent: value
        for symbol, found in ranking.extents.items()
        for extent, value in zip(found, sizes[symbol], strict=True)  # pyright: ignore[reportArgumentType]
    }
    for claim in (same_extents(a, b), broadcast(a, b).valid, number_of_elements(a) == number_of_elements(b)):
        after = ranking.substitution.formula(claim)
        assert s.symbol not in after.variables and t.symbol not in after.variables
        assert holds(after, {**sizes, **numbers}) == holds(claim, sizes)


@given(shapes, st.integers(-4, 4), assignments)
def test_halves_make_the_whole(whole: Shape, index: int, sizes: Assignment) -> None:
    inside = evaluate_shape(whole, sizes)
    for place in (dim(index), N):
        value = evaluate(place, sizes)
        if inside is None or not -len(inside) <= value <= len(inside):
            continue
        head, tail = cut_at(whole, place, whole.valid)
        cut = value if value >= 0 else len(inside) + value
        assert evaluate_shape(head, sizes) == inside[:cut]
        assert evaluate_shape(tail, sizes) == inside[cut:]
        assert evaluate_shape(concat(head, tail), sizes) == inside


@given(shapes)
def test_printed_forms_are_read_back(whole: Shape) -> None:
    scope = Scope.closed({"N": N, "M": M}, {"s": s, "t": t})
    assert parse_shape(str(whole), scope).text == whole.text
    size = number_of_elements(whole)
    assert parse_size(str(size), scope) is size
    claim = same_extents(whole, s)
    if "same_extents" not in str(claim):
        assert parse_formula(str(claim), scope).text == str(claim)


@given(shapes, assignments)
def test_an_empty_instantiation_keeps_the_meaning(whole: Shape, sizes: Assignment) -> None:
    size = number_of_elements(whole)
    assert evaluate(Instantiation({}).size(size), sizes) == evaluate(size, sizes)


@given(st.lists(shapes, min_size=2, max_size=3), assignments)
def test_giving_some_ranks_keeps_the_meaning(parts: list[Shape], sizes: dict[Variable, tuple[int, ...]]) -> None:
    ranking = Ranking({s.symbol: len(sizes[s.symbol])})
    numbers = dict(zip(ranking.extents[s.symbol], sizes[s.symbol], strict=True))
    for claim in (compatible_extents(parts), broadcast(*parts).valid, same_extents(parts[0], parts[1])):
        after = ranking.substitution.formula(claim)
        assert s.symbol not in after.variables
        assert holds(after, {**sizes, **numbers}) == holds(claim, sizes)


def test_laws_that_hold_by_normal_form() -> None:
    u = unranked("u")
    assert concat(s, concat(t, u)) is concat(concat(s, t), u)
    assert concat([], s) is s is concat(s, [])
    head, tail = cut_at(concat(s, [N, M]), dim(-2), s.valid)
    assert head is s and tail is RankedShape.of([N, M])
    assert concat(sliced(s, 0, N), sliced(s, N, s.rank)) is s
    assert number_of_elements(concat(s, t)) is number_of_elements(s) * number_of_elements(t)
    assert concat(s, t).rank is s.rank + t.rank


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("column(s, 0) == 2", "s[-1] == 2"),
        ("column(s, rank(s) - 3) == 2", "s[2] == 2"),
        ("s[n - 1] == 2", "s[n - 1] == 2"),
        ("s[2:][1] == 2", "s[2:][1] == 2"),
        ("concat(s, t)[n] == 2", "concat(s, t)[n] == 2"),
        ("column(s, rank(s)) == 2", "column(s, rank(s)) == 2"),
        ("column(s, n) == 2", "column(s, n) == 2"),
        ("s != t", "s != t"),
        ("not concat(s, t) == concat(t, s)", "concat(s, t) != concat(t, s)"),
        ("rank(s) >= min(2, rank(s)) + 2", "rank(s) >= 4"),
        ("rank(s) > min(2, rank(s))", "rank(s) >= 3"),
        ("max(min(2, n), n) == 3", "n == 3"),
        ("min(max(m + 1, n), n) == 3", "n == 3"),
    ],
)
def test_extents_are_printed_by_their_place(text: str, printed: str) -> None:
    scope = Scope.closed({"n": N, "m": M}, {"s": s, "t": t})
    found = parse_formula(text, scope)
    assert str(found).replace("N", "n").replace("M", "m") == printed
    assert parse_formula(str(found), Scope.closed({"N": N, "M": M}, {"s": s, "t": t})) is found


@pytest.mark.parametrize(
    "text",
    ["n >= min(2, n) + m", "n + min(m, 3) >= 4", "max(n, 3) >= m + 2", "max(m, n) >= n + 1", "n >= min(m, n) + 1"],
)
def test_a_comparison_with_one_extreme_keeps_its_meaning(text: str) -> None:
    found = parse_formula(text, Scope.closed({"n": N, "m": M}, {}))
    (n,), (m,) = N.variables, M.variables
    for one, other in product(range(8), repeat=2):
        assert holds(found, {n: one, m: other}) == eval(text, {"min": min, "max": max}, {"n": one, "m": other})


SMALL = [found for rank in range(3) for found in product(range(3), repeat=rank)]
CLAIMS = [
    "concat(s, t)[:n] == s",
    "concat(s, t)[rank(s):] == t",
    "concat(s, t) == concat(t, s)",
    "concat(s[:-1], s[-1:]) == s",
    "concat(s[:-1], [s[-1]]) == s",
    "concat(s[:n], s[n:]) == s",
    "s[1:] == s[:-1]",
    "s[1:][1:] == s[2:]",
    "s[:-1][:-1] == s[:-2]",
    "rank(s[:n]) == n",
    "rank(s[:n]) <= rank(s)",
    "numel(s) == numel(s[:n]) * numel(s[n:])",
    "numel(s) == numel(s[:-1]) * s[-1]",
    "numel(s[1:]) <= numel(s)",
    "numel(s[1:]) <= numel(s) or numel(s) == 0",
    "numel(broadcast(s, t)) >= numel(s)",
    "numel(s) == 0 or s[-1] >= 1",
    "numel(s) >= s[-1] or numel(s) == 0",
    "numel(s) == 0 or numel(s) >= largest(s)",
    "numel(s) == 1 or largest(s) != 1 or smallest(s) == 0",
    "smallest(s) <= largest(s)",
    "smallest(s) <= largest(s) or rank(s) == 0",
    "largest(s) <= sum_of(s)",
    "sum_of(s) >= rank(s) or smallest(s) == 0",
    "smallest(s) != 0 or numel(s) == 0",
    "numel(s) != 0 or smallest(s) == 0",
    "largest(broadcast(s, t)) >= largest(s)",
    "broadcastable(s[1:], t[1:])",
    "broadcastable(s[:-1], t[:-1])",
    "numel(s) == numel(t)",
    "numel(s) >= rank(s)",
]


@pytest.mark.parametrize("assumed", ["true", "broadcastable(s, t)", "s == t", "rank(s) == rank(t)", "n <= rank(s)"])
@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.exhaustive
def test_verdicts_against_small_shapes(claim: str, assumed: str) -> None:
    scope = Scope.closed({"n": dims("n")[0]}, {"s": s, "t": t})
    conclusion, premise = parse_formula(claim, scope), parse_formula(assumed, scope)
    verdict = prove(conclusion, premise)
    n = _variable(dims("n")[0])
    instances = ({s.symbol: a, t.symbol: b, n: number} for a in SMALL for b in SMALL for number in range(4))
    fails = any(holds(premise, sizes) and not holds(conclusion, sizes) for sizes in instances)
    assert not (fails and isinstance(verdict, Proved))
    assert not isinstance(verdict, Proved | Refuted) or fails == isinstance(verdict, Refuted)
