"""Test that sizes reported as non-negative are, and that products of quotients are reported so."""

from __future__ import annotations

from math import prod

from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve import dims
from shapesolve.symbolic.dims import Dim, dim, of_atom, variable
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.linear import is_non_negative_by_intervals

A, B = dims("A B")
Z = variable("Z", None, None)


def test_products_of_quotients_are_never_negative() -> None:
    product = 32 * (A // 7) * (B // 7)
    low, _ = product.bounds()
    assert low is not None and low < 0
    assert is_non_negative_by_intervals(product)
    assert is_non_negative_by_intervals(3 * (B // 5) * (A // 7) + A % 7)
    assert not is_non_negative_by_intervals(product - 1)
    assert not is_non_negative_by_intervals(product - A)
    assert not is_non_negative_by_intervals(32 * (Z // 7) * (B // 7))


factors = st.sampled_from([A, B, Z, A // 7, A % 7, B // 7, A // 3, B // 5, B % 5, Z // 5, Z % 5, dim(1)])


def term(number: int, *of: Dim) -> Dim:
    """A product."""
    return prod(of, start=dim(number))


def total(constant: int, *terms: Dim) -> Dim:
    """A sum."""
    return sum(terms, start=dim(constant))


terms = st.builds(term, st.integers(-9, 60), factors, factors, factors)
sizes = st.builds(total, st.integers(-3, 40), terms, terms, terms)


@examples(200)
@given(sizes, st.integers(0, 60), st.integers(0, 60), st.integers(-60, 60))
def test_nonnegative_expressions_are_nonnegative(size: Dim, a: int, b: int, z: int) -> None:
    if is_non_negative_by_intervals(size):
        values = {each.atom: value for each, value in ((A, a), (B, b), (Z, z))}
        assert evaluate(size, {variable: values[of_atom(variable).atom] for variable in size.variables}) >= 0
