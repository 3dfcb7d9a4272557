"""Test of sizes that solve an equation of products."""

from __future__ import annotations

import pytest

from shapesolve.solver.budgets import MOST_UNANSWERED, ShrinkingAllowance
from shapesolve.solver.shrinking import smallest
from shapesolve.solver.solved_equations import with_lower_maximum
from shapesolve.solver.verdicts import GaveUp, Label, UndecidedReason
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dims, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, unequal

A, B, C, D = dims("A B C D")


def atom(size: Dim) -> Variable:
    (found,) = size.variables
    return found


def lowered(formulas: list[Formula], **sizes: int) -> dict[str, int]:
    known = {each: sizes[each.name] for each in map(atom, (A, B, C, D)) if each.name in sizes}
    assert all(holds(each, known) for each in formulas)
    found = with_lower_maximum(
        list(enumerate(formulas)), known, list(known), lambda tried, _: all(holds(each, tried) for each in formulas)
    )
    assert all(holds(each, found) for each in formulas)
    return {each.name: size for each, size in found.items()}


@pytest.mark.parametrize("number", [1000003, 500009, 999983, 123457])
def test_a_sum_of_products_gets_a_maximum_near_the_root_of_its_half(number: int) -> None:
    found = lowered([equal(A * B + C * D, number)], A=number - 1, B=1, C=1, D=1)
    root = int((number / 2) ** 0.5)
    assert root <= max(found.values()) <= root + 64
    assert min(found.values()) >= 2


def test_a_difference_of_products_needs_no_large_size() -> None:
    assert max(lowered([equal(A * B - C * D, 1000)], A=2000, B=2, C=1000, D=3).values()) <= 64


def test_the_other_formulas_are_respected() -> None:
    facts = [equal(A * B + C * D, 1000003), unequal(A, C), at_least(A, 2 * B)]
    assert max(lowered(facts, A=1000001, B=1, C=1, D=2).values()) < 1100


def test_sizes_without_an_equation_of_products_stay() -> None:
    assert lowered([equal(A + B, 1000)], A=999, B=1) == {"A": 999, "B": 1}
    assert lowered([at_least(A * B, 1000)], A=1000, B=1) == {"A": 1000, "B": 1}
    assert lowered([equal(A * A, 10**6)], A=1000) == {"A": 1000}


def test_a_larger_size_outside_of_the_equation_stays_alone() -> None:
    assert lowered([equal(A * B, 36), at_least(C, 100)], A=18, B=2, C=100) == {"A": 18, "B": 2, "C": 100}


class GivesUp:
    """A solver that knows nothing, and records the budgets of its queries."""

    def __init__(self) -> None:
        self.budgets: list[int] = []

    def check(self, query: object, *, name: str, budget: int, wants_core: bool = True) -> GaveUp:
        self.budgets.append(budget)
        return GaveUp(UndecidedReason.NOTHING_FOUND, "nothing is known")

    def with_sources(self, origin: object) -> GivesUp:
        return self


def test_bounds_of_variables_are_kept() -> None:
    narrow = variable("narrow", 0, 5)
    query: list[tuple[Label, Formula]] = [(0, equal(narrow * B + C * D, 1000))]
    start = {atom(narrow): 0, atom(B): 2, atom(C): 500, atom(D): 2}
    found = smallest(GivesUp(), query, list(start), budget=100, name="test", start=start).model
    assert isinstance(size := found[atom(narrow)], int) and size <= 5
    assert holds(query[0][1], found)
    assert max(size for size in found.values() if isinstance(size, int)) < 64


def test_queries_that_the_solver_gives_up_on_share_one_budget() -> None:
    solver, allowance = GivesUp(), ShrinkingAllowance()
    query: list[tuple[Label, Formula]] = [(0, at_least(A * A * B, 10**36))]
    start = {atom(A): 2**62, atom(B): 2**62}
    for _ in range(4):
        smallest(solver, query, list(start), budget=1000, name="test", start=start, allowance=allowance)
    assert solver.budgets.count(1000) == MOST_UNANSWERED
    assert solver.budgets[MOST_UNANSWERED:] == [50] * (len(solver.budgets) - MOST_UNANSWERED)
    assert len(solver.budgets) > MOST_UNANSWERED
