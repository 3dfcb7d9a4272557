"""Test of printed sizes: Python and the size language read them as what was printed."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, variable
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula, parse_size
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


A, B, C = (variable(name, None, None) for name in "abc")
ROUNDED_UP = [ceildiv(A, B), ceildiv(A + 1, C), ceildiv(2 * A + B, B * C), (-A) // 3, A // B]
FACTORS = [dim(1), dim(-2), A, B * C, ceildiv(B, C)]
VARIABLES = [atom for each in (A, B, C) if isinstance(atom := each.atom, Variable)]
NAMES = Scope.closed({"a": A, "b": B, "c": C}, {})
VALUES = st.tuples(st.integers(-6, 6), st.integers(1, 5), st.integers(1, 5))


@st.composite
def sums(draw: st.DrawFn) -> Dim:
    """Return a sum of products with quotients."""
    size = dim(draw(st.integers(-2, 2)))
    for _ in range(draw(st.integers(1, 3))):
        size += draw(st.sampled_from(ROUNDED_UP)) * draw(st.sampled_from(FACTORS))
    return size


def _rounded_up(a: int, b: int) -> int:
    return math.ceil(Fraction(a, b))


@given(sums(), VALUES)
def test_quotients_rounded_up_mean_what_they_say(size: Dim, values: tuple[int, int, int]) -> None:
    names = dict(zip("abc", values, strict=True))
    number = evaluate(size, dict(zip(VARIABLES, values, strict=True)))
    rounded_up = {"__builtins__": {}, "ceildiv": _rounded_up}
    assert eval(str(size), rounded_up, names) == number
    for claim, is_true in ((size >= 0, number >= 0), (size == 0, number == 0), (size < 0, number < 0)):
        assert eval(claim.text.title() if claim.text in ("true", "false") else claim.text, rounded_up, names) == is_true
        assert parse_formula(claim.text, NAMES) is claim
    assert parse_size(str(size), NAMES) is size


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (ceildiv(A, B) >= 1, "ceildiv(a, b) >= 1"),
        (C // ceildiv(A, B) >= 1, "c//ceildiv(a, b) >= 1"),
        (ceildiv(A, B) * B <= A, "a >= ceildiv(a, b)*b"),
        (ceildiv(A, B) <= 0, "ceildiv(a, b) <= 0"),
        (ceildiv(A, B) - ceildiv(C, B) >= A // 3, "ceildiv(a, b) >= ceildiv(c, b) + a//3"),
    ],
)
def test_a_negated_quotient_is_written_as_one_rounded_up(claim: Formula, text: str) -> None:
    assert claim.text == text
    assert parse_formula(text, NAMES) is claim


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("(N + 1)//2 - 1", "(N - 1)//2"),
        ("(N + M + 3)//4 - 2", "(M + N - 5)//4"),
        ("(N + 1)//2 + 1", "(N + 1)//2 + 1"),
        ("N//2 - 1", "N//2 - 1"),
        ("(1 - N)//3 - 2", "(2*N + 1)//3 - N - 2"),
        ("(N + 1)//M - 1", "(N + 1)//M - 1"),
    ],
)
def test_a_number_less_than_a_quotient(written: str, printed: str) -> None:
    scope = Scope.closed({name: variable(name) for name in "NM"}, {})
    size = parse_size(written, scope)
    assert str(size) == printed
    assert parse_size(printed, scope) is size
