"""Test that expressions beyond the limits are refused in time, and those within them work."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from shapesolve import InputError, prove
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason
from shapesolve.symbolic.dims import Dim, dim, dims, variable
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.limits import MAX_DEGREE, MAX_TERMS, TooLarge
from shapesolve.symbolic.normal_forms import choose, maximum

N, M = dims("N M")


def repeated(step: Callable[[Dim, int], Dim], times: int, start: Dim = N) -> Dim:
    for number in range(times):
        start = step(start, number)
    return start


def fresh(name: str, number: int) -> Dim:
    return variable(f"{name}{number}")


def alternating(depth: int) -> Formula:
    claim = N >= 1
    for number in range(depth):
        here = fresh("x", number)
        claim = (claim & (here >= number + 2)) | (here == M) if number % 2 else (claim | (here >= 3)) & (here == M)
    return claim


GROWING: list[tuple[str, Callable[[], object]]] = [
    ("64 factors", lambda: repeated(lambda v, _: v * v, 40)),
    ("64 factors", lambda: repeated(lambda v, _: v * v + 1, 40)),
    ("terms", lambda: repeated(lambda v, i: v * (fresh("x", i) + 1), 40)),
    ("terms", lambda: repeated(lambda v, i: v + fresh("x", i), 5_000)),
    ("binary digits", lambda: repeated(lambda v, _: v * v, 60, dim(3))),
    ("binary digits", lambda: dim(3) ** 10**9),
    ("binary digits", lambda: repeated(lambda v, _: v * (2**62 + 1), 5_000)),
    ("too long", lambda: repeated(lambda v, i: maximum(v, fresh("x", i)) + v, 40)),
    ("too long", lambda: repeated(lambda v, i: choose(fresh("x", i) >= M, v + 1, v + M), 60)),
    ("too long", lambda: repeated(lambda v, i: (v + fresh("x", i)) // (v + 1), 60)),
    ("nested", lambda: repeated(lambda v, i: (v + fresh("x", i)) // fresh("y", i), 5_000)),
    ("nested", lambda: repeated(lambda v, i: choose(fresh("x", i) >= M, v, M + i), 5_000)),
    ("nested|too long", lambda: alternating(5_000)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "grown"), GROWING)
def test_growth_is_refused_in_time(limit: str, grown: Callable[[], object]) -> None:
    gc.freeze()  # what other tests left in this process is not looked through again and again
    started = time.process_time()
    with pytest.raises(TooLarge, match=limit):
        grown()
    assert time.process_time() - started < 5
    gc.unfreeze()


def test_refusals_are_input_errors_for_users() -> None:
    with pytest.raises(InputError, match="64 factors"):
        prove((N**40) * (M**40) >= 0)


def test_a_text_that_grows_names_the_limit_and_the_place() -> None:
    text = "N"
    for number in range(40):
        text = f"max({text}, x{number}) + 1"
    assert not isinstance(prove(f"{text} >= 0"), Undecided)
    with pytest.raises(InputError, match=r"(?s)factors|degree.*\^"):
        prove("N*" * 70 + "N >= 0")


def test_sums_of_500_terms_are_proved() -> None:
    total = repeated(lambda v, i: v + fresh("x", i) * (i + 1), 500)
    assert len(total.terms) == 501 <= MAX_TERMS
    assert isinstance(prove(total >= 0), Proved)
    assert evaluate(total, dict.fromkeys(total.variables, 1)) == 1 + 500 * 501 // 2


@pytest.mark.slow
def test_products_of_many_sizes() -> None:
    product = repeated(lambda v, i: v * fresh("x", i), 30)
    assert len(product.terms) == 1
    assert isinstance(prove(product >= 0), Proved)
    assert isinstance(prove(product >= 1), Refuted)
    assert repeated(lambda v, _: v * M, MAX_DEGREE - 1) is not None


def test_deep_nests_are_read_written_and_evaluated() -> None:
    deep = repeated(lambda v, i: choose(fresh("x", i) >= M, v + 1, M), 100)
    assert evaluate(deep, dict.fromkeys(deep.variables, 0)) == 100
    divided = repeated(lambda v, i: (v + fresh("x", i)) // (i % 3 + 2), 100)
    assert evaluate(divided, dict.fromkeys(divided.variables, 0)) == 0
    claim = alternating(60)
    assert claim is not FALSE
    assert isinstance(holds(claim, dict.fromkeys(claim.variables, 0)), bool)
    assert isinstance(prove(claim), Refuted)


def test_a_substitution_that_outgrows_the_limits_leaves_the_claim_undecided() -> None:
    """A fact is either used as a whole or not at all."""
    (x,) = dims("x")
    longer = repeated(lambda v, i: v + fresh("a", i) * fresh("b", i), 20, dim(1))
    verdict = prove(x**10 >= 1, assuming=[x == longer])
    if isinstance(verdict, Undecided):
        assert verdict.reason_kind in (
            UndecidedReason.SIZE,
            UndecidedReason.BUDGET,
            UndecidedReason.NON_LINEAR,
            UndecidedReason.TIME,
        )
    else:
        assert isinstance(verdict, Proved)
