"""Equations modulo sizes, against trying all small ones."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from shapesolve import Proved, Refuted, prove
from shapesolve.solver.preprocessing.elimination import modulo_divisor
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.evaluation import evaluate, holds

SIGNED = [Variable.of(name, -4, 4) for name in "bxy"]
BOX = [dict(zip(SIGNED, sizes, strict=True)) for sizes in product(range(-4, 5), repeat=3)]
TERMS = st.lists(
    st.tuples(st.integers(-6, 6), st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=4
)


@given(TERMS, st.integers(-6, 6), st.sampled_from([1, 2, 3]), st.sampled_from([(1, 0), (1, 1), (2, 0)]))
def test_consequences_hold_wherever_the_equation_does(
    terms: list[tuple[int, int, int, int]], constant: int, scale: int, powers: tuple[int, int]
) -> None:
    b, x, y = map(of_atom, SIGNED)
    size: Dim = dim(constant)
    for coefficient, of_b, of_x, of_y in terms:
        size = size + b**of_b * x**of_x * y**of_y * coefficient
    claim = modulo_divisor(size, b ** powers[0] * x ** powers[1] * scale)
    if claim is not None:
        for sizes in BOX:
            assert evaluate(size, sizes) != 0 or holds(claim, sizes), (size, claim, sizes)


def test_a_factor_that_is_one_modulo_the_divisor_is_left_out() -> None:
    assert isinstance(prove("c % b == 0", ["(a*c) % b == 0", "a % b == 1", "b >= 2"]), Proved)
    assert isinstance(prove("c % b == 0", ["(a*c + d) % b == 0", "a % b == 1", "d % b == 0", "b >= 2"]), Proved)
    assert isinstance(prove("(c + d) % b == 0", ["(a*c + d) % b == 0", "a % b == 1", "b >= 2"]), Proved)


def test_another_factor_is_not() -> None:
    assert isinstance(prove("c % b == 0", ["(a*c) % b == 0", "a % b == 2", "b >= 2"]), Refuted)
