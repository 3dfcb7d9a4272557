"""The lowerings that the RFC proposes, against the TOSA programs that they are made of."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from shapesolve import refine
from shapesolve.errors import InputError
from shapesolve.execution.execution import ExecutionLimits, Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ShapedType
from shapesolve.ir.reader import RefusedText, read_text, with_equal_ranks
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.solver.verdicts import Refuted

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SOURCE, LOWERED = str(HERE / "proposed.mlir"), str(HERE / "proposed_lowered.mlir")

FOR_ALL = (
    "equal_static",
    "unary_dynamic",
    "result_cast",
    "static_to_static",
    "dynamic_to_static",
    "static_to_dynamic",
    "no_dimensions",
    "ranks_differ",
)
FROM_1 = ("all_dynamic", "all_dynamic_2d", "ternary")


def compared(function: str, *, min_size: int = 0, execute: bool = False) -> Refinement:
    options = Options(functions=(function,), min_size=min_size, execute=execute)
    (found,) = refine(SOURCE, LOWERED, options=options)
    return found


def test_there_are_11_of_them() -> None:
    assert len(FOR_ALL) + len(FROM_1) == 11


@pytest.mark.parametrize("function", FOR_ALL)
@pytest.mark.covers("rfc.lowering.equal_static")
@pytest.mark.covers("rfc.lowering.unary_dynamic")
@pytest.mark.covers("rfc.lowering.result_cast")
@pytest.mark.covers("rfc.lowering.static_to_static")
@pytest.mark.covers("rfc.lowering.dynamic_to_static")
@pytest.mark.covers("rfc.lowering.static_to_dynamic")
@pytest.mark.covers("rfc.lowering.no_dimensions")
@pytest.mark.covers("rfc.lowering.ranks_differ")
@pytest.mark.covers("rfc.rank_step")
def test_proved_for_all_sizes(function: str) -> None:
    assert compared(function).word == "proved"


@pytest.mark.parametrize("function", FROM_1)
@pytest.mark.covers("rfc.lowering.all_dynamic")
@pytest.mark.covers("rfc.lowering.all_dynamic_2d")
@pytest.mark.covers("rfc.one_dimension_at_a_time")
@pytest.mark.covers("rfc.lowering.ternary")
def test_proved_for_sizes_from_1_and_refuted_at_0(function: str) -> None:
    assert compared(function, min_size=1).word == "proved"
    found = compared(function)
    assert (found.word, found.from_size) == ("refuted", 1)
    for finding in found.refuted:
        assert isinstance(finding.verdict, Refuted)
        assert 0 in finding.verdict.sizes.values()


def test_the_largest_of_0_and_1_is_not_their_broadcast() -> None:
    found = compared("all_dynamic", execute=True)
    findings = {tuple(f.verdict.sizes.values()): f for f in found.refuted if isinstance(f.verdict, Refuted)}
    assert set(findings) == {(1, 0), (0, 1)}
    shown = findings[0, 1].executed
    assert shown is not None
    assert shown.target.result_extents == ((1,),)
    assert np.broadcast_shapes((0,), (1,)) == (0,)


def test_executed_for_all_small_sizes() -> None:
    """The lowered sum returns what numpy does, exactly where the sizes broadcast and none is 0 against 1."""
    sizes = list(product(range(5), repeat=2))
    runs = [(TensorInput((a,)), TensorInput((b,))) for a, b in sizes]
    text = Path(LOWERED).read_text(encoding="utf-8")
    executions = execute_many(text, "all_dynamic", runs, runtime_checks=True, limits=ExecutionLimits(10.0))
    for (a, b), run in zip(sizes, executions, strict=True):
        if a == b or (1 in (a, b) and 0 not in (a, b)):
            assert run.outcome is Outcome.RETURNED
            assert run.result_extents == (np.broadcast_shapes((a,), (b,)),)
        elif a == 0:  # nothing is checked where the loop is empty; the result is as large as the largest operand
            assert run.result_extents == ((b,),)
        else:
            assert run.outcome is Outcome.ABORTED


TWO_RANKS = """
func.func @ranks_differ(%a: tensor<3x4xf32>, %b: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = "tosa.add"(%a, %b) : (tensor<3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}"""


def test_operands_of_different_ranks_are_no_program_today() -> None:
    with pytest.raises(InputError, match="rank"):
        read_text(TWO_RANKS)


def test_operands_of_different_ranks_are_compared_as_of_their_time() -> None:
    lowered = Path(LOWERED).read_text(encoding="utf-8")
    only = Options(functions=("ranks_differ",))
    (found,) = refine(TWO_RANKS, lowered, options=only)
    assert found.exit_code == 0
    assert found.compares_elements
    assert "%z = arith.addf %x, %y : f32" in lowered
    (found,) = refine(TWO_RANKS, lowered.replace("arith.addf", "arith.subf"), options=only)
    assert found.exit_code == 1


@pytest.mark.parametrize(
    ("operation", "types", "result"),
    [
        ("tosa.sub %a, %b", ("?xf32", "?x?xf32"), "?x?xf32"),
        ('"tosa.greater"(%a, %b)', ("2x?x4xf32", "4xf32"), "2x?x4xi1"),
        ('"tosa.arithmetic_right_shift"(%a, %b) {round = false}', ("i8", "?xi8"), "?xi8"),
        ('"tosa.select"(%a, %b, %c)', ("4xi1", "?x4xf32", "2x?x4xf32"), "2x?x4xf32"),
    ],
)
def test_extents_of_1_stand_in_front_of_lower_ranks(operation: str, types: tuple[str, ...], result: str) -> None:
    arguments = ", ".join(f"%{name}: tensor<{type}>" for name, type in zip("abc", types, strict=False))
    listed = ", ".join(f"tensor<{type}>" for type in types)
    text = f"""func.func @f({arguments}) -> tensor<{result}> {{
      %0 = {operation} :
        ({listed}) -> tensor<{result}>
      return %0 : tensor<{result}>
    }}"""
    with pytest.raises(RefusedText) as refused:
        read_text(text, "my.mlir")
    program = with_equal_ranks(refused.value)
    (note,) = program.notes
    assert note.startswith("my.mlir:2: tosa.")
    assert note.endswith("after extents of 1 in front of the lower rank")
    body = program.functions["f"].body
    assert body is not None
    made = {op.name: op for op in body.blocks[0].operations if op.name != "arith.constant"}
    (operation_today,) = [op for name, op in made.items() if name.startswith("tosa.")]
    assert (operation_today.location.line, operation_today.location.column) == (2, 12)
    kinds = [operand.type for operand in operation_today.operands]
    ranks = {len(kind.extents) for kind in kinds if isinstance(kind, ShapedType) and kind.extents is not None}
    assert ranks == {max(each.count("x") for each in types)}


def test_a_product_of_two_ranks_may_state_its_shift_as_an_attribute() -> None:
    types = "(tensor<?xi32>, tensor<2x?xi32>) -> tensor<2x?xi32>"
    text = f"""func.func @f(%a: tensor<?xi32>, %b: tensor<2x?xi32>) -> tensor<2x?xi32> {{
      %0 = tosa.mul %a, %b {{shift = 0 : i32}} : {types}
      return %0 : tensor<2x?xi32>
    }}"""
    with pytest.raises(RefusedText) as refused:
        read_text(text, "my.mlir")
    (note,) = with_equal_ranks(refused.value).notes
    assert note.startswith("my.mlir:2: tosa.mul of operands of two ranks is an old spelling")
    zero = "%c0 = arith.constant 0 : index\n  %d = tensor.dim %a, %c0 : tensor<?xi32>"
    today = f"""func.func @f(%a: tensor<?xi32>, %b: tensor<2x?xi32>) -> tensor<2x?xi32> {{
      {zero}
      %e = tensor.expand_shape %a [[0, 1]] output_shape [1, %d] : tensor<?xi32> into tensor<1x?xi32>
      %s = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>
      %0 = tosa.mul %e, %b, %s : (tensor<1x?xi32>, tensor<2x?xi32>, tensor<1xi8>) -> tensor<2x?xi32>
      return %0 : tensor<2x?xi32>
    }}"""
    (found,) = refine(text, today)
    assert found.exit_code == 0
    (found,) = refine(text, today.replace("dense<0>", "dense<1>"))
    assert found.exit_code != 0
