"""Test that a formula which contradicts the facts is left out as long as these are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.checker.obligation_checker import Agreement
from shapesolve.solver.prover import Prover
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.statistics import measuring
from shapesolve.symbolic.dims import dims
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, disjunction, equal, less_than
from shapesolve.trace.events import Fact, Source

A, B, C = dims("A B C")


def known(*formulas: Formula) -> Prover:
    prover = Prover(Z3Solver())
    for each in formulas:
        prover.assume(fact(each))
    return prover


def fact(formula: Formula) -> Fact:
    return Fact(formula, Source.ASSUMPTION, "given")


def test_contradictions_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prover = known(at_least(A, 2), at_least(B, 1), at_least(C, A))
    agreement = Agreement(prover)
    asked: list[Formula] = []
    assume = prover.assume

    def counted(each: Fact) -> None:
        asked.append(each.formula)
        assume(each)

    monkeypatch.setattr(prover, "assume", counted)
    with measuring() as first:
        assert not agreement.has(fact(equal(A * B, B)))
    assert asked
    asked.clear()
    assume(fact(at_least(C, 7)))
    with measuring() as again:
        assert not agreement.has(fact(equal(A * B, B)))
    assert not asked
    assert sum(first.queries.values()) >= sum(again.queries.values()) == 0


def test_contradictions_of_a_scope_end_with_it() -> None:
    prover = known(at_least(A, 1))
    agreement = Agreement(prover)
    prover.enter(fact(at_least(A, 5)))
    agreement.enter()
    assert not agreement.has(fact(less_than(A, 3)))
    assert not agreement.has(fact(less_than(A, 3)))
    prover.leave(None)
    agreement.leave()
    assert agreement.has(fact(less_than(A, 3)))


claims = st.sampled_from(
    [
        *(equal(A, number) for number in range(4)),
        *(less_than(B, number) for number in range(1, 4)),
        equal(A * B, C),
        less_than(A, B),
        at_least(B, A * C),
        disjunction((equal(A, 1), equal(B, 2))),
        equal(A % 2, 1),
    ]
)
steps = st.lists(st.tuples(st.sampled_from(["tell", "tell", "enter", "leave"]), claims), min_size=3, max_size=14)


@examples(100)
@given(steps)
def test_the_same_is_left_out_as_where_nothing_is_remembered(steps: list[tuple[str, Formula]]) -> None:
    prover = known()
    agreement, depth = Agreement(prover), 0
    for step, formula in steps:
        if step == "enter":
            prover.enter(fact(formula) if agreement.has(fact(formula)) else None)
            agreement.enter()
            depth += 1
        elif step == "leave" and depth:
            prover.leave(formula)
            agreement.leave()
            depth -= 1
        else:
            agrees = agreement.has(fact(formula))
            assert agrees == Agreement(prover).has(fact(formula))
            if agrees:
                prover.assume(fact(formula))
