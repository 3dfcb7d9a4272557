"""The z3 adapter against plain evaluation: variables are bounded so that brute force decides every query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.int64 import MAX_SIZE
from shapesolve.solver.entailment import entails, prove
from shapesolve.solver.models import in_bounds
from shapesolve.solver.preprocessing.division import DivisionEliminator
from shapesolve.solver.preprocessing.elimination import Eliminator, starting_case
from shapesolve.solver.verdicts import Answer, GaveUp, Satisfiable, Unsatisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, ceildiv, dim, dims, remainder, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import (
    at_least,
    compatible,
    conjunction,
    disjunction,
    divides,
    equal,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_shape, unranked

SOLVER = Z3Solver()
BUDGET = 2_000_000

X, Y = variable("x", 0, 5), variable("y", 0, 5)
Z = variable("z", -3, 3)
SMALL = (X, Y, Z)
A, B, C, D, K, M, N = dims("A B C D K M N")
P, Q, R = map(unranked, "PQR")


def check(*formulas: Formula, solver: Z3Solver = SOLVER, budget: int = BUDGET) -> Answer:
    return solver.check(list(enumerate(formulas)), name="test", budget=budget)


def follows(goal: Formula, *facts: Formula) -> Answer:
    return check(negation(goal), *facts)


def assignments(variables: Sequence[Variable]) -> Iterator[Mapping[Variable, int]]:
    ranges = [range(v.lower or 0, (v.upper if v.upper is not None and v.upper < 9 else 5) + 1) for v in variables]
    for sizes in product(*ranges):
        yield dict(zip(variables, sizes, strict=True))


def satisfiable(formulas: Sequence[Formula]) -> bool:
    mentioned = sorted(frozenset[Variable]().union(*(f.variables for f in formulas)), key=lambda v: v.name)
    return any(all(holds(formula, sizes) for formula in formulas) for sizes in assignments(mentioned))


def sizes_of(leaves: Sequence[Dim]) -> st.SearchStrategy[Dim]:
    basic = st.one_of(st.sampled_from(leaves), st.integers(-3, 6).map(dim))

    def grown(inner: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            pairs.map(lambda p: p[0] + p[1]),
            pairs.map(lambda p: p[0] - p[1]),
            pairs.map(lambda p: p[0] * p[1]),
            pairs.map(lambda p: p[0] // p[1]),
            pairs.map(lambda p: p[0] % p[1]),
            pairs.map(lambda p: minimum(*p)),
            pairs.map(lambda p: maximum(*p)),
            pairs.map(lambda p: broadcast_extent(*p)),
            st.tuples(inner, inner, inner).map(lambda p: choose(equal(p[0], p[1]), p[1], p[2])),
        )

    return st.recursive(basic, grown, max_leaves=5)


def formulas_of(leaves: Sequence[Dim]) -> st.SearchStrategy[Formula]:
    size = sizes_of(leaves)
    basic = st.one_of(
        st.tuples(size, size).map(lambda p: equal(*p)),
        st.tuples(size, size).map(lambda p: at_least(*p)),
        st.tuples(size, size).map(lambda p: divides(*p)),
        st.lists(size, min_size=2, max_size=3).map(compatible),
    )
    return st.recursive(
        basic,
        lambda inner: st.one_of(
            inner.map(negation), st.tuples(inner, inner).map(conjunction), st.tuples(inner, inner).map(disjunction)
        ),
        max_leaves=3,
    )


@pytest.mark.slow
@examples(150)
@given(st.lists(formulas_of(SMALL), min_size=1, max_size=3))
def test_every_answer_agrees_with_brute_force(formulas: list[Formula]) -> None:
    answer = check(*formulas)
    match answer:
        case Satisfiable(model=model):
            assert all(holds(formula, model) for formula in formulas)
        case Unsatisfiable(core=core):
            assert not satisfiable([formulas[label] for label in core])
        case GaveUp():
            pytest.fail(f"tiny queries must be decided: {answer.reason}")


@pytest.mark.slow
@examples(100)
@given(st.lists(formulas_of((A, B, C)), min_size=1, max_size=3))
def test_unbounded_sizes_are_never_wrong(formulas: list[Formula]) -> None:
    match check(*formulas, budget=100_000):
        case Satisfiable(model=model):
            assert all(holds(formula, model) for formula in formulas)
        case Unsatisfiable(core=core):
            assert not satisfiable([formulas[label] for label in core])
        case GaveUp(reason=reason):
            assert reason


@pytest.mark.exhaustive
@examples(100)
@given(formulas_of(SMALL))
@example(equal(remainder(dim(1), minimum(1, X)), 0))
def test_purified_formulas_have_one_value_for_each_fresh_variable(formula: Formula) -> None:
    purifier = DivisionEliminator()
    pure = purifier.purify(formula)
    fresh = [v for v in pure.variables if v not in formula.variables]
    # What the bounds of a quotient say is not said again by its definitions.
    possible = [value for value in range(-40, 41) if all(in_bounds(each, value) for each in fresh)]
    if len(fresh) > 1 or pure.formula in (TRUE, FALSE):
        return
    for sizes in assignments(sorted(formula.variables, key=lambda v: v.name)):
        values = [value for value in possible if _defined(pure.definitions, sizes, fresh, value)]
        # Quotients of products may be larger than what is tried here.
        assert len(values) <= 1 or not fresh
        for value in values:
            assert holds(pure.formula, {**sizes, **dict.fromkeys(fresh, value)}) == holds(formula, sizes)


def _defined(
    definitions: Sequence[Formula], sizes: Mapping[Variable, int], fresh: Sequence[Variable], value: int
) -> bool:
    return all(holds(definition, {**sizes, **dict.fromkeys(fresh, value)}) for definition in definitions)


@examples(150)
@given(
    st.lists(formulas_of((variable("x", 0, 4), variable("y", 0, 4), Z)), min_size=1, max_size=3),
    st.sampled_from([[], [at_least(Z, 0)], [at_least(Z, 2)]]),
)
def test_substitution_and_cases_keep_the_meaning(formulas: list[Formula], bounds: list[Formula]) -> None:
    formulas = [*formulas, *bounds]
    names = frozenset[Variable]().union(*(formula.variables for formula in formulas))
    eliminator = Eliminator(names)
    case = eliminator.simplified(starting_case(list(enumerate(formulas))))
    parts = eliminator.split_at_zero(case) or eliminator.split_by_residue(case) or eliminator.expanded(case) or [case]
    refuted = [part.contradiction for part in map(eliminator.simplified, parts)]
    if all(core is not None for core in refuted):
        core = frozenset[int]().union(*(core for core in refuted if core is not None))
        assert not satisfiable([formulas[label] for label in core])
    for part in parts:
        own = sorted(frozenset[Variable]().union(*(f.variables for f, _ in part.formulas)), key=lambda v: v.name)
        if len(own) <= 2:
            for sizes in assignments(own):
                if all(holds(formula, sizes) for formula, _ in part.formulas):
                    found = part.sizes(sizes)
                    model = {name: found.get(name, name.lower or 0) for name in names}
                    if all(name.upper is None or model[name] <= name.upper for name in names):
                        assert all(holds(formula, model) for formula in formulas)


def test_a_divisor_that_a_fact_makes_positive_is_like_one_that_is_declared_positive() -> None:
    step, index = variable("step", -(2**63), 2**63 - 1), variable("index", 0, None)
    facts = [at_least(step, 1), divides(step, N), divides(step, index), index + 1 <= N]
    answer = follows(at_least(N, index + step), *facts)
    assert isinstance(answer, Unsatisfiable)
    assert 1 in answer.core


def test_core_names_what_contradicts() -> None:
    query = [(10, N >= 4), (11, M >= 3), (12, K >= 1), (13, N <= 2)]
    answer = SOLVER.check(query, name="core", budget=BUDGET)
    assert answer == Unsatisfiable(frozenset({10, 13}), "linear arithmetic")


def test_cores_are_minimal_after_non_linear_rungs() -> None:
    facts = [divides(M, A), K >= 3, divides(M, B), D >= C]
    answer = follows(divides(M, A + B), *facts)
    assert isinstance(answer, Unsatisfiable)
    assert answer.core == {0, 1, 3}


def test_one_formula_under_two_labels() -> None:
    answer = SOLVER.check([(1, N >= 4), (2, N >= 4), (3, N <= 2)], name="twice", budget=BUDGET)
    assert isinstance(answer, Unsatisfiable)
    assert 3 in answer.core and answer.core & {1, 2}


def test_empty_and_constant_queries() -> None:
    assert isinstance(check(), Satisfiable)
    assert isinstance(check(TRUE), Satisfiable)
    assert check(N >= 1, FALSE) == Unsatisfiable(frozenset({1}), "normal form")


def test_division_by_zero_is_zero_with_the_dividend_left_over() -> None:
    assert isinstance(follows(equal(N // M, 0), equal(M, 0)), Unsatisfiable)
    assert isinstance(follows(equal(N % M, N), equal(M, 0)), Unsatisfiable)
    assert isinstance(follows(equal(N // M * M + N % M, N)), Unsatisfiable)
    answer = follows(N % M < M)
    assert isinstance(answer, Satisfiable)


@pytest.mark.exhaustive
@pytest.mark.parametrize("divisor", [Z, -Y - 1, Z - X])
def test_division_by_negative_numbers_rounds_down(divisor: Dim) -> None:
    quotient, rest = X // divisor, X % divisor
    for sizes in assignments(list((X + Y + Z).variables)):
        fixed = [equal(variable(v.name, v.lower, v.upper), value) for v, value in sizes.items()]
        a, b = sizes[Variable.of("x", 0, 5)], 0
        match check(*fixed, equal(variable("b", None, None), divisor)):
            case Satisfiable(model=model):
                b = model[Variable.of("b", None, None)]
            case other:
                pytest.fail(str(other))
        assert isinstance(b, int)
        expected = (a // b, a % b) if b else (0, a)
        assert isinstance(check(*fixed, equal(quotient, expected[0]), equal(rest, expected[1])), Satisfiable)
        if a > 3:
            break


def test_upper_bounds_are_respected() -> None:
    assert isinstance(check(N >= MAX_SIZE), Satisfiable)
    assert isinstance(check(N + M >= MAX_SIZE + 1), Satisfiable)
    assert isinstance(check(N + M >= 2 * MAX_SIZE + 1), Unsatisfiable)
    answer = check(equal(N, 2 * M + 1), N >= MAX_SIZE)
    assert isinstance(answer, Satisfiable)
    assert answer.model[Variable.of("N")] == MAX_SIZE


def test_variables_of_one_name_and_different_bounds_are_different() -> None:
    narrow = variable("N", 0, 3)
    assert isinstance(check(equal(N, 7), equal(narrow, 2)), Satisfiable)


def test_budget_ends_in_giving_up() -> None:
    hard = equal(A * A * A + B * B * B + C * C * C, 3 * D * D * K + 1_000_003)
    answer = check(hard, A >= 1000, B >= A, C >= B, divides(97, D), divides(D + K, A * B + 1), budget=2_000)
    assert isinstance(answer, GaveUp)
    assert answer.reason


@pytest.mark.slow
def test_answers_do_not_depend_on_earlier_queries() -> None:
    used, goal = Z3Solver(), [divides(3, N), divides(4, N), unequal(N % 12, 0)]
    for number in range(150):
        check(divides(number % 7 + 2, N + number), number >= N, solver=used)
    assert check(*goal, solver=used) == check(*goal, solver=Z3Solver())


def test_rungs_by_their_names() -> None:
    expected = {
        "linear arithmetic": equal(minimum(A, B) + maximum(A, B), A + B),
        "real relaxation": (A + B) ** 2 >= 4 * A * B,
        "substitution and cases": divides(6, A * (A + 1) * (A + 2)),
    }
    for strategy, goal in expected.items():
        answer = follows(goal)
        assert isinstance(answer, Unsatisfiable)
        assert answer.strategy == strategy


@pytest.mark.parametrize(
    ("goal", "facts"),
    [
        (divides(K, N), [divides(M, N), divides(K, M)]),
        (equal(ceildiv(ceildiv(N, A), B), ceildiv(N, A * B)), []),
        (equal(((A * B + C) * D + K) // D % B, C), [C < B, K < D]),
        (divides(5, N**5 - N), []),
        (equal(minimum(M, N - K), M), [K < N, divides(M, K), divides(M, N)]),
    ],
)
def test_hard_valid_claims(goal: Formula, facts: list[Formula]) -> None:
    assert isinstance(follows(goal, *facts), Unsatisfiable)


@pytest.mark.parametrize("goal", [unequal(A * B, 2021), unequal(A * A, 61 * B + 5), N % 48 <= 40])
def test_large_counterexamples_are_found(goal: Formula) -> None:
    answer = follows(goal, A >= 2, B >= 2)
    assert isinstance(answer, Satisfiable)
    assert not holds(goal, answer.model)


def test_dumps_are_numbered_and_named(tmp_path: Path) -> None:
    solver = Z3Solver(dump_directory=tmp_path / "queries")
    solver.check([(0, N // M >= 2)], name="tosa.matmul (C1)", budget=BUDGET)
    solver.check([(0, N >= 2)], name="../x", budget=BUDGET)
    names = sorted(path.name for path in (tmp_path / "queries").iterdir())
    assert names == ["0001-tosa.matmul-C1.smt2", "0002-..-x.smt2"]
    text = (tmp_path / "queries" / names[0]).read_text(encoding="utf-8")
    assert "quotient" in text and "(check-sat)" in text


# Shapes of unknown rank ----------------------------------------------------------------------------------------------

SHAPES = [shape for rank in range(3) for shape in product(range(4), repeat=rank)]


@pytest.mark.parametrize(
    ("goal", "facts"),
    [
        (broadcastable(P, P), []),
        (same_shape(broadcast(P, Q), broadcast(Q, P)), []),
        (
            same_shape(broadcast(broadcast(P, Q), R), broadcast(P, broadcast(Q, R))),
            [broadcastable(P, Q), broadcastable(P, Q, R), broadcastable(Q, R)],
        ),
        (broadcastable(Q, R), [broadcastable(P, Q), broadcastable(broadcast(P, Q), R)]),
        (at_least(broadcast(P, Q).rank, Q.rank), [broadcastable(P, Q)]),
        (equal(P.column(3), 1), [P.rank <= 2]),
        (equal(P.column(A), Q.column(A)), [same_shape(P, Q)]),
        (same_shape(P, R), [same_shape(P, Q), same_shape(Q, R)]),
        (broadcastable(P, [N, M]), [same_shape(P, [N, M])]),
    ],
)
def test_claims_about_all_ranks_are_proved(goal: Formula, facts: list[Formula]) -> None:
    answer = follows(goal, *facts)
    assert isinstance(answer, Unsatisfiable), answer


@pytest.mark.parametrize(
    ("goal", "facts", "ranks"),
    [
        (broadcastable(P, R), [broadcastable(P, Q), broadcastable(Q, R)], 2),
        (same_shape(broadcast(P, Q), P), [broadcastable(P, Q)], 1),
        (broadcastable(P, [N, M]), [], 1),
        (equal(P.rank, Q.rank), [broadcastable(P, Q)], 1),
        (P.rank <= 5, [], 6),
        (equal(P.column(0), 1), [equal(P.rank, 2)], 2),
    ],
)
def test_refuted_with_the_smallest_ranks(goal: Formula, facts: list[Formula], ranks: int) -> None:
    answer = follows(goal, *facts)
    assert isinstance(answer, Satisfiable), answer
    assert not holds(goal, answer.model)
    assert all(holds(fact, answer.model) for fact in facts)
    assert sum(len(extents) for extents in answer.model.values() if isinstance(extents, tuple)) == ranks


def _shape_formulas() -> st.SearchStrategy[Formula]:
    whole = st.sampled_from([P, Q, broadcast(P, Q), broadcast(P, [2]), broadcast(Q, [2, 1])])
    basic = st.one_of(
        st.tuples(whole, whole).map(lambda p: same_shape(*p)),
        st.tuples(whole, whole).map(lambda p: broadcastable(*p)),
        st.tuples(whole, st.integers(0, 2)).map(lambda p: at_least(p[0].rank, p[1])),
        st.tuples(whole, st.integers(0, 2), st.integers(0, 3)).map(lambda p: equal(p[0].column(p[1]), p[2])),
    )
    return st.recursive(
        basic, lambda inner: st.one_of(inner.map(negation), st.tuples(inner, inner).map(conjunction)), max_leaves=3
    )


@examples(60)
@given(st.lists(_shape_formulas(), min_size=1, max_size=3))
def test_shapes_agree_with_brute_force(formulas: list[Formula]) -> None:
    answer = check(*formulas, budget=200_000)
    if isinstance(answer, Satisfiable):
        assert all(holds(formula, answer.model) for formula in formulas)
        return
    for p, q in product(SHAPES, repeat=2):
        model = {P.symbol: p, Q.symbol: q}
        assert not all(holds(formula, model) for formula in formulas), (answer, model)


def test_a_shape_that_does_not_matter_is_a_scalar() -> None:
    answer = check(broadcast(P, [2]).rank >= 1, N * N >= 4)
    assert isinstance(answer, Satisfiable)
    assert answer.model[P.symbol] == ()


def test_an_entailment_asks_for_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    import z3

    asked: list[object] = []
    core = z3.Solver.unsat_core

    def counted(solver: z3.Solver) -> object:
        asked.append(solver)
        return core(solver)

    monkeypatch.setattr(z3.Solver, "unsat_core", counted)
    claim, facts = "2*a + 3*b <= 12", ["a + b <= 5", "a + 2*b <= 7"]
    assert prove(claim, facts).is_proved
    assert len(asked) == 1  # the assumptions that a proof uses are those of the core
    assert entails(claim, facts)
    assert len(asked) == 1
