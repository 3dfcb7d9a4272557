"""The tables and demands of the Broadcastable pages, row by row, and what the RFC changed in them."""

from __future__ import annotations

import pytest

from shapesolve.api import check
from shapesolve.solver.verdicts import Refuted
from shapesolve.traits.inference_tables import PAGE_CODE, shape_of_text, shape_text
from shapesolve.traits.profiles import PROFILES
from shapesolve.traits.verifier import TypedValue, infer_result_shape, verify


def _broken(profile: str, operands: str, results: str, kind: str = "tensor", op: str = "test.broadcastable") -> str:
    """The clause that an operation breaks, "" for none; types are written as in ``2x? 3``."""
    given, made = ([TypedValue(shape_of_text(text), kind) for text in side.split()] for side in (operands, results))
    broken = verify(given, made, PROFILES[profile].rules_for(op)).broken
    return "" if broken is None else broken.clause


@pytest.mark.parametrize(
    ("first", "second", "inferred"),
    [
        pytest.param("?", "?", "?", marks=pytest.mark.covers("trait.*.dim.dynamic_dynamic")),
        pytest.param("?", "1", "?", marks=pytest.mark.covers("trait.*.dim.dynamic_one")),
        pytest.param("?", "5", "5", marks=pytest.mark.covers("trait.*.dim.dynamic_many")),
        pytest.param("1", "1", "1", marks=pytest.mark.covers("trait.*.dim.one_one")),
        pytest.param("1", "5", "5", marks=pytest.mark.covers("trait.*.dim.one_many")),
        pytest.param("5", "5", "5", marks=pytest.mark.covers("trait.*.dim.many_many")),
    ],
)
def test_rows_of_dimension_inference(first: str, second: str, inferred: str) -> None:
    for operands in ((first, second), (second, first)):
        found = infer_result_shape([shape_of_text(text) for text in operands], PAGE_CODE)
        assert shape_text(found.shape) == inferred
        assert str(found.fits) == "true"


@pytest.mark.covers("trait.*.dim.many_many")
def test_different_sizes_above_one_are_an_error() -> None:
    assert _broken("page-2023", "5 6", "?") == _broken("page-today", "5 6", "?") == "C5"


@pytest.mark.parametrize(
    ("operands", "result", "in_2023", "today"),
    [
        pytest.param("? ?", "?", "", "", marks=pytest.mark.covers("trait.*.result.dynamic_dynamic")),
        pytest.param("? ?", "4", "C7", "", marks=pytest.mark.covers("trait.*.result.dynamic_static")),
        pytest.param("4 4", "?", "", "", marks=pytest.mark.covers("trait.*.result.static_dynamic")),
        pytest.param("4 4", "4", "", "", marks=pytest.mark.covers("trait.*.result.static_static")),
        pytest.param("4 4", "5", "C8", "C8", marks=pytest.mark.covers("trait.*.result.static_static")),
    ],
)
def test_rows_of_verification(operands: str, result: str, in_2023: str, today: str) -> None:
    assert _broken("page-2023", operands, result) == in_2023
    assert _broken("page-today", operands, result) == today


@pytest.mark.parametrize(
    ("operands", "results", "kind", "clause"),
    [
        pytest.param("", "4", "tensor", "C1", marks=pytest.mark.covers("trait.*.demands.operands")),
        pytest.param("4", "4 4", "tensor", "C1", marks=pytest.mark.covers("trait.*.demands.result")),
        pytest.param("4", "", "tensor", "C1", marks=pytest.mark.covers("trait.*.demands.result")),
        pytest.param("4 4", "4", "memref", "C2", marks=pytest.mark.covers("trait.*.demands.kinds")),
        pytest.param("4 5", "?", "tensor", "C5", marks=pytest.mark.covers("trait.*.demands.compatible")),
        pytest.param("4 4", "1x4", "tensor", "C6", marks=pytest.mark.covers("trait.*.demands.result_shape")),
    ],
)
@pytest.mark.covers("inference.operand_constraints")
def test_both_pages_reject_an_operation_by_the_same_clause(operands: str, results: str, kind: str, clause: str) -> None:
    assert _broken("page-2023", operands, results, kind) == _broken("page-today", operands, results, kind) == clause


@pytest.mark.covers("trait.*.demands.inferable")
def test_the_result_follows_from_the_operands_alone() -> None:
    assert shape_text(infer_result_shape([shape_of_text("2x1"), shape_of_text("?x3")], PAGE_CODE).shape) == "2x3"
    assert infer_result_shape([None, None], PAGE_CODE).shape is None


@pytest.mark.covers("rfc.modification.1")
def test_results_do_not_broadcast() -> None:
    assert _broken("mlir-16", "1 1", "5", op="tosa.add") == "", "as it was before the RFC"
    assert _broken("page-2023", "1 1", "5") == _broken("mlir-22", "1 1", "5", op="tosa.add") == "C8"


@pytest.mark.covers("rfc.modification.2")
def test_no_number_where_none_is_inferred() -> None:
    assert _broken("page-2023", "? ?", "5") == "C7"
    assert _broken("page-today", "? ?", "5") == _broken("mlir-22", "? ?", "5", op="tosa.add") == "", "taken back later"


@pytest.mark.covers("rfc.equal_ranks")
def test_ranks_are_equal() -> None:
    assert _broken("mlir-19", "3x4 2x3x4", "2x3x4", op="tosa.add") == ""
    assert _broken("mlir-22", "3x4 2x3x4", "2x3x4", op="tosa.add") == "C10"


@pytest.mark.covers("rfc.undefined_sizes")
@pytest.mark.covers("trait.*.dim.dynamic_dynamic")
def test_sizes_that_do_not_broadcast_are_undefined() -> None:
    type = "tensor<?xf32>"
    text = (
        f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n"
        f"  %0 = tosa.add %a, %b : ({type}, {type}) -> {type}\n  return %0 : {type}\n}}\n"
    )
    (checked_obligation,) = check(text, execute=False).checked_obligations
    assert isinstance(checked_obligation.verdict, Refuted)
    assert [each for each in checked_obligation.verdict.sizes.values() if each == 1] == []
    for allowed in ("a[0] == b[0]", "a[0] == 1", "b[0] == 1"):
        assert check(text, assume=[allowed], execute=False).exit_code == 0
