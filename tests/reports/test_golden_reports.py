"""The most common outcomes of `check` at 80 columns, compared with files that people have looked at.

``SHAPESOLVE_UPDATE_GOLDEN=1`` writes the files anew.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import LONGEST_LINE, Page

GOLDEN = Path(__file__).parent / "golden"

ADD = "tosa.add %{}, %{} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
SUM = f"func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {{\n  %0 = {ADD.format('x', 'y')}\n  return\n}}\n"

PROGRAMS = {
    "proved": SUM.replace("%x, %y :", "%x, %x :"),
    "refuted": SUM,
    "one_operation": """func.func @f(%b: memref<?xf32>, %i: index, %n: index) {
  %v = memref.subview %b[%i] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}
""",
    "empty_tensors": """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
""",
    "assertion": """func.func @f(%x: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = arith.remui %n, %c4 : index
  %ok = arith.cmpi eq, %r, %c0 : index
  cf.assert %ok, "windows of four"
  return
}
""",
    "size_zero": """func.func @f(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %q = arith.divsi %c8, %n : index
  return %q : index
}
""",
    "not_decided": f"""func.func @f(%x: tensor<?xf32>) {{
  %u = "my.op"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %0 = {ADD.format("u", "x")}
  return
}}
""",
    "data": """func.func @f(%table: tensor<1x?x4xf32>, %ids: tensor<1x?xi32>) -> tensor<1x?x4xf32> {
  %0 = tosa.gather %table, %ids : (tensor<1x?x4xf32>, tensor<1x?xi32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}
""",
    "every_call_fails": """func.func @f() -> tensor<5xf32> {
  %c4 = arith.constant 4 : index
  %a = tensor.empty(%c4) : tensor<?xf32>
  %c = tensor.cast %a : tensor<?xf32> to tensor<5xf32>
  return %c : tensor<5xf32>
}
""",
    "contradiction": SUM.replace(") {", ') attributes {shapesolve.assume = ["x[0] >= 3", "x[0] <= 2"]} {'),
    "five": """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %d: tensor<?x?xf32>,
             %e: tensor<?x?xf32>, %g: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.sub %0, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.sub %1, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tosa.maximum %2, %e : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = tosa.minimum %3, %g : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}
""",
    "one_operation_with_many": """func.func @f(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>,
             %o: tensor<?x?x?x?xf32>) {
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return
}
""",
    "nothing": "func.func @f(%x: f32) {\n  return\n}\n",
    "called": f"""func.func private @helper(%p: tensor<?xf32>, %q: tensor<?xf32>) {{
  %0 = {ADD.format("p", "q")}
  return
}}
func.func @first(%x: tensor<?xf32>, %y: tensor<?xf32>) {{
  func.call @helper(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}}
func.func @second(%x: tensor<?xf32>) {{
  func.call @helper(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}}
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_a_report_is_printed_as_its_golden_file(name: str) -> None:
    stream = io.StringIO()
    report = check_program(read_text(PROGRAMS[name], "model.mlir"), Options(execute=False))
    print_report(diagnose(report), Page(stream, color="never", width=80))
    printed_text, file = stream.getvalue(), GOLDEN / f"{name}.txt"
    assert all(len(line) <= LONGEST_LINE for line in printed_text.splitlines())
    if os.environ.get("SHAPESOLVE_UPDATE_GOLDEN"):
        file.write_text(printed_text, encoding="utf-8")
    assert printed_text == file.read_text(encoding="utf-8")


def test_five_findings_fit_a_screen() -> None:
    lines = (GOLDEN / "five.txt").read_text(encoding="utf-8").splitlines()
    assert sum(": error: " in line for line in lines) == 5
    assert len(lines) + sum(len(line) // 80 for line in lines) < 50


def test_each_file_is_compared() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_color_adds_nothing_but_color(name: str) -> None:

    stream = io.StringIO()
    report = check_program(read_text(PROGRAMS[name], "model.mlir"), Options(execute=False))
    print_report(diagnose(report), Page(stream, color="always", width=80))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())
    assert plain == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
