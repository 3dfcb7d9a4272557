"""Tests of in-place guards: one before each possibly undefined operation, after which no obligation is open."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from guards.changed_programs import changed
from support.small_programs import PROGRAMS

from shapesolve import Proved, Unreachable, prune
from shapesolve.errors import InputError
from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.pruning.result import PruneResult
from shapesolve.refinement.refine import refine_programs
from shapesolve.trace.events import Kind

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def hardened(text: str, style: Literal["cf", "stablehlo"] = "cf") -> PruneResult:
    """A text with checks in place. Nothing in the output may be undefined."""
    result = changed(text, "harden", style)
    assert result.still_open == ()
    assert undefined(result.text) == []
    return result


def undefined(text: str) -> list[str]:
    """Return the possibly undefined operations that a check of the text reports."""
    report = check_program(read_text(text), Options(execute=False))
    return [
        each.obligation.op.name
        for each in report.checked_obligations
        if each.obligation.kind is not Kind.CHECK and not isinstance(each.verdict, Proved | Unreachable)
    ]


def conditions(result: PruneResult) -> list[str]:
    return [each.condition for each in result.written]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs_are_defined_afterwards(name: str) -> None:
    text = PROGRAMS[name].text
    result = hardened(text)
    assert bool(result.written) >= bool(undefined(text))
    options = Options(execute=False)
    words = {each.word for each in refine_programs(read_text(text), read_text(result.text), options)}
    assert words in ({"proved"}, {"undecided"})


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "count"),
    [("transformer", 2), ("unet", 4), ("linear", 2), ("jax_assertions", 0), ("tosa_chain", 5)],
)
def test_examples_are_guarded_by_the_expected_number_of_checks(name: str, count: int) -> None:
    text = (EXAMPLES / f"{name}.mlir").read_text()
    result = hardened(text)
    assert len(result.written) == count
    assert not any(each.verdict == "undecided" for each in result.kept)


@pytest.mark.slow
def test_no_check_goes_without() -> None:
    """The fewest: without any one of them, something may be undefined."""
    result = hardened((EXAMPLES / "unet.mlir").read_text())
    lines = result.text.splitlines()
    asserts = [number for number, line in enumerate(lines) if "cf.assert" in line]
    assert len(asserts) == len(result.written) == 4
    for number in asserts:
        assert undefined("\n".join([*lines[:number], *lines[number + 1 :]])) != []


@pytest.mark.slow
def test_arithmetic_of_32_bits_that_must_not_wrap() -> None:
    result = hardened("""func.func @f(%a: i32, %b: i32) -> i32 {
      %s = arith.addi %a, %b overflow<nsw> : i32
      return %s : i32
    }""")
    assert conditions(result) == ["-2147483648 <= %a + %b <= 2147483647"]


def test_implied_checks_are_not_written_again() -> None:
    text = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %y = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %same = arith.cmpi eq, %d, %e : index
  cf.assert %same, "same"
  %z = tensor.cast %b : tensor<?xf32> to tensor<4xf32>
  %c4 = arith.constant 4 : index
  %four = arith.cmpi eq, %e, %c4 : index
  cf.assert %four, "four"
  return %x, %y, %z : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
"""
    result = hardened(text)
    assert conditions(result) == ["%a[0] == 4"]
    assert [each.message for each in result.kept] == ["same"]
    assert [each.message for each in result.removed] == ["four"]


def test_in_branches_loops_bodies_and_callees() -> None:
    text = """
func.func private @nth(%t: tensor<?xf32>, %i: index) -> f32 {
  %x = tensor.extract %t[%i] : tensor<?xf32>
  return %x : f32
}
func.func @f(%t: tensor<?xf32>, %ids: tensor<?xindex>, %p: i1, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %ids, %c0 : tensor<?xindex>
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<?xindex>) outs(%e : tensor<?xf32>) {
  ^body(%id: index, %out: f32):
    %x = func.call @nth(%t, %id) : (tensor<?xf32>, index) -> f32
    linalg.yield %x : f32
  } -> tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = func.call @nth(%t, %i) : (tensor<?xf32>, index) -> f32
  }
  %s = scf.if %p -> tensor<?xf32> {
    %q = arith.divsi %n, %d : index
    %z = tensor.empty(%q) : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  } else {
    scf.yield %r : tensor<?xf32>
  }
  return %s : tensor<?xf32>
}
"""
    result = hardened(text)
    assert {each.needed_by[0][0] for each in result.written} == {"tensor.extract", "arith.divsi", "tensor.empty"}
    assert "nth" in {each.function for each in result.written}


def test_operations_always_undefined_are_guarded_by_a_stop() -> None:
    text = """
func.func @f(%t: tensor<?xf32>) -> tensor<4xf32> {
  %c5 = arith.constant 5 : index
  %e = tensor.empty(%c5) : tensor<?xf32>
  %r = tensor.cast %e : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
    assert len(hardened(text).written) == 1


def test_unknown_values_are_named() -> None:
    text = """
func.func @f(%t: tensor<?xf32>) -> tensor<4xf32> {
  %u = "unknown.op"(%t) : (tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.cast %u : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
    result = prune(text, harden=True)
    assert conditions(result) == ["%u[0] == 4"]
    assert result.still_open == ("unknown.op (line 3)",)


def test_in_the_terms_of_stablehlo() -> None:
    text = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.add %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
    result = hardened(text, style="stablehlo")
    assert conditions(result) == ["%a[0] == %b[0]"]
    assert "stablehlo.custom_call @shape_assertion" in result.text
    with pytest.raises(InputError, match="cf or stablehlo"):
        prune(text, harden=True, style="shape")
    with pytest.raises(InputError, match="one of"):
        prune(text, harden=True, at_entry=True)
    with pytest.raises(InputError, match="trusted"):
        prune(text, harden=True, trust_ub=True)


@pytest.mark.slow
def test_a_unet_stops_where_it_would_have_been_undefined() -> None:
    text = (EXAMPLES / "unet.mlir").read_text()
    inputs = [[TensorInput((n, 1, h, w))] for n, h, w in ((1, 4, 4), (2, 8, 4), (1, 6, 4), (1, 4, 5), (1, 2, 2))]
    before = execute_many(text, "forward", inputs, runtime_checks=False)
    after = execute_many(hardened(text).text, "forward", inputs, runtime_checks=False)
    assert [each.outcome for each in after] == [Outcome.RETURNED] * 2 + [Outcome.ABORTED] * 3
    assert [each.result_extents for each in after[:2]] == [each.result_extents for each in before[:2]]
    assert all("tensor.concat: extent" in each.message for each in after[2:])


def test_postconditions_on_arguments_are_checked_at_the_return() -> None:
    text = """
func.func @f(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) attributes {
    shapesolve.ensures = ["result0[0] == 2*arg0[0]", "result0[0] >= arg1", "result1 == arg1"]} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.muli %d, %c3 : index
  %r = tensor.empty(%m) : tensor<?xf32>
  return %r, %n : tensor<?xf32>, index
}"""
    result = hardened(text)
    assert conditions(result) == ["%r[0] == 2*%x[0]", "%r[0] >= %n"]
    (words,) = {each.word for each in refine_programs(read_text(text), read_text(result.text), Options(execute=False))}
    assert words == "proved"


def test_strongest_demand_of_an_operation_is_checked() -> None:
    text = """
func.func @f(%a: tensor<?xf32>, %n: index, %b: tensor<?xf32>, %o: index) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %s = tensor.insert_slice %a into %b[%o] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  return %r, %s : tensor<?x4xf32>, tensor<?xf32>
}
"""
    assert conditions(hardened(text)) == ["%a[0] == 4*%n", "%o >= 0", "%b[0] >= %d + %o"]


def test_writes_at_the_end_of_an_iteration_are_checked_before_it() -> None:
    text = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %t = tensor.extract_slice %a[0] [1] [1] : tensor<?xf32> to tensor<1xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %b) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
"""
    assert conditions(hardened(text)) == ["%a[0] >= 1", "%o[0] > %i"]


# Products that wrap around --------------------------------------------------------------------------------------------

ROWS = """
func.func @f(%t: tensor<?xf32>, %a: index, %b: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %la = arith.cmpi sge, %a, %c1 : index
  cf.assert %la, "a row"
  %lb = arith.cmpi sge, %b, %c1 : index
  cf.assert %lb, "a column"
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %r = tensor.expand_shape %t [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  %p = arith.muli %a, %b : index
  %same = arith.cmpi eq, %p, %n : index
  cf.assert %same, "all of it"
  %pa = arith.cmpi sle, %a, %n : index
  cf.assert %pa, "rows"
  return %r : tensor<?x?xf32>
}
"""


@pytest.mark.process
def test_a_check_stays_that_follows_only_where_a_product_that_is_put_in_does_not_wrap_around() -> None:
    """2**32 times 2**32 is 0 in 64 bits, as is the tensor's extent: the check of the rows is what stops there."""
    result = prune(ROWS, harden=True, options=Options(execute=False))
    assert conditions(result) == ["%a*%b == %t[0]"]
    assert {"rows", "a row", "a column"} <= set(re.findall(r'cf.assert [^"]*"([^"]*)"', result.text))
    assert '"all of it"' not in result.text  # the same product, as it is computed
    vast = (TensorInput((0,)), ScalarInput(2**32), ScalarInput(2**32))
    (run,) = execute_many(result.text, "f", [vast], runtime_checks=False)
    assert run.outcome is Outcome.ABORTED


SETTLED_BY_ROWS = {
    "a branch": """%z = scf.if %pa -> (index) {
    scf.yield %c1 : index
  } else {
    %other = arith.constant 7 : index
    scf.yield %other : index
  }""",
    "a choice": "%other = arith.constant 7 : index\n  %z = arith.select %pa, %c1, %other : index",
    "the least": "%z = arith.minsi %a, %n : index",
}


@pytest.mark.process
@pytest.mark.parametrize("made", SETTLED_BY_ROWS.values(), ids=SETTLED_BY_ROWS)
def test_claims_settled_only_without_wrapping_of_inserted_products_stay(made: str) -> None:
    text = ROWS.replace('cf.assert %pa, "rows"', made)
    text = text.replace("-> tensor<?x?xf32> {", "-> (tensor<?x?xf32>, index) {")
    text = text.replace("return %r : tensor<?x?xf32>", "return %r, %z : tensor<?x?xf32>, index")
    result = prune(text, harden=True, options=Options(execute=False))
    assert conditions(result) == ["%a*%b == %t[0]"]
    vast = (TensorInput((0,)), ScalarInput(2**32), ScalarInput(2**32))
    before, after = (execute_many(each, "f", [vast], runtime_checks=False)[0] for each in (text, result.text))
    assert before.outcome is after.outcome is Outcome.RETURNED
    assert after.result_extents[1] == before.result_extents[1] == (0 if "minsi" in made else 7)


ONCE = """
func.func @f(%n: index, %m: index, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %last = scf.for %i = %c0 to %n step %n iter_args(%low = %n) -> (index) {
    %part = tensor.extract_slice %t[%low] [%low] [3] : tensor<?xf32> to tensor<?xf32>
    %padded = tensor.pad %part low[1] high[%n] {
    ^bb0(%at: index):
      tensor.yield %zero : f32
    } : tensor<?xf32> to tensor<?xf32>
    %cast = tensor.cast %padded : tensor<?xf32> to tensor<4xf32>
    scf.yield %m : index
  }
  return
}
"""


def test_a_check_that_is_seen_to_fail_always_where_a_loop_runs_once_is_put_in() -> None:
    """1 more than twice a size is not 4: what comes after the check of that is not reached any more."""
    result = hardened(ONCE)
    assert "%padded[0] == 4" in conditions(result)
    assert "= scf.for" not in result.text


REQUIRED = """
func.func private @half(index, tensor<?xf32>) -> index attributes {
  shapesolve.requires = ["arg0 % 2 == 0", "arg1[0] >= arg0"]
}

func.func private @both(%n: index, %x: tensor<?xf32>) -> index {
  %r = func.call @half(%n, %x) : (index, tensor<?xf32>) -> index
  return %r : index
}

func.func @f(%n: index, %m: index, %x: tensor<?xf32>) -> index {
  %c4 = arith.constant 4 : index
  %0 = func.call @half(%c4, %x) : (index, tensor<?xf32>) -> index
  %1 = func.call @both(%n, %x) : (index, tensor<?xf32>) -> index
  %2 = func.call @both(%m, %x) : (index, tensor<?xf32>) -> index
  return %2 : index
}
"""


def test_preconditions_are_checked_before_every_call() -> None:
    result = prune(REQUIRED, harden=True)
    assert [each.condition for each in result.written] == ["%n % 2 == 0", "%x[0] >= %n", "%x[0] >= 4"]
    assert result.still_open == ()


DIVIDED = """
func.func @f(%n: !shape.size, %k: !shape.size) -> !shape.size {
  %q = shape.div %n, %k : !shape.size, !shape.size -> !shape.size
  return %q : !shape.size
}"""


def test_sizes_that_are_believed_to_be_no_errors_are_checked() -> None:
    assert conditions(hardened(DIVIDED)) == ["%k >= 1"]
    distrusted = prune(DIVIDED, harden=True, options=Options(distrust=True, execute=False))
    assert distrusted.written == () and distrusted.still_open


ERRORS = """
func.func @unranked(%x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<?xindex> {
  %a = shape.shape_of %x : tensor<*xf32> -> !shape.shape
  %b = shape.shape_of %y : tensor<*xf32> -> !shape.shape
  %m = shape.broadcast %a, %b {error = "no broadcast"} : !shape.shape, !shape.shape -> !shape.shape
  %t = shape.to_extent_tensor %m : !shape.shape -> tensor<?xindex>
  return %t : tensor<?xindex>
}
func.func @size(%x: tensor<?xf32>, %n: index) -> index {
  %a = shape.shape_of %x : tensor<?xf32> -> !shape.shape
  %k = shape.const_size 0
  %s = shape.get_extent %a, %k : !shape.shape, !shape.size -> !shape.size
  %i = shape.index_to_size %n
  %m = shape.meet %s, %i, error = "the size is not n" : !shape.size, !shape.size -> !shape.size
  %r = shape.size_to_index %m : !shape.size
  return %r : index
}
func.func @loop(%x: tensor<?x?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = shape.shape_of %x : tensor<?x?xf32> -> !shape.shape
  %t = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %c0) -> index {
    %i = shape.index_to_size %j
    %s = shape.get_extent %a, %i : !shape.shape, !shape.size -> !shape.size
    %r = shape.size_to_index %s : !shape.size
    %u = arith.addi %r, %acc : index
    scf.yield %u : index
  }
  return %t : index
}
"""


def test_guards_against_errors_ask_what_the_error_is_made_of() -> None:
    guarded = hardened(ERRORS)
    assert conditions(guarded) == ["broadcastable(%x, %y)", "%n >= 0", "%i == %x[0]", "%i <= 1"]
    assert [part in guarded.text for part in ("no broadcast", "the size is not n")] == [True, True]
    options = Options(execute=False)
    assert {each.word for each in refine_programs(read_text(ERRORS), read_text(guarded.text), options)} <= {
        "proved",
        "undecided",
    }
