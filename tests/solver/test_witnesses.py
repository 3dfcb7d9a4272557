"""Test that cached models satisfy every fact, so that a claim they falsify does not follow."""

from __future__ import annotations

from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Detail, Proved, Refuted
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.statistics import measuring
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, dims, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, disjunction, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum
from shapesolve.trace.events import Fact, Source

A, B, C = dims("A B C")
SYMBOLS: list[Variable] = sorted(A.variables | B.variables | C.variables, key=lambda each: each.text)
TABLE = [dict(zip(SYMBOLS, numbers, strict=True)) for numbers in product(range(5), repeat=3)]

leaves = st.one_of(st.sampled_from([A, B, C]), st.integers(0, 4).map(dim))


def _grown(parts: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
    pair = st.tuples(parts, parts)
    return st.one_of(
        pair.map(lambda two: two[0] + two[1]),
        pair.map(lambda two: two[0] * two[1]),
        st.tuples(parts, st.integers(2, 3)).map(lambda two: two[0] // two[1]),
        pair.map(lambda two: maximum(*two)),
        pair.map(lambda two: broadcast_extent(*two)),
        st.tuples(parts, parts, parts).map(lambda three: choose(equal(three[0], 1), three[1], three[2])),
    )


sizes = st.recursive(leaves, _grown, max_leaves=3)
simple = st.one_of(
    st.tuples(sizes, sizes).map(lambda two: equal(*two)),
    st.tuples(sizes, sizes).map(lambda two: unequal(*two)),
    st.tuples(sizes, sizes).map(lambda two: at_least(*two)),
    st.tuples(sizes, sizes).map(lambda two: less_than(*two)),
)
claims = st.one_of(simple, st.lists(simple, min_size=2, max_size=2).map(disjunction))
steps = st.lists(st.tuples(st.sampled_from(["know", "ask", "enter", "leave"]), claims), min_size=3, max_size=8)


@cache
def solver() -> Z3Solver:
    return Z3Solver()


@examples(150)
@given(steps)
def test_a_claim_that_is_not_proved_at_once_would_not_have_been_proved_without_what_is_kept(
    steps: list[tuple[str, Formula]],
) -> None:
    """In a long run, models of earlier claims are kept; the reference prover knows only the facts."""
    prover = Prover(solver(), inputs=SYMBOLS)
    known: list[list[Formula]] = [[]]
    for step, claim in steps:
        if step == "know":
            prover.assume(Fact(claim, Source.ASSUMPTION, "given"))
            known[-1].append(claim)
        elif step == "enter":
            prover.enter(None)
            known.append([])
        elif step == "leave" and len(known) > 1:
            prover.leave(None)
            known.pop()
        else:
            facts = [fact for level in known for fact in level]
            verdict = prover.verdict_on(claim, detail=Detail.PROOF)
            apart = Prover(solver(), inputs=SYMBOLS)
            for fact in facts:
                apart.assume(Fact(fact, Source.ASSUMPTION, "given"))
            assert verdict.word == ("undecided" if (word := apart.verdict_on(claim).word) == "refuted" else word)
            if isinstance(verdict, Proved):
                there = [sizes for sizes in TABLE if all(holds(fact, sizes) for fact in facts)]
                assert all(holds(claim, sizes) for sizes in there)


def test_sizes_against_one_claim_answer_the_next() -> None:
    prover = Prover(Z3Solver(), inputs=SYMBOLS)
    for fact in (less_than(A, B), equal(A % 7, 3), equal(C * A, B * 2)):
        prover.assume(Fact(fact, Source.ASSUMPTION, "given"))
    with measuring() as first:
        assert not isinstance(prover.verdict_on(less_than(A, C), detail=Detail.PROOF), Proved)
    with measuring() as second:
        assert not isinstance(prover.verdict_on(less_than(A + 1, C), detail=Detail.PROOF), Proved)
    assert sum(first.queries.values()) and not sum(second.queries.values())


def test_a_claim_is_made_false_part_by_part_without_a_question() -> None:
    """Falsifying it takes a change of two variables, one in many facts, the other in none."""
    prover = Prover(Z3Solver(), inputs=SYMBOLS)
    prover.assume(Fact(less_than(A, B * B + 3), Source.ASSUMPTION, "given"))
    with measuring() as asked:
        verdict = prover.verdict_on(disjunction((equal(A, 1), equal(B, C))), detail=Detail.PROOF)
    assert not isinstance(verdict, Proved)
    assert not sum(asked.queries.values())


def test_implied_claims_survive_stepwise_changes() -> None:
    prover = Prover(Z3Solver(), inputs=SYMBOLS)
    for fact in (less_than(A, B), disjunction((equal(A, 1), equal(B * C, 6)))):
        prover.assume(Fact(fact, Source.ASSUMPTION, "given"))
    assert isinstance(prover.verdict_on(disjunction((equal(A, 1), equal(C * B, 6))), detail=Detail.PROOF), Proved)
    assert isinstance(prover.verdict_on(disjunction((equal(A, 1), at_least(C, 1))), detail=Detail.PROOF), Proved)


def test_a_number_below_all_that_is_tried_is_found_by_evaluation() -> None:
    indices = [variable(f"i{number}", None) for number in range(4)]
    prover = Prover(Z3Solver(), inputs=[next(iter(each.variables)) for each in indices])
    with measuring() as measured:
        for each in indices:
            assert isinstance(prover.verdict_on(at_least(each, 0), detail=Detail.VERDICT), Refuted)
            prover.assume(Fact(at_least(each, 0), Source.CHECK, "it was checked"))
    assert not measured.queries
