"""Checks that are put in, at the edges of 64 bits: what is compared must not wrap around by being compared."""

from __future__ import annotations

import pytest
from fuzz.judging import OPERATIONS
from fuzz.machine import Array, Ending, compiled
from hardening.changed_programs import Way, changed

MOST = 2**63 - 1
LEAST = -(2**63)

WAYS: tuple[Way, ...] = ("harden", "at_entry")

EXTRACT = """func.func @f(%t: tensor<?xindex>, %n: index) -> index {
  %x = tensor.extract %t[%n] : tensor<?xindex>
  return %x : index
}"""
BELOW = """func.func @f(%t: tensor<?xindex>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant -5 : index
  %p = arith.cmpi sle, %n, %c5 : index
  cf.assert %p, "large"
  return %n : index
}"""
ABOVE = BELOW.replace("sle", "sge")
ORDERED = """func.func @f(%t: tensor<?xindex>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xindex>
  %p = arith.cmpi slt, %d, %n : index
  cf.assert %p, "small"
  return %n : index
}"""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [EXTRACT, BELOW, ABOVE, ORDERED], ids=["extract", "below", "above", "ordered"])
@pytest.mark.parametrize("number", [LEAST, LEAST + 4, -6, -5, -4, -1, 0, 1, 2, 3, MOST - 4, MOST])
def test_a_number_at_the_edge_is_compared_as_it_is(way: Way, text: str, number: int) -> None:
    assert len(OPERATIONS) > 0  # importing them makes them known to the interpreter
    before, after = (compiled(each) for each in (text, changed(text, way, "cf").text))
    vector = [Array((2,), [7, 8]), number]
    was, now = before.run("f", vector), after.run("f", vector)
    assert now.ending is (Ending.RETURNED if was.ending is Ending.RETURNED else Ending.ABORTED)
    assert now.results == was.results
