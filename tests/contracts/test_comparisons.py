"""The usual forms of comparisons: by example, and the same by brute force."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.simplification.comparisons import canonical
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, negation, unequal
from shapesolve.symbolic.normal_forms import maximum, minimum

X, Y, N = variable("x", 0), variable("y", 0), variable("n", None)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (at_least(0, X), equal(X, 0)),
        (negation(equal(X, 0)), at_least(X, 1)),
        (negation(equal(X + Y, 0)), at_least(X + Y, 1)),
        (negation(equal(N, 0)), negation(equal(N, 0))),
        (at_least(0, N), at_least(0, N)),
        (equal((X + 8) % 16, X + 8), at_least(7, X)),
        (equal((N + 8) % 16, N + 8), conjunction((at_least(N + 8, 0), at_least(7, N)))),
        (equal((X * Y + 8) % 16, X * Y + 8), at_least(7, X * Y)),
        (negation(equal(3 * X * Y, 0)), conjunction((at_least(X, 1), at_least(Y, 1)))),
        (at_least(X * Y, 1), conjunction((at_least(X, 1), at_least(Y, 1)))),
        (at_least(X * Y, 2), at_least(X * Y, 2)),
        (at_least(0, X * Y), disjunction((equal(X, 0), equal(Y, 0)))),
        (negation(equal(X * N, 0)), negation(equal(X * N, 0))),
        (equal(((X + 8) % 16 * ((Y + 8) % 16) + 8 * X + 8 * Y + 8) % 16, X * Y + 8), at_least(7, X * Y)),
        (equal(X % 16, Y), equal(X % 16, Y)),
        (equal(X % Y, X), equal(X % Y, X)),
        (equal((X + 8) % 16, 8), equal(X % 16, 0)),
        (equal((2 * X + 1) % 3, 0), equal(X % 3, 1)),
        (equal((5 * N + 3) % 8, 4), equal(N % 8, 5)),
        (equal((2 * X * Y) % 3, 1), equal((X * Y) % 3, 2)),
        (equal((2 * X + 1) % 4, 1), equal((2 * X + 1) % 4, 1)),
        (equal(minimum(X, 1), 0), equal(X, 0)),
        (equal(minimum(X, 3), 3), at_least(X, 3)),
        (negation(equal(minimum(X, 1), 0)), at_least(X, 1)),
        (equal(maximum(X, 2), 2), at_least(2, X)),
        (at_least(minimum(X, Y), 2), conjunction((at_least(X, 2), at_least(Y, 2)))),
        (at_least(3, minimum(X, Y)), disjunction((at_least(3, X), at_least(3, Y)))),
    ],
)
def test_canonical_turns_a_comparison_into_its_usual_form(given: Formula, expected: Formula) -> None:
    assert canonical(given) is expected


SIZES = st.sampled_from(
    [X, Y, N, X + Y, X - Y, X * Y, -X, X % 4, (N + 4) % 8, (N + 4) % 8 - N - 4, N + 4 - (N + 4) % 8]
)


@given(st.lists(st.tuples(SIZES, st.integers(-2, 2), st.sampled_from("=>!")), min_size=1, max_size=3), st.booleans())
def test_joined_comparisons_are_equivalent(parts: list[tuple[Dim, int, str]], together: bool) -> None:
    formulas = [{"=": equal, ">": at_least, "!": unequal}[sign](size, dim(number)) for size, number, sign in parts]
    whole = conjunction(formulas) if together else disjunction(formulas)
    found = canonical(whole)
    for x, y, n in product(range(5), range(5), range(-9, 10)):
        values = {X.atom: x, Y.atom: y, N.atom: n}
        assert holds(found, values) == holds(whole, values)  # pyright: ignore[reportArgumentType]
