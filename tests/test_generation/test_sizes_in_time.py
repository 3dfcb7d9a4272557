"""Sizes under a deadline: targets for which there was no time are open, and nothing is said of them."""

from __future__ import annotations

from io import StringIO

from shapesolve.deadline import NEVER, Deadline, until
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.reports.page import Page
from shapesolve.reports.sizes import print_sizes
from shapesolve.test_generation.vectors import FunctionSizes, SizesReport, sizes_of_program

GUARDED = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %p = arith.muli %n, %m : index
  %c9 = arith.constant 9 : index
  %s = arith.cmpi ne, %p, %c9 : index
  cf.assert %s, "nine"
  return
}
"""


def _sizes(deadline: Deadline) -> tuple[FunctionSizes, str]:
    with until(deadline):
        report: SizesReport = sizes_of_program(read_text(GUARDED), Options(execute=False))
    stream = StringIO()
    print_sizes(report, Page(stream, width=120))
    assert report.exit_code == (0 if deadline is NEVER else 3)
    return report.functions[0], stream.getvalue()


def test_targets_without_time_are_open_and_not_impossible() -> None:
    whole, _ = _sizes(NEVER)
    assert whole.vectors
    assert not whole.open
    late, text = _sizes(Deadline.after(-1))
    assert late.vectors == ()
    assert late.impossible == ()
    assert late.open
    assert f"no sizes were found for {len(late.open)} targets" in text
    assert "depends on sizes" not in text
