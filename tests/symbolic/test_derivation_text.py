"""Test of claims printed as built: the text is equivalent, and keeps details that the normal form loses."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.symbolic.derivation_text import LONGEST_PART, DerivationText
from shapesolve.symbolic.derivations import recording
from shapesolve.symbolic.dims import Dim, ceildiv, dim, floordiv, remainder, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    disjunction,
    divides,
    either,
    equal,
    equivalent,
    implies,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.shapes import broadcastable, same_shape

H, N, M = (variable(each) for each in "HNM")
VARIABLES = [next(iter(each.variables)) for each in (H, N, M)]


def random_size(random: Random, depth: int) -> Dim:
    """Return a size that was built by some random operations."""
    if depth == 0 or random.random() < 0.2:
        return random.choice([H, N, M, dim(random.randrange(5))])
    a, b = random_size(random, depth - 1), random_size(random, depth - 1)
    divisor = random.choice([dim(random.randrange(1, 5)), N, N * M, N + M])
    match random.randrange(10):
        case 0:
            return a + b
        case 1:
            return a - b
        case 2:
            return a * b
        case 3:
            return minimum(a, b)
        case 4:
            return maximum(a, b)
        case 5:
            return broadcast_extent(a, b)
        case 6:
            return floordiv(a, divisor)
        case 7:
            return remainder(a, divisor)
        case 8:
            return ceildiv(a, divisor)
        case _:
            return choose(equal(a, 2), b, a)


def random_claim(random: Random, depth: int) -> Formula:
    """Return a claim that was built by some random operations."""
    if depth == 0 or random.random() < 0.2:
        comparison = random.choice([equal, unequal, at_least, less_than, divides])
        return comparison(random_size(random, 2), random_size(random, 2))
    a, b = random_claim(random, depth - 1), random_claim(random, depth - 1)
    match random.randrange(6):
        case 0:
            return implies(a, b)
        case 1:
            return equivalent(a, b)
        case 2:
            return conjunction([a, b, a])
        case 3:
            return disjunction([a, b, a])
        case 4:
            return negation(a)
        case _:
            return either(a, b, random_claim(random, depth - 1))


def raised(build: Callable[[], Formula]) -> tuple[str, Formula]:
    with recording() as record:
        claim = build()
        step = record.step_of_next_use(claim)
    return DerivationText(record).raised(claim, step), claim


@given(st.randoms(use_true_random=False))
def test_the_text_means_what_was_built(random: Random) -> None:
    found, claim = raised(lambda: random_claim(random, 2))
    read = parse_formula(found, Scope.free())
    for sizes in product(range(4), repeat=3):
        values = dict(zip(VARIABLES, sizes, strict=True))
        assert holds(read, values) == holds(claim, values)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda: at_least(2 * floordiv(H, 2) + 2, H + 1), "2*(H//2) + 2 >= H + 1"),
        (lambda: equal(floordiv(2 * N, 2 * M), H), "(2*N)//(2*M) == H"),
        (lambda: equal(N + M - N, H), "N + M - N == H"),
        (lambda: less_than(N - (M - 1), 1), "N - (M - 1) < 1"),
        (lambda: same_shape(RankedShape.of((N + M, H)), RankedShape.of((N, H))), "same_shape([N + M, H], [N, H])"),
        (lambda: broadcastable([N, 1], [M]), "broadcastable([N, 1], [M])"),
        (lambda: implies(equal(N, 1), unequal(N - 1, 1)), "N == 1 -> N - 1 != 1"),
    ],
)
def test_terms_lost_by_the_normal_form_are_kept(build: Callable[[], Formula], text: str) -> None:
    assert raised(build)[0] == text


def test_a_long_part_is_shown_in_normal_form() -> None:
    def build() -> Formula:
        size = N
        for _ in range(100):
            size = size + M - M
        return equal(size, H)

    assert raised(build)[0].endswith("N == H")
    assert len(raised(build)[0]) < 2 * LONGEST_PART


def test_a_claim_that_no_step_built_is_shown_in_normal_form() -> None:
    with recording() as record:
        pass
    assert DerivationText(record).raised(equal(N, M), None) == str(equal(N, M))
