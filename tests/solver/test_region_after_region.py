"""Test that models of one region are reused in the next one, and that none is kept where it does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import (
    Answer,
    Detail,
    GaveUp,
    Label,
    Origin,
    Proved,
    Refuted,
    Undecided,
    UndecidedReason,
    Unreachable,
)
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import is_non_negative, is_zero
from shapesolve.trace.events import Fact, OverflowAssumption, Source

N, M = variable("N"), variable("M")


class Counting:
    """A solver that knows how often it was asked."""

    def __init__(self) -> None:
        self._solver = Z3Solver()
        self.asked = 0

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        self.asked += 1
        return self._solver.check(query, name=name, budget=budget, wants_core=wants_core)

    def with_sources(self, origin: Origin) -> Counting:
        return self


class SlowAfterwards(Counting):
    """A solver whose second question, that leaves sizes out that wrap around, ends as it is told."""

    def __init__(self, ending: UndecidedReason) -> None:
        super().__init__()
        self.ending = ending

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        if name.endswith("-presumed"):
            return GaveUp(self.ending, "it ended early")
        return super().check(query, name=name, budget=budget, wants_core=wants_core)


def fact(formula: Formula) -> Fact:
    return Fact(formula, Source.BRANCH, "it is so")


def variables(*sizes: Dim) -> list[Variable]:
    return [variable for size in sizes for variable in size.variables]


def test_sizes_that_a_solver_found_for_a_region_are_tried_in_the_next() -> None:
    solver = Counting()
    prover = Prover(solver, inputs=variables(N, M))
    prover.assume(fact(N * M == 391))  # 17 times 23
    asked: list[int] = []
    for number in range(6):
        inner = variable(f"inner{number}")
        prover.enter(fact(N >= 20) if number % 2 else fact(M >= 20))
        prover.assume(fact(inner + 5 <= N))
        assert prover.reachable() is None
        sizes = prover.sample()
        n, m, i = (sizes[each] for each in variables(N, M, inner))
        assert isinstance(n, int) and isinstance(m, int) and isinstance(i, int)
        assert n * m == 391 and i + 5 <= n and (n if number % 2 else m) >= 20
        prover.leave(None)
        asked.append(solver.asked)
    assert asked[2:] == [asked[1]] * 4


def test_a_region_is_entered_with_the_sizes_of_an_earlier_one_though_more_is_known_by_then() -> None:
    solver = Counting()
    prover = Prover(solver, inputs=variables(N, M))
    prover.assume(fact((N - 17) * (M - 23) * N * M == 0))
    asked: list[int] = []
    for layer in range(8):
        made = variable(f"made{layer}")
        prover.assume(fact((N == 0) | (made * N == M * N * (layer + 2))))
        prover.enter(fact(30 + layer <= N * M))
        assert prover.reachable() is None
        sizes = prover.sample()
        n, m, made_here = (sizes[each] for each in variables(N, M, made))
        assert isinstance(n, int) and isinstance(m, int) and isinstance(made_here, int)
        assert (n == 17 or m == 23) and n * m >= 30 + layer and made_here == m * (layer + 2)
        prover.leave(None)
        asked.append(solver.asked)
    assert asked[0] > 0, "sizes that get into the first region must be looked for"
    assert asked[-1] == asked[0]


def test_recalled_models_satisfy_the_current_facts() -> None:
    prover = Prover(Z3Solver(), inputs=variables(N, M))
    prover.assume(fact(N * M == 391))
    for condition, number in ((N >= 20, 23), (N <= 20, 17), (N >= 20, 23), (N >= 24, 391), (N >= 20, None)):
        prover.enter(fact(condition))
        if number is None:
            prover.assume(fact(M >= 18))
            verdict = prover.verdict_on(N == 0)
            assert verdict.word == "unreachable"
        else:
            prover.assume(fact(M >= 2) if number < 391 else fact(M >= 1))
            verdict = prover.verdict_on(N == 0, detail=Detail.SIZES)
            assert isinstance(verdict, Refuted)
            assert next(iter(verdict.sizes[each] for each in variables(N))) == number
        prover.leave(None)


def test_a_region_that_no_sizes_get_to_is_known_as_that_until_it_ends() -> None:
    solver = Counting()
    prover = Prover(solver, inputs=variables(N, M))
    prover.assume(fact(N >= 2))
    prover.enter(fact(N * N == 7 * M + 3))  # 3 is no square modulo 7
    assert isinstance(prover.reachable(), Unreachable)
    asked = solver.asked
    assert asked > 0
    for number in range(5):
        prover.assume(fact(variable(f"more{number}") * N == 7 * M))
        prover.enter(fact(number <= M))
        assert isinstance(prover.verdict_on((M == 0) if number % 2 else (N == 0)), Unreachable)
        prover.leave(None)
    assert solver.asked == asked
    prover.leave(None)
    assert prover.reachable() is None
    assert isinstance(prover.verdict_on(M == 0), Refuted)
    prover.enter(fact(N * N == 7 * M + 2))
    assert prover.reachable() is None


def test_assumed_consistency_is_asked_anew_behind_a_region() -> None:
    prover = Prover(Z3Solver(), inputs=variables(N, M))
    prover.assume_no_overflow(OverflowAssumption(N + M <= 100, "it wraps around"))
    assert isinstance(prover.verdict_on(N >= 0), Proved)
    for _ in range(2):
        prover.enter(fact(N >= 200))
        prover.assume_no_overflow(OverflowAssumption(M <= 50, "it wraps around"))
        verdict = prover.verdict_on(N >= 1)
        assert isinstance(verdict, Undecided)
        assert verdict.reason_kind is UndecidedReason.OVERFLOW
        prover.leave(N >= 200)
        assert isinstance(prover.verdict_on(N >= 0), Proved)
        assert isinstance(prover.verdict_on(N >= 1), Refuted)
    prover.assume(fact(N >= 101))
    assert isinstance(prover.verdict_on(N >= 1), Undecided)


@pytest.mark.parametrize(
    ("ending", "reported"),
    [
        (UndecidedReason.TIME, UndecidedReason.TIME),
        (UndecidedReason.COMMAND, UndecidedReason.COMMAND),
        (UndecidedReason.BUDGET, UndecidedReason.BUDGET),
        (UndecidedReason.NON_LINEAR, UndecidedReason.BUDGET),
        (UndecidedReason.RANKS, UndecidedReason.NOTHING_FOUND),
    ],
)
def test_the_reason_why_the_search_without_overflow_ended_is_reported(
    ending: UndecidedReason, reported: UndecidedReason
) -> None:
    prover = Prover(SlowAfterwards(ending), inputs=variables(N, M))
    prover.assume_no_overflow(OverflowAssumption(N <= 100, "it wraps around"))
    prover.assume_no_overflow(OverflowAssumption(M * N <= 10, "it wraps around"))
    prover.assume(fact(N * M >= 7 * N))
    verdict = prover.verdict_on(N * N <= 3)
    assert isinstance(verdict, Undecided), verdict
    assert verdict.reason_kind is reported


def test_counterexamples_of_a_region_serve_the_next() -> None:
    solver = Counting()
    prover = Prover(solver, inputs=variables(N, M))
    prover.assume(fact(N * M == 391))
    asked: list[int] = []
    for number in range(5):
        inner, twice = variable(f"inner{number}"), variable(f"twice{number}")
        prover.enter(fact(inner + 1 <= N))
        prover.assume(fact(twice == inner + inner))
        assert isinstance(prover.verdict_on(N <= M, detail=Detail.PROOF), Undecided)
        prover.leave(None)
        asked.append(solver.asked)
    assert asked[1:] == asked[:1] * 4


def test_sizes_that_a_bound_excludes_are_no_witness_where_a_region_ends() -> None:
    low, high = variable("low", 0, 9), variable("high", 0, 9)
    prover = Prover(Z3Solver(), inputs=variables(low, high))
    prover.enter(None)
    assert isinstance(prover.verdict_on(low <= 5, detail=Detail.PROOF), Undecided)  # 6, say, and high anything
    prover.assume(fact(high == 2 * low))  # which is not judged any more: 12 would be no size
    prover.leave(None)
    prover.assume(fact(low <= 4))
    assert isinstance(prover.verdict_on(low <= 5, detail=Detail.PROOF), Proved)
    assert isinstance(prover.verdict_on(high <= 9, detail=Detail.PROOF), Proved)


BOX = [variable(name, 0, 4) for name in ("p", "q", "r")]
"""Sizes few enough that all of them are tried."""


def relations() -> st.SearchStrategy[Formula]:
    """A relation between some of the sizes."""
    terms = st.tuples(*(st.integers(-2, 2) for _ in BOX), st.integers(-4, 4))

    def sums(weights: tuple[int, ...]) -> Dim:
        *factors, constant = weights
        total = dim(constant)
        for factor, each in zip(factors, BOX, strict=True):
            total = total + each * factor
        return total

    sizes = terms.map(sums) | st.just(BOX[0] * BOX[1] - 4) | st.just(BOX[0] * BOX[2] - BOX[1])
    return st.tuples(sizes, st.sampled_from((is_zero, is_non_negative))).map(lambda made: made[1](made[0]))


STEPS = st.lists(
    st.tuples(st.sampled_from(("enter", "leave", "assume", "judge", "judge")), relations()), min_size=4, max_size=14
)


@examples(200)
@given(STEPS)
def test_unproved_claims_fail_for_some_sizes_behind_any_regions(
    steps: list[tuple[str, Formula]],
) -> None:
    box = variables(*BOX)
    everything = [dict(zip(box, numbers, strict=True)) for numbers in product(range(5), repeat=3)]
    prover = Prover(Z3Solver(), inputs=box)
    known: list[list[Formula]] = [[]]
    for step, formula in steps:
        if step == "enter":
            prover.enter(fact(formula))
            known.append([formula])
        elif step == "leave" and len(known) > 1:
            prover.leave(None)
            known.pop()
        elif step == "assume":
            prover.assume(fact(formula))
            known[-1].append(formula)
        elif step == "judge":
            verdict = prover.verdict_on(formula, detail=Detail.PROOF)
            here = [each for each in everything if all(holds(it, each) for facts in known for it in facts)]
            always = all(holds(formula, each) for each in here)
            assert verdict.word == ("unreachable" if not here else "proved" if always else "undecided")


def test_behind_contradictory_facts_nothing_is_propagated(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Formula] = []
    assume = Propagator.assume

    def noted(self: Propagator, formula: Formula, why: Justification) -> bool:
        told.append(formula)
        return assume(self, formula, why)

    monkeypatch.setattr(Propagator, "assume", noted)
    prover = Prover(Z3Solver())
    first, second = fact(is_zero(N - 2)), fact(is_zero(N - 3))
    for each in (first, second):
        prover.assume(each)
    before = len(told)
    prover.enter(fact(is_non_negative(M - 1)))
    prover.assume(fact(is_zero(M - 7)))
    inside = prover.verdict_on(is_zero(M))
    prover.leave(is_non_negative(M - 1))
    after = prover.verdict_on(is_zero(M))
    assert len(told) == before
    for verdict in (inside, after):
        assert isinstance(verdict, Unreachable)
        assert set(verdict.facts) == {first, second}


def test_contradictory_facts_in_a_region_end_with_it() -> None:
    prover = Prover(Z3Solver())
    prover.assume(fact(is_zero(N - 2)))
    prover.enter(fact(is_non_negative(M - 1)))
    prover.assume(fact(is_zero(N - 3)))
    assert isinstance(prover.verdict_on(is_zero(M)), Unreachable)
    prover.leave(is_non_negative(M - 1))
    assert isinstance(prover.verdict_on(is_zero(M)), Proved)  # the region runs for other M, and never ends there
    assert isinstance(prover.verdict_on(is_zero(N - 3)), Refuted)
