"""The form of the output: names, places, forms that read back, assumptions written down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.pruned_programs import gone, ops, prune

import shapesolve
from shapesolve.cli.program_text import read_with_text
from shapesolve.errors import InputError
from shapesolve.ir import bindings
from shapesolve.ir.program import Operation
from shapesolve.ir.reader import parsed_text, read_module, read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.rewriting.same_attributes import has_same_attributes

NAMED = """
// What this is for.
func.func @scale(%left: tensor<?xf32>, %right: tensor<?xf32>) -> index {
  %zero = arith.constant 0 : index
  %size = tensor.dim %left, %zero : tensor<?xf32>
  %0 = arith.addi %size, %size : index
  %fine = arith.cmpi sge, %size, %zero : index
  cf.assert %fine, "never fails"
  %total:2 = scf.for %step = %zero to %0 step %size iter_args(%x = %size, %y = %0) -> (index, index) {
    scf.yield %y, %x : index, index
  }
  cf.br ^done(%total#1 : index)
^done(%end: index):
  return %end : index
}
"""


def test_nothing_is_rewritten_where_nothing_goes() -> None:
    text = NAMED.replace("sge", "sgt")
    result = prune(text, assumptions=("left[0] >= 0",))
    assert result.text == text


def test_names_that_were_chosen_are_kept_and_comments_are_not() -> None:
    result = prune(NAMED)
    for name in ("%left", "%right", "%zero", "%size", "%total:2", "%step", "%x", "%y", "%end"):
        assert name in result.text
    assert "%fine" not in result.text
    assert "comments are not kept" in result.notes
    assert "loc(" not in result.text


def test_assumptions_and_names_of_sizes_are_written_down() -> None:
    text = """
func.func @f(%x: tensor<?x?xf32>, %1: tensor<?x4xf32> {some.thing = 7 : i64})
    attributes {shapesolve.assume = "x[0] <= 99"} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.dim %1, %c0 : tensor<?x4xf32>
  %p = arith.cmpi sge, %d, %c3 : index
  cf.assert %p, "at least 3"
  %q = arith.cmpi eq, %d, %e : index
  cf.assert %q, "the same"
  return
}"""
    options = {"assumptions": ("x[0] >= 3",), "shapes": ("x=[N, ?]", "arg1=[N, 4]"), "min_size": 2}
    result = prune(text, **options)
    assert gone(result) == ["at least 3", "the same"]
    function = read_text(result.text).functions["f"]
    assumed = ("x[0] <= 99", "x[0] >= 3", "x[0] >= 2", "x[1] >= 2", "arg1[0] >= 2")
    assert function.operation.attributes["shapesolve.assume"] == assumed
    assert [each.get("shapesolve.shape") for each in function.argument_attributes] == ["[N, _]", "[N, 4]"]
    assert function.argument_attributes[1]["some.thing"] == 7
    assert any("written down" in note for note in result.notes)


def test_names_of_sizes_that_the_file_has_already_are_not_replaced() -> None:
    text = 'func.func @f(%x: tensor<?xf32> {shapesolve.shape = "[N]"}) { return }'
    assert prune(text, shapes=("x=[N]",)).text == text
    with pytest.raises(InputError, match="have names already"):
        prune(text, shapes=("x=[M]",))


def test_places_that_the_text_carries_are_kept() -> None:
    result = prune("""
#model = loc("model.py":10:3)
func.func @f(%x: tensor<?xf32> loc("input"), %arg1: index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32> loc(#model)
  %p = arith.cmpi sge, %d, %c0 : index
  cf.assert %p, "goes" loc("model.py":11:3)
  "some.use"(%d) : (index) -> () loc("model.py":12:3)
  return
}""")
    assert gone(result) == ["goes"]
    read = read_text(result.text)
    origins = {op.name: str(op.origin) for op in read.operation.walk() if op.origin is not None}
    assert origins == {"tensor.dim": "model.py:10:3", "some.use": "model.py:12:3"}
    assert [each.name for each in read.functions["f"].arguments] == ["%x", "%arg1"]


def test_places_are_those_of_the_original_in_every_round() -> None:
    result = prune(
        """
func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  %one = arith.cmpi eq, %n, %c1 : index
  %m = scf.if %one -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %n : index
  }
  %p = arith.cmpi eq, %m, %n : index
  cf.assert %p, "the same"
  return
}""",
        assumptions=("n >= 2",),
    )
    assert [check.location.line for check in result.checks] == [5, 11]
    assert all(check.location.file == "model.mlir" for check in result.checks)


def test_unreadable_output_is_printed_in_the_generic_form() -> None:
    result = prune("""
func.func @f() -> !shape.shape {
  %s = "shape.from_extents"() : () -> !shape.shape
  %w = shape.cstr_eq %s, %s : !shape.shape, !shape.shape
  shape.assuming %w {
    "some.op"() : () -> ()
  }
  return %s : !shape.shape
}""")
    assert ops(result.text) == ["builtin.module", "func.func", "shape.from_extents", "some.op", "func.return"]
    assert '"func.return"(' in result.text


@pytest.mark.process
def test_bytecode_is_pruned_to_text(tmp_path: Path) -> None:
    module = parsed_text(bindings.new_context(), NAMED)
    path = tmp_path / "model.mlirbc"
    with path.open("wb") as stream:
        module.operation.write_bytecode(stream)
    result = prune_program(read_with_text(str(path), Options()), Options())
    assert gone(result) == ["never fails"]
    assert "cf.assert" not in ops(result.text)


def test_a_file_is_pruned_as_its_text_is(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(NAMED, encoding="utf-16")
    result = prune_program(read_with_text(str(path), Options()), Options())
    assert result.text == prune(NAMED).text
    assert any("UTF-16" in note for note in result.notes)


def test_a_live_module_has_no_text_to_prune() -> None:
    program = read_module(parsed_text(bindings.new_context(), NAMED))
    with pytest.raises(InputError, match="print the module first"):
        prune_program(program, Options())


def test_the_generic_form_keeps_the_names_that_assumptions_use() -> None:
    """Left alone, MLIR counts the arguments of all functions together: %arg1 would be the first one of @g."""
    function = """
func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> !shape.shape {
  %s = "shape.from_extents"() : () -> !shape.shape
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %arg1, %c0 : tensor<?xf32>
  %p = arith.cmpi sge, %d, %c2 : index
  cf.assert %p, "at least 2"
  return %s : !shape.shape
}"""
    result = prune(function + function.replace("@f", "@g"), assumptions=("arg1[0] >= 2",))
    assert gone(result) == ["at least 2", "at least 2"]
    assert '"func.return"(' in result.text
    for each in read_text(result.text).functions.values():
        assert [argument.name for argument in each.arguments] == ["%arg0", "%arg1"]


SUMS = {
    "is printed as another sum": "d0 ceildiv 4 + (1 - s0)",
    "is read as another sum": "(s0 - d0) + (1 + d0)",
    "inside of a quotient": "(d0 + (1 - s0)) floordiv 3",
    "times a number": "((d0 - s0) + (d0 + 1)) * 3",
    "is read as a quotient and a number": "((s0 - 2) + d0 floordiv 4) floordiv 2",
    "is read as a number": "(s0 + (s0 + 3)) mod 2",
}


@pytest.mark.slow
@pytest.mark.parametrize("sum", SUMS.values(), ids=SUMS)
@pytest.mark.parametrize("way", [{}, {"harden": True}, {"at_entry": True}, {"fewest": True}], ids=str)
def test_affine_maps_and_sets_are_the_same_where_they_compute_the_same(sum: str, way: Mapping[str, Any]) -> None:
    """MLIR prints sums without the parentheses that they were read with."""
    text = f"""
func.func @f(%n: index, %d: index) -> index {{
  %two = arith.constant 2 : index
  %m = affine.min affine_map<(d0)[s0] -> ({sum}, d0)>(%n)[%d]
  affine.if affine_set<(d0)[s0] : ({sum} >= 0, d0 == 0)>(%n)[%d] {{
    "some.use"() : () -> ()
  }}
  %least = arith.minsi %n, %two : index
  %fine = arith.cmpi sle, %least, %two : index
  cf.assert %fine, "never fails"
  %q = arith.divsi %m, %n : index
  return %q : index
}}
"""
    result = shapesolve.prune(text, **way)
    assert [each.message for each in result.removed] == ["never fails"]
    assert "affine.min" in result.text
    assert "affine.if" in result.text


def test_affine_maps_that_compute_something_else_are_not_the_same() -> None:
    def reads(result: str) -> Operation:
        text = f"func.func @f(%n: index) {{\n  %m = affine.apply affine_map<(d0) -> ({result})>(%n)\n  return\n}}\n"
        return next(op for op in read_text(text).operation.walk() if op.name == "affine.apply")

    one = reads("(d0 floordiv 2 + (1 - d0)) * 2")
    assert has_same_attributes(one, reads("2 - d0 * 2 + (d0 floordiv 2) * 2"))
    assert has_same_attributes(reads("((d0 - 3) + (d0 + 1)) floordiv 2"), reads("d0 - 1"))
    for other in ("2 - d0 * 2 + d0", "(d0 floordiv 2 + (1 - d0)) * 3", "(d0 floordiv 3 + (1 - d0)) * 2", "2 - d0 * 2"):
        assert not has_same_attributes(one, reads(other)), other


def test_integer_sets_that_ask_something_else_are_not_the_same() -> None:
    def reads(constraints: str) -> Operation:
        text = f"""
func.func @f(%n: index) {{
  affine.if affine_set<(d0) : ({constraints})>(%n) {{
  }}
  return
}}"""
        return next(op for op in read_text(text).operation.walk() if op.name == "affine.if")

    one = reads("d0 + (1 - d0 floordiv 2) >= 0, d0 == 0")
    assert has_same_attributes(one, reads("1 + d0 - d0 floordiv 2 >= 0, d0 == 0"))
    for other in ("1 + d0 - d0 floordiv 2 == 0, d0 == 0", "1 + d0 - d0 floordiv 2 >= 0", "1 + d0 >= 0, d0 == 0"):
        assert not has_same_attributes(one, reads(other)), other


def test_a_shared_assumption_is_printed_once() -> None:
    sum_of_two = """func.func @%s(%%n: index) {
      %%twice = arith.addi %%n, %%n : index
      %%fine = arith.cmpi eq, %%twice, %%twice : index
      cf.assert %%fine, "never fails"
      return
    }\n"""
    pruned = shapesolve.prune("".join(sum_of_two % name for name in ("f", "g")))
    assert [note for note in pruned.notes if note.startswith("assumes")] == [
        "assumes, in @f, @g: index and i64 arithmetic does not wrap: arith.addi (lines 2, 8)"
    ]
