"""Huge sizes that are shared out evenly, and their smallest maximum, sum and order, in few questions."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import pytest

from shapesolve.solver.even_sizes import with_even_sizes
from shapesolve.solver.models import Model, Query
from shapesolve.solver.shrinking import smallest
from shapesolve.solver.verdicts import Answer, Label
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, dims, remainder
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula

_WRAPS = 2**31


def _atoms(sizes: Sequence[Dim]) -> list[Variable]:
    found = [each.atom for each in sizes]
    return [each for each in found if isinstance(each, Variable)]


def _sums(sizes: Sequence[Dim]) -> Query:
    """Return formulas that the sum of all sizes is the first one that is negative in 32 bits."""
    formulas = list[tuple[Label, Formula]]()
    total = dim(0)
    for number, each in enumerate(sizes):
        total = total + each
        signed = remainder(total + _WRAPS, 2 * _WRAPS)
        is_last = number == len(sizes) - 1
        formulas.append((number, signed < _WRAPS if is_last else signed >= _WRAPS))
    return formulas


class _Counting:
    def __init__(self) -> None:
        self.solver = Z3Solver()
        self.asked = 0

    def check(self, query: Query, *, name: str, budget: int, wants_core: bool = True) -> Answer:
        self.asked += 1
        return self.solver.check(query, name=name, budget=budget, wants_core=wants_core)

    def with_sources(self, origin: object) -> _Counting:
        return self


@pytest.mark.parametrize("count", [3, 6, 7, 12])
def test_a_sum_that_wraps_is_shared_out_evenly(count: int) -> None:
    sizes = dims(" ".join(f"n{number}" for number in range(count)))
    ranked, query = _atoms(sizes), _sums(sizes)
    known = {**dict.fromkeys(ranked, 1), ranked[-1]: _WRAPS - count + 1}
    assert all(holds(each, Model(known)) for _, each in query)
    even = with_even_sizes(query, known, ranked, lambda sizes, changed: all(holds(e, Model(sizes)) for _, e in query))
    assert set(even.values()) == {ceil(_WRAPS / count)}


@pytest.mark.parametrize("count", [3, 5, 6])
def test_its_smallest_sizes_take_few_questions(count: int) -> None:
    sizes = dims(" ".join(f"n{number}" for number in range(count)))
    ranked, query = _atoms(sizes), _sums(sizes)
    known = {**dict.fromkeys(ranked, 1), ranked[-1]: _WRAPS - count + 1}
    solver = _Counting()
    found = smallest(solver, query, ranked, budget=1_000_000, name="sum", start=known)
    assert found.smallest
    most = ceil(_WRAPS / count)
    assert [found.model[each] for each in ranked] == [_WRAPS - (count - 1) * most, *[most] * (count - 1)]
    assert solver.asked <= 40


def test_small_sizes_and_other_causes_stay() -> None:
    n, m = dims("n m")
    ranked = _atoms((n, m))
    kept = dict(zip(ranked, (7, 2**15), strict=True))
    assert with_even_sizes([(0, n + m >= 8)], kept, ranked, lambda sizes, changed: True) is kept
    huge = dict(zip(ranked, (7, 2**20), strict=True))
    assert with_even_sizes([(0, n * m >= 8)], huge, ranked, lambda sizes, changed: True) is huge
