"""Test of generalized counterexamples (free and smaller sizes) against brute force over small sizes."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from support.strategies import formulas as claims

from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Refuted
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.trace.events import Fact, Source


def refuted(claim: Formula, *facts: Formula) -> Refuted | None:
    """The refutation of a claim, with all its variables as inputs."""
    variables = sorted(frozenset[Variable]().union(*(each.variables for each in (claim, *facts))), key=lambda v: v.text)
    prover = Prover(Z3Solver(), inputs=variables, budget=200_000)
    for fact in facts:
        prover.assume(Fact(fact, Source.ASSUMPTION, "test"))
    verdict = prover.verdict_on(claim)
    return verdict if isinstance(verdict, Refuted) else None


def _allowed(variable: Variable) -> range:
    least = -6 if variable.lower is None else max(-6, variable.lower)
    return range(least, 1 + (9 if variable.upper is None else min(9, variable.upper)))


@given(claims, st.lists(claims, max_size=2))
def test_free_sizes_fail_for_every_admitted_value(claim: Formula, facts: list[Formula]) -> None:
    found = refuted(claim, *facts)
    if found is None or any(isinstance(each, ShapeSymbol) for each in found.sizes):
        return
    free = sorted(found.free, key=lambda each: each.text)
    for numbers in product(*(_allowed(each) for each in free[:3])):
        sizes = {**found.sizes, **dict(zip(free, numbers, strict=False))}
        if all(holds(fact, sizes) for fact in facts):
            assert not holds(claim, sizes)


@given(claims, st.lists(claims, max_size=2))
def test_further_counterexamples_fail(claim: Formula, facts: list[Formula]) -> None:
    found = refuted(claim, *facts)
    if found is None or found.also is None:
        return
    sizes = {**found.sizes, **found.also}
    assert all(holds(fact, sizes) for fact in facts)
    assert not holds(claim, sizes)
    assert any(number < 2 for number in found.also.values() if isinstance(number, int))


@given(claims)
def test_the_smallest_of_at_least_two(claim: Formula) -> None:
    """No sizes of at least 2 that are smaller everywhere fail."""
    found = refuted(claim)
    if found is None or not found.smallest or found.floor != 2:
        return
    shown = [each for each in found.sizes if each not in found.free and each.lower is not None and each.lower >= 0]
    if any(isinstance(each, ShapeSymbol) for each in found.sizes) or len(shown) > 3:
        return
    if any(each.lower is None or each.lower < 0 for each in found.sizes):
        return
    for numbers in product(*(range(2, min(int(str(found.sizes[each])), 9) + 1) for each in shown)):
        sizes = {**found.sizes, **dict(zip(shown, numbers, strict=True))}
        if sizes != found.sizes:
            assert holds(claim, sizes)


def _refute(claim: str, *facts: str) -> Refuted:
    scope = Scope.free()
    found = refuted(parse_formula(claim, scope), *(parse_formula(each, scope) for each in facts))
    assert found is not None
    return found


def test_a_size_that_does_not_matter_is_free() -> None:
    found = _refute("H % 4 == 0", "B >= 2", "B % 4 == 0", "H <= B * 100 or H >= 1")
    assert {each.name for each in found.free} == {"B"}
    assert {each.name: number for each, number in found.sizes.items()}["B"] == 4
    assert found.floor == 2


def test_a_size_that_is_tied_to_one_that_matters_is_not_free() -> None:
    found = _refute("b == 0", "b == a", "a == c", "d == e or d + e >= 3")
    assert not {each.name for each in found.free} & {"a", "b", "c"}


def test_a_size_that_matters_is_not() -> None:
    assert not _refute("N == M").free
    assert not _refute("N <= M + 1", "M <= 3").free


def test_smaller_failing_sizes_are_reported() -> None:
    found = _refute("N % 2 == 0")
    assert found.floor == 2
    assert found.also is not None
    assert {each.name: number for each, number in found.also.items()} == {"N": 1}


def test_sizes_that_must_be_two_have_none_below() -> None:
    found = _refute("N % 4 == 0", "N >= 2")
    assert found.floor == 2
    assert found.also is None


def test_sizes_are_small_where_the_first_ones_found_are_not_all_named() -> None:
    found = _refute("b <= 0 or a <= 0 or a == c", "compatible(a, c)")
    assert found.smallest
    assert sorted(map(str, found.sizes.values())) == ["1", "2", "2"]
    assert found.needs == "some size is 0 or 1"


def test_sizes_are_small_where_whatever_gets_there_fails() -> None:
    found = _refute("0 == 1", "not compatible(a, c)")
    assert found.smallest
    assert sorted(map(str, found.sizes.values())) == ["2", "3"]


def test_a_size_that_a_multiple_ties_to_one_that_matters_is_not_free() -> None:
    assert {each.name for each in _refute("a >= n + 8", "a % 8 == 0", "a == b", "a >= n", "n >= 1").free} == {"n"}
    assert {each.name for each in _refute("a >= n + 8", "a % 8 == 0", "a * 2 == b", "a >= n", "n >= 1").free} == {"n"}


def test_sizes_that_are_tied_to_each_other_alone_are_free_together() -> None:
    assert {each.name for each in _refute("n >= 1", "a % 8 == 0", "a == b").free} == {"a", "b"}
    assert {each.name for each in _refute("n >= 1", "a >= n", "2 * a == c").free} == {"a", "c"}


def test_a_size_that_bounds_fix_at_what_the_others_are_is_not_free() -> None:
    fixed = _refute("n >= 1", "a <= 16 * n + 16", "a >= 16", "b >= a")
    assert {each.name for each in fixed.free} == {"b"}
    loose = _refute("n >= 1", "a <= 16 * n + 17", "a >= 16", "b >= a")
    assert {each.name for each in loose.free} == {"a", "b"}


def test_further_sizes_tell_what_the_facts_then_fix() -> None:
    """``a == max(b*(c % 4), d)``: a smaller ``d`` leaves the larger ``a`` no sizes that get there."""
    found = _refute("d == min(1, a) and a >= 5", "max(b*(c % 4), d) == a")
    assert found.also is not None
    told = {**found.sizes, **found.also}
    sizes = {each.name: number for each, number in told.items() if isinstance(number, int)}
    assert sizes["a"] == max(sizes["b"] * (sizes["c"] % 4), sizes["d"])
