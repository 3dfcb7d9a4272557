"""Test of canonical queries: the meaning does not depend on names, and answers map back."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.strategies import assignments, formulas

from shapesolve.solver.limits import DEFAULT_BUDGET
from shapesolve.solver.models import Query
from shapesolve.solver.query_cache import CanonicalQueryCache, canonical_query
from shapesolve.solver.verdicts import Answer, GaveUp, Satisfiable, UndecidedReason, Unsatisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.evaluation import Assignment, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

NAMES = ("a", "b", "c", "d")


def query(texts: list[str], names: tuple[str, ...] = NAMES) -> Query:
    """A query about sizes, with other names for a, b, c and d; labels that are no positions."""
    sizes = {old: variable(new) for old, new in zip(NAMES, names, strict=True)}
    scope = Scope.closed(sizes)
    return [(10 * number, parse_formula(text, scope)) for number, text in enumerate(texts, 1)]


QUESTIONS = [
    ["a*a*a + b*b*b == c*c*c + 7"],
    ["a*b == c*d", "a >= c + 1", "b >= d", "c >= 1", "d >= 1"],
    ["(a*b) % c != 0", "a % c == 0", "c >= 1"],
    ["a//b//c != a//(b*c)", "b >= 1", "c >= 1"],
    ["max(a, b*c) == d*d", "a == 3 or b == c", "d >= 4"],
    ["compatible(a, b*c)", "broadcast(a, d)*b == 5", "a != d"],
    ["a*b == 2021", "a >= 2", "b >= 2"],
]


@pytest.mark.parametrize("texts", QUESTIONS)
def test_other_names_and_another_order_make_the_same_question(texts: list[str]) -> None:
    first = canonical_query(query(texts))
    assert first is not None
    for names in permutations(("z", "n10", "n9", "b")):
        other = canonical_query(list(reversed(query(texts, names))))
        assert other is not None
        assert set(other.formulas) == set(first.formulas)


@pytest.mark.slow
@pytest.mark.parametrize("texts", QUESTIONS)
def test_a_question_is_asked_once_and_answered_for_all(texts: list[str]) -> None:
    asked: list[Query] = []
    solver = Z3Solver()

    def solve(one: Query) -> Answer:
        asked.append(one)
        return solver.check(one, name="", budget=DEFAULT_BUDGET)

    answers = CanonicalQueryCache()
    kinds: set[type[Answer]] = set()
    for names in permutations(("z", "n10", "n9", "b")):
        own = query(texts, names)
        answer = answers.ask(own, DEFAULT_BUDGET, True, solve)
        kinds.add(type(answer))
        if isinstance(answer, Satisfiable):
            assert all(holds(formula, answer.model) for _, formula in own)
        if isinstance(answer, Unsatisfiable):
            assert answer.core <= {label for label, _ in own}
            core = [(label, formula) for label, formula in own if label in answer.core]
            assert isinstance(Z3Solver().check(core, name="", budget=DEFAULT_BUDGET), Unsatisfiable)
    assert len(kinds) == 1
    assert len(asked) == 1


def test_another_budget_is_another_question() -> None:
    asked: list[Query] = []

    def solve(one: Query) -> Answer:
        asked.append(one)
        return GaveUp(UndecidedReason.NON_LINEAR, "spent")

    answers = CanonicalQueryCache()
    for budget, wants_core in product((1, 2), (True, False)):
        for _ in range(2):
            answers.ask(query(QUESTIONS[0]), budget, wants_core, solve)
    assert len(asked) == 4


def test_queries_ended_by_the_clock_are_asked_again() -> None:
    asked: list[Query] = []

    def solve(one: Query) -> Answer:
        asked.append(one)
        return GaveUp(UndecidedReason.TIME, "late")

    answers = CanonicalQueryCache()
    for _ in range(2):
        answers.ask(query(QUESTIONS[0]), 1, True, solve)
    assert len(asked) == 2


def test_bounds_are_part_of_the_question() -> None:
    sizes = [variable("n", 0), variable("n", 1), variable("n", None), variable("n", 0, 9)]
    renamed = [canonical_query([(0, parse_formula("n*n == 7*n + 8", Scope.closed({"n": size})))]) for size in sizes]
    assert len({each.formulas for each in renamed if each is not None}) == 4


@examples(200)
@given(st.lists(formulas, min_size=1, max_size=4), assignments)
def test_canonical_queries_have_the_same_answer(parts: list[Formula], numbers: Assignment) -> None:
    renamed = canonical_query([(number, part) for number, part in enumerate(parts)])
    if renamed is None:
        return
    values = {new: numbers[old] for new, old in renamed.names.items()}
    for position, formula in renamed.query:
        assert holds(formula, values) == holds(parts[renamed.labels[position]], numbers)


ATOMS = ("a*b == c", "a*a == b*c + 1", "b >= c", "a >= 2", "c % a == 1", "a*c >= b*b", "a//b == c", "b*b + c*c == a*a")


@pytest.mark.slow
@examples(40)
@given(
    st.lists(st.lists(st.sampled_from(ATOMS), min_size=2, max_size=4), min_size=1, max_size=3), st.permutations("abc")
)
def test_answers_by_brute_force(queries: list[list[str]], names: list[str]) -> None:
    answers, solver = CanonicalQueryCache(), Z3Solver()

    def solve(one: Query) -> Answer:
        return solver.check(one, name="", budget=100_000)

    for texts in queries:
        for used in (("a", "b", "c", "d"), (*names, "d")):
            own = query(texts, used)
            answer = answers.ask(own, 100_000, True, solve)
            if isinstance(answer, Satisfiable):
                assert all(holds(formula, answer.model) for _, formula in own)
            if isinstance(answer, Unsatisfiable):
                core = [formula for label, formula in own if label in answer.core]
                variables = sorted(frozenset[Variable]().union(*(each.variables for each in core)), key=str)
                for sizes in product(range(9), repeat=len(variables)):
                    values = dict(zip(variables, sizes, strict=True))
                    assert not all(holds(each, values) for each in core)
