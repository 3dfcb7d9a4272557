"""Tests of effects stated by a user's rule: removed operations, and those kept because no effect is stated."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import PruneResult

RULES = '''
from shapesolve.rules import *

@rule("my.rows", example="m.mlir"{rows})
def rows(op, see):
    """The number of rows.

    (R1) It is the first extent.
    """
    return OpSemantics(results=(see.dims(op.operands[0])[0],))

@rule("my.demand_at_least", example="m.mlir"{demand})
def demand(op, see):
    """Stops the program where a number is too small.

    (C1) The first number is not less than the second.
    """
    first, second = see.value(op.operands[0]), see.value(op.operands[1])
    return OpSemantics(requires=(Claim("C1", second <= first, "too small", Kind.CHECK),))

@rule("my.witness", example="m.mlir", effects=STOPS)
def witness(op, see):
    """Makes a witness of who knows what."""
    raise UnknownValueError("it asks the outside")
'''

PROGRAM = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %n = "my.rows"(%a) : (tensor<?xf32>) -> index
  %c0 = arith.constant 0 : index
  "my.demand_at_least"(%n, %c0) : (index, index) -> ()
  return %a : tensor<?xf32>
}
"""


def pruned(tmp_path: Path, text: str = PROGRAM, **declared: str) -> PruneResult:
    path = tmp_path / "rules.py"
    path.write_text(RULES.format(**{"rows": "", "demand": "", **declared}), encoding="utf-8")
    return prune_program(read_text(text, "model.mlir"), Options(rules=(str(path),)))


def test_a_check_of_a_users_own_goes_with_what_fed_it(tmp_path: Path) -> None:
    result = pruned(tmp_path, rows=", effects=PURE", demand=", effects=STOPS")
    assert "my." not in result.text
    assert result.counts == {"my.demand_at_least": (1, 0)}


def test_a_check_that_may_fail_stays(tmp_path: Path) -> None:
    text = PROGRAM.replace("constant 0", "constant 1")
    result = pruned(tmp_path, text, rows=", effects=PURE", demand=", effects=STOPS")
    assert result.text == text
    assert result.counts == {"my.demand_at_least": (1, 1)}


@pytest.mark.parametrize("declared", ["", ", effects=WRITES", ", effects=STOPS | WRITES"])
def test_an_operation_not_declared_as_check_is_none(tmp_path: Path, declared: str) -> None:
    result = pruned(tmp_path, rows=", effects=PURE", demand=declared)
    assert result.text == PROGRAM
    assert result.counts == {}


@pytest.mark.parametrize("declared", ["", ", effects=WRITES"])
def test_unused_operations_with_effects_stay(tmp_path: Path, declared: str) -> None:
    text = pruned(tmp_path, rows=declared, demand=", effects=STOPS").text
    assert "my.demand_at_least" not in text
    assert "my.rows" in text


def test_a_witness_that_cannot_be_seen_is_not_a_witness_of_nothing(tmp_path: Path) -> None:
    text = """func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %w = "my.witness"() : () -> !shape.witness
  %0 = shape.assuming %w -> (tensor<?xf32>) {
    shape.assuming_yield %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"""
    assert "my.witness" in pruned(tmp_path, text).text


LIBRARY = """shape.function_library @lib {{
  func @rows(%a: !shape.value_shape) -> !shape.size{declared} {{
    %c0 = shape.const_size 0
    %0 = shape_of %a : !shape.value_shape -> !shape.shape
    %1 = get_extent %0, %c0 : !shape.shape, !shape.size -> !shape.size
    return %1 : !shape.size
  }}
}} mapping {{ my.rows = @rows }}
"""


@pytest.mark.parametrize(("declared", "stays"), [("", True), (' attributes {shapesolve.effects = "pure"}', False)])
def test_a_library_may_say_that_an_operation_is_pure(tmp_path: Path, declared: str, stays: bool) -> None:
    path = tmp_path / "lib.mlir"
    path.write_text(LIBRARY.format(declared=declared), encoding="utf-8")
    text = PROGRAM.replace(
        '"my.demand_at_least"(%n, %c0) : (index, index) -> ()',
        '%ok = arith.cmpi sge, %n, %c0 : index\n  cf.assert %ok, "some"',
    )
    result = prune_program(read_text(text, "model.mlir"), Options(libraries=(str(path),)))
    assert "cf.assert" not in result.text
    assert ("my.rows" in result.text) == stays
