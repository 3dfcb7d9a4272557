"""Conditions on broadcasts as cases, on one product, and on one remainder of sizes, by example and by brute force."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.simplification.readable import readable_claim
from shapesolve.simplification.simplify import shortest
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

VALUES = (*range(26), 31, 32, 61, 62, 63, 64, 65, 301, 302, 303, 304, 517)
TABLE = "max(0, min(64, P + T) - P)"

CASES = [
    ([f"compatible(T, {TABLE})"], ["P <= 64", "T <= 32"], "P + T <= 64 or T == 1 or P == 63"),
    ([f"T == broadcast(T, {TABLE})"], ["P <= 64", "T <= 32"], "P + T <= 64 or P == 63"),
    ([f"compatible(T, {TABLE})", f"T == broadcast(T, {TABLE})"], ["P <= 64"], "P + T <= 64 or P == 63"),
    (["compatible(a, b)", "a == broadcast(a, b)"], [], "a == b or b == 1"),
    # of sizes that may not be compatible it is no equality: 2 is the broadcast of 2 and 3
    (["a == broadcast(a, b)"], [], "a == broadcast(a, b)"),
    (["b*t > (b*t)//4"], [], "b >= 1 and t >= 1"),
    (["compatible((b*t)//2, (b*t + 1)//2)"], [], "(b*t) % 2 == 0 or b*t <= 3"),
    (["(b*t)//2 == (b*t + 1)//2"], [], "(b*t) % 2 == 0"),
    # a pyramid that doubles what strides have halved
    (["compatible((h + 3)//4, 2*((h + 7)//8))"], ["h >= 1"], "h <= 4 or (h + 3) % 8 <= 3"),
    (
        ["compatible((h + 1)//2, 2*broadcast((h + 3)//4, 2*((h + 7)//8)))"],
        ["h >= 1"],
        "h <= 2 or (h >= 5 and (h + 1) % 4 <= 1)",
    ),
    (
        ["compatible((h + 3)//4, 2*((h + 7)//8))", "compatible((h + 1)//2, 2*broadcast((h + 3)//4, 2*((h + 7)//8)))"],
        ["h >= 1"],
        "h <= 2 or (h + 1) % 8 <= 1",
    ),
    (["compatible((h - 6)//4, 2*((h - 2)//8))"], ["h >= 6"], "h <= 13 or (h + 2) % 8 <= 3"),
    # a factor that stands alone, too, is no part of one number
    (["b*t > (b*t)//4 + b"], [], "b*t > (b*t)//4 + b"),
]


def are_same(found: list[str], needed: list[str], known: list[str]) -> None:
    """Compare two conjunctions at all sizes of a grid that satisfy what is known."""
    scope = Scope.free()
    one, other, premises = ([parse_formula(each, scope) for each in texts] for texts in (found, needed, known))
    variables = sorted({each for part in (*other, *premises) for each in part.variables}, key=lambda each: each.text)
    for values in product(VALUES, repeat=len(variables)):
        sizes = dict(zip(variables, values, strict=True))
        if all(holds(each, sizes) for each in premises):
            assert all(holds(each, sizes) for each in one) == all(holds(each, sizes) for each in other), sizes


def shortened(needed: list[str], known: list[str]) -> list[str]:
    scope = Scope.free()
    conditions, premises = ([parse_formula(each, scope) for each in texts] for texts in (needed, known))
    return [readable_claim(each) for each in shortest(conditions, premises, scope)]


@pytest.mark.slow
@pytest.mark.parametrize(("needed", "known", "expected"), CASES)
def test_conditions_are_short(needed: list[str], known: list[str], expected: str) -> None:
    found = shortened(needed, known)
    assert " and ".join(found) == expected
    are_same(found, needed, known)


NUMBER = st.sampled_from(("b*t", "b*t + 1", "b*t + 3", "2*b*t", "(b*t)//2", "(b*t + 1)//2", "(b*t) % 3", "min(4, b*t)"))
ROUNDED = st.tuples(st.sampled_from((1, 2, 3)), st.integers(0, 7), st.sampled_from((2, 3, 4, 6, 8))).map(
    lambda numbers: f"{numbers[0]}*((a + {numbers[1]})//{numbers[2]})"
)
EXTENT = st.sampled_from(("a", "a + 1", "a//2", "min(a, 7)", "max(0, min(8, a + b) - b)", "b", "b//2"))
CONDITIONS = st.one_of(
    st.tuples(NUMBER, st.sampled_from(("==", ">=", "<", "!=")), NUMBER).map(" ".join),
    st.tuples(NUMBER, NUMBER).map(lambda sizes: f"compatible({sizes[0]}, {sizes[1]})"),
    st.tuples(ROUNDED, st.sampled_from(("==", ">=", "<")), ROUNDED).map(" ".join),
    st.tuples(ROUNDED, ROUNDED).map(lambda sizes: f"compatible({sizes[0]}, {sizes[1]})"),
    st.tuples(EXTENT, EXTENT).map(lambda sizes: f"compatible({sizes[0]}, {sizes[1]})"),
    st.tuples(EXTENT, EXTENT).map(lambda sizes: f"{sizes[0]} == broadcast({sizes[0]}, {sizes[1]})"),
)


@pytest.mark.slow
@examples(120)
@given(st.lists(CONDITIONS, min_size=1, max_size=2), st.lists(st.sampled_from(("a >= 1", "b <= 7")), max_size=1))
def test_random_conditions_keep_their_meaning(needed: list[str], known: list[str]) -> None:
    are_same(shortened(needed, known), needed, known)
