"""Test of notes and counts of `prune`: results that are always errors, and a file's own shape functions."""

from __future__ import annotations

import io

import pytest

from shapesolve import prune
from shapesolve.reports.page import Page
from shapesolve.reports.prune import print_pruning, pruning_object

MAKERS = {
    "meet": (
        '%r = shape.meet %a, %b, error = "said" : !shape.shape, !shape.shape -> !shape.shape',
        '`shape.meet` (line 4): "said"',
    ),
    "broadcast": (
        '%r = shape.broadcast %a, %b {error = "said"} : !shape.shape, !shape.shape -> !shape.shape',
        '`shape.broadcast` (line 4): "said"',
    ),
    "split_at": (
        "%k = shape.const_size 3\n"
        '%r, %t = "shape.split_at"(%a, %k) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)',
        "`shape.split_at` (line 5)",
    ),
    "get_extent": (
        "%k = shape.const_size 2\n"
        "%n = shape.get_extent %a, %k : !shape.shape, !shape.size -> !shape.size\n"
        "%r = shape.from_extents %n : !shape.size",
        "`shape.get_extent` (line 5)",
    ),
}


@pytest.mark.parametrize(("made", "place"), MAKERS.values(), ids=MAKERS)
def test_a_result_that_is_always_an_error_is_noted(made: str, place: str) -> None:
    text = (
        "func.func @f() -> !shape.shape {\n  %a = shape.const_shape [2, 3] : !shape.shape\n"
        f"  %b = shape.const_shape [2, 4] : !shape.shape\n  {made}\n  return %r : !shape.shape\n}}\n"
    )
    assert f"WARNING: result 0 of @f is an error in every call, from {place}" in prune(text).notes
    assert not prune(text.replace("return %r", "return %a")).notes


JOINED = """// three of one length
func.func @joined(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) {
  %sx = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %sy = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %sz = shape.shape_of %z : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_eq %sx, %sy : tensor<1xindex>, tensor<1xindex>
  shape.assuming %w {
    %v = shape.cstr_eq %sy, %sz : tensor<1xindex>, tensor<1xindex>
    "my.use"(%v) : (!shape.witness) -> ()
    shape.assuming_yield
  }
  return
}
func.func @sum(%x: tensor<?x?x?xf32>) {
  %s = shape.shape_of %x : tensor<?x?x?xf32> -> tensor<3xindex>
  %0 = arith.constant 0 : index
  %r:2 = shape.reduce(%s, %0, %0) : tensor<3xindex> -> (index, index) {
  ^bb0(%i: index, %d: index, %a: index, %b: index):
    %p = arith.addi %a, %d : index
    %q = arith.maxui %b, %d : index
    shape.yield %p, %q : index, index
  }
  %k = arith.cmpi ule, %r#1, %r#0 : index
  cf.assert %k, "no extent is larger than their sum"
  return
}
"""


def test_lines_of_assumptions_are_those_of_the_original_after_constraints_were_joined() -> None:
    notes = prune(JOINED).notes
    assert any("one shape.cstr_eq of" in each for each in notes)
    assert [each for each in notes if "arith.addi" in each] == [
        "assumes, in @sum: index and i64 arithmetic does not wrap where an argument is empty: arith.addi (line 19)"
    ]


def test_an_assumption_stands_once_also_where_the_second_rewrite_has_fewer_operations() -> None:
    counted = """func.func @counted(%a: tensor<?xindex>, %b: tensor<?xindex>) -> index {
  %w = shape.cstr_eq %a, %b : tensor<?xindex>, tensor<?xindex>
  %r = shape.assuming %w -> (index) {
    %na = shape.num_elements %a : tensor<?xindex> -> index
    %nb = shape.num_elements %b : tensor<?xindex> -> index
    %e = arith.cmpi eq, %na, %nb : index
    cf.assert %e, "as many"
    shape.assuming_yield %na : index
  }
  return %r : index
}
"""
    notes = prune(JOINED.partition("func.func @sum")[0] + counted).notes
    assert any("one shape.cstr_eq of" in each for each in notes)
    assert [each for each in notes if "num_elements" in each] == [
        "assumes, in @counted: index and i64 arithmetic does not wrap: shape.num_elements (lines 17, 18)"
    ]


LIBRARY = """shape.function_library @lib {
  func @same_if_flat(%a: !shape.value_shape) -> !shape.shape {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %r = shape.rank %s : !shape.shape -> !shape.size
    %i = shape.size_to_index %r : !shape.size
    %c1 = arith.constant 1 : index
    %flat = arith.cmpi eq, %i, %c1 : index
    %out = scf.if %flat -> !shape.shape {
      scf.yield %s : !shape.shape
    } else {
      %scalar = shape.const_shape [] : !shape.shape
      scf.yield %scalar : !shape.shape
    }
    return %out : !shape.shape
  }
} mapping { my.op = @same_if_flat }
"""


def test_the_shape_functions_of_a_file_are_no_checks_of_it() -> None:
    used = """func.func @f(%a: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  cf.assert %c, "asked"
  return %r : tensor<?xf32>
}
"""
    whole = prune(f"module attributes {{shape.lib = [@lib]}} {{\n{LIBRARY}{used}}}\n")
    assert [each.op for each in whole.checks] == ["cf.assert"]
    assert "scf.if" in whole.text


def test_assumptions_are_said_where_something_rests_on_them() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c1 : index
  %ok = arith.cmpi sge, CHECKED, %c0 : index
  cf.assert %ok, "not negative"
  return
}
"""
    assert prune(text.replace("CHECKED", "%d")).notes == (
        "assumes, in @f: index and i64 arithmetic does not wrap: arith.addi (line 5)",
    )
    assert not prune(text.replace("CHECKED", "%m")).notes


def test_regions_and_joined_witnesses_are_not_counted_as_checks() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %u = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>
  %v = shape.cstr_eq %s, %s : tensor<1xindex>, tensor<1xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<1xindex>
  %all = shape.assuming_all %u, %v, %w
  %r = shape.assuming %all -> index {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    shape.assuming_yield %d : index
  }
  return %r : index
}
"""
    result, stream = prune(text), io.StringIO()
    print_pruning("m.mlir", "out.mlir", result, Page(stream, color="never", width=200))
    shown = stream.getvalue()
    counted = sum(text.count(f"= {each}") for each in ("shape.cstr_eq", "shape.cstr_broadcastable"))
    assert f"m.mlir: {counted} checks, " in shown
    assert "also shape.assuming_all 1 -> " in shown
    assert ": shape.assuming: " not in shown
    document = pruning_object("m.mlir", "out.mlir", result)
    summary = document["summary"]
    assert isinstance(summary, dict) and summary["checks"] == counted
