"""32-bit arithmetic on sizes of a framework that computes these without a limit, in the program that it exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from shapesolve.checker.check import check_function
from shapesolve.checker.report import FunctionReport
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted, Undecided
from shapesolve.trace.assumed_overflow import assumption_texts

PROGRAM = """
func.func @f(%a: tensor<?x?xi8>) -> tensor<?xi8> {{
  %factor = stablehlo.constant dense<{factor}> : tensor<{type}>
  %divisor = stablehlo.constant dense<{factor}> : tensor<{type}>
  %rows = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xi8>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xi8>) -> tensor<i32>
  %p = stablehlo.convert %rows : (tensor<i32>) -> tensor<{type}>
  %q = stablehlo.convert %columns : (tensor<i32>) -> tensor<{type}>
  %all = stablehlo.multiply %p, %q : tensor<{type}>
  %scaled = stablehlo.multiply %all, %factor : tensor<{type}>
  %count = stablehlo.divide %scaled, %divisor : tensor<{type}>
  %n = stablehlo.convert %count : (tensor<{type}>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %a, %shape : (tensor<?x?xi8>, tensor<1xi32>) -> tensor<?xi8>
  return %flat : tensor<?xi8>
}}
"""


def checked(text: str, *, exact: bool, check_wraps: bool = False) -> FunctionReport:
    program = replace(read_text(text), computes_sizes_exactly=exact)
    (function,) = program.functions.values()
    return check_function(program, function, Options(execute=False, check_wraps=check_wraps))


def of(report: FunctionReport) -> Sequence[type]:
    return sorted({type(each.verdict) for each in report.checked_obligations}, key=str)


@pytest.mark.slow
@pytest.mark.parametrize("type", ["i32", "i64"])
def test_sizes_of_a_framework_do_not_wrap(type: str) -> None:
    """With 64-bit integers turned on, JAX computes in these and narrows the results."""
    text = PROGRAM.format(type=type, factor=1)
    found = checked(text, exact=True)
    assert of(found) == [Proved]
    (assumed,) = (each for each in assumption_texts(found.trace) if "32-bit arithmetic on sizes" in each)
    assert ("stablehlo.multiply" if type == "i32" else "stablehlo.convert") in assumed
    assert Refuted in of(checked(text, exact=False))
    assert set(of(checked(text, exact=True, check_wraps=True))) & {Refuted, Undecided}


def test_what_wraps_for_small_sizes_does_wrap() -> None:
    found = checked(PROGRAM.format(type="i32", factor=2**30), exact=True)
    refuted = [each.verdict for each in found.checked_obligations if isinstance(each.verdict, Refuted)]
    assert refuted and all(number < 64 for each in refuted for number in each.sizes.values() if isinstance(number, int))


def test_unsigned_numbers_are_no_sizes() -> None:
    text = PROGRAM.format(type="ui32", factor=1)
    assert of(checked(text, exact=True)) == of(checked(text, exact=False)) != [Proved]
