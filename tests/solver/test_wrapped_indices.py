"""Test that an index which counts from the end if negative is printed as one, with the same meaning."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.simplification.readable import readable, without_wrapping
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal
from shapesolve.symbolic.normal_forms import choose

P, N, M = variable("i", None), variable("N"), variable("M")


def in_bounds(index: Dim, length: Dim | int) -> Formula:
    return conjunction((at_least(index, 0), at_least(dim(length) - 1, index)))


def wrapped(index: Dim, length: Dim | int) -> Dim:
    return choose(at_least(-1, index), index + length, index)


CLAIMS = {
    "-64 <= i <= 63": in_bounds(wrapped(P, 64), 64),
    "-63 <= i <= 62": in_bounds(choose(at_least(P, 0), P, P + 63), 63),
    "-N <= i < N": in_bounds(wrapped(P, N), N),
    "N == 0 or -N <= i < N": disjunction((equal(N, 0), in_bounds(wrapped(P, N), N))),
    "M >= 2 and -N <= i < N": conjunction((in_bounds(wrapped(P, N), N), at_least(M, 2))),
}


@pytest.mark.parametrize("text", CLAIMS)
def test_it_reads_as_its_bounds(text: str) -> None:
    claim = CLAIMS[text]
    assert readable(claim) == text
    for i, n, m in product((*range(-9, 9), -65, -64, -63, 62, 63, 64), range(7), (1, 2)):
        numbers = {P.atom: i, N.atom: n, M.atom: m}
        assert holds(without_wrapping(claim), numbers) == holds(claim, numbers)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "claim",
    [
        in_bounds(wrapped(P, N), M),
        in_bounds(choose(at_least(-2, P), P + N, P), N),
        at_least(wrapped(P, N), 0),
        at_least(N - 1, wrapped(P, N)),
    ],
)
def test_near_misses_stay(claim: Formula) -> None:
    assert without_wrapping(claim) is claim
