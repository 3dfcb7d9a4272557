"""Test of printed numbers: Python and the size language read them as the same number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.dims import dim, variable
from shapesolve.symbolic.parser import parse_size
from shapesolve.symbolic.scope import Scope

NEAR_POWERS = st.tuples(st.integers(60, 130), st.integers(-3, 3)).map(lambda each: (1 << each[0]) + each[1])
LARGE = st.integers(-(2**70), 2**70) | NEAR_POWERS
N = variable("n", None, None)
SCOPE = Scope.closed({"n": N}, {})


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (MAX_SIZE, "9223372036854775807"),
        (-MAX_SIZE, "-9223372036854775807"),
        (MAX_SIZE + 1, "2**63"),
        (-(2**63), "-2**63"),
        (2**64 - 1, "2**64 - 1"),
        (2**63 + 5, "2**63 + 5"),
        (-(2**64) + 3, "-2**64 + 3"),
    ],
)
def test_numbers_beyond_the_largest_size(number: int, text: str) -> None:
    assert str(dim(number)) == text


@given(LARGE)
def test_a_number_is_read_as_it_was_written(number: int) -> None:
    text = str(dim(number))
    assert eval(text, {"__builtins__": {}}) == number
    assert parse_size(text, SCOPE).constant == number


@given(LARGE, LARGE, LARGE.filter(bool))
def test_an_expression_is_read_as_it_was_written(times: int, added: int, divisor: int) -> None:
    size = (times * N + added) % divisor * 2**64 - (N + times) // 2**65
    assert parse_size(str(size), SCOPE) is size
