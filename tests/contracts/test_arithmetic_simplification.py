"""Test that remainders in one interval become one condition, equivalent also at sizes that no search examined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from support.examples import examples

from shapesolve.simplification.arithmetic import simplified
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction

H = variable("H")
(SIZE,) = H.variables
TRIED = (*range(200), *range(1000, 1020), *range(2**31 - 10, 2**31 + 10))


def truths(conditions: list[Formula]) -> list[bool]:
    return [all(holds(each, {SIZE: size}) for each in conditions) for size in TRIED]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (2 * (H // 4) == H // 2, "H % 4 <= 1"),
        ((H + 2) // 4 == H // 4, "H % 4 <= 1"),
        (3 * (H // 6) == H // 2, "H % 6 <= 1"),
        ((H + 1) // 4 == H // 4 + 1, "H % 4 == 3"),
        (H // 4 != (H + 2) // 4, "H % 4 >= 2"),
        ((H + 1) // 3 == (H + 2) // 3, "(H + 1) % 3 <= 1"),
        ((H + 3) // 8 == (H + 5) // 8, "(H + 3) % 8 <= 5"),
    ],
    ids=str,
)
def test_remainders_in_one_run(given: Formula, found: str) -> None:
    short = simplified([given])
    assert [str(each) for each in short] == [found]
    assert truths(short) == truths([given])


def _quotients(divisor: int, first: int, second: int, more: int, same: bool) -> Formula:
    one, other = (H + first) // divisor, (H + second) // divisor + more
    return one == other if same else one != other


quotients: SearchStrategy[Formula] = st.builds(
    _quotients, st.integers(2, 20), st.integers(0, 9), st.integers(0, 20), st.integers(-1, 1), st.booleans()
)


def _limit(size: int, least: bool) -> Formula:
    return at_least(H, size) if least else at_least(size, H)


limits: SearchStrategy[Formula] = st.builds(_limit, st.sampled_from([1, 5, 17, 64, 67, 90, 140]), st.booleans())
pieces = st.one_of(quotients, quotients, limits)
conditions = st.one_of(
    pieces,
    st.lists(pieces, min_size=2, max_size=3).map(conjunction),
    st.lists(pieces, min_size=2, max_size=2).map(disjunction),
)


@pytest.mark.slow
@examples(100)
@given(st.lists(conditions, min_size=1, max_size=2))
def test_simplified_conditions_are_equivalent(given: list[Formula]) -> None:
    assert truths(simplified(given)) == truths(given)
