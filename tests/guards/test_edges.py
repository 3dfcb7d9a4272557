"""Test of guards at the limits of 64 bits: the comparison itself must not wrap around."""

from __future__ import annotations

from itertools import product

import pytest
from fuzz.judging import OPERATIONS
from fuzz.machine import Array, Ending, compiled
from guards.changed_programs import Way, changed
from support.sampled_rows import sampled

from shapesolve.execution.execution import Outcome, ScalarInput
from shapesolve.execution.runner import execute

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


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [EXTRACT, BELOW, ABOVE, ORDERED], ids=["extract", "below", "above", "ordered"])
@pytest.mark.parametrize("number", sampled([LEAST, LEAST + 4, -6, -5, -4, -1, 0, 1, 2, 3, MOST - 4, MOST], 3, [MOST]))
def test_a_number_at_the_edge_is_compared_as_it_is(way: Way, text: str, number: int) -> None:
    assert len(OPERATIONS) > 0  # importing them makes them known to the interpreter
    before, after = (compiled(each) for each in (text, changed(text, way, "cf").text))
    vector = [Array((2,), [7, 8]), number]
    was, now = before.run("f", vector), after.run("f", vector)
    assert now.ending is (Ending.RETURNED if was.ending is Ending.RETURNED else Ending.ABORTED)
    assert now.results == was.results


SLICE = """func.func @f(%t: tensor<?xindex>, %n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %r = tensor.extract_slice %t[%n] [%m] [1] : tensor<?xindex> to tensor<?xindex>
  %d = tensor.dim %r, %c0 : tensor<?xindex>
  return %d : index
}"""
LEFT_OF = """func.func @f(%t: tensor<?xindex>, %n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xindex>
  %e = arith.maxsi %m, %c0 : index
  %s = arith.subi %d, %e : index
  %p = arith.cmpi slt, %n, %s : index
  cf.assert %p, "few are left"
  return %s : index
}"""
NO_MORE_THAN = LEFT_OF.replace("arith.maxsi %m, %c0", "arith.addi %m, %c0").replace("slt", "sle")
BETWEEN = NO_MORE_THAN.replace("arith.subi %d, %e", "arith.subi %m, %n").replace("cmpi sle, %n, %s", "cmpi sge, %s, %d")
SPREAD = SLICE.replace("[%n] [%m] [1]", "[0] [%n] [%m]")
STRIDED = (
    SLICE.replace("[%n] [%m] [1]", "[%n] [2] [%m]")
    .replace("tensor<?xindex>\n  %d", "tensor<2xindex>\n  %d")
    .replace("%d = tensor.dim %r, %c0 : tensor<?xindex>", "%d = tensor.dim %r, %c0 : tensor<2xindex>")
)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [SLICE, LEFT_OF, NO_MORE_THAN, BETWEEN, STRIDED, SPREAD])
@pytest.mark.parametrize("n", [LEAST, -1, 0, 1, 2, MOST - 1, MOST])
def test_a_sum_that_wraps_around_passes_no_guard(way: Way, text: str, n: int) -> None:
    assert len(OPERATIONS) > 0
    before, after = (compiled(each) for each in (text, changed(text, way, "cf").text))
    for m in (LEAST, -1, 0, 1, 2, MOST - 1, MOST):
        vector = [Array((2,), [7, 8]), n, m]
        was = before.run("f", vector)
        if was.ending is Ending.OUTSIDE:  # the program itself wraps around
            continue
        now = after.run("f", vector)
        assert now.ending is (Ending.RETURNED if was.ending is Ending.RETURNED else Ending.ABORTED)
        assert now.results == was.results


FITS_LEFT = """func.func @f(%k: index, %n: index, %e: index) -> index {
  %left = arith.subi %n, %e : index
  %p = arith.cmpi sle, %k, %left : index
  cf.assert %p, "fits"
  return %left : index
}"""
SLICE_OF = """func.func @f(%k: index, %n: index, %e: index) -> index {
  %c0 = arith.constant 0 : index
  %t = tensor.empty(%c7) : tensor<?xindex>
  %r = tensor.extract_slice %t[%k] [%n] [%e] : tensor<?xindex> to tensor<?xindex>
  %d = tensor.dim %r, %c0 : tensor<?xindex>
  return %d : index
}""".replace("%c0 = ", "%c7 = arith.constant 7 : index\n  %c0 = ")
GREAT = (LEAST, -(2**62), -2, 0, 1, 2, 3, 2**32, 2**62, MOST)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [FITS_LEFT, SLICE_OF], ids=["fits left", "slice"])
@pytest.mark.parametrize("k", GREAT)
def test_numbers_that_are_no_extents_wrap_around_in_no_guard(way: Way, text: str, k: int) -> None:
    assert len(OPERATIONS) > 0
    before, after = (compiled(each) for each in (text, changed(text, way, "cf").text))
    endings: set[Ending] = set()
    for n, e in product(GREAT, GREAT):
        was, now = before.run("f", [k, n, e]), after.run("f", [k, n, e])
        if was.ending is not Ending.OUTSIDE:
            endings.add(now.ending)
            assert now.ending is (Ending.RETURNED if was.ending is Ending.RETURNED else Ending.ABORTED)
            assert now.results == was.results
    assert Ending.ABORTED in endings or (text is FITS_LEFT and k < -MOST)


BOTH_CALL = """
func.func private @inner(%n: index, %m: index) {
  %c50 = arith.constant 50 : index
  %c100 = arith.constant 100 : index
  %more = arith.addi %n, %c50 : index
  %apart = arith.cmpi sge, %m, %more : index
  cf.assert %apart, "apart"
  %few = arith.cmpi sle, %n, %c100 : index
  cf.assert %few, "few"
  return
}
func.func @f(%n: index, %m: index) -> index attributes {shapesolve.assume = ["n >= 0", "n <= 50", "m >= 100"]} {
  func.call @inner(%n, %m) : (index, index) -> ()
  return %n : index
}
func.func @g(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %c51 = arith.constant 51 : index
  %limit = arith.constant 15000 : index
  %some = arith.cmpi sge, %n, %c0 : index
  cf.assert %some, "some"
  %more = arith.addi %n, %c51 : index
  %apart = arith.cmpi sge, %m, %more : index
  cf.assert %apart, "apart"
  %product = arith.muli %n, %m : index
  %small = arith.cmpi sle, %product, %limit : index
  cf.assert %small, "small"
  func.call @inner(%n, %m) : (index, index) -> ()
  return %n : index
}
"""


@pytest.mark.process
def test_assumptions_of_another_caller_prevent_no_wrapping() -> None:
    """@f and @g call their arguments alike; 2**32 times 2**33 is 0, and the check of %n is what stops there."""
    result = changed(BOTH_CALL, "at_entry")
    sizes = [ScalarInput(2**32), ScalarInput(2**33)]
    for text in (BOTH_CALL, result.text):
        found = execute(text, "g", sizes, runtime_checks=False)
        assert (found.outcome, found.message) == (Outcome.ABORTED, "few")
