"""Smallest counterexamples against the order that the module promises, by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.order_of_sizes import place

from shapesolve.solver import budgets, enumeration
from shapesolve.solver.budgets import ShrinkingAllowance
from shapesolve.solver.shrinking import Counterexample, smallest
from shapesolve.solver.verdicts import Answer, GaveUp, Label, Origin, Satisfiable, UndecidedReason
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ceildiv, dim, dims, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, compatible, divides, equal, negation, unequal
from shapesolve.symbolic.normal_forms import broadcast_extent, maximum
from shapesolve.symbolic.shapes import broadcastable, unranked

SOLVER = Z3Solver()
BUDGET = 1_000_000
A, B, C, M, N = dims("A B C M N")
J = variable("J", None, None)
MANY = [variable(f"i{number}", None, None) for number in range(10, 70)]
LAST = variable("z", None, None)
P, Q, R = map(unranked, "PQR")


def broken(goal: Formula, *facts: Formula, solver: Z3Solver = SOLVER) -> Counterexample:
    query = list(enumerate((negation(goal), *facts)))
    answer = solver.check(query, name="test", budget=BUDGET)
    assert isinstance(answer, Satisfiable), answer
    variables = sorted(frozenset[Variable]().union(*(f.variables for _, f in query)), key=lambda v: v.name)
    return smallest(solver, query, variables, budget=BUDGET, name="test", start=answer.model)


def numbers(found: Counterexample) -> dict[str, int | tuple[int, ...]]:
    return {variable.name: size for variable, size in found.model.items()}


def expected(formulas: Sequence[Formula], names: Sequence[Variable], most: int) -> list[int] | None:
    """The first sizes in the order, by brute force, if any are no larger than the most."""
    ends = [(-most if each.lower is None else each.lower, most if each.upper is None else each.upper) for each in names]
    ranges = [range(max(lower, -most), min(upper, most) + 1) for lower, upper in ends]
    candidates = (dict(zip(names, sizes, strict=True)) for sizes in product(*ranges))
    satisfying = [sizes for sizes in candidates if all(holds(formula, sizes) for formula in formulas)]
    return list(min(satisfying, key=lambda sizes: place(sizes, names)).values()) if satisfying else None


_SIGNED = variable("S", None, None)

_size = st.one_of(
    st.sampled_from(
        [
            A,
            _SIGNED,
            A + _SIGNED,
            _SIGNED // 2 - B,
            B,
            C,
            A + B,
            A * B,
            A - B,
            broadcast_extent(A, B),
            maximum(B, C),
            A // 3,
            B % 4,
            A // B,
        ]
    ),
    st.integers(0, 5).map(dim),
)
_formula = st.one_of(
    st.tuples(_size, _size).map(lambda p: equal(*p)),
    st.tuples(_size, _size).map(lambda p: unequal(*p)),
    st.tuples(_size, _size).map(lambda p: at_least(*p)),
    st.tuples(_size, _size).map(lambda p: compatible(p)),
    st.tuples(_size, _size).map(lambda p: negation(compatible(p))),
)


@pytest.mark.parametrize("enumerate_first", [True, False])
@examples(120)
@given(formulas=st.lists(_formula, min_size=1, max_size=3))
def test_smallest_is_the_first_in_the_promised_order(enumerate_first: bool, formulas: list[Formula]) -> None:
    check_first(formulas, enumerate_first=enumerate_first)


_bounded = st.sampled_from([A, B, _SIGNED, variable("D", 0, 3), variable("E", 1, 4), variable("F", -2, 2)])
_difference = st.tuples(_bounded, _bounded, *map(st.integers, (1, 1, -6), (3, 3, 6))).map(
    lambda p: at_least(p[2] * p[0] + p[4], p[3] * p[1])
)


@examples(150)
@given(formulas=st.lists(st.one_of(_difference, _difference, _formula), min_size=2, max_size=5))
def test_bounds_of_one_size_by_another_change_nothing(formulas: list[Formula]) -> None:
    """A size that is bounded by one before it is tried from that bound on."""
    check_first(formulas, enumerate_first=True)


def check_first(formulas: Sequence[Formula], *, enumerate_first: bool) -> None:
    """Require that the smallest sizes are those that come first in the order."""
    query = list(enumerate(formulas))
    names = sorted(frozenset[Variable]().union(*(f.variables for f in formulas)), key=lambda v: v.name)
    first = expected(formulas, names, 8)
    answer = SOLVER.check(query, name="test", budget=BUDGET)
    if first is None or not isinstance(answer, Satisfiable):
        assert first is None or isinstance(answer, GaveUp)
        return
    with pytest.MonkeyPatch.context() as patch:
        if not enumerate_first:
            patch.setattr(enumeration, "MOST_EVALUATIONS", 0)
        found = smallest(SOLVER, query, names, budget=BUDGET, name="test", start=answer.model)
    assert all(holds(formula, found.model) for formula in formulas)
    sizes = {name: size for name in names if isinstance(size := found.model[name], int)}
    if found.smallest and max(map(abs, sizes.values()), default=0) <= 8:
        assert list(sizes.values()) == first
    elif found.smallest:  # fewer sizes of 0 or 1, which is too large for the enumeration here
        assert place(sizes, names) < place(dict(zip(names, first, strict=True)), names)


@pytest.mark.parametrize(
    ("goal", "facts", "sizes", "needs"),
    [
        (N <= 64, [divides(64, N)], {"N": 128}, None),
        (equal(A, B), [], {"A": 2, "B": 3}, None),
        (compatible([A, C]), [compatible([A, B]), compatible([B, C])], {"A": 2, "B": 1, "C": 3}, "some size is 0 or 1"),
        (equal(broadcast_extent(A, B), maximum(A, B)), [compatible([A, B])], {"A": 0, "B": 1}, "some size is 0"),
        (N % M < M, [], {"M": 0, "N": 2}, "some size is 0"),
        (ceildiv(N, dim(128)) <= 1, [], {"N": 129}, None),
        (unequal(A * B, 221), [A >= 2, B >= 2], {"A": 13, "B": 17}, None),
        (N >= 2, [], {"N": 1}, "some size is 0 or 1"),
    ],
)
def test_the_counterexample_has_the_most_believable_sizes(
    goal: Formula, facts: list[Formula], sizes: dict[str, int], needs: str | None
) -> None:
    found = broken(goal, *facts)
    assert numbers(found) == sizes
    assert found.smallest
    assert found.needs == needs


def test_numbers_below_a_negative_bound() -> None:
    found = broken(J >= -19)
    assert numbers(found) == {"J": -20}


def test_smallest_ranks_first_then_believable_extents() -> None:
    found = broken(broadcastable(P, R), broadcastable(P, Q), broadcastable(Q, R))
    assert numbers(found) == {"P": (2,), "Q": (), "R": (3,)}
    assert found.smallest


def test_ranks_and_sizes_together() -> None:
    found = broken(broadcastable(P, [N, M]), P.rank >= 2)
    shape = numbers(found)["P"]
    assert isinstance(shape, tuple) and len(shape) == 2
    assert holds(negation(broadcastable(P, [N, M])), found.model)


def test_variables_that_may_be_negative_get_small_magnitudes() -> None:
    offset = variable("offset", None, None)
    assert numbers(broken(offset >= -100)) == {"offset": -101}
    assert numbers(broken(offset <= -5)) == {"offset": 0}


def test_bounds_of_variables_are_kept() -> None:
    bit, wide = variable("bit", 0, 1), variable("wide", 7, 300)
    assert numbers(broken(equal(bit * wide, 5))) == {"bit": 0, "wide": 7}


def test_a_size_that_nothing_constrains_is_shown_too() -> None:
    query: list[tuple[Label, Formula]] = [(0, N >= 2)]
    shown = [Variable.of("N"), Variable.of("M")]
    found = smallest(SOLVER, query, shown, budget=BUDGET, name="test", start={Variable.of("N"): 9})
    assert numbers(found) == {"N": 2, "M": 2}


class _GivesUp:
    """A solver without any answer."""

    def __init__(self) -> None:
        self.asked = 0

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        self.asked += 1
        return GaveUp(UndecidedReason.NOTHING_FOUND, "nothing is known")

    def with_sources(self, origin: Origin) -> _GivesUp:
        return self


def test_a_solver_without_answers_leaves_the_start() -> None:
    query: list[tuple[Label, Formula]] = [(0, divides(1000, N)), (1, N >= 1)]
    start = {Variable.of("N"): 5000}
    found = smallest(_GivesUp(), query, list(start), budget=BUDGET, name="test", start=start)
    assert numbers(found) == {"N": 5000}
    assert not found.smallest
    assert found.needs is None


def test_a_solver_that_gives_up_again_and_again_is_not_asked_for_long() -> None:
    shown = dims("A B C D E F")
    query: list[tuple[Label, Formula]] = [(n, at_least(each * each, 10**36)) for n, each in enumerate(shown)]
    start = {variable: 2**62 for each in shown for variable in each.variables}
    solver = _GivesUp()
    found = smallest(solver, query, list(start)[:2], budget=BUDGET, name="test", start=start)
    assert solver.asked == budgets.MOST_GIVEN_UP
    shown = list(start)[:2]
    assert found.model == {**start, **dict.fromkeys(shown, 10**18)}  # by evaluation
    assert not found.smallest


@pytest.mark.slow
def test_the_same_sizes_in_every_run() -> None:
    goal = unequal(A * (B + C), 1001)
    assert numbers(broken(goal, A >= 5, solver=Z3Solver())) == numbers(broken(goal, A >= 5, solver=Z3Solver(seed=7)))


@pytest.mark.parametrize(
    ("formulas", "sizes"),
    [
        ([N >= 50, N >= 101], {"N": 101}),
        ([A >= 40, 3 * B >= 100, A + B >= 1], {"A": 40, "B": 34}),
        ([A >= 40, B >= 2, A <= 2 * B], {"A": 40, "B": 20}),
        ([J >= 20, J <= 30], {"J": 20}),
        ([A >= 2, *(at_least(A, each + 1) for each in MANY), *(each >= 0 for each in MANY), LAST >= A], None),
    ],
)
def test_stated_bounds_are_where_the_search_begins(formulas: list[Formula], sizes: dict[str, int] | None) -> None:
    """Though they are larger than what is tried otherwise, no solver is asked."""
    query = list(enumerate(formulas))
    answer = SOLVER.check(query, name="test", budget=BUDGET)
    assert isinstance(answer, Satisfiable)
    variables = sorted(frozenset[Variable]().union(*(f.variables for f in formulas)), key=lambda v: v.name)
    solver = _GivesUp()
    found = smallest(solver, query, variables, budget=BUDGET, name="test", start=answer.model)
    assert numbers(found) == (sizes or {"A": 2, **{str(each): 0 for each in MANY}, "z": 2})
    assert found.smallest and not solver.asked


class _Counting:
    """A solver that counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def check(
        self, query: Sequence[tuple[Label, Formula]], *, name: str, budget: int, wants_core: bool = True
    ) -> Answer:
        self.asked += 1
        return SOLVER.check(query, name=name, budget=budget, wants_core=wants_core)

    def with_sources(self, origin: Origin) -> _Counting:
        return self


def _tried_out(
    solver: _Counting, formulas: Sequence[Formula], start: int, allowance: ShrinkingAllowance
) -> Counterexample:
    a = Variable.of("a")
    return smallest(
        solver,
        list(enumerate(formulas)),
        [a],
        budget=BUDGET,
        name="test",
        start={a: start},
        allowance=allowance,
        is_speculative=True,
    )


def test_implausible_candidates_are_not_shrunk() -> None:
    (a,) = dims("a")
    huge = [at_least(a, 2**22 + 1), divides(3, a)]
    solver, allowance = _Counting(), ShrinkingAllowance()
    found = [_tried_out(solver, huge, 3 * 2**24, allowance) for _ in range(5)]
    assert all(numbers(each) == {"a": 3 * 2**24} and not each.smallest for each in found)
    assert solver.asked == budgets.MOST_FRUITLESS


def test_sizes_that_are_only_tried_out_are_made_small_where_some_can_be_believed() -> None:
    (a,) = dims("a")
    allowance = ShrinkingAllowance()
    for _ in range(budgets.MOST_FRUITLESS):
        _tried_out(_Counting(), [at_least(a, 2**22 + 1)], 2**24, allowance)
    assert allowance.left == 0
    few = _tried_out(_Counting(), [at_least(a, 5)], 2**24, allowance)
    near = _tried_out(_Counting(), [at_least(a, 700)], 2**14, allowance)
    assert (numbers(few), few.smallest) == ({"a": 5}, True)
    assert (numbers(near), near.smallest) == ({"a": 700}, True)
    allowance = ShrinkingAllowance()
    found = _tried_out(_Counting(), [at_least(a, 700)], 2**24, allowance)
    assert (numbers(found), found.smallest) == ({"a": 700}, True)
    assert allowance.left == budgets.MOST_FRUITLESS
