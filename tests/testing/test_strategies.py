"""Strategies draw sizes that satisfy their claims, and all that a contract admits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis.errors import NoSuchExample

import shapesolve
from shapesolve import InputError, dims
from shapesolve.testing.strategies import shapes_of, sizes_where

MATMUL = """
func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x3xf32>, %n: index) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %same = arith.cmpi eq, %d, %n : index
  cf.assert %same, "n is not the number of rows"
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""
SPLIT = sizes_where("C % G == 0", "G >= 2", "H == C // G")
N, M = dims("N M")


@given(SPLIT)
@settings(max_examples=60)
def test_sizes_satisfy_their_claims(sizes: dict[str, int]) -> None:
    assert sizes["G"] >= 2
    assert sizes["C"] == sizes["G"] * sizes["H"]


@pytest.mark.slow
def test_every_solution_can_be_drawn() -> None:
    strategy = sizes_where(N + M == 4, "N != 2", max_size=6)
    for n in (0, 1, 3, 4):
        assert find(strategy, lambda found, n=n: found["N"] == n) == {"N": n, "M": 4 - n}
    with pytest.raises(NoSuchExample):
        find(strategy, lambda found: found["N"] == 2 or found["N"] + found["M"] != 4)


@pytest.mark.slow
def test_examples_shrink_to_sizes_of_2() -> None:
    assert find(sizes_where("N >= 0", "M >= 0"), lambda _: True) == {"N": 2, "M": 2}


CONTRACT = shapesolve.contract(MATMUL)


@given(shapes_of(CONTRACT))
@settings(max_examples=60, deadline=None)
def test_shapes_satisfy_a_contract(shapes: dict[str, Any]) -> None:
    assert shapes["n"] == shapes["x"][0]
    if 0 not in shapes["x"]:  # empty operands satisfy it with any inner sizes
        assert (np.zeros(shapes["x"]) @ np.zeros(shapes["w"])).shape == (shapes["n"], 3)
    assert shapes["w"][1] == 3


@pytest.mark.slow
def test_a_bug_is_found_at_shapes_that_the_contract_admits() -> None:
    """A kernel in tiles of 4 that forgets the rest: its contract says nothing of the number of rows."""

    def rows(shapes: dict[str, Any]) -> int:
        return sum(len(range(start, start + 4)) for start in range(0, shapes["x"][0] - 3, 4))

    smallest = find(shapes_of(CONTRACT), lambda shapes: rows(shapes) != shapes["x"][0])
    assert smallest["x"] in ((1, 2), (2, 2))


def test_shapes_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(InputError, match="rank of s is not known"):
        sizes_where("rank(s) == 2")
    with pytest.raises(InputError, match="name one function"):
        shapes_of(CONTRACT, "g")
    never = MATMUL.replace("tensor<?x3xf32>, %n", "tensor<?x3xf32>, %n").replace(
        "arith.cmpi eq, %d, %n", "arith.cmpi ne, %n, %n"
    )
    with pytest.raises(InputError, match="no sizes are safe"):
        shapes_of(shapesolve.contract(never))
