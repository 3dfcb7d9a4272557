"""Test that inputs that are all equal are shrunk as one, which finds the sizes that they have one by one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.order_of_sizes import Place, place

from shapesolve.solver import eliminated_variables, enumeration
from shapesolve.solver.prover import Prover
from shapesolve.solver.shrinking import smallest
from shapesolve.solver.verdicts import Refuted, Satisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, dims, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, compatible, equal, less_than, unequal
from shapesolve.trace.events import Fact, Source

MANY = 14
BUDGET = 1_000_000
A, B, C = dims("A B C")
_size = st.one_of(st.sampled_from([A, B, C, A + B, B * C, A - C, A // 2, C % 3]), st.integers(0, 5).map(dim))
_formula = st.one_of(
    *(st.tuples(_size, _size).map(lambda p, of=of: of(*p)) for of in (equal, unequal, at_least)),
    st.tuples(_size, _size).map(compatible),
)


def fact(formula: Formula) -> Fact:
    return Fact(formula, Source.CHECK, "it is so")


@pytest.mark.parametrize("enumerate_first", [True, False])
@examples(100)
@given(formulas=st.lists(_formula, min_size=1, max_size=3), counts=st.tuples(*[st.integers(1, 4)] * 3))
def test_a_size_that_counts_more_than_once_is_many_sizes(
    enumerate_first: bool, formulas: list[Formula], counts: tuple[int, ...]
) -> None:
    names = sorted(frozenset[Variable]().union(*(f.variables for f in formulas)), key=lambda v: v.name)
    copies = [each for each, count in zip(names, counts, strict=False) for _ in range(count)]
    standing = dict(zip(names, counts, strict=False))
    candidates = (dict(zip(names, sizes, strict=True)) for sizes in product(range(9), repeat=len(names)))
    satisfying = [sizes for sizes in candidates if all(holds(formula, sizes) for formula in formulas)]

    def rank(sizes: dict[Variable, int]) -> Place:
        distinct = [Variable.of(f"{each.name}{number}") for number, each in enumerate(copies)]
        return place({new: sizes[old] for new, old in zip(distinct, copies, strict=True)}, distinct)

    solver, query = Z3Solver(), list(enumerate(formulas))
    answer = solver.check(query, name="test", budget=BUDGET)
    if not satisfying or not isinstance(answer, Satisfiable):
        return
    with pytest.MonkeyPatch.context() as patch:
        if not enumerate_first:
            patch.setattr(enumeration, "MOST_EVALUATIONS", 0)
        found = smallest(solver, query, names, budget=BUDGET, name="test", start=answer.model, counts=standing)
    sizes = {name: size for name in names if isinstance(size := found.model[name], int)}
    first = min(satisfying, key=rank)
    assert all(holds(formula, sizes) for formula in formulas)
    if found.smallest and max(sizes.values(), default=0) <= 8:
        assert sizes == first
    elif found.smallest:
        assert rank(sizes) < rank(first)


def _chain(sizes: Sequence[Dim]) -> list[Formula]:
    return [equal(one, other) for one, other in pairwise(sizes)]


_SIZES = [variable(f"a{number:02}") for number in range(MANY)]
_NARROW = [*_SIZES[:-2], variable("b0", 1, 9), variable("b1", 1, 9)]
_LAST = variable("z")
_QUERIES: list[tuple[list[Formula], Formula]] = [
    (_chain(_SIZES), equal(_SIZES[3], _LAST)),
    (_chain(_SIZES[::-1]), less_than(_LAST, _SIZES[5])),
    (_chain(_NARROW), equal(_NARROW[0], _LAST)),
    (_chain(_SIZES), at_least(4, _SIZES[7])),
    ([*_chain(_SIZES), equal(_LAST, _SIZES[0] + 1)], at_least(3, _LAST)),
    ([*_chain(_SIZES[:7]), *_chain(_SIZES[7:])], equal(_SIZES[0], _SIZES[-1])),
    (_chain(_SIZES), equal(_SIZES[0], 1)),
    (_chain(_SIZES), unequal(_SIZES[0] * _LAST, 35)),
    (_chain(_SIZES[:9]), less_than(_SIZES[10], _SIZES[11] + _SIZES[2])),
    (_chain(_SIZES), less_than(_SIZES[2] + _SIZES[4], _SIZES[7])),  # fails for all sizes: facts alone choose them
    ([*_chain(_SIZES), at_least(_LAST, 3)], unequal(_SIZES[1], _SIZES[5])),
]


@pytest.mark.parametrize("number", range(len(_QUERIES)))
def test_a_group_is_refuted_like_its_members(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    facts, claim = _QUERIES[number]
    inputs = sorted({each for formula in (*facts, claim) for each in formula.variables}, key=lambda each: each.name)

    def refuted() -> Refuted:
        prover = Prover(Z3Solver(), inputs=inputs)
        for each in facts:
            prover.assume(fact(each))
        verdict = prover.verdict_on(claim)
        assert isinstance(verdict, Refuted)
        return verdict

    together = refuted()
    monkeypatch.setattr(eliminated_variables, "MOST_ASKED", len(inputs))
    apart = refuted()
    for name in ("sizes", "smallest", "needs", "floor", "also", "free", "restricted"):
        assert getattr(together, name) == getattr(apart, name), name
    assert list(together.sizes) == list(apart.sizes)


def test_the_cost_of_a_refutation_grows_slowly_with_the_inputs_that_are_equal() -> None:
    def chained(count: int) -> None:
        sizes = [variable(f"n{number:03}") for number in range(count)]
        prover = Prover(Z3Solver(), inputs=[each for size in sizes for each in size.variables])
        for one, other in pairwise(sizes):
            assert isinstance(prover.verdict_on(equal(one, other)), Refuted)
            prover.assume(fact(equal(one, other)))

    chained(4)  # what is computed once
    assert _calls(lambda: chained(80)) < 3 * _calls(lambda: chained(40)), "it is no square of their number"


def _calls(run: Callable[[], None]) -> int:
    count = 0

    def counted(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count
