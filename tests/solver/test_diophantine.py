"""Test of integer reasoning against enumeration of small numbers, and against sympy's factors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, cast

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve import Proved, Refuted, Unreachable, prove
from shapesolve.solver.polynomials import LARGEST, divisors, prime_factors, root_of
from shapesolve.solver.preprocessing.diophantine import factors_of_numbers, modulo_primes, simplify_over_integers
from shapesolve.solver.verdicts import Satisfiable, Unsatisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, is_zero, negation

SIGNED = [Variable.of(name, -5, 5) for name in "xyz"]
SIZES = [Variable.of(name, 0, 9) for name in "abc"]
SOLVER = Z3Solver()
unchecked: Any = sympy

Terms = list[tuple[int, tuple[int, ...]]]
COEFFICIENTS = st.integers(-12, 12).filter(bool)
SQUARES = st.sampled_from([(2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (0, 1, 1)])
POWERS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))


def polynomial(terms: Terms, constant: int, variables: Sequence[Variable]) -> Dim:
    total = dim(constant)
    for coefficient, powers in terms:
        total = total + prod((of_atom(v) ** p for v, p in zip(variables, powers, strict=True)), start=dim(coefficient))
    return total


def everywhere(variables: Sequence[Variable]) -> list[dict[Variable, int]]:
    ranges = [range(cast("int", v.lower), cast("int", v.upper) + 1) for v in variables]
    return [dict(zip(variables, numbers, strict=True)) for numbers in product(*ranges)]


BOX = everywhere(SIGNED)


def compare(size: Dim) -> Formula | None:
    claim = simplify_over_integers(size)
    if claim is not None:
        for sizes in BOX:
            assert holds(claim, sizes) == (evaluate(size, sizes) == 0), (size, claim, sizes)
    return claim


@given(st.lists(st.tuples(COEFFICIENTS, POWERS), min_size=1, max_size=2), st.sampled_from([0, 0, 1, 2, -4, 12, 50]))
def test_equations_of_two_products_are_decided_as_by_enumeration(terms: Terms, constant: int) -> None:
    compare(polynomial(terms, constant, SIGNED))


@given(st.lists(st.tuples(COEFFICIENTS, SQUARES), min_size=2, max_size=4))
def test_forms_of_one_degree(terms: Terms) -> None:
    compare(polynomial(terms, 0, SIGNED))


@given(st.lists(st.tuples(COEFFICIENTS, POWERS), min_size=1, max_size=4), st.integers(-20, 20))
def test_any_equation_is_decided_as_by_enumeration(terms: Terms, constant: int) -> None:
    compare(polynomial(terms, constant, SIGNED))


def test_the_ways_are_really_taken() -> None:
    x, y, z = map(of_atom, SIGNED)
    never = [x * x - 2, x * x * y * y - 12, x**3 + y**3 - 9 * z - 4, x * x - 3 * y - 2, x * x * y**3 - 2, x * x + 4]
    assert all(compare(size) is is_zero(dim(1)) for size in never)
    at_zero = [x * x - 2 * y * y, x**3 - 2 * y**3, x * x + y * y - 3 * z * z, x * x + x * y + y * y - 2 * z * z]
    assert all(compare(size) is not None for size in at_zero)
    open_ones = [x * x - 4 * y * y, x * x - 2 * y**3, x * x + y * y - 2 * z * z, x * y - 6, x * x - 2 * y * y - 1]
    assert all(compare(size) is None for size in open_ones)


def compare_factors(size: Dim) -> int:
    count = 0
    for factor in factors_of_numbers(equal(size, 0)):
        values = factor.values()
        assert values is not None and factor.number
        for sizes in BOX:
            if evaluate(size, sizes) == 0:
                value = sizes[factor.variable]
                assert value in values
                assert factor.number % (factor.scale * value + factor.shift) ** factor.power == 0
                count += 1
    return count


@given(st.lists(st.tuples(COEFFICIENTS, POWERS), min_size=1, max_size=3), st.integers(-30, 30).filter(bool))
def test_common_divisors_divide_the_constant(terms: Terms, constant: int) -> None:
    compare_factors(polynomial(terms, constant, SIGNED))


@given(
    st.integers(1, 4),
    st.integers(-4, 4),
    st.lists(
        st.tuples(COEFFICIENTS, st.tuples(st.just(0), st.integers(0, 2), st.integers(0, 2))), min_size=1, max_size=3
    ),
    st.integers(-20, 20),
)
def test_products_of_sums(scale: int, shift: int, terms: Terms, constant: int) -> None:
    x, others = of_atom(SIGNED[0]), polynomial(terms, 3, SIGNED)
    compare_factors((x * scale + shift) * others - constant)


@given(
    st.integers(-4, 4).filter(bool),
    st.integers(-4, 4),
    st.lists(st.integers(-5, 5), min_size=3, max_size=4),
    COEFFICIENTS,
)
def test_remainder_of_a_rational_function(scale: int, shift: int, coefficients: list[int], times: int) -> None:
    x, y, _ = map(of_atom, SIGNED)
    powers = sum((y**power * each for power, each in enumerate(coefficients)), start=dim(0))
    compare_factors(x * (y * scale + shift) * times + powers)


def test_a_fraction_of_polynomials_is_whole_for_few_numbers() -> None:
    x, y, _ = map(of_atom, SIGNED)
    (factor,) = factors_of_numbers(equal(x * (y * 3 - 4), y * y * 3 - y * 5 + 4))
    assert (factor.number, factor.scale, factor.shift) == (-24, 3, -4)
    assert compare_factors(x * (y * 3 - 4) - (y * y * 3 - y * 5 + 4))
    facts = ["a <= 112", "b <= 112", "3*a*b + 5*a == 3*a*a + 4*b + 4"]
    assert isinstance(prove("4*a*b + 2*a <= 3*a*a + 3*b + 16", facts), Proved)


@given(
    st.lists(st.tuples(COEFFICIENTS, POWERS), min_size=2, max_size=3),
    st.sampled_from([2, 3, 5, 6, 7, 10]),
    st.integers(0, 2),
    st.integers(-20, 20),
)
def test_solutions_modulo_primes(terms: Terms, prime: int, kept: int, constant: int) -> None:
    scaled = [(c if place == kept else c * prime, powers) for place, (c, powers) in enumerate(terms)]
    size = polynomial(scaled, constant, SIGNED)
    for fact in modulo_primes(size):
        for sizes in BOX:
            if evaluate(size, sizes) == 0:
                assert holds(fact.claim, sizes), (size, fact, sizes)


def test_factors_are_found() -> None:
    x, y, z = map(of_atom, SIGNED)
    sizes = [
        x * y - x * z - 4,
        x * y + x + y - 2,
        2 * x * y + 3 * x + 5 * y,
        (x + y) * (z + 1) - 6,
        x * x * y - 18,
        x * x + x * y - 6,
    ]
    assert all(compare_factors(size) for size in sizes)


@examples(40)
@given(
    st.lists(st.tuples(st.integers(-6, 6).filter(bool), POWERS), min_size=1, max_size=3),
    st.integers(-60, 60),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
    st.booleans(),
)
def test_a_solver_finds_what_there_is(terms: Terms, constant: int, least: list[int], is_equal: bool) -> None:
    equation = equal(polynomial(terms, constant, SIZES), 0)
    bounds = [at_least(of_atom(v), low) for v, low in zip(SIZES, least, strict=True)]
    query = [equation if is_equal else negation(equation), *bounds]
    answer = SOLVER.check(list(enumerate(query)), name="whole", budget=300_000)
    found = any(all(holds(each, sizes) for each in query) for sizes in everywhere(SIZES))
    if isinstance(answer, Unsatisfiable):
        assert not found, query
        core = [query[label] for label in answer.core]
        assert not any(all(holds(each, sizes) for each in core) for sizes in everywhere(SIZES))
    elif isinstance(answer, Satisfiable):
        assert found


SEMIPRIME = 2147483629 * 2147483587

DECIDED = [
    ("false", ("a*a == 2*b*b", "b > 0"), Unreachable),
    ("b == 0", ("a*a == 2*b*b",), Proved),
    ("false", ("(a//3)*(a//3)*c == 2*b*b*c", "b > 0", "c > 0"), Unreachable),
    ("false", ("a*a*c*c == 3*b*b", "b >= 1"), Unreachable),
    ("c == 0", ("a*a + b*b == 7*c*c",), Proved),
    ("a*a + b*b == 2*c*c -> a == b", (), Refuted),
    (f"a*b != {SEMIPRIME}", ("a >= 2", "b >= 2"), Refuted),
    (f"a*b != {SEMIPRIME}", ("a >= 2", "b >= 2", "a < 2147483587"), Proved),
    (f"a*b == {SEMIPRIME} -> a == 2147483629 or a == 2147483587", ("a >= 2", "b >= 2"), Proved),
    (f"a*b*c != {SEMIPRIME}", ("a >= 2", "b >= 2", "c >= 2"), Proved),
    ("false", ("a*b == a*c + 1", "a >= 2"), Unreachable),
    ("a == 1", ("a*b == a*c*e + 1",), Proved),
    ("a == 1 or a == 5", ("a*b*c == a*d + 5",), Proved),
    ("a == 1 or a == 5", ("a*b*c == a*d + 10",), Refuted),
    ("false", ("a*(b//2) == a*(c % 5) + 1", "a >= 2"), Unreachable),
    ("false", ("a*b == a*c + 2*d", "d >= 1", "2*d < a"), Unreachable),
    ("false", ("a*a + b*b == 4*c + 3",), Unreachable),
    ("a*a != b*b + 2", (), Proved),
    ("false", ("(a + 1)*(b + 1) == 10007", "a >= 1", "b >= 1"), Unreachable),
    ("a*b + a + b + 1 != 10007", ("a >= 1", "b >= 1"), Proved),
    ("false", ("(a + b)*(c + 1) == 1000003", "a + b >= 2", "c >= 1"), Unreachable),
    ("2*a*b + 3*a + 5*b != 4", (), Proved),
    ("false", ("a*a == 6*a*b + 2*a*c + 7*a*d + 3", "a >= 4"), Unreachable),
    ("a*b*c != 720720", ("841 <= a", "a <= 857"), Proved),
    ("a*b*c != 720720", ("839 <= a", "a <= 857"), Refuted),
    ("a*a != b*b + 3", (), Refuted),
    ("a % 7 == 0", ("(a*a) % 7 == 0",), Proved),
    ("a % 4 == 0", ("(a*a) % 16 == 0",), Proved),
    ("a % 4 == 0", ("(a*a) % 8 == 0",), Proved),
    ("a % 4 == 0", ("(a*a) % 4 == 0",), Refuted),
    ("a % 101 == 0 or b % 101 == 0", ("(a*b) % 101 == 0",), Proved),
    ("a % 6 == 0 or b % 6 == 0", ("(a*b) % 6 == 0",), Refuted),
    ("a % 2 == 1", ("a*b == 2*c + 1",), Proved),
    ("b % 5 == 0", ("a*b == 5*c + 10*d", "a % 5 == 2"), Proved),
]


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "facts", "kind"), DECIDED)
def test_questions_about_whole_numbers_are_decided(goal: str, facts: tuple[str, ...], kind: type) -> None:
    assert isinstance(prove(goal, facts), kind)


# Factors ---------------------------------------------------------------------------------------------------------


@given(st.one_of(st.integers(1, 10_000), st.integers(1, 2**40)))
@example(3 * 7 * 157 * 1013 * 1381)
@example((2**31 - 1) * (2**31 - 19))
def test_factors_are_those_of_sympy(number: int) -> None:
    assert prime_factors(number) == unchecked.factorint(number)


@given(st.integers(1, 3_000))
def test_divisors_are_all(number: int) -> None:
    assert divisors(-number, 100) == [each for each in range(1, number + 1) if number % each == 0]


def test_large_and_hard_numbers() -> None:
    assert prime_factors(SEMIPRIME) == {2147483629: 1, 2147483587: 1}
    assert divisors(2147483629**2, 8) == [1, 2147483629, 2147483629**2]
    assert prime_factors(2**61 - 1) == {2**61 - 1: 1}
    assert all(len(prime_factors(each) or ()) > 1 for each in (3215031751, 341550071728321))
    assert prime_factors(LARGEST) is None and prime_factors(0) is None and divisors(720720, 32) is None
    assert divisors(0, 32) is None


@given(st.integers(-200, 200), st.integers(1, 5))
def test_root_of_is_the_exact_root_or_none(number: int, degree: int) -> None:
    root = root_of(number**degree, degree)
    assert root is not None and root**degree == number**degree
    wanted = [each for each in range(-200, 201) if each**degree == number]
    assert (root_of(number, degree) is None) == (not wanted)
