"""Tests of the stated guarantees of a program with entry guards that do not cover all requirements."""

from __future__ import annotations

from guards.changed_programs import changed

from shapesolve.guards.entry_guards import EARLIER, PARTLY

NEEDS_A_SIZE = """
func.func @whole(%n: index) {
  %c3 = arith.constant 3 : index
  %small = arith.cmpi slt, %n, %c3 : index
  cf.assert %small, "small"
  return
}
"""
READS_NOTHING = """
func.func @never(%t: tensor<*xf32>) -> index {
  %c0 = arith.constant 0 : index
  %rank = tensor.rank %t : tensor<*xf32>
  %is_scalar = arith.cmpi eq, %rank, %c0 : index
  cf.assert %is_scalar, "a scalar"
  %shape = shape.shape_of %t : tensor<*xf32> -> tensor<?xindex>
  %first = tensor.extract %shape[%c0] : tensor<?xindex>
  return %first : index
}
"""
CHECKS_DATA = """
func.func @data(%t: tensor<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %x = tensor.extract %t[%c0] : tensor<4xi32>
  %y = arith.index_cast %x : i32 to index
  %z = math.ctpop %y : index
  %few = arith.cmpi slt, %z, %n : index
  cf.assert %few, "few"
  %small = arith.cmpi slt, %n, %c3 : index
  cf.assert %small, "small"
  return
}
"""


def test_all_is_promised_where_nothing_is_left() -> None:
    notes = changed(NEEDS_A_SIZE, "at_entry", "cf").notes
    assert EARLIER in notes
    assert PARTLY not in notes


def test_undefined_operations_are_not_promised_to_stop() -> None:
    result = changed(NEEDS_A_SIZE + READS_NOTHING, "at_entry", "cf")
    assert any(each.startswith("tensor.extract") for each in result.still_open)
    assert EARLIER not in result.notes
    assert PARTLY in result.notes


def test_later_failures_are_not_promised_at_the_entry() -> None:
    result = changed(CHECKS_DATA, "at_entry", "cf")
    assert [each.condition for each in result.written] == ["n <= 2"]
    assert [each.message for each in result.kept] == ["few"]
    assert EARLIER not in result.notes
    assert PARTLY in result.notes
