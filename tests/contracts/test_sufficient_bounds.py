"""Tests of sufficient bounds in place of unreadable conditions."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from shapesolve import check, contract
from shapesolve.diagnosis.contracts import diagnose_contracts
from shapesolve.diagnosis.suggestions import suggestions
from shapesolve.options import Options
from shapesolve.reports.contract import print_contracts
from shapesolve.reports.page import Page
from shapesolve.simplification.simplify import LONGEST, sufficient_bound
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import at_least, conjunction

N, M = variable("N", 0, 2**31 - 1), variable("M", 0, 2**31 - 1)


def in_32_bits(size: Dim) -> Dim:
    return (size + 2**31) % 2**32 - 2**31


numbers = st.one_of(st.integers(0, 50), st.integers(0, 2**31 - 1), st.integers(0, 31).map(lambda power: 2**power - 1))


@given(st.integers(2, 40), st.integers(0, 100), st.integers(0, 3), numbers, numbers)
def test_it_implies_the_condition(factor: int, more: int, others: int, n: int, m: int) -> None:
    condition = at_least(in_32_bits(N * factor + more + M * others), 0)
    found = sufficient_bound(condition, ())
    assert found is not None
    sizes = {N.atom: n, M.atom: m}
    values = {each: sizes[each] for each in condition.variables}
    assert holds(condition, values) or not holds(found, values)
    assert holds(found, dict.fromkeys(condition.variables, 2**12))


def test_the_bound_is_the_largest_power_of_two() -> None:
    assert sufficient_bound(at_least(in_32_bits(N * 3), 0), ()) is at_least(dim(2**29), N)
    assert sufficient_bound(at_least(in_32_bits(N * 3), 0), (at_least(dim(2**20), N),)) is at_least(dim(2**31), N)


def test_claims_that_fail_for_small_sizes_have_no_bound() -> None:
    assert sufficient_bound(at_least(N, 2), ()) is None
    assert sufficient_bound(at_least(dim(2**20), N), ()) is None
    assert sufficient_bound(at_least(N, 2), (at_least(N, 5),)) is not None


POSITIVE = ["arg0[0] >= 1", "arg0[1] >= 1"]
WRAPPING = """
func.func @wraps(%x: tensor<?x?xf32>) -> tensor<?xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a = stablehlo.multiply %n, %m : tensor<i32>
  %b = stablehlo.add %a, %n : tensor<i32>
  %c = stablehlo.subtract %b, %m : tensor<i32>
  %d = stablehlo.maximum %c, %a : tensor<i32>
  %e = stablehlo.add %d, %b : tensor<i32>
  %f = stablehlo.reshape %e : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %f, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
"""


def test_check_suggests_what_is_enough() -> None:
    (function,) = check(WRAPPING, assume=POSITIVE, execute=False).functions
    found = suggestions(function)
    assert found.assumptions and not found.exact
    assert all(len(each) <= LONGEST for each in found.assumptions)
    again = check(WRAPPING, assume=[*POSITIVE, *found.assumptions], execute=False)
    assert {each.verdict.word for each in again.checked_obligations} == {"proved"}


def test_a_contract_is_exact_and_says_what_is_enough() -> None:
    report = contract(WRAPPING, options=Options(assumptions=tuple(POSITIVE)))
    (function,) = report.functions
    (condition,) = [each for each in function.conditions if len(each.text) > LONGEST]
    assert condition.sufficient and condition.holds_below is not None
    stream = io.StringIO()
    print_contracts(diagnose_contracts(report), Page(stream, width=100))
    shown = " ".join(stream.getvalue().split())
    assert f"holds where {' and '.join(condition.sufficient)}; in full it has {len(condition.text):,}" in shown
    assert condition.text not in shown
    stream = io.StringIO()
    print_contracts(diagnose_contracts(report), Page(stream, width=100), verbose=True)
    assert "".join(condition.text.split()) in "".join(stream.getvalue().split())


def test_small_conditions_stay_as_they_are() -> None:
    assert sufficient_bound(conjunction([at_least(N, 1), at_least(M, 1)]), ()) is None
