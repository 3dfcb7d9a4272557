"""Sums with quotients and remainders as their shortest text: it is read back as the same size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.simplification.quotient_sums import shortest_sum_text
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.parser import parse_size
from shapesolve.symbolic.scope import Scope

SCOPE = Scope.free()
A, B = (parse_size(name, SCOPE) for name in "ab")
DIVISORS = st.integers(2, 4)


def _linear(p: int, q: int, constant: int) -> Dim:
    return p * A + q * B + constant


def _quotient(whole: Dim, by: int) -> Dim:
    return whole // by


def _remainder(whole: Dim, by: int) -> Dim:
    return whole % by


def _multiple(whole: Dim, by: int) -> Dim:
    return whole - whole % by


def _remainder_of_b(whole: Dim) -> Dim:
    return whole % B


def _added(parts: list[tuple[int, Dim]]) -> Dim:
    total = 0 * A
    for factor, part in parts:
        total = total + factor * part
    return total


NUMBERS = st.integers(-2, 2)
LINEAR = st.builds(_linear, NUMBERS, NUMBERS, NUMBERS)
PARTS = st.one_of(
    LINEAR,
    st.builds(_quotient, LINEAR, DIVISORS),
    st.builds(_remainder, LINEAR, DIVISORS),
    st.builds(_multiple, LINEAR, DIVISORS),
    st.builds(_remainder_of_b, LINEAR),
)
SUMS = st.lists(st.tuples(st.integers(-4, 4), PARTS), min_size=1, max_size=5).map(_added)


@given(SUMS, st.integers(0, 9), st.integers(0, 9))
def test_the_text_is_that_of_the_same_size_and_no_longer(size: Dim, a: int, b: int) -> None:
    text = shortest_sum_text(size)
    assert len(text) <= len(str(size))
    assert parse_size(text, SCOPE) is size
    # Python divides as sizes do, but for a divisor of 0.
    if "% b" not in text or b:
        sizes = {each: a if each.name == "a" else b for each in size.variables}
        assert eval(text, {"a": a, "b": b}) == evaluate(size, sizes)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (A - A % 2 - A // 2, "a//2"),
        (A - A % 2, "2*(a//2)"),
        (A % 2 + A // 2 - A, "-(a//2)"),
        (3 * A - 3 * (A % 4), "12*(a//4)"),
        (A + B - (A + B) % 3, "3*((a + b)//3)"),
        (A + 2 - A % 2 - A // 2 - B, "a//2 - b + 2"),
        (A % 2 + A // 2, "a - a//2"),
        (A % 3 + A // 2, "a % 3 + a//2"),
        (A % 2 - B, "a % 2 - b"),
        (A - A % B, "a - a % b"),
    ],
)
def test_the_shortest_of_what_is_equal(size: Dim, text: str) -> None:
    assert shortest_sum_text(size) == text
