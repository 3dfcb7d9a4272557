"""Verdicts against brute force: every law of the verdict contract, on generated facts and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.solver.entailment import prove
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import facts_of
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Refuted, Undecided, Unreachable, Verdict
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, dims
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import (
    at_least,
    compatible,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.trace.events import Fact, Source

A, B, C = dims("A B C")
SYMBOLS: list[Variable] = sorted(A.variables | B.variables | C.variables, key=lambda each: each.text)
TABLE: list[dict[Variable, int]] = [dict(zip(SYMBOLS, numbers, strict=True)) for numbers in product(range(6), repeat=3)]

leaves = st.one_of(st.sampled_from([A, B, C]), st.integers(0, 4).map(dim))


def _grown(parts: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
    pair = st.tuples(parts, parts)
    return st.one_of(
        pair.map(lambda two: two[0] + two[1]),
        pair.map(lambda two: two[0] - two[1]),
        pair.map(lambda two: two[0] * two[1]),
        st.tuples(parts, st.integers(2, 4)).map(lambda two: two[0] // two[1]),
        st.tuples(parts, st.integers(2, 4)).map(lambda two: two[0] % two[1]),
        pair.map(lambda two: maximum(*two)),
        pair.map(lambda two: minimum(*two)),
        pair.map(lambda two: broadcast_extent(*two)),
        st.tuples(parts, parts, parts).map(lambda three: choose(equal(three[0], 1), three[1], three[2])),
    )


sizes = st.recursive(leaves, _grown, max_leaves=4)
simple_claims = st.one_of(
    st.tuples(sizes, sizes).map(lambda two: equal(*two)),
    st.tuples(sizes, sizes).map(lambda two: unequal(*two)),
    st.tuples(sizes, sizes).map(lambda two: at_least(*two)),
    st.tuples(sizes, sizes).map(lambda two: less_than(*two)),
    st.lists(sizes, min_size=2, max_size=3).map(compatible),
)
claims = st.one_of(
    simple_claims,
    st.lists(simple_claims, min_size=2, max_size=3).map(conjunction),
    st.lists(simple_claims, min_size=2, max_size=3).map(disjunction),
    st.tuples(simple_claims, simple_claims).map(lambda two: implies(*two)),
)


@cache
def solver() -> Z3Solver:
    return Z3Solver()


def where(facts: Iterable[Formula]) -> list[dict[Variable, int]]:
    """The small sizes that satisfy all facts."""
    wanted = list(facts)
    return [sizes for sizes in TABLE if all(holds(fact, sizes) for fact in wanted)]


@pytest.mark.exhaustive
@examples(400)
@given(st.lists(claims, max_size=4), st.lists(claims, min_size=1, max_size=3))
def test_the_ledger_is_never_wrong(facts: list[Formula], goals: list[Formula]) -> None:
    propagator = Propagator()
    for number, fact in enumerate(facts):
        propagator.assume(fact, number)
    if propagator.contradiction is not None:
        assert not where(facts[number] for number in facts_of(propagator.contradiction))
        return
    for goal in goals:
        why = propagator.prove(goal)
        if why is not None:
            used = [facts[number] for number in facts_of(why)]
            assert all(holds(goal, sizes) for sizes in where(used)), (goal, used)


@pytest.mark.exhaustive
@examples(200)
@given(st.lists(claims, max_size=3), st.lists(claims, max_size=2), st.lists(claims, min_size=1, max_size=3))
def test_the_ledger_forgets_what_a_scope_learned(
    facts: list[Formula], inner: list[Formula], goals: list[Formula]
) -> None:
    propagator = Propagator()
    for number, fact in enumerate(facts):
        propagator.assume(fact, number)
    before = [propagator.prove(goal) is not None for goal in goals]
    propagator.push()
    for number, fact in enumerate(inner):
        propagator.assume(fact, 100 + number)
    for goal in goals:
        propagator.prove(goal)
    propagator.pop()
    assert [propagator.prove(goal) is not None for goal in goals] == before
    for goal in goals:
        why = propagator.prove(goal)
        assert why is None or all(number < 100 for number in facts_of(why))


def _check(claim: Formula, prover: Prover, facts: Sequence[Formula]) -> None:
    verdict = prover.verdict_on(claim)
    allowed = where(facts)
    match verdict:
        case Proved():
            assert all(holds(claim, sizes) for sizes in allowed), (claim, facts)
            used = [fact.formula for fact in verdict.facts]
            assert all(holds(claim, sizes) for sizes in where(used)), (claim, used)
        case Refuted(sizes=found):
            assert not holds(claim, _full(found)), (claim, found)
            assert all(holds(fact, _full(found)) for fact in facts), (facts, found)
        case Unreachable():
            assert not where(fact.formula for fact in verdict.facts), facts
        case Undecided():
            assert verdict.reason


def _full(found: Mapping[Variable, int | tuple[int, ...]]) -> dict[Variable, int | tuple[int, ...]]:
    return {**dict.fromkeys(SYMBOLS, 1), **found}


@pytest.mark.exhaustive
@examples(300)
@given(st.lists(claims, max_size=4), claims)
def test_verdicts_agree_with_brute_force(facts: list[Formula], claim: Formula) -> None:
    prover = Prover(solver(), inputs=SYMBOLS, budget=300_000)
    for fact in facts:
        prover.assume(Fact(fact, Source.ASSUMPTION, str(fact)))
    _check(claim, prover, facts)
    _check(negation(claim), prover, facts)


@pytest.mark.exhaustive
@examples(150)
@given(st.lists(claims, max_size=2), claims, st.lists(claims, max_size=2), claims, claims)
def test_scopes_nest_and_export_what_they_established(
    facts: list[Formula], condition: Formula, inside: list[Formula], claim: Formula, later: Formula
) -> None:
    prover = Prover(solver(), inputs=SYMBOLS, budget=300_000)
    for fact in facts:
        prover.assume(Fact(fact, Source.ASSUMPTION, "outside"))
    prover.enter(Fact(condition, Source.BRANCH, "the branch is taken"))
    for fact in inside:
        prover.assume(Fact(fact, Source.CHECK, "inside"))
    _check(claim, prover, [*facts, condition, *inside])
    prover.leave(condition)
    _check(later, prover, [*facts, *(implies(condition, fact) for fact in inside)])


def test_nothing_survives_a_region_that_may_not_run() -> None:
    prover = Prover(solver(), inputs=SYMBOLS)
    prover.enter(None)
    prover.assume(Fact(equal(A, B), Source.CHECK, "inside"))
    assert isinstance(prover.verdict_on(equal(A, B)), Proved)
    prover.leave(None)
    assert isinstance(prover.verdict_on(equal(A, B)), Refuted)


def test_a_refutation_that_leans_on_what_is_not_modeled_is_undecided() -> None:
    free = next(iter(B.variables))
    prover = Prover(solver(), inputs=[next(iter(A.variables))], approximated={free: "acme.op: no rule"})
    verdict = prover.verdict_on(equal(A, B))
    assert isinstance(verdict, Undecided)
    assert "acme.op" in verdict.reason
    assert verdict.candidate is not None


def test_a_proof_stands_whatever_is_not_modeled() -> None:
    free = next(iter(B.variables))
    prover = Prover(solver(), approximated={free: "acme.op: no rule"})
    assert isinstance(prover.verdict_on(at_least(A + B, A)), Proved)


def test_a_claim_that_is_false_for_all_sizes_says_so() -> None:
    prover = Prover(solver(), inputs=SYMBOLS)
    prover.assume(Fact(equal(A, B + 1), Source.DEFINITION, "a definition"))
    verdict = prover.verdict_on(equal(A, B))
    assert isinstance(verdict, Refuted)
    assert verdict.always


def test_a_counterexample_reports_eliminated_inputs_too() -> None:
    prover = Prover(solver(), inputs=SYMBOLS)
    prover.assume(Fact(equal(A % 4, 0), Source.ASSUMPTION, "A % 4 == 0"))
    prover.assume(Fact(equal(B, A + 1), Source.ASSUMPTION, "B == A + 1"))
    verdict = prover.verdict_on(less_than(B, 9))
    assert isinstance(verdict, Refuted)
    found = {variable.name: size for variable, size in verdict.sizes.items()}
    assert found["A"] == 8
    assert found["B"] == 9
    assert str(verdict.condition) in ("A <= 7", "A//4 <= 1")


def test_sizes_beyond_the_largest_are_no_way_to_satisfy_facts() -> None:
    prover = Prover(solver(), inputs=SYMBOLS)
    prover.assume(Fact(equal(A, B * 2**62), Source.ASSUMPTION, "A is huge"))
    assert isinstance(prover.verdict_on(less_than(B, 2)), Proved)
    prover.assume(Fact(at_least(B, 4), Source.ASSUMPTION, "B >= 4"))
    assert isinstance(prover.verdict_on(equal(C, 0)), Unreachable)


def test_eliminated_unmodeled_values_still_count() -> None:
    free = next(iter(B.variables))
    prover = Prover(solver(), inputs=[next(iter(A.variables))], approximated={free: "acme.op: no rule"})
    assert isinstance(prover.verdict_on(equal(A, B)), Undecided)
    prover.assume(Fact(equal(A, B), Source.UB, "an operation demanded it"))
    assert isinstance(prover.verdict_on(equal(B, 5)), Undecided)  # for all that is known, B is always 5
    assert isinstance(prover.verdict_on(equal(A, 5)), Undecided)
    assert isinstance(prover.verdict_on(at_least(B, 0)), Proved)


DETAILED_CLAIMS = (equal(A // 2 * 2, A), at_least(A, 0), at_least(A * B, A), unequal(C % 6, 5), at_least(5, A))


@pytest.mark.parametrize("detail", [Detail.SIGHT, Detail.PROOF])
def test_the_prover_stops_at_the_requested_detail(detail: Detail) -> None:
    for claim in (*DETAILED_CLAIMS, at_least(A * B, B * 4)):
        verdicts: list[Verdict] = []
        for wanted in (detail, Detail.SIZES):
            prover = Prover(Z3Solver(), inputs=SYMBOLS)
            prover.assume(Fact(at_least(A, 4), Source.ASSUMPTION, "asked"))
            verdicts.append(prover.verdict_on(claim, detail=wanted))
        little, everything = verdicts
        assert isinstance(little, Proved | Undecided)
        if isinstance(little, Proved) or detail is Detail.PROOF:
            assert isinstance(little, Proved) == isinstance(everything, Proved)


@pytest.mark.parametrize("detail", [Detail.VERDICT, Detail.ALWAYS, Detail.SIZES])
def test_less_detail_is_the_same_verdict(detail: Detail) -> None:
    for claim in DETAILED_CLAIMS:
        verdicts: list[Verdict] = []
        for wanted in (detail, Detail.SIZES):
            prover = Prover(Z3Solver(), inputs=SYMBOLS)
            prover.assume(Fact(at_least(A, 4), Source.ASSUMPTION, "asked"))
            verdicts.append(prover.verdict_on(claim, detail=wanted))
        assert verdicts[0].word == verdicts[1].word
        if isinstance(verdicts[0], Refuted):
            assert not holds(claim, verdicts[0].sizes)


@pytest.mark.parametrize(
    ("claim", "facts"),
    [
        ("H == 0 and [H] == s", []),
        ("[H] == s", ["H == 0"]),
        ("H == 2 or [H] == s", ["H <= 2", "compatible(H, 3)"]),
        ("rank(broadcast([H], s)) == 0 and s == t", []),
        ("broadcastable([H, N], s)", ["H == 0 or N == 1", "N*N == N"]),
    ],
)
def test_shapes_of_unknown_rank_beside_fixed_sizes(claim: str, facts: list[str]) -> None:
    assert not isinstance(prove(claim, facts), Proved)
