"""Factors, solutions and readable claims, each against its meaning on plain integers."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import product
from math import prod
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import SCOPE, assignments, formulas, polynomials, quotient_sums, sizes

from shapesolve.simplification.readable import readable
from shapesolve.solver.polynomials import factored
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import Assignment, evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, less_than, negation
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope

unchecked: Any = sympy
P, Q = variable("i", None), variable("j", None)


@given(sizes, assignments)
def test_the_product_of_the_factors_is_the_size(size: Dim, numbers: Assignment) -> None:
    assert prod(evaluate(factor, numbers) for factor in factored(size)) == evaluate(size, numbers)


@given(polynomials, polynomials, assignments)
def test_a_product_is_taken_apart(x: Dim, y: Dim, numbers: Assignment) -> None:
    factors = factored(x * y)
    assert prod(factors, start=dim(1)) is x * y
    assert prod(evaluate(factor, numbers) for factor in factors) == evaluate(x, numbers) * evaluate(y, numbers)
    if not (x.is_constant or y.is_constant):
        assert len([factor for factor in factors if not factor.is_constant]) >= 2


@given(
    st.lists(st.integers(-(2**70), 2**70).filter(bool), min_size=4, max_size=4),
    st.sampled_from([2**31, 2**32 + 1, 2**63, 2**64, -(2**63)]),
)
def test_products_with_large_coefficients_are_taken_apart(numbers: list[int], large: int) -> None:
    a, b, c, d = numbers
    pairs = ((P * large + a, P * b + c), (P * large + Q * a, P * a - Q * large), (P * a + b, Q * c + d))
    for x, y in pairs:
        factors = factored(x * y)
        assert prod(factors, start=dim(1)) is x * y
        assert len([factor for factor in factors if not factor.is_constant]) == 2


@given(sizes)
def test_a_constant_factor_comes_first_and_is_not_one(size: Dim) -> None:
    first, *others = factored(size)
    assert not any(factor.is_constant for factor in others)
    if others and first.is_constant:
        assert first.value not in (0, 1)


@pytest.mark.parametrize(
    ("text", "factors"),
    [
        ("N*M - N", ["N", "M - 1"]),
        ("6*N**2*M - 6*M", ["6", "M", "N + 1", "N - 1"]),
        ("-2*N*M", ["-2", "M", "N"]),
        ("2 - 2*N", ["-2", "N - 1"]),
        ("(N + 1)**3", ["N + 1"] * 3),
        ("N*(N//2) + N//2", ["N//2", "N + 1"]),
        ("2*N + 4", ["2", "N + 2"]),
        ("N**2 + 1", ["N**2 + 1"]),
        ("N*M + N + M + 1", ["M + 1", "N + 1"]),
        ("7", ["7"]),
        ("1", ["1"]),
        ("0", ["0"]),
        ("N", ["N"]),
    ],
)
def test_factored_splits_a_polynomial_into_its_factors(text: str, factors: list[str]) -> None:
    assert [str(factor) for factor in factored(parse_size(text, Scope.free()))] == factors


@given(formulas, assignments)
def test_the_readable_form_means_the_same(claim: Formula, numbers: Assignment) -> None:
    assert holds(parse_formula(readable(claim), SCOPE), numbers) == holds(claim, numbers)


@given(polynomials, polynomials, assignments)
def test_the_readable_form_of_products_means_the_same(x: Dim, y: Dim, numbers: Assignment) -> None:
    for claim in (equal(x * y, 0), x * y >= 0, x * y <= 0, x * y > 0, x * y == x, x * y >= x, x * x * y <= 0):
        assert holds(parse_formula(readable(claim), SCOPE), numbers) == holds(claim, numbers)


@given(quotient_sums, quotient_sums, assignments)
def test_the_readable_form_of_quotients_means_the_same(x: Dim, y: Dim, numbers: Assignment) -> None:
    for claim in (x // 3 == 2, x // 2 >= -1, x // 5 < 3, (x == y) & (x <= 3) & (x >= y) & (x >= -2)):
        assert holds(parse_formula(readable(claim), SCOPE), numbers) == holds(claim, numbers)


@given(quotient_sums, quotient_sums, assignments)
def test_the_readable_form_of_parities_means_the_same(x: Dim, y: Dim, numbers: Assignment) -> None:
    odd = (2 * x + y + 1) % 2
    for claim in (odd + x >= y, odd + y == x, odd * x > y, (odd != y) | ((x + 1) % 2 == y)):
        assert holds(parse_formula(readable(claim), SCOPE), numbers) == holds(claim, numbers)


@given(
    st.lists(st.tuples(quotient_sums, st.sampled_from((0, 1, 2, -2)), quotient_sums), min_size=1, max_size=3),
    assignments,
)
def test_the_readable_form_of_chains_means_the_same(chains: list[tuple[Dim, int, Dim]], numbers: Assignment) -> None:
    claim = conjunction(part for x, low, y in chains for part in (at_least(x, low), at_least(y + low, x)))
    assert holds(parse_formula(readable(claim), SCOPE), numbers) == holds(claim, numbers)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("N*M == N", "N == 0 or M == 1"),
        ("N*M != N", "N != 0 and M != 1"),
        ("N*M >= N", "N == 0 or M >= 1"),
        ("N*M <= N", "N == 0 or M <= 1"),
        ("N*N == M*M", "M + N == 0 or M == N"),
        ("(N - 2)*(M - 3) >= 0", "(M - 3)*(N - 2) >= 0"),
        ("(N - 2)**2*(M - 3) >= 0", "N == 2 or M >= 3"),
        ("6*N*M*M == 4*M", "M == 0"),
        ("N >= 2 and N <= 5", "2 <= N <= 5"),
        ("N >= 2 and M == 3 and N <= 2", "N == 2 and M == 3"),
        ("N//2 == 3", "6 <= N <= 7"),
        ("N//4 >= 2", "N >= 8"),
        ("N//4 < 2", "N <= 7"),
        ("select(N == 2, 1, 0) == 1", "N == 2"),
        ("select(N == 2, 1, 0) == 0", "N != 2"),
        ("N < M", "M > N"),
        ("N <= 0", "N == 0"),
        ("N <= 0 or M <= 0 or N == M", "N == 0 or M == 0 or M == N"),
        ("N + 3*M <= 0", "3*M + N == 0"),
        ("N >= 2 and M >= N", "2 <= N <= M"),
        ("N >= 2 and M + K > N", "2 <= N < K + M"),
        ("N >= 2 and M > N and K >= N", "2 <= N < M and K >= N"),
        ("N >= 2 and N <= 9 and M >= N", "2 <= N <= 9 and M >= N"),
        ("N*(M + K) == J", "N*(K + M) == J"),
        ("N*(M + K) != 12", "N*(K + M) != 12"),
        ("N*(M + K) >= J*J", "N*(K + M) >= J**2"),
        ("N % 16 == 0", "N % 16 == 0"),
        ("(N + 1) % 2 + M > N", "M >= N + N % 2"),
        ("2*((N + 1)//2) <= M", "M >= N + N % 2"),
        ("(N + 1) % 2 == M", "M + N % 2 == 1"),
        ("(N + 1) % 2 + M == K", "K + N % 2 == M + 1"),
        ("compatible(N, M)", "compatible(M, N)"),
        ("(N >= 1 and N <= 1) or (N >= 3 and N <= 4 and M == 1)", "N == 1 or (3 <= N <= 4 and M == 1)"),
        ("true", "true"),
    ],
)
def test_readable_turns_a_normal_form_into_the_shortest_text(text: str, shown: str) -> None:
    assert readable(parse_formula(text, Scope.free())) == shown


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        (at_least(P, -3), "i >= -3"),
        (at_least(-3, P), "i <= -3"),
        (equal(P + 1, 0), "i == -1"),
        (negation(equal(P + 1, 0)), "i != -1"),
        (at_least(P + Q, -5), "i + j >= -5"),
        (at_least(P + 5, Q), "i + 5 >= j"),
        (at_least(P, 0) & less_than(P, Q), "0 <= i < j"),
        (at_least(P, -3) & at_least(Q * 2, P), "-3 <= i <= 2*j"),
        (at_least(P, 0) & at_least(Q - 2, P), "0 <= i <= j - 2"),
        (at_least(P, 0) & at_least(Q, 1) & less_than(P, Q), "0 <= i < j and j >= 1"),
        (less_than(P, Q) & at_least(P, 0) & less_than(Q, P * P), "0 <= i < j and i**2 > j"),
        (at_least(P % 7, 1), "i % 7 != 0"),
        (equal((-P) // Q, -5), "ceildiv(i, j) == 5"),
        (at_least(Q, (-2 * P - 1) // Q), "ceildiv(2*i + 1, j) + j >= 0"),
        (at_least(Q - 1, -((-P) // Q)), "j > ceildiv(i, j)"),
        (equal((Q - P) // Q, 2), "(j - i)//j == 2"),
    ],
)
def test_readable_forms_of_numbers_that_may_be_negative(claim: Formula, shown: str) -> None:
    text = readable(claim)
    assert text == shown
    read = parse_formula(text, Scope.closed({"i": P, "j": Q}))
    for i, j in product(range(-9, 10), (-3, -2, -1, 1, 2, 3)):
        values = {P.atom: i, Q.atom: j}
        assert holds(read, values) == holds(claim, values)  # pyright: ignore[reportArgumentType]


@given(polynomials, polynomials)
def test_there_are_as_many_factors_as_sympy_finds(x: Dim, y: Dim) -> None:
    size = x * y
    names = sorted({variable.text for variable in size.variables})
    if not names:
        return
    symbols = {name: sympy.Symbol(f"x{number}") for number, name in enumerate(names)}
    text = str(size)
    for name in names:
        text = re.sub(rf"\b{name}\b", str(symbols[name]), text)
    _, factors = unchecked.Poly(unchecked.sympify(text), *symbols.values()).factor_list()
    assert len([each for each in factored(size) if not each.is_constant]) == sum(power for _, power in factors)


@pytest.mark.process
def test_flint_is_loaded_only_when_a_polynomial_needs_it() -> None:
    program = """
import sys
from shapesolve.symbolic.scope import Scope; from shapesolve.symbolic.parser import parse_formula
from shapesolve.solver.polynomials import factored
from shapesolve.simplification.readable import readable
for text in ("N*M == N", "2*N + 1 == M", "N % 16 == 0", "N >= 2 and N <= 5"):
    claim = parse_formula(text, Scope.free())
    readable(claim)
assert "flint" not in sys.modules
readable(parse_formula("N*N == M*M", Scope.free()))
assert "flint" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_large_polynomial_is_left_alone() -> None:
    size = parse_size("(a + b + c + d + e)**5 + f", Scope.free())
    (only,) = factored(size)
    assert only is size
