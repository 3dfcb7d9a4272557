"""Decisions of the propagator without a solver, against trying all small sizes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shapesolve.solver.propagation.bounds import Bound, is_never_negative_beyond, is_sum_of_squares
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import NOTHING
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, dims, of_atom
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import choose, maximum, minimum

SIZES = [Variable.of(name) for name in "abc"]
SIGNED = [Variable.of(name, None, None) for name in "xyz"]
BOX = [dict(zip(SIZES, sizes, strict=True)) for sizes in product(range(7), repeat=3)]
SIGNED_BOX = [dict(zip(SIGNED, sizes, strict=True)) for sizes in product(range(-4, 5), repeat=3)]
A, B, C, D = dims("a b c d")


OPERATIONS: list[Callable[[Dim, Dim], Dim]] = [
    Dim.__add__,
    Dim.__sub__,
    Dim.__mul__,
    Dim.__floordiv__,
    Dim.__mod__,
    minimum,
    maximum,
]


def _grown(parts: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
    return st.one_of(*(st.builds(make, parts, parts) for make in OPERATIONS))


TERMS = st.recursive(st.sampled_from([*map(of_atom, SIZES), *map(dim, (1, 2, 3, 5))]), _grown, max_leaves=5)
CLAIMS = st.one_of(*(st.builds(make, TERMS, TERMS) for make in (equal, at_least, less_than, unequal, divides)))


@given(st.lists(CLAIMS, max_size=3), CLAIMS)
@example([less_than(B, C)], equal((A * C + B) // C, A))
@example([at_least(B, A), at_least(C, B)], at_least(C * C, A * B))
@example([at_least(B, 1)], at_least(A, A // B * B))
def test_decisions_hold(facts: list[Formula], claim: Formula) -> None:
    propagator = Propagator()
    for fact in facts:
        propagator.assume(fact, NOTHING)
    if propagator.prove(claim) is not None:
        for sizes in BOX:
            assert holds(claim, sizes) or not all(holds(fact, sizes) for fact in facts), (facts, claim, sizes)


LAWS: list[tuple[Formula, list[Formula]]] = [
    (equal((A * C + B) // C, A), [less_than(B, C)]),
    (equal((A * C + B) % C, B), [less_than(B, C)]),
    (equal((A * 8 + B) // 8, A), [less_than(B, 8)]),
    (equal((A * 40 + B * 5 + C) % 40, B * 5 + C), [less_than(B, 8), less_than(C, 5)]),
    (at_least(A, A // B), [at_least(B, 1)]),
    (at_least(A, A % B), [at_least(B, 1)]),
    (less_than(A % B, B), [at_least(B, 1)]),
    (equal(A // B * B + A % B, A), []),
    (equal(C * (A % B) - C * A, -(A // B * B * C)), []),
    (less_than(ceildiv(A, B) * B, A + B), [at_least(B, 1)]),
    (at_least((A + B) // 3, A // 3 + B // 3), []),
    (at_least(A, ceildiv(A, 4)), []),
    (at_least(A, A % 16), []),
    (at_least(A * B + 3, B), [at_least(A, 1)]),
    (at_least(A * B + 1, A + B), [at_least(A, 1), at_least(B, 1)]),
    (at_least(A * B * C + 2, A + B + C), [at_least(A, 1), at_least(B, 1), at_least(C, 1)]),
    (at_least(B * D, A * C), [at_least(B, A), at_least(D, C)]),
    (less_than(A * C + B, D * C), [less_than(A, D), less_than(B, C)]),
    (at_least(64 * 16, A * B), [at_least(64, A), at_least(16, B)]),
    (at_least(A * A + B * B + C * C, A * B + B * C + C * A), []),
    (at_least((A + B) ** 2, 4 * A * B), []),
    (equal(A, C), [at_least(B, A), at_least(C, B), at_least(A, C)]),
    (equal(minimum(A, B) + maximum(A, B), A + B), []),
    (equal(minimum(A - B, 8) + B, minimum(A, B + 8)), []),
    (conjunction((at_least(minimum(A, B), 2), at_least(maximum(A, C), 2))), [at_least(A, 2), at_least(B, 2)]),
]


@pytest.mark.parametrize(("claim", "facts"), LAWS, ids=lambda each: str(each) if isinstance(each, Formula) else "")
def test_laws_need_no_solver(claim: Formula, facts: list[Formula]) -> None:
    propagator = Propagator()
    for fact in facts:
        propagator.assume(fact, NOTHING)
    assert propagator.prove(claim) is not None


POLYNOMIALS = st.lists(
    st.tuples(st.integers(-4, 4), st.tuples(*[st.integers(0, 2)] * 3).filter(lambda each: sum(each) <= 2)),
    min_size=1,
    max_size=6,
)
BOUNDS = st.lists(
    st.one_of(st.none(), st.tuples(st.none(), st.integers(-2, 3)), st.tuples(st.integers(0, 2), st.integers(-2, 2))),
    min_size=3,
    max_size=3,
)


def _polynomial(terms: list[tuple[int, tuple[int, ...]]], constant: int) -> Dim:
    total = dim(constant)
    for coefficient, powers in terms:
        product_of = dim(coefficient)
        for variable, power in zip(SIGNED, powers, strict=True):
            product_of = product_of * of_atom(variable) ** power
        total = total + product_of
    return total


@given(POLYNOMIALS, st.integers(-3, 9))
@example([(1, (2, 0, 0)), (-2, (1, 1, 0)), (1, (0, 2, 0))], 0)
@example([(1, (2, 0, 0)), (-2, (1, 0, 0))], 1)
def test_sums_of_squares(terms: list[tuple[int, tuple[int, ...]]], constant: int) -> None:
    size = _polynomial(terms, constant)
    if is_sum_of_squares(size):
        assert all(evaluate(size, sizes) >= 0 for sizes in SIGNED_BOX)


@given(POLYNOMIALS, st.integers(-3, 9), BOUNDS)
@example([(1, (1, 1, 0)), (-1, (1, 0, 0)), (-1, (0, 1, 0))], 1, [(None, 1), (None, 1), None])
@example([(1, (0, 2, 0)), (-1, (1, 1, 0))], 0, [(None, 0), (0, 0), None])
def test_a_size_that_is_never_negative_beyond_bounds_is_so_within_them(
    terms: list[tuple[int, tuple[int, ...]]], constant: int, drawn: list[tuple[int | None, int] | None]
) -> None:
    size = _polynomial(terms, constant)
    bounds: dict[Variable, Bound] = {}
    for place, each in enumerate(drawn):  # by those that come before only, so that no circle is drawn
        if each is not None and (each[0] is None or each[0] < place):
            bounds[SIGNED[place]] = (None if each[0] is None else SIGNED[each[0]], each[1])
    if is_never_negative_beyond(size, {**bounds}):
        for sizes in SIGNED_BOX:
            meets = all(
                sizes[atom] >= number + (0 if other is None else sizes[next(v for v in SIGNED if v is other)])
                for atom, (other, number) in bounds.items()
            )
            assert not meets or evaluate(size, sizes) >= 0, (size, bounds, sizes)


def truncated_quotient(x: Dim, y: Dim) -> Dim:
    """Return the quotient rounded towards zero."""
    positive = choose(at_least(y, 0), x // y, -(x // -y))
    return choose(at_least(x, 0), positive, choose(at_least(y, 0), -((-x) // y), (-x) // -y))


def truncated_remainder(x: Dim, y: Dim) -> Dim:
    """Return the remainder with the sign of the dividend."""
    size = choose(at_least(y, 0), y, -y)
    return choose(at_least(x, 0), x % size, -((-x) % size))


def test_quotient_and_remainder_make_the_dividend_for_all_signs() -> None:
    x, y = (of_atom(each) for each in SIGNED[:2])
    claims = [
        equal(quotient(x, y) * y + rest(x, y), x)
        for quotient, rest in ((truncated_quotient, truncated_remainder), (Dim.__floordiv__, Dim.__mod__))
    ]
    for claim in (*claims, equal(-((-x) // y) * y - (-x) % y, x)):
        assert Propagator().prove(claim) is not None, claim
        assert all(holds(claim, sizes) for sizes in SIGNED_BOX), claim
    wrong = equal(truncated_quotient(x, y) * y + x % y, x)
    assert Propagator().prove(wrong) is None and not all(holds(wrong, sizes) for sizes in SIGNED_BOX)
