"""Test of copies of results: each round trip gives the same documents, and sizes that compare with one's own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from shapesolve import Refuted, check, contract, counterexample, dims, prove, shape_of

TEXT = """
func.func @rows(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %i: index) -> f32 {
  %0 = tensor.empty() : tensor<2x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = tensor.extract %y[%i, %i] : tensor<2x2xf32>
  return %e : f32
}
"""


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


ROUND_TRIPS = pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])


@pytest.mark.process
@ROUND_TRIPS
def test_copies_of_a_report_and_of_a_contract_say_the_same(again: Callable[[Any], Any]) -> None:
    for made in (check(TEXT), contract(TEXT)):
        copied = again(made)
        assert copied.to_json() == made.to_json()
        assert copied.text(verbose=True) == made.text(verbose=True)
        assert repr(copied) == repr(made)
    refuted = [each.obligation.claim for each in check(TEXT).refuted]
    assert refuted and [each.obligation.claim for each in again(check(TEXT)).refuted] == refuted


@ROUND_TRIPS
def test_copies_of_verdicts_and_sizes_are_about_the_same_variables(again: Callable[[Any], Any]) -> None:
    n, m = dims("N M")
    for claim in (n + m == m + n, n == m, n * n >= n):
        made = prove(claim)
        assert again(made).to_json() == made.to_json()
    verdict = again(prove(n * m == n))
    assert isinstance(verdict, Refuted) and n.evaluate(verdict.sizes) != (n * m).evaluate(verdict.sizes)
    sizes = counterexample(n <= m + 3)
    assert sizes is not None and again(sizes) == sizes and again(sizes)[n] == sizes["N"]
    assert again(shape_of(TEXT)) == shape_of(TEXT)
