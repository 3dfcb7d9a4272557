"""One variable for all that a query makes equal: no model is lost, none is added."""

from __future__ import annotations

from itertools import product

import hypothesis.strategies as st
import pytest
from hypothesis import given

from shapesolve.solver.models import Query
from shapesolve.solver.preprocessing.equal_variables import substitute_equal_variables
from shapesolve.solver.verdicts import Satisfiable, Unsatisfiable
from shapesolve.solver.z3 import adapter
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, compatible, equal, negation
from shapesolve.symbolic.normal_forms import broadcast_extent

VARIABLES = tuple(Variable.of(f"x{number}", 0, 4) for number in range(4))
SIZES = tuple(map(of_atom, VARIABLES))


def labelled(formulas: list[Formula]) -> Query:
    return list(enumerate(formulas, 1))


def models(query: Query) -> set[tuple[int, ...]]:
    candidates = (dict(zip(VARIABLES, sizes, strict=True)) for sizes in product(range(5), repeat=len(VARIABLES)))
    return {tuple(each.values()) for each in candidates if all(holds(formula, each) for _, formula in query)}


terms = st.one_of(
    st.sampled_from(SIZES),
    st.lists(st.sampled_from(SIZES), min_size=2, max_size=3).map(lambda parts: broadcast_extent(*parts)),
)
facts = st.one_of(
    st.builds(at_least, st.sampled_from(SIZES), st.integers(0, 3)),
    st.builds(at_least, st.integers(2, 4), st.sampled_from(SIZES)),
    st.builds(equal, st.sampled_from(SIZES), st.sampled_from(SIZES)),
    st.builds(lambda *parts: compatible(parts), terms, terms),
    st.builds(lambda *parts: compatible(parts), terms, terms, terms),
    st.builds(lambda *parts: negation(compatible(parts)), terms, terms),
)


@given(st.lists(facts, min_size=1, max_size=7))
def test_substitution_keeps_the_models(formulas: list[Formula]) -> None:
    query = labelled(formulas)
    merged, substitutes = substitute_equal_variables(query)
    same = {
        sizes
        for sizes in models(merged)
        if all(sizes[VARIABLES.index(each)] == sizes[VARIABLES.index(by)] for each, by in substitutes.items())
    }
    assert same == models(query)


def test_compatible_sizes_of_two_and_more_become_one_variable() -> None:
    a, b, c, d = SIZES
    facts = [at_least(each, 2) for each in (a, b, c)]
    chain = [compatible([broadcast_extent(a, b), c]), compatible([a, b]), compatible([c, d])]
    _, substitutes = substitute_equal_variables(labelled([*facts, *chain]))
    assert set(substitutes) == {VARIABLES[1], VARIABLES[2]}  # d may be 1


def test_bounds_of_variables_that_are_gone_are_kept() -> None:
    narrow, wide = Variable.of("b", 3, 5), Variable.of("a", 0, 9)
    merged, substitutes = substitute_equal_variables([(7, equal(of_atom(wide), of_atom(narrow)))])
    assert substitutes == {narrow: wide}
    assert {formula for _, formula in merged} >= {at_least(of_atom(wide), 3), at_least(5, of_atom(wide))}


@pytest.mark.parametrize("wants_more", [False, True])
def test_large_queries_about_chains_of_broadcasts_are_decided(*, wants_more: bool) -> None:
    sizes = [of_atom(Variable.of(f"a{number}")) for number in range(60)]
    formulas = [at_least(each, 2) for each in sizes]
    joined = sizes[0]
    for size in sizes[1:-1]:
        formulas.append(compatible([joined, size]))
        joined = broadcast_extent(joined, size)
    formulas.append(negation(compatible([joined, sizes[-1]])))
    formulas.append(at_least(2 * len(sizes) + int(wants_more), sum(sizes[1:], sizes[0])))
    query = labelled(formulas)
    assert len(query) > adapter.MOST_ASKED_AS_THEY_ARE
    answer = adapter.Z3Solver().check(query, name="chain", budget=1_000_000, wants_core=False)
    if wants_more:
        assert isinstance(answer, Satisfiable)
        assert all(holds(formula, answer.model) for formula in formulas)
    else:
        assert isinstance(answer, Unsatisfiable)
