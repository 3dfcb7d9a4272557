"""The solver without MLIR, as its documentation shows it."""

from __future__ import annotations

import pytest

from shapesolve import (
    InputError,
    Proved,
    Refuted,
    Undecided,
    Unreachable,
    broadcast,
    broadcastable,
    counterexample,
    dims,
    prove,
    unranked,
)


def sizes_of(verdict: object) -> dict[str, object]:
    assert isinstance(verdict, Refuted)
    return {variable.name: value for variable, value in verdict.sizes.items()}


def test_a_broadcast_is_what_numpy_says() -> None:
    n, m = dims("N M")
    assert isinstance(prove(broadcast([n, 1], [m]) == [n, m]), Proved)
    assert sizes_of(prove(broadcast([n], [m]) == [n])) == {"N": 3, "M": 2} or isinstance(
        prove(broadcast([n], [m]) == [n]), Refuted
    )


@pytest.mark.parametrize(
    ("goal", "assuming"),
    [
        ("2*N + 1 != 2*M", []),
        ("N*M >= N", ["M >= 1"]),
        ("2*(N//2) == N", ["N % 16 == 0"]),
        ("(N*M)//N == M", ["N >= 1"]),
        ("A == C", ["A == B", "B == C"]),
        ("compatible(B, C)", ["compatible(A, B)", "compatible(broadcast(A, B), C)"]),
        ("max(N, M) == broadcast(N, M)", ["compatible(N, M)", "N >= 1", "M >= 1"]),
        ("N*N - 1 == (N - 1)*(N + 1)", []),
    ],
)
def test_a_goal_that_follows_is_proved(goal: str, assuming: list[str]) -> None:
    assert isinstance(prove(goal, assuming=assuming), Proved)


@pytest.mark.parametrize(
    ("goal", "assuming", "sizes"),
    [
        ("2*(N//2) == N", [], {"N": 3}),
        ("N <= 63", [], {"N": 64}),
        ("max(N, M) == broadcast(N, M)", ["compatible(N, M)"], {"N": 1, "M": 0}),
        ("(N*M)//N == M", [], {"N": 0, "M": 2}),
        ("compatible(A, C)", ["compatible(A, B)", "compatible(B, C)"], {"A": 2, "B": 1, "C": 3}),
    ],
)
def test_refuted_with_the_smallest_believable_sizes(goal: str, assuming: list[str], sizes: dict[str, int]) -> None:
    assert sizes_of(prove(goal, assuming=assuming)) == sizes


def test_a_failure_that_needs_a_size_0_or_1_says_so() -> None:
    verdict = prove("max(N, M) == broadcast(N, M)", assuming=["compatible(N, M)"])
    assert isinstance(verdict, Refuted)
    assert verdict.needs == "some size is 0"


def test_a_proof_names_the_facts_that_it_used() -> None:
    verdict = prove("A == C", assuming=["A == B", "D >= 7", "B == C"])
    assert isinstance(verdict, Proved)
    assert [fact.because for fact in verdict.facts] == ["A == B", "B == C"]


def test_contradictory_assumptions_prove_nothing() -> None:
    verdict = prove("N == M", assuming=["N >= 3", "N <= 2"])
    assert isinstance(verdict, Unreachable)
    assert {fact.because for fact in verdict.facts} == {"N >= 3", "N <= 2"}


def test_even_true_claims_are_not_proved_under_contradictory_assumptions() -> None:
    assert isinstance(prove("N >= 0", assuming=["N % 2 == 1", "N % 4 == 0"]), Unreachable)


def test_a_budget_that_is_spent_leaves_the_claim_undecided() -> None:
    verdict = prove("A**3 + B**3 != C**3", assuming=["A >= 1", "B >= 1"], budget=20_000)
    assert isinstance(verdict, Undecided)
    assert verdict.reason


def test_counterexample_returns_the_smallest_sizes_or_none() -> None:
    found = counterexample("N < 5")
    assert found is not None
    assert {variable.name: value for variable, value in found.items()} == {"N": 5}
    assert counterexample("N >= 0") is None


def test_all_ranks_at_once() -> None:
    s, t, u = unranked("S"), unranked("T"), unranked("U")
    assert isinstance(prove(broadcast(s, t) == broadcast(t, s)), Proved)
    assert isinstance(prove(broadcastable(s, s)), Proved)
    verdict = prove(broadcastable(s, u), assuming=[broadcastable(s, t), broadcastable(t, u)])
    assert isinstance(verdict, Refuted)


def test_text_that_is_no_claim_is_an_input_error() -> None:
    with pytest.raises(InputError, match="="):
        prove("N = 2")
    with pytest.raises(InputError):
        prove("N +")
