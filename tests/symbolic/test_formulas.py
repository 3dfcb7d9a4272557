"""Claims: every constructor against its meaning on plain integers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import arithmetic, assignments, comparisons, formulas, quotient_sums

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dims, remainder, variable
from shapesolve.symbolic.evaluation import Assignment, evaluate, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import (
    at_least,
    compatible,
    conjunction,
    conjuncts,
    disjunction,
    divides,
    either,
    equal,
    equivalent,
    implies,
    is_non_negative,
    is_zero,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import as_number, choose

N, M, H = dims("N M H")


def check_comparisons(x: Dim, y: Dim, numbers: Assignment) -> None:
    a, b = evaluate(x, numbers), evaluate(y, numbers)
    claims = {
        equal(x, y): a == b,
        unequal(x, y): a != b,
        at_least(x, y): a >= b,
        less_than(x, y): a < b,
        x <= y: a <= b,
        x > y: a > b,
        is_zero(x): a == 0,
        is_non_negative(x): a >= 0,
        divides(x, y): (b % a if a else b) == 0,
    }
    # Equal claims are one object, so a wrong simplification may also show as a clash of two entries.
    for claim, truth in claims.items():
        assert holds(claim, numbers) == truth, str(claim)
        assert holds(negation(claim), numbers) != truth, str(claim)
    assert holds(equal(x, y), numbers) == (a == b)
    assert holds(at_least(x, y), numbers) == (a >= b)
    assert holds(less_than(x, y), numbers) == (a < b)


@given(arithmetic, arithmetic, assignments)
def test_comparisons_hold_where_the_numbers_compare(x: Dim, y: Dim, numbers: Assignment) -> None:
    check_comparisons(x, y, numbers)


@given(quotient_sums, quotient_sums, assignments)
def test_comparisons_of_quotients(x: Dim, y: Dim, numbers: Assignment) -> None:
    check_comparisons(x, y, numbers)


def test_names_are_in_natural_order() -> None:
    names = ["a0[0]", "a2[0]", "a10[0]", "a[2]", "a[10]"]
    sizes = [variable(name) for name in reversed(names)]
    assert str(compatible(sizes)) == f"compatible({', '.join(names)})"
    assert str(sizes[2] + sizes[3]) == "a2[0] + a10[0]"
    assert str(sizes[2] * sizes[3]) == "a2[0]*a10[0]"


@given(st.lists(arithmetic, max_size=4), assignments)
def test_compatible_is_what_broadcasting_demands(column: list[Dim], numbers: Assignment) -> None:
    values = [evaluate(size, numbers) for size in column]
    pairwise = all(a == b or a == 1 or b == 1 for a in values for b in values)
    assert holds(compatible(column), numbers) == pairwise


@given(formulas, formulas, formulas, assignments)
def test_connectives_hold_as_pythons_on_their_parts(f: Formula, g: Formula, h: Formula, numbers: Assignment) -> None:
    a, b, c = (holds(claim, numbers) for claim in (f, g, h))
    assert holds(~f, numbers) == (not a)
    assert holds(~~f, numbers) == a
    assert holds(f & g, numbers) == (a and b)
    assert holds(f | g, numbers) == (a or b)
    assert holds(conjunction((f, g, h)), numbers) == (a and b and c)
    assert holds(disjunction((f, g, h)), numbers) == (a or b or c)
    assert holds(implies(f, g), numbers) == (b or not a)
    assert holds(equivalent(f, g), numbers) == (a == b)
    assert holds(either(f, g, h), numbers) == (b if a else c)
    assert holds(conjunction(conjuncts(f)), numbers) == a
    assert evaluate(as_number(f), numbers) == int(a)


@given(formulas, arithmetic, arithmetic, assignments)
def test_a_select_is_the_value_of_its_chosen_case(f: Formula, x: Dim, y: Dim, numbers: Assignment) -> None:
    assert evaluate(choose(f, x, y), numbers) == evaluate(x if holds(f, numbers) else y, numbers)


@given(formulas, assignments)
def test_the_truth_depends_on_the_listed_variables_only(f: Formula, numbers: Assignment) -> None:
    assert holds(f, {symbol: numbers[symbol] for symbol in f.variables}) == holds(f, numbers)


@given(formulas, formulas)
def test_laws_that_need_no_facts(f: Formula, g: Formula) -> None:
    assert f & f is f
    assert f & TRUE is f
    assert f | FALSE is f
    assert f & FALSE is FALSE
    assert f | TRUE is TRUE
    assert implies(f, f) is TRUE
    assert equivalent(f, f) is TRUE
    assert either(f, g, g) is g


@given(comparisons)
def test_a_comparison_contradicts_its_negation(f: Formula) -> None:
    if f is not ~~f:  # claims about quotients may have two forms
        return
    assert f & ~f is FALSE
    assert f | ~f is TRUE


@pytest.mark.parametrize(
    ("claim", "decided"),
    [
        (N + 1 >= 1, TRUE),
        (N >= 0, TRUE),
        (N < 0, FALSE),
        (2 * N + 1 == 2 * M, FALSE),
        (2 * N == 2 * M + 3, FALSE),
        (N + 1 == 0, FALSE),
        (N % 4 < 4, TRUE),
        (N % 4 == 4, FALSE),
        (2 * (H // 2) <= H, TRUE),
        (H // 3 * 3 + H % 3 == H, TRUE),
        (N * M >= 0, TRUE),
        (N == N, TRUE),
        (compatible([N, 1, N]), TRUE),
        (compatible([2, 3]), FALSE),
        (compatible([0, 1]), TRUE),
        (compatible([0, 2]), FALSE),
        (compatible([]), TRUE),
        (divides(4, 8 * N), TRUE),
        (divides(4, 4 * N + 2), FALSE),
        (3 * (H // 6) + H % 6 == H, H // 6 == 0),
    ],
)
def test_decided_as_soon_as_written(claim: Formula, decided: Formula) -> None:
    assert claim is decided


def test_formulas_on_sizes_are_left_open() -> None:
    small = variable("q", 2, 5)
    for claim in (N == M, N >= 1, N != 0, small == 2, small >= 5, compatible([N, 3]), N % 2 == 0):
        assert claim is not TRUE
        assert claim is not FALSE
    assert (small >= 2) is TRUE
    assert (small == 6) is FALSE


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (2 * H + 1 == N, "2*H + 1 == N"),
        (3 * N == 6 * M, "2*M == N"),
        (N <= 3, "N <= 3"),
        (N > 3, "N >= 4"),
        (N + M <= 3, "M + N <= 3"),
        (N - M >= -3, "N + 3 >= M"),
        (N != M, "M != N"),
        (N % 16 == 0, "N % 16 == 0"),
        (~compatible([N, M]), "not compatible(M, N)"),
        ((N == 1) | ((M == 2) & (H == 3)), "N == 1 or (M == 2 and H == 3)"),
        ((N == 1) & ((M == 2) | (H == 3)), "N == 1 and (M == 2 or H == 3)"),
        (implies(N >= 2, M == 2), "N <= 1 or M == 2"),
        (choose(N == 2, M, H) == 0, "select(N == 2, M, H) == 0"),
        (choose(N == 2, M, H) != 0, "not select(N == 2, M, H) == 0"),
        (TRUE, "true"),
        (FALSE, "false"),
    ],
)
def test_a_formula_is_printed_in_the_size_language(claim: Formula, text: str) -> None:
    assert str(claim) == text


def test_one_claim_is_one_object() -> None:
    assert (N == M) is (M == N)
    assert (2 * N >= 2 * M) is (N >= M)
    assert (2 * N >= 3) is (N >= 2)
    assert ~~(N == M) is (N == M)
    assert ~(N >= M) is (N < M)


def test_a_claim_has_no_truth_value() -> None:
    assert bool(TRUE)
    assert not bool(FALSE)
    with pytest.raises(TypeError, match="use prove"):
        bool(N == M)


def test_negating_a_deep_claim_takes_no_exponential_time() -> None:
    started = time.process_time()
    claim: Formula = N == 1
    for depth in range(60):
        claim = (claim & (variable(f"a{depth}") == 1)) | (variable(f"b{depth}") == 1)
    assert ~~claim is claim
    assert time.process_time() - started < 5


def test_variables_of_one_name_and_different_bounds_differ() -> None:
    assert Variable.of("N", 0) is Variable.of("N", 0)
    assert Variable.of("N", 0) is not Variable.of("N", 1)
    assert (variable("N", 0) == variable("N", 1)) is not TRUE


def test_a_remainder_of_a_shifted_size_is_compared_without_the_shift() -> None:
    assert equal(remainder(N + 7, 8), 7) is divides(8, N)
    assert equal(remainder(-N, 8), 0) is divides(8, N)
    assert str(equal(remainder(N + 3, 8), 2)) == "N % 8 == 7"
    assert equal(remainder(N + 3, 8), 8) is FALSE
    for value in range(8):
        claim = equal(remainder(N * 3 - M + 5, 8), value)
        for n in range(9):
            for m in range(9):
                numbers = {next(iter(N.variables)): n, next(iter(M.variables)): m}
                assert holds(claim, numbers) == ((3 * n - m + 5) % 8 == value)
