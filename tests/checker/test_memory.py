"""Test that sizes beyond any memory are no counterexample, and prove nothing."""

from __future__ import annotations

import pytest

from shapesolve.checker.check import check_function
from shapesolve.checker.report import FunctionReport
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason

PROGRAM = """
func.func @f(%x: tensor<?x?xELEMENT>) {{
  %c0 = arith.constant 0 : index
  %limit = arith.constant {limit} : index
  %n = tensor.dim %x, %c0 : tensor<?x?xELEMENT>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<?x?xELEMENT>
  %some = arith.cmpi sge, %m, %c1 : index
  cf.assert %some, "empty"
  %short = arith.cmpi slt, %n, %limit : index
  cf.assert %short, "long"
  return
}}
"""


def checked(limit: int, element: str, max_bytes: int) -> FunctionReport:
    program = read_text(PROGRAM.format(limit=limit).replace("ELEMENT", element))
    options = Options(execute=False, max_bytes=max_bytes)
    return check_function(program, program.functions["f"], options)


@pytest.mark.parametrize(("element", "size"), [("f32", 4), ("i64", 8), ("i1", 1), ("f16", 2), ("index", 8)])
def test_the_last_size_that_fits_refutes(element: str, size: int) -> None:
    fails = checked(1000, element, 1000 * size).checked_obligations[-1].verdict
    assert isinstance(fails, Refuted)
    assert [each for each in fails.sizes.values() if isinstance(each, int) and each >= 1000] == [1000]
    open_ = checked(1000, element, 1000 * size - 1).checked_obligations[-1].verdict
    assert isinstance(open_, Undecided)
    assert open_.reason_kind is UndecidedReason.MEMORY
    assert "%x takes more than" in open_.reason


def test_nothing_is_proved_with_it() -> None:
    verdicts = [each.verdict for each in checked(2**62, "f32", 8).checked_obligations]
    assert isinstance(verdicts[-1], Undecided)
    assert isinstance(verdicts[-2], Refuted)  # an empty tensor fits
    assert not any(isinstance(each, Proved) for each in verdicts[-2:])
