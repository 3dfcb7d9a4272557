"""Tests of sufficient preconditions of claims over unmodeled values: they suffice for every such value."""

from __future__ import annotations

import pytest

from shapesolve import check, contract
from shapesolve.diagnosis.data_requirements import data_requirement
from shapesolve.solver.verdicts import Proved

ROUNDED = """
func.func @f(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %a : index to i64
  %f = arith.sitofp %i : i64 to f32
  %h = arith.constant 5.0e-01 : f32
  %g = arith.mulf %f, %h : f32
  %k = arith.fptosi %g : f32 to i64
  %c4 = arith.constant 4 : i64
  %e = arith.cmpi sge, %k, %c4 : i64
  cf.assert %e, "half of it is at least four"
  return
}"""
WRAPPED = """
func.func @f(%x: tensor<?xf32>, %id: tensor<1xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %v = tensor.extract %id[%c0] : tensor<1xf32>
  %w = arith.fptosi %v : f32 to i64
  %i = arith.index_cast %w : i64 to index
  %j = arith.remui %i, %c4 : index
  %r = tensor.extract %x[%j] : tensor<?xf32>
  return %r : f32
}"""
CHOSEN = """
func.func @f(%x: tensor<?xf32>, %b: tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %v = tensor.extract %b[%c0] : tensor<1xf32>
  %p = arith.cmpf ogt, %v, %z : f32
  %d = arith.select %p, %c2, %c3 : index
  %r = arith.remui %n, %d : index
  %e = arith.cmpi eq, %r, %c0 : index
  cf.assert %e, "in twos or threes"
  return
}"""
DOUBLED = """
func.func @f(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.while (%i = %c1) : (index) -> index {
    %g = arith.cmpi slt, %i, %d : index
    scf.condition(%g) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %i : index
    scf.yield %j : index
  }
  %e = arith.cmpi eq, %r, %d : index
  cf.assert %e, "a power of two"
  return
}"""
ROW = """
func.func @f(%x: tensor<?xf32>, %ids: tensor<?xi64>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %ids[%c0] : tensor<?xi64>
  %i = arith.index_cast %v : i64 to index
  %r = tensor.extract %x[%i] : tensor<?xf32>
  return %r : f32
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected", "exact"),
    [
        (ROUNDED, ("x[0] >= 8",), True),
        (WRAPPED, ("x[0] >= 4",), False),
        (CHOSEN, ("x[0] % 6 == 0",), False),
        (DOUBLED, ("x[0] >= 1", "x[0] <= 2"), False),  # not: or x[0] >= 9223372036854775806
    ],
)
def test_any_sufficient_precondition(text: str, expected: tuple[str, ...], exact: bool) -> None:
    (function,) = contract(text).functions
    assert function.sufficient
    assert function.exact == exact
    assert sorted(function.texts) == sorted(expected)
    again = check(text, assume=function.texts, execute=False)
    assert all(isinstance(each.verdict, Proved) for each in again.checked_obligations)


def test_preconditions_for_huge_sizes_only_are_no_answer() -> None:
    (function,) = contract(WRAPPED.replace("arith.remui", "arith.divui")).functions
    assert not function.sufficient
    assert not function.conditions


def test_missing_preconditions_name_the_value() -> None:
    (function,) = contract(ROW).functions
    assert function.texts == ("ids[0] >= 1",)
    assert not function.sufficient
    assert (
        data_requirement(function.verified, function.open).text == "depends on the data of %ids: needs 0 <= %v < x[0]"
    )
