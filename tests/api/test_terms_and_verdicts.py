"""Test that sizes, claims and verdicts have sympy's method names, and refuse conversion to a truth value."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import pytest

from shapesolve import Refuted, broadcast, choose, concat, counterexample, dims, numel, product, prove, shape, unranked
from shapesolve.solver import entailment

N, M, K = dims("N M K")


def test_a_counterexample_is_a_mapping_by_size_and_by_name() -> None:
    found = counterexample("N < 5 or M != 3", assuming=M >= 3)
    assert found is not None
    assert (found[N], found["N"], found["%N".removeprefix("%")]) == (5, 5, 5)
    assert str(found) == "M = 3, N = 5"
    assert N in found
    assert "M" in found
    assert "K" not in found
    assert found.get(K) is None
    assert found.get("K", 7) == 7
    with pytest.raises(KeyError, match=r"no size is called K; there are M, N"):
        found[K]
    with pytest.raises(TypeError, match="a variable or its name is needed here"):
        3.5 in found  # noqa: B015  # pyright: ignore[reportUnusedExpression]


def test_a_shape_of_unknown_rank_is_found_in_a_counterexample() -> None:
    s = unranked("s")
    found = counterexample(s.rank != 2)
    assert found is not None
    assert len(found[s]) == 2
    assert found["s"] == found[s]


def test_a_refutation_shows_sizes_where_all_are_free() -> None:
    verdict = prove("n == n + 1")
    assert isinstance(verdict, Refuted)
    assert str(verdict) == "Refuted: n = 2 (any sizes do)"
    assert {each.name for each in verdict.free} == {"n"}
    assert str(prove(N != N)) == "Refuted: it fails for all sizes"


def test_assumptions_may_be_one_claim_one_text_or_several() -> None:
    for assuming in (N == M, "N == M", [N == M], ("N == M", N >= 1), (each for each in [M == N])):
        assert prove(2 * N == N + M, assuming=assuming).is_proved


def test_a_proof_cites_the_assumption_as_it_was_written() -> None:
    assert str(prove("2*N == N + M", assuming="N  ==  M")) == "Proved, because of N == M"
    assert str(prove(2 * N == N + M, assuming=N == M)) == "Proved, because of N == M"


@pytest.mark.parametrize(
    ("compare", "text"),
    [
        (lambda: N == M, "N == M"),
        (lambda: N < M, "N < M"),
        (lambda: M > 2 * N, "M > 2*N"),
        (lambda: N >= 3, "N >= 3"),
        (lambda: N != M, "N != M"),
    ],
)
def test_a_comparison_is_shown_as_it_was_written(compare: Callable[[], object], text: str) -> None:
    claim = compare()  # in the test: equal formulas are one object, which the last comparison counts for
    assert repr(claim) == text
    with pytest.raises(TypeError, match=rf"`{text.replace('*', '.')}` has no truth value"):
        bool(claim)


def test_a_verdict_has_no_truth_value() -> None:
    proved, refuted, undecided, unreachable = verdicts = (
        prove("N >= 0"),
        prove("N >= 1"),
        prove("A**3 + B**3 != C**3", assuming=["A >= 1", "B >= 1"], budget=20_000),
        prove("N >= 1", assuming=["N >= 3", "N <= 2"]),
    )
    for verdict in verdicts:
        with pytest.raises(TypeError, match=r"ask \.is_proved"):
            bool(verdict)
    flags = [(v.is_proved, v.is_refuted, v.is_undecided, v.is_unreachable) for v in verdicts]
    assert flags == [tuple(row == column for column in range(4)) for row in range(4)]
    assert (proved.word, refuted.word, undecided.word, unreachable.word) == (
        "proved",
        "refuted",
        "undecided",
        "unreachable",
    )


def test_a_divisor_that_may_be_0_is_reported() -> None:
    assert str(prove("(N*M)//N == M")).endswith("(dividing by N where it is 0 gives 0, its remainder the dividend)")
    assert "dividing by M where it is 0" in str(prove(N // M <= N))
    assert str(prove(N // M <= N, assuming=M >= 1)) == "Proved, because of M >= 1"
    assert "dividing" not in str(prove("(N*M)//N == M + 1", assuming="N >= 1"))


def test_evaluate_takes_sizes_by_name_or_variable_and_needs_all() -> None:
    assert (2 * N + M).evaluate({"N": 3, M: 1}) == 7
    assert (N == M).evaluate({"N": 3, "M": 3}) is True
    assert broadcast([N, 1], [M]).evaluate({N: 2, M: 5}) == (2, 5)
    assert broadcast([N], [M]).evaluate({N: 2, M: 5}) is None
    with pytest.raises(KeyError):
        N.evaluate({"M": 1})
    with pytest.raises(TypeError, match="no integer"):
        N.evaluate({"N": 1.5})  # pyright: ignore[reportArgumentType]


def test_subs_replaces_all_at_once() -> None:
    assert (N + 2 * M).subs({N: M, "M": N}) is M + 2 * N
    assert (N // M).subs(M, 4) is N // 4
    assert (N == M).subs([(N, 3)]) is (M == 3)
    assert shape([N, M]).subs(N, 4).evaluate({M: 2}) == (4, 2)
    assert broadcast([N], [M]).subs(N, 4).evaluate({M: 3}) is None
    assert concat(unranked("s"), [N]).subs("s", [M, K]).evaluate({"N": 1, "M": 2, "K": 3}) == (2, 3, 1)
    assert choose(N >= 4, N, M).subs(N, 5).value == 5
    with pytest.raises(ValueError, match="N is a size from 0"):
        N.subs(N, -1)
    with pytest.raises(TypeError, match="subs takes"):
        N.subs(N, 1, 2)
    with pytest.raises(TypeError, match="list of sizes"):
        unranked("s").subs("s", broadcast(unranked("t"), [N]))


def test_free_symbols_are_the_variables_of_sizes_and_shapes() -> None:
    assert (N + M // K).free_symbols == {N, M, K}
    assert (N <= 3).free_symbols == {N}
    s = unranked("s")
    assert (numel(s) == N).free_symbols == {N, s}


def test_numel_and_product() -> None:
    assert numel([N, 4, M]) is 4 * N * M
    assert numel([]).value == 1
    assert prove(numel(concat(unranked("s"), [N])) == numel(unranked("s")) * N).is_proved
    assert product([N, M, 2]) is 2 * N * M
    assert product(()).value == 1
    with pytest.raises(TypeError, match="product takes a list"):
        product(N)  # pyright: ignore[reportArgumentType]


def test_operators_that_are_no_polynomials_say_so() -> None:
    assert (2 ** dims("N")[0].subs("N", 3)).value == 8
    with pytest.raises(TypeError, match=r"an exponent is a number, not a size; .* list the cases"):
        _ = 2**N
    with pytest.raises(TypeError, match="an exponent is a number"):
        _ = N**M
    with pytest.raises(TypeError, match=r"write N//2 or ceildiv\(N, 2\)"):
        _ = N / 2
    assert divmod(N, 2) == (N // 2, N % 2)
    assert abs(N) is N
    assert abs(N - M).evaluate({N: 2, M: 5}) == 3


@pytest.mark.parametrize("name", ["prove", "counterexample"])
def test_help_shows_examples_that_run(name: str) -> None:
    function = getattr(entailment, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(function, name)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
