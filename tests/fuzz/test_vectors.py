"""The interpreter's answers on vectors, and verdicts on random programs that read and write them."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz import vector_ops
from fuzz.campaign import TRIALS
from fuzz.machine import Array, Ending, compiled

assert vector_ops

ACCESSES = """
func.func @read(%t: tensor<?x?xi32>, %i: index, %j: index) -> (i32, i32) {
  %c9 = arith.constant 9 : i32
  %v = vector.transfer_read %t[%i, %j], %c9 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>}
    : tensor<?x?xi32>, vector<2xi32>
  %0 = vector.extract %v[0] : i32 from vector<2xi32>
  %1 = vector.extract %v[1] : i32 from vector<2xi32>
  return %0, %1 : i32, i32
}
func.func @packed(%m: memref<?xi32>, %n: index, %i: index) -> i32 {
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %v = vector.broadcast %c7 : i32 to vector<4xi32>
  %k = vector.create_mask %n : vector<4xi1>
  vector.compressstore %m[%i], %k, %v : memref<?xi32>, vector<4xi1>, vector<4xi32>
  %x = memref.load %m[%c0] : memref<?xi32>
  return %x : i32
}
func.func @poison(%v: vector<4xi32>) -> i32 {
  %0 = vector.extract %v[-1] : i32 from vector<4xi32>
  return %0 : i32
}
"""


def test_the_position_of_poison_says_nothing() -> None:
    assert compiled(ACCESSES).run("poison", [Array((4,), [1, 2, 3, 4])]).ending is Ending.OUTSIDE


def test_elements_beyond_the_end_are_padding() -> None:
    machine = compiled(ACCESSES)
    table = Array((2, 3), [1, 2, 3, 4, 5, 6])
    assert machine.run("read", [table, 0, 1]).results == (2, 5)
    assert machine.run("read", [table, 1, 2]).results == (6, 9)
    assert machine.run("read", [table, 2, 0]).results == (9, 9)
    for outside in ((-1, 0), (0, 3), (0, -1)):
        assert machine.run("read", [table, *outside]).ending is Ending.UNDEFINED


def test_selected_elements_must_be_in_bounds() -> None:
    machine = compiled(ACCESSES)
    assert machine.run("packed", [Array((2,), [1, 2]), 2, 0]).results == (7,)
    assert machine.run("packed", [Array((2,), [1, 2]), 0, 5]).results == (1,)
    assert machine.run("packed", [Array((2,), [1, 2]), -3, 5]).results == (1,)
    assert machine.run("packed", [Array((2,), [1, 2]), 9, 0]).ending is Ending.UNDEFINED
    assert machine.run("packed", [Array((2,), [1, 2]), 1, -1]).ending is Ending.UNDEFINED


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_verdicts_on_random_programs_are_what_happens(seed: int) -> None:
    counts = Counter[str]()
    assert TRIALS["vectors"][0](6 + 3 * seed, counts) == []
    assert counts["programs"] >= 3
