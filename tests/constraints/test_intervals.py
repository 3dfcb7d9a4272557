"""Property test of intervals of expressions over partly bounded variables, against every value of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from support.examples import examples

from shapesolve.domain.values import IntegerInterval
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, floordiv, of_atom, remainder
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction
from shapesolve.symbolic.normal_forms import choose, maximum, minimum

IntervalEnvironment = import_module("shapesolve.constraints.transfer.intervals").IntervalEnvironment

IN_I, IN_J, ANY = (Variable.of(name, None, None) for name in ("i", "j", "any"))
"""Variables local to the body; the last one has no bounds."""

N, W = Variable.of("n"), Variable.of("w", None, None)
i, j, n, w = map(of_atom, (IN_I, IN_J, N, W))

OUTSIDE: list[Mapping[Variable, int]] = [{N: a, W: b} for a, b in product((0, 1, 2, 5), (-3, -1, 0, 1, 2))]
UNBOUNDED = (-7, -2, -1, 0, 1, 3, 8)
MADE = frozenset({"i", "j", "any"})

limits: SearchStrategy[Dim] = st.sampled_from([dim(0), dim(-2), dim(3), n, n - 1, w, -n, w + n])
conditions: SearchStrategy[Formula] = st.sampled_from([TRUE, TRUE, at_least(n, 1), at_least(w, 0)])
betweens: SearchStrategy[IntegerInterval] = st.builds(IntegerInterval, limits, limits, conditions)


def _combined(parts: SearchStrategy[Dim]) -> SearchStrategy[Dim]:
    two = st.tuples(parts, parts)
    divisors = st.sampled_from([dim(2), dim(3), dim(-2), dim(2**32), n, w, n + 1])
    return st.one_of(
        two.map(lambda pair: pair[0] + pair[1]),
        two.map(lambda pair: pair[0] - pair[1]),
        two.map(lambda pair: pair[0] * pair[1]),
        two.map(lambda pair: pair[0] * pair[1]),
        two.map(lambda pair: minimum(*pair)),
        two.map(lambda pair: maximum(*pair)),
        st.tuples(parts, st.integers(-3, 3)).map(lambda pair: maximum(pair[0], pair[1] - pair[0])),
        st.tuples(parts, st.integers(-3, 3)).map(lambda pair: minimum(pair[0], pair[1] - pair[0])),
        st.tuples(parts, divisors).map(lambda pair: floordiv(*pair)),
        st.tuples(parts, divisors).map(lambda pair: remainder(*pair)),
        st.tuples(parts, parts, parts).map(lambda some: choose(at_least(some[0], 0), *some[1:])),
    )


leaves: SearchStrategy[Dim] = st.sampled_from([i, i, j, of_atom(ANY), n, w, dim(1), dim(-1), dim(2)])
expressions: SearchStrategy[Dim] = st.recursive(leaves, _combined, max_leaves=5)


def numbers(between: IntegerInterval | None, outside: Mapping[Variable, int]) -> Iterator[int]:
    """Yield the values of a variable with these bounds; any value where the bounds do not hold."""
    if between is None or not holds(between.where, outside):
        yield from UNBOUNDED
    else:
        yield from range(evaluate(between.low, outside), evaluate(between.high, outside) + 1, between.step or 1)


def insides(
    known: Mapping[Variable, IntegerInterval], outside: Mapping[Variable, int]
) -> Iterator[dict[Variable, int]]:
    """Yield all values of the body-local variables, together with those of the others."""
    for values in product(*(numbers(known.get(each), outside) for each in (IN_I, IN_J, ANY))):
        yield {**outside, **dict(zip((IN_I, IN_J, ANY), values, strict=True))}


@pytest.mark.slow
@examples(200)
@given(expressions, betweens, betweens)
def test_every_value_lies_between_the_ends(value: Dim, of_i: IntegerInterval, of_j: IntegerInterval) -> None:
    known = {IN_I: of_i, IN_J: of_j}
    ends = IntervalEnvironment(known, MADE).interval(value)
    for end in (ends.low, ends.high, ends.where):
        assert end is None or not end.variables & {IN_I, IN_J, ANY}
    for outside in OUTSIDE:
        if not holds(ends.where, outside):
            continue
        low, high = (None if each is None else evaluate(each, outside) for each in (ends.low, ends.high))
        for sizes in insides(known, outside):
            found = evaluate(value, sizes)
            assert (low is None or low <= found) and (high is None or found <= high), (sizes, found, low, high)


claims: SearchStrategy[Formula] = st.lists(expressions.map(lambda each: at_least(each, 0)), min_size=1, max_size=2).map(
    conjunction
)


@pytest.mark.slow
@examples(200)
@given(claims, betweens, betweens)
def test_conditions_for_a_claim_imply_it(claim: Formula, of_i: IntegerInterval, of_j: IntegerInterval) -> None:
    known = {IN_I: of_i, IN_J: of_j}
    where = IntervalEnvironment(known, MADE).condition_for(claim)
    if where is not None:
        for outside in OUTSIDE:
            if holds(where, outside):
                assert all(holds(claim, sizes) for sizes in insides(known, outside)), (where, outside)


@pytest.mark.slow
@examples(200)
@given(claims, betweens, betweens)
def test_the_truth_of_all_is_that_of_each(claim: Formula, of_i: IntegerInterval, of_j: IntegerInterval) -> None:
    known = {IN_I: of_i, IN_J: of_j}
    truth = IntervalEnvironment(known, MADE).truth(claim)
    if truth is not None:
        assert truth.low is truth.high
        for outside in OUTSIDE:
            if holds(truth.where, outside):
                expected = evaluate(truth.low, outside) == 1
                assert all(holds(claim, sizes) is expected for sizes in insides(known, outside)), (truth, outside)


def _stepped(low: Dim, count: int, step: int, where: Formula) -> IntegerInterval:
    return IntegerInterval(low, low + count * step, where, step)


stepped = st.builds(_stepped, limits, st.integers(0, 3), st.integers(1, 3), conditions)
sums: SearchStrategy[Dim] = st.recursive(
    st.sampled_from([i, i, j, n, w, dim(1), dim(2)]),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map(lambda pair: pair[0] + pair[1]),
        st.tuples(parts, st.sampled_from([-2, -1, 2, 3])).map(lambda pair: pair[0] * pair[1]),
        st.tuples(parts, parts).map(lambda pair: pair[0] * pair[1]),
        st.tuples(parts, parts).map(lambda pair: minimum(*pair)),
        st.tuples(parts, st.sampled_from([dim(2), n + 1])).map(lambda pair: remainder(*pair)),
        st.tuples(parts, st.sampled_from([dim(2), n + 1])).map(lambda pair: floordiv(*pair)),
    ),
    max_leaves=4,
)


@pytest.mark.slow
@examples(200)
@given(sums, stepped, stepped)
def test_with_a_step_every_number_is_reached_that_lies_so_far_apart(
    value: Dim, of_i: IntegerInterval, of_j: IntegerInterval
) -> None:
    known = {IN_I: of_i, IN_J: of_j}
    ends = IntervalEnvironment(known, MADE).interval(value)
    if not ends.step:
        return
    assert ends.low is not None and ends.high is not None
    for outside in OUTSIDE:
        if holds(ends.where, outside) and all(holds(each.where, outside) for each in known.values()):
            found = {evaluate(value, {**sizes, ANY: 0}) for sizes in insides(known, outside)}
            low, high = evaluate(ends.low, outside), evaluate(ends.high, outside)
            assert found == set(range(low, high + 1, ends.step)), (outside, ends)


ZERO_TO_TWO = IntegerInterval(dim(0), dim(2), step=1)


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (i * w, at_least(w, 0)),
        (i * w * n, at_least(w * n, 0)),
        (floordiv(i, w), at_least(w, 1)),
        (remainder(i + n, w), at_least(w, 1)),
    ],
)
def test_factors_and_divisors_must_not_be_negative(value: Dim, where: Formula) -> None:
    ends = IntervalEnvironment({IN_I: ZERO_TO_TWO}, MADE).interval(value)
    assert ends.where is where
    assert ends.low is not None and ends.high is not None


def test_products_of_signed_factors_are_known_for_constants_only() -> None:
    below, far = IntegerInterval(dim(-3), dim(2)), IntegerInterval(-n, n)
    for value, low, high in ((i * j, -6, 4), (i * i, -6, 9)):
        ends = IntervalEnvironment({IN_I: below, IN_J: ZERO_TO_TWO}, MADE).interval(value)
        assert ends.low is dim(low) and ends.high is dim(high)
    ends = IntervalEnvironment({IN_I: far, IN_J: far}, MADE).interval(i * j)
    assert ends.low is None and ends.high is None
    assert IntervalEnvironment({IN_I: ZERO_TO_TWO, IN_J: ZERO_TO_TWO}, MADE).interval(i * j).high is dim(4)


@pytest.mark.parametrize(
    ("value", "step"), [(i, 1), (i * 2, 2), (i + j, 1), (i - j, 1), (i * 2 + j * 2, 0), (i * 2 + j, 0), (i + i * n, 0)]
)
def test_step_of_a_sum(value: Dim, step: int) -> None:
    assert IntervalEnvironment({IN_I: ZERO_TO_TWO, IN_J: ZERO_TO_TWO}, MADE).interval(value).step == step


@pytest.mark.parametrize(
    "value", [choose(at_least(n, 1), j, of_atom(ANY)), choose(at_least(n, 1) & at_least(j, 0), 0, j)]
)
def test_a_choice_that_the_bounds_settle_is_settled_where_they_hold(value: Dim) -> None:
    known = {IN_I: IntegerInterval(dim(0), dim(2), at_least(n, 1)), IN_J: IntegerInterval(dim(-3), dim(3))}
    assert IntervalEnvironment(known, MADE).interval(value).where is at_least(n, 1)
