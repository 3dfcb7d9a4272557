"""Section of a report on a model's lowering: what fails only there, and what was not checked because of it."""

from __future__ import annotations

import io
from dataclasses import replace

from shapesolve.diagnosis.diagnosis import Diagnosis, diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.lowering_text import print_with_lowering
from shapesolve.reports.page import Page

CAST = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %e = tensor.empty() : tensor<{extent}xf32>
  %u = tensor.cast %e : tensor<{extent}xf32> to tensor<?xf32>
  %v = tensor.cast %u : tensor<?xf32> to tensor<3xf32>
  %s = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}}"""


def diagnosed(extent: int) -> Diagnosis:
    return diagnose(check_program(replace(read_text(CAST.format(extent=extent), "m.mlir"), level="linalg"), NO_RUN))


NO_RUN = Options(execute=False)


def printed(lowered: Diagnosis) -> str:
    stream = io.StringIO()
    print_with_lowering(diagnose(check_program(read_text(MODEL, "m.mlir"), NO_RUN)), lowered, Page(stream, width=300))
    return stream.getvalue()


MODEL = "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}"


def test_a_lowering_that_always_fails_says_so_and_what_was_not_checked() -> None:
    first, *rest = printed(diagnosed(2)).splitlines()
    assert first == (
        "torch-mlir's lowering, not your model (linalg): the program that torch-mlir makes of the model fails in every "
        "call, which concerns you only if you run that program; 1 check of sizes behind that was not checked"
    )
    assert "1 refuted, 1 not checked behind that" in rest[-1]
    assert "unreachable" not in rest[-1]


def test_a_lowering_that_fails_for_some_sizes_says_nothing_of_every_call() -> None:
    first, *rest = printed(diagnosed(3)).splitlines()
    assert first == "torch-mlir's lowering, not your model (linalg):"
    assert "every call" not in "".join(rest)
