"""Reports on claims that are proved up to a limit on the sizes: f32 holds integers exactly up to 2^24."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from shapesolve.checker.report import Report
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_json import function_object
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page

CASE = Path(__file__).parents[1] / "cases/torch/places_in_floats.mlir"
LOOKUPS = CASE.read_text(encoding="utf-8").partition("// With no more")[0]
"""Places of all elements, and halves of them, computed in f32."""


def checked(text: str) -> Report:
    return check_program(read_text(text, "m.mlir"), Options(execute=False))


def printed(report: Report) -> str:
    stream = io.StringIO()
    print_report(diagnose(report), Page(stream, width=100))
    return stream.getvalue()


def test_claims_with_one_limit_are_one_finding_that_says_it() -> None:
    text = printed(checked(LOOKUPS))
    assert "proved     where x[0] <= 16777216, as is the other one; larger sizes leave it open" in text
    assert "2 undecided (1 finding)" in text


def test_a_single_claim_has_its_limit_to_itself() -> None:
    first, _, rest = LOOKUPS.partition("  %half")
    text = printed(checked(first + rest[rest.index("  return") :]))
    assert "proved     where x[0] <= 16777216; larger sizes leave it open" in text


def test_no_limit_is_printed_where_small_sizes_may_fail() -> None:
    text = printed(checked(LOOKUPS.replace("%half = torch.constant.float 5.0", "%half = torch.constant.float 25.0")))
    assert "proved     where x[0] <= 16777216; larger sizes leave it open" in text
    assert text.endswith("2 undecided\n")


def test_json_has_the_condition() -> None:
    (function,) = diagnose(checked(LOOKUPS)).functions
    document: Any = function_object(function)
    evidence = [each["evidence"] for each in document["obligations"] if each["verdict"] == "undecided"]
    assert [each["proved_where"] for each in evidence] == ["x[0] <= 16777216"] * 2
