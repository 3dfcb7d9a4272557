"""Programs and libraries that several tests here use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shapesolve.checker.report import Report
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program


def library_text(body: str, mapping: str, name: str = "lib") -> str:
    """A library of functions."""
    return f"shape.function_library @{name} {{\n{body}\n}} mapping {{ {mapping} }}\n"


def written(directory: Path, text: str, name: str = "lib.mlir") -> str:
    """The path of a file with a text."""
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def checked(text: str, *libraries: str, **options: Any) -> Report:
    """A program's report, with nothing executed."""
    return check_program(read_text(text, "model.mlir"), Options(libraries=libraries, execute=False, **options))


def verdicts(report: Report) -> dict[str, str]:
    """The word of each verdict by the obligation's identity."""
    return {each.obligation.identity: each.verdict.word for each in report.checked_obligations}


BINARY = """
  func @binary(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape {
    %0 = shape_of %a : !shape.value_shape -> !shape.shape
    %1 = shape_of %b : !shape.value_shape -> !shape.shape
    %2 = meet %0, %1, error = "the operands differ" : !shape.shape, !shape.shape -> !shape.shape
    return %2 : !shape.shape
  }
"""

USE = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "my.op"(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
