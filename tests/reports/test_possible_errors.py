"""`check` says which results are error values for some sizes, as `shape-of` does."""

from __future__ import annotations

import io

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page

TYPES = "!shape.shape, !shape.shape -> !shape.shape"
BROADCAST = f'shape.broadcast %a, %b {{error = "these do not broadcast"}} : {TYPES}'


def printed(text: str) -> str:
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=100))
    return stream.getvalue()


def test_a_result_that_may_be_an_error() -> None:
    text = printed(f"""func.func @f(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {{
  %0 = {BROADCAST}
  return %0 : !shape.shape
}}""")
    assert 'returns    an error (result 0) unless broadcastable(a, b): "these do not broadcast"' in text


def test_no_error_where_a_check_rules_it_out() -> None:
    text = printed(f"""func.func @f(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {{
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  %0 = shape.assuming %w -> !shape.shape {{
    %1 = {BROADCAST}
    shape.assuming_yield %1 : !shape.shape
  }}
  return %0 : !shape.shape
}}""")
    assert "cstr_broadcastable needs broadcastable(a, b)" in text
    assert "an error" not in text
