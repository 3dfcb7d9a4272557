"""Bounds of polynomials, against trying all numbers of small ranges."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, remainder
from shapesolve.symbolic.evaluation import evaluate

RANGES = (-3, 2), (0, 4), (-5, -1)
NUMBERS = [Variable.of(name, *ends) for name, ends in zip("xyz", RANGES, strict=True)]
BOX = [dict(zip(NUMBERS, numbers, strict=True)) for numbers in product(*(range(low, high + 1) for low, high in RANGES))]
FACTORS = st.tuples(*(st.integers(-9, 9) for _ in range(4))).map(
    lambda given: sum((of_atom(each) * n for each, n in zip(NUMBERS, given, strict=False)), dim(given[3]))
)
SUMS = st.lists(FACTORS, min_size=1, max_size=2).map(
    lambda factors: factors[0] if len(factors) == 1 else factors[0] * factors[1]
)


@given(SUMS)
def test_bounds_hold(size: Dim) -> None:
    low, high = size.bounds()
    assert low is not None and high is not None
    assert all(low <= evaluate(size, numbers) <= high for numbers in BOX)


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9), st.sampled_from(NUMBERS))
def test_bounds_of_parabolas_are_reached(a: int, b: int, c: int, variable: Variable) -> None:
    x = of_atom(variable)
    size = a * x * x + b * x + c
    values = [evaluate(size, numbers) for numbers in BOX]
    assert size.bounds() == (min(values), max(values))


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_bounds_of_products_are_reached(b: int, c: int) -> None:
    size = (of_atom(NUMBERS[0]) + b) * (of_atom(NUMBERS[1]) + c)
    values = [evaluate(size, numbers) for numbers in BOX]
    assert size.bounds() == (min(values), max(values))


def test_a_parabola_without_an_end_has_a_vertex() -> None:
    x = of_atom(Variable.of("n", 0, None))
    assert (x * x - 6 * x).bounds() == (-9, None)
    assert (6 * x - x * x).bounds() == (None, 9)


def test_products_of_narrow_numbers_are_bounded() -> None:
    """A product of two 32-bit integers fits 64 bits."""
    first, second = (remainder(of_atom(Variable.of(name, None, None)) + 2**31, dim(2**32)) - 2**31 for name in "pq")
    assert (first * second).bounds() == (-(2**31) * (2**31 - 1), 2**62)
    assert (first * first).bounds() == (0, 2**62)
