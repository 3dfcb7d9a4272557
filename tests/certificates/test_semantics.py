"""Differential test of certificates against `evaluation`, for every operation; and lemmas are true."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import strategies
from support.examples import examples

from shapesolve.certificates import semantics
from shapesolve.certificates.lemmas import distinct_steps, step_lemmas
from shapesolve.certificates.semantics import PRELUDE
from shapesolve.certificates.smtlib_terms import Terms
from shapesolve.symbolic.derivations import Record, recording
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import Assignment, evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula

pytestmark = pytest.mark.slow

cvc5: Any = pytest.importorskip("cvc5")

EXAMPLES = examples(60)


def _is_unsat(terms: Terms, assertions: list[str], milliseconds: int = 5_000) -> bool | None:
    """None: cvc5 does not know."""
    lines = ["(set-logic ALL)", PRELUDE, *terms.declarations, *terms.definitions]
    lines += [f"(assert {each})" for each in (*(term for _, term in terms.domains), *assertions)]
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(milliseconds))
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(lines), "test")
    while not (command := parser.nextCommand()).isNull():
        assert "error" not in command.invoke(solver, parser.getSymbolManager())
    result = solver.checkSat()
    return None if result.isUnknown() else result.isUnsat()


def _fixed(terms: Terms, sizes: Assignment) -> list[str]:
    """Every declared variable is what the assignment says."""
    equalities: list[str] = []
    for variable, value in sizes.items():
        if isinstance(value, tuple):
            name = variable.name
            if any(f"|rank({name})|" in line for line in terms.declarations):
                equalities.append(f"(= |rank({name})| {len(value)})")
                equalities += [f"(= (|column({name})| {i}) {extent})" for i, extent in enumerate(reversed(value))]
        elif any(line == f"(declare-const |{variable.name}| Int)" for line in terms.declarations):
            equalities.append(f"(= |{variable.name}| {semantics.number(value)})")
    return equalities


def _agrees(thing: Dim | Formula, record: Record, sizes: Assignment) -> None:
    for is_built in (True, False):
        terms = Terms(record)
        term = terms.built(thing, record.latest(thing)) if is_built else terms.normal(thing)
        if isinstance(thing, Dim):
            wrong = f"(not (= {term} {semantics.number(evaluate(thing, sizes))}))"
        else:
            wrong = f"(not {term})" if holds(thing, sizes) else cast("str", term)
        assert _is_unsat(terms, [*_fixed(terms, sizes), wrong]) is not False


@EXAMPLES
@given(st.data(), strategies.assignments)
def test_sizes_mean_what_they_evaluate_to(data: st.DataObject, sizes: Assignment) -> None:
    with recording() as record:
        size = data.draw(strategies.sizes)
    _agrees(size, record, sizes)


@EXAMPLES
@given(st.data(), strategies.assignments)
def test_formulas_mean_what_they_evaluate_to(data: st.DataObject, sizes: Assignment) -> None:
    with recording() as record:
        formula = data.draw(strategies.formulas)
    _agrees(formula, record, sizes)


@EXAMPLES
@given(st.data())
def test_every_step_is_true(data: st.DataObject) -> None:
    with recording() as record:
        data.draw(st.one_of(strategies.sizes, strategies.formulas, strategies.quotient_sums))
    for step in distinct_steps(record):
        terms = Terms(record)
        for lemma in step_lemmas(step, terms):
            assert _is_unsat(terms, [f"(not {lemma.claim})"], 300) is not False, lemma.words
