"""Test of names in reports: those of the source, with callers' names distinguished from callees'."""

from __future__ import annotations

import io

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page

LOOPS = """
func.func private @ext(%x: index) -> index
func.func @loops(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = func.call @ext(%i) : (index) -> index
    %v = memref.load %m[%x] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = func.call @ext(%i) : (index) -> index
    %s = arith.addi %x, %i : index
    %v = memref.load %m[%s] : memref<?xf32>
  }
  return
}
"""


def printed(text: str) -> str:
    stream = io.StringIO()
    program = read_text(text, "m.mlir")
    print_report(diagnose(check_program(program, Options(execute=False))), Page(stream, width=80))
    return " ".join(stream.getvalue().split())


def test_a_name_that_stands_twice_is_printed_as_in_the_source() -> None:
    text = printed(LOOPS)
    assert "is safe if 0 <= %x < m[0]" in text
    assert "line 13: memref.load is safe if %i + %x >= 0 and m[0] > %i + %x" in text
    assert "'2" not in text


def test_names_of_caller_and_callee_differ() -> None:
    text = """
func.func private @rows(%a: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %d, %n : index
  cf.assert %ok, "as many"
  return
}
func.func @main(%a: tensor<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  func.call @rows(%a, %m) : (tensor<?xf32>, index) -> ()
  return
}
"""
    output = printed(text)
    assert "@rows needs a[0] == n; this call gives a[0] = %a[0], n = %n + 1" in output


def test_a_callees_need_has_the_case_of_empty_tensors_last() -> None:
    text = """
func.func private @dense(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @main(%a: tensor<4x?xf32>, %b: tensor<?x4xf32>, %c: tensor<4x4xf32>) -> tensor<?x?xf32> {
  %x = tensor.cast %a : tensor<4x?xf32> to tensor<?x?xf32>
  %w = tensor.cast %b : tensor<?x4xf32> to tensor<?x?xf32>
  %y = tensor.cast %c : tensor<4x4xf32> to tensor<?x?xf32>
  %0 = func.call @dense(%x, %w, %y) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
    output = " ".join(printed(text).split())
    assert "@dense needs w[0] == x[1] (unless " in output and "is 0); this call gives " in output, output
