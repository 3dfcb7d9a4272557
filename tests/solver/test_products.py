"""Test of lemmas about products by evaluation, and of what they and new substitutions prove, by enumeration."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve import Proved, Refuted, prove
from shapesolve.solver.preprocessing.division import DivisionEliminator
from shapesolve.solver.preprocessing.products import linearized, product_lemmas
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, divides, equal
from shapesolve.symbolic.visitors import sizes_within

VARIABLES = [Variable.of("a", 0, 9), Variable.of("b", 1, 9), Variable.of("c", -4, 4), Variable.of("d", 3, None)]
A, B, C, D = map(of_atom, VARIABLES)


def size(dice: random.Random) -> Dim:
    total = dim(dice.randint(-4, 4))
    for _ in range(dice.randint(1, 3)):
        factors = dice.choices((A, B, C, D), k=dice.randint(1, 3))
        term = dim(dice.choice((-3, -1, 1, 2)))
        for each in factors:
            term *= each
        total += term
    return total


def formula(dice: random.Random) -> Formula:
    a, b = size(dice), size(dice)
    return dice.choice((equal(a, b), at_least(a, b), divides(dice.choice((A, B, B + 2, 2 * B, D, A * B)), a)))


@given(st.integers(0, 2**32))
@examples(150)
def test_lemmas_hold_for_all_sizes(seed: int) -> None:
    dice = random.Random(seed)
    eliminator = DivisionEliminator()
    parts = [eliminator.purify(formula(dice)) for _ in range(3)]
    pieces = [piece for part in parts for piece in part.pieces]
    products = list(
        {
            monomial
            for piece in pieces
            for each in sizes_within(piece)
            for monomial, _ in each.terms
            if monomial.degree > 1
        }
    )
    lemmas = list(product_lemmas(pieces, products, eliminator.multiples(parts)))
    variables = sorted({v for lemma in lemmas for v in lemma.variables}, key=lambda each: each.name)
    for _ in range(30):
        sizes = {
            v: dice.randint(-6 if v.lower is None else v.lower, 9 if v.upper is None else v.upper) for v in variables
        }
        for lemma in lemmas:
            assert holds(lemma, sizes), (lemma, sizes)


def test_a_query_without_products_is_left_alone() -> None:
    part = DivisionEliminator().purify(at_least(A, B))
    assert linearized([part], []) is None


PROVED = [
    ("(i + j + 1) % (5*h) == select((i + j) % (5*h) == 5*h - 1, 0, (i + j) % (5*h) + 1)", ["h >= 1"]),
    ("i < h*h and j < h*h and (i + m) % (h*h) == (j + m) % (h*h) -> i == j", ["h >= 1"]),
    ("i < n + n - (n + n) % (4*t) and i % (4*t) == 0 -> i + 4*t <= n + n", ["t >= 1"]),
    ("3*t % h == 0 and m % h == 0 and 3*t < m -> 3*t + h <= m", ["h >= 1"]),
    ("(m*n) % (12*t) == 0 -> (m*n)//3//(4*t)*12*t == m*n", ["t >= 1"]),
    ("((n % (t + 2)) * (m % (t + 2))) % (t + 2) == (n*m) % (t + 2)", []),
    ("(w % (t + 5) + h) % (t + 5) == (w + h) % (t + 5)", []),
    ("((m + 4)*n) % ((h + 9)*n) == ((m + 4) % (h + 9))*n", ["n >= 1"]),
    ("((i + h) % (h + 1) + 1) % (h + 1) == i % (h + 1)", []),
    ("(w*w) % (t*h) == 0 -> (w*w)//t//h*t*h == w*w", ["t >= 1", "h >= 1"]),
    ("4*w % (n*n*t) == 0 -> 4*w//(n*n)//t*n*n*t == 4*w", ["n >= 1", "t >= 1"]),
    ("(m*t) % h == 0 -> (m*t*(h + 3)) % h == 0", ["h >= 1"]),
    ("i < n*m - (n*m) % (t*w) and i % (t*w) == 0 -> i + t*w <= n*m", []),
    ("(m*w) % (8*(w + 1))//(w + 1) == (m*w)//(w + 1) % 8", []),
]


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "facts"), PROVED)
def test_laws_of_products_and_remainders(claim: str, facts: list[str]) -> None:
    assert isinstance(prove(claim, facts), Proved)


WRONG = [
    ("(i + j + 1) % (5*h) == select((i + j) % (5*h) == 5*h - 2, 0, (i + j) % (5*h) + 1)", ["h >= 1"]),
    ("i < h*h and j <= h*h and (i + m) % (h*h) == (j + m) % (h*h) -> i == j", ["h >= 1"]),
    ("3*t % h == 0 and m % h == 0 and 3*t < m -> 3*t + h < m", ["h >= 1"]),
    ("(m*n) % (6*t) == 0 -> (m*n)//3//(4*t)*12*t == m*n", ["t >= 1"]),
    ("((n % (t + 2)) * (m % (t + 3))) % (t + 2) == (n*m) % (t + 2)", []),
    ("((m + 4)*n) % ((h + 9)*n) == ((m + 4) % (h + 8))*n", ["n >= 1"]),
    ("(m*t) % (2*h) == 0 -> (m*t*(h + 3)) % (4*h) == 0", ["h >= 1"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "facts"), WRONG)
def test_laws_that_do_not_hold(claim: str, facts: list[str]) -> None:
    assert isinstance(prove(claim, facts), Refuted)
