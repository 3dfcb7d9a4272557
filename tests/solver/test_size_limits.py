"""Claims on unknown values that are proved up to a limit on the sizes, and open beyond it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved, Undecided, Verdict
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dims, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, less_than
from shapesolve.trace.events import Fact, Source

H, W = dims("H W")
PLACES: list[Dim] = [variable(f"place{number}", None) for number in range(6)]


def _atom(size: Dim) -> Variable:
    (found,) = size.variables
    return found


def _prover() -> Prover:
    reasons = {_atom(each): f"{each} is not followed" for each in PLACES}
    return Prover(Z3Solver(), inputs=[_atom(H), _atom(W)], approximated=reasons)


def _within(place: Dim, most: Dim) -> Formula:
    return conjunction((at_least(place, 0), less_than(place, most)))


def _rounded_from(size: Dim, limit: int, place: Dim, most: Dim) -> Fact:
    """Return the fact that a place is within a dimension unless a size is beyond a limit."""
    return Fact(disjunction((less_than(limit, size), _within(place, most))), Source.INVARIANT, "rounding")


def _limit(verdict: Verdict) -> str | None:
    assert isinstance(verdict, Undecided)
    return None if verdict.limit is None else str(verdict.limit.condition)


@given(st.integers(2**15, 2**31))
@examples(20)
def test_the_limit_is_the_greatest_power_of_two_below_which_the_claim_holds(rounds_from: int) -> None:
    prover = _prover()
    prover.assume(_rounded_from(H, rounds_from, PLACES[0], H))
    verdict = prover.verdict_on(_within(PLACES[0], H))
    assert isinstance(verdict, Undecided) and verdict.limit is not None and verdict.candidate is not None
    assert verdict.limit.most <= rounds_from < 2 * verdict.limit.most
    assert not holds(verdict.limit.condition, verdict.candidate.sizes)


def test_only_the_sizes_that_matter_are_limited() -> None:
    prover = _prover()
    prover.assume(Fact(at_least(W, 2), Source.CHECK, "a check"))
    prover.assume(_rounded_from(H, 2**20, PLACES[0], W))
    assert _limit(prover.verdict_on(_within(PLACES[0], W))) == "H <= 1048576"


def test_claims_with_one_limit_share_sizes_and_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    check = Z3Solver.check

    def counted(self: Z3Solver, *arguments: object, name: str, **options: object) -> object:
        asked.append(name)
        return check(self, *arguments, name=name, **options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Z3Solver, "check", counted)
    prover = _prover()
    verdicts: list[Undecided] = []
    for number, place in enumerate(PLACES):
        prover.assume(_rounded_from(H, 2**20, place, H))
        before, claim = len(asked), _within(place, H)
        verdict = prover.verdict_on(claim, name=f"claim{number}")
        assert isinstance(verdict, Undecided)
        verdicts.append(verdict)
        prover.assume(Fact(claim, Source.UB, "an operation demanded it"))
        if number:
            assert asked[before:] == [f"claim{number}-limited"]
    assert {_limit(each) for each in verdicts} == {"H <= 1048576"}
    assert len({each.candidate.sizes[_atom(H)] for each in verdicts if each.candidate is not None}) == 1


def test_believable_sizes_are_still_looked_for() -> None:
    prover = _prover()
    prover.assume(_rounded_from(H, 2**20, PLACES[0], H))
    assert _limit(prover.verdict_on(_within(PLACES[0], H))) == "H <= 1048576"
    verdict = prover.verdict_on(_within(PLACES[1], H))
    assert isinstance(verdict, Undecided) and verdict.candidate is not None
    assert verdict.limit is None
    assert verdict.candidate.sizes[_atom(H)] in (0, 1, 2)


def test_a_limit_that_the_facts_exclude_is_none() -> None:
    prover = _prover()
    prover.assume(Fact(at_least(H, 2**21), Source.ASSUMPTION, "H is large"))
    prover.assume(_rounded_from(H, 2**20, PLACES[0], H))
    assert _limit(prover.verdict_on(_within(PLACES[0], H))) is None


def test_universal_claims_are_proved_after_limited_ones() -> None:
    prover = _prover()
    prover.assume(_rounded_from(H, 2**20, PLACES[0], H))
    assert _limit(prover.verdict_on(_within(PLACES[0], H)))
    prover.assume(Fact(disjunction((_within(PLACES[1], H * W), less_than(H * W, 0))), Source.INVARIANT, "an interval"))
    assert isinstance(prover.verdict_on(_within(PLACES[1], H * W)), Proved)


def test_an_input_that_a_fact_eliminates_is_limited_too() -> None:
    prover = _prover()
    half = variable("half")
    prover.assume(Fact(at_least(H - 2 * half, 0), Source.ASSUMPTION, "H == 2*half"))
    prover.assume(Fact(at_least(2 * half - H, 0), Source.ASSUMPTION, "H == 2*half"))
    prover.assume(_rounded_from(half, 2**20, PLACES[0], half))
    assert _limit(prover.verdict_on(_within(PLACES[0], half))) == "H <= 2097152"
