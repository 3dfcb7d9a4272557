"""Tests of widening: it drops the parts of a value that change, or that depend on values unknown outside the loop."""

from __future__ import annotations

import pytest

from shapesolve.domain.fresh_variables import FreshVariables
from shapesolve.domain.values import IntegerInterval, Size, Tensor
from shapesolve.domain.widening import Part, Place, changes, places_depending_on, widen
from shapesolve.interpreter.loops.trip_counts import trip_count
from shapesolve.ir.reader import read_text
from shapesolve.symbolic.dims import dim, variable
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

N, K = variable("n"), variable("k")
SHAPE = RankedShape.of([N])
LIKE = read_text("func.func @f(%x: tensor<?xi64>) { return }").functions["f"].arguments[0]


def bounded(between: IntegerInterval | None) -> Tensor:
    return Tensor(SHAPE, between=between)


BOUNDS = IntegerInterval(dim(0), N)


@pytest.mark.parametrize(
    "after",
    [None, IntegerInterval(dim(0), N + 1), IntegerInterval(dim(-1), N), IntegerInterval(dim(0), N, at_least(N, 1))],
    ids=str,
)
def test_bounds_that_change_are_let_go_of(after: IntegerInterval | None) -> None:
    assert changes(bounded(BOUNDS), bounded(after)) == {Part.BOUNDS}
    kept, _ = widen(bounded(BOUNDS), {Part.BOUNDS}, LIKE, FreshVariables())
    assert isinstance(kept, Tensor) and kept.between is None and kept.shape is SHAPE


def test_bounds_that_stay_are_kept() -> None:
    assert changes(bounded(BOUNDS), bounded(IntegerInterval(dim(0), N))) == set()
    kept, free = widen(bounded(BOUNDS), set(), LIKE, FreshVariables())
    assert isinstance(kept, Tensor) and kept.between is BOUNDS and not free


@pytest.mark.parametrize(
    "between",
    [IntegerInterval(dim(0), K), IntegerInterval(K, K + 1), IntegerInterval(dim(0), N, at_least(K, 1))],
    ids=str,
)
def test_bounds_that_are_made_of_what_is_known_inside_are_let_go_of(between: IntegerInterval) -> None:
    assert places_depending_on(bounded(between), {"k"}) == {Part.BOUNDS}
    assert places_depending_on(bounded(between), {"m"}) == set()


def test_facts_inside_a_loop_do_not_bound_its_trip_count() -> None:
    round = variable("round")
    condition = at_least(K - round, 1)
    assert trip_count(condition, round, frozenset({"k"})) is None
    found = trip_count(condition, round, frozenset())
    assert found is not None and found.at.variables == K.variables and found.exists is TRUE
    assert trip_count(TRUE, round, frozenset()) is None


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (RankedShape.of([N, K]), RankedShape.of([N + 1, K]), {("extent", 0)}),
        (RankedShape.of([N, K]), RankedShape.of([N]), {Part.WHOLE}),
        (RankedShape.of([N, K]), RankedShape.of([N, K], at_least(N, K)), {Part.WHOLE}),
        (Size(N), Size(N + 1), {Part.NUMBER}),
        (Size(N), Size(N, at_least(N, K)), {Part.WHOLE}),
        (Size(N), Size(N), set()),
    ],
)
def test_shapes_and_sizes_change_in_parts_unless_in_rank_or_validity(
    before: Shape | Size, after: Shape | Size, found: set[Place]
) -> None:
    assert changes(before, after) == found
