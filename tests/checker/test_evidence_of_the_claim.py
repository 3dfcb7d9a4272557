"""Counterexamples at which the claim in question fails alone, and what is said where none does."""

from __future__ import annotations

import io
from itertools import product

import pytest

from shapesolve.checker.checked_obligation import CheckedObligation, Shown
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page
from shapesolve.solver.verdicts import Refuted

LOADS = """func.func @f(%m: memref<?x?xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.load %m[%i, %j] : memref<?x?xf32>
  return %0 : f32
}"""

SUBVIEW = """func.func @f(%m: memref<?xf32>, %i: index, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%i] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %0 : memref<?xf32, strided<[1], offset: ?>>
}"""

MATMUL = """func.func @f(%a: tensor<5x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""

EXPANDING = """func.func @f(%a: tensor<?xf32>, %s: tensor<1xindex>) -> tensor<?xf32> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {
    broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0>
  } : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""

UNUSED_READ = """func.func @f(%t: tensor<?xi32>, %i: index) -> i32 {
  %unused = tensor.extract %t[%i] : tensor<?xi32>
  %v = tensor.extract %t[%i] : tensor<?xi32>
  return %v : i32
}"""

UNUSED_OTHER_READ = """func.func @f(%t: tensor<?xi32>, %i: index, %j: index) -> i32 {
  %unused = tensor.extract %t[%i] : tensor<?xi32>
  %v = tensor.extract %t[%j] : tensor<?xi32>
  return %v : i32
}"""

DIVISION_BESIDE_A_SHAPE = """func.func @f(%t: tensor<?xindex>, %n: index, %p: index) -> index {
  %v = arith.remui %n, %p : index
  return %v : index
}"""


def refutations(text: str, *, execute: bool = False) -> list[tuple[CheckedObligation, dict[str, object]]]:
    """The refuted obligations of ``@f`` with the sizes of their counterexamples by name."""
    (report,) = check_program(read_text(text), Options(execute=execute)).functions
    return [
        (each, {variable.name: size for variable, size in each.verdict.sizes.items()})
        for each in report.checked_obligations
        if isinstance(each.verdict, Refuted)
    ]


@pytest.mark.parametrize("text", [LOADS, SUBVIEW, MATMUL], ids=["load", "subview", "matmul"])
def test_the_other_claims_of_the_operation_hold(text: str) -> None:
    from shapesolve.symbolic.evaluation import holds

    found = refutations(text)
    assert len(found) >= 2
    for each, _ in found:
        assert isinstance(each.verdict, Refuted) and each.verdict.smallest
        failing = [other for other, _ in found if not holds(other.obligation.claim, each.verdict.sizes)]
        assert failing == [each]


def test_sizes_are_the_first_of_those_that_break_the_claim_alone() -> None:
    (first, sizes), *_ = refutations(MATMUL)
    assert first.obligation.clause == "C1"
    alone = [(k, m, n, p, q) for k, m, n, p, q in product(range(2, 7), repeat=5) if k != m and p == 5 and q == n]
    assert (sizes["a[1]"], sizes["b[0]"], sizes["b[1]"], sizes["o[0]"], sizes["o[1]"]) == min(
        alone, key=lambda each: (max(each), sum(each), each)
    )


@pytest.mark.process
def test_a_run_that_another_claim_stopped_is_not_shown_as_evidence() -> None:
    """MLIR verifies the offset of a slice of negative size, not the size; below the extent it has nothing to say."""
    (negative, sizes), (outside, _), (past, _) = refutations(SUBVIEW, execute=True)
    assert sizes["n"] == -1
    assert negative.confirmation is not None and negative.confirmation.shown is Shown.NOTHING
    assert outside.confirmation is not None and "offset 0" in outside.confirmation.text
    assert past.confirmation is not None and "runs out-of-bounds" in past.confirmation.text


@pytest.mark.process
def test_report_names_claims_that_no_sizes_break_alone() -> None:
    _, (neither, _), (expands, _) = refutations(EXPANDING, execute=True)
    assert neither.confirmation is not None and neither.confirmation.shown is Shown.ANOTHER_CLAIM
    assert expands.confirmation is not None and expands.confirmation.shown is not Shown.ANOTHER_CLAIM
    stream = io.StringIO()
    program = read_text(EXPANDING)
    report = check_program(program, Options(assumptions=("s.values[0] >= 0",)))
    print_report(diagnose(report), Page(stream, color="never", width=200))
    output = " ".join(stream.getvalue().split())
    assert "not confirmed for this claim: stopped here, perhaps for another reason: " in output


@pytest.mark.process
def test_a_run_that_an_equal_claim_stops_later_confirms_a_read_that_is_not_used() -> None:
    """Unused operations are removed before the program runs, and the later read is proved by the earlier one."""
    ((unused, _),) = refutations(UNUSED_READ, execute=True)
    assert unused.confirmation is not None and unused.confirmation.shown is Shown.FAILED_LATER
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(UNUSED_READ), Options())), Page(stream, color="never", width=200))
    output = " ".join(stream.getvalue().split())
    assert "it failed at line 3: tensor.extract: out-of-bounds access; the same is needed there" in output
    assert "not confirmed" not in output


@pytest.mark.process
def test_a_run_that_another_read_stops_does_not_confirm_one_that_is_not_used() -> None:
    (unused, _), (read, _) = refutations(UNUSED_OTHER_READ, execute=True)
    assert read.confirmation is not None and read.confirmation.shown is Shown.FAILED_HERE
    assert unused.confirmation is not None
    assert unused.confirmation.shown not in (Shown.FAILED_HERE, Shown.FAILED_LATER)


def test_a_tensor_that_may_hold_a_shape_is_free_where_the_claim_does_not_name_it() -> None:
    ((divides, sizes),) = refutations(DIVISION_BESIDE_A_SHAPE)
    assert sizes["p"] == 0
    assert isinstance(divides.verdict, Refuted)
    assert {"t[0]", "n"} <= {each.name for each in divides.verdict.free}
