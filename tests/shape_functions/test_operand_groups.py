"""Operands of any number as arguments of shape functions, and numbers that are bounded."""

from __future__ import annotations

import pytest
from support.library_programs import library_text

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.shape_functions.queries import library

COUNT = """
  func @count(%a: !shape.shape) -> (!shape.size {shapesolve.at_most}) attributes {shapesolve.effects = "pure"} {
    %n = num_elements %a : !shape.shape -> !shape.size
    return %n : !shape.size
  }
"""
FILL = """
  func @fill(%x: !shape.shape, %sizes: tensor<?xindex> {shapesolve.variadic}) -> tensor<?xindex> {
    return %sizes : tensor<?xindex>
  }
"""
PAD = """
  func @pad(%x: !shape.shape, %low: tensor<?xindex> {shapesolve.variadic}, %high: tensor<?xindex> {shapesolve.variadic})
      -> tensor<?xindex> {
    %low_shape = from_extent_tensor %low : tensor<?xindex>
    %high_shape = from_extent_tensor %high : tensor<?xindex>
    %s = concat %low_shape, %high_shape : !shape.shape, !shape.shape -> !shape.shape
    %r = to_extent_tensor %s : !shape.shape -> tensor<?xindex>
    return %r : tensor<?xindex>
  }
"""
STACK = """
  func @stack(%count: !shape.size, %a: !shape.shape, %b: !shape.shape) -> !shape.shape attributes {shapesolve.fold} {
    %0 = const_size 0
    %1 = const_size 1
    %width = get_extent %b, %1 : !shape.shape, !shape.size -> !shape.size
    %x = get_extent %a, %0 : !shape.shape, !shape.size -> !shape.size
    %y = get_extent %b, %0 : !shape.shape, !shape.size -> !shape.size
    %n = add %x, %y : !shape.size, !shape.size -> !shape.size
    %w = meet %width, %count, error = "another width" : !shape.size, !shape.size -> !shape.size
    %r = from_extents %n, %w : !shape.size, !shape.size
    return %r : !shape.shape
  }
"""


def words(program: str, body: str, mapping: str) -> list[str]:
    """Return the verdicts of a program whose module lists a library, in order."""
    text = f"module attributes {{shape.lib = [@lib]}} {{\n{library_text(body, mapping)}{program}}}\n"
    report = check_program(read_text(text), Options(execute=False))
    return [each.verdict.word for each in report.checked_obligations]


def counted(predicate: str, limit: int) -> str:
    return f"""func.func @f(%a: tensor<?xf32>) {{
  %n = "my.count"(%a) : (tensor<?xf32>) -> index
  %c0 = arith.constant 0 : index
  %c = arith.constant {limit} : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %most = arith.addi %m, %c : index
  %ok = arith.cmpi {predicate}, %n, %most : index
  cf.assert %ok, "few"
  return
}}
"""


@pytest.mark.parametrize(
    ("predicate", "limit", "word"),
    [("sle", 0, "proved"), ("slt", 1, "proved"), ("slt", 0, "refuted"), ("eq", 0, "refuted"), ("sge", 0, "refuted")],
)
def test_a_number_that_is_bounded_is_no_equality(predicate: str, limit: int, word: str) -> None:
    assert words(counted(predicate, limit), COUNT, "my.count = @count")[-1] == word


@pytest.mark.parametrize(
    ("effects", "second", "word"),
    [("pure", "a", "undecided"), ("", "a", "refuted"), ("pure", "b", "refuted"), ("pure", "cast", "undecided")],
)
def test_two_bounded_numbers_of_one_operand_are_equal_if_the_function_is_pure(
    effects: str, second: str, word: str
) -> None:
    program = f"""func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {{
  %fixed = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %cast = tensor.cast %fixed : tensor<4xf32> to tensor<?xf32>
  %n = "my.count"(%a) : (tensor<?xf32>) -> index
  %m = "my.count"(%{second}) : (tensor<?xf32>) -> index
  %ok = arith.cmpi eq, %n, %m : index
  cf.assert %ok, "the same"
  return
}}
"""
    body = COUNT if effects else COUNT.replace('attributes {shapesolve.effects = "pure"}', "")
    assert words(program, body, "my.count = @count")[-1] == word


def filled(third: str) -> str:
    return f"""func.func @f(%x: tensor<f32>, %n: index, %m: index, %b: tensor<?x3x?xf32>) {{
  %c3 = arith.constant 3 : index
  %r = "my.fill"(%x, %n, {third}, %m) : (tensor<f32>, index, index, index) -> tensor<?x3x?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %r, %c0 : tensor<?x3x?xf32>
  %ok = arith.cmpi eq, %d, %n : index
  cf.assert %ok, "the first size"
  return
}}
"""


def test_numbers_are_taken_as_the_elements_of_a_tensor() -> None:
    fill = library(library_text(FILL, "my.fill = @fill"))["my.fill"]
    assert fill.at((4,), (2, 3)) == ((2, 3),)
    assert fill.at((), ()) == ((),)
    assert fill.at((4,), 2, 3) == ((2, 3),)  # as the operation has them
    assert fill.at((4,)) == ((),)
    right = words(filled("%c3"), FILL, "my.fill = @fill")
    assert right.count("refuted") == 1  # a size may be negative
    assert right[-1] == "proved"
    assert words(filled("%m"), FILL, "my.fill = @fill").count("refuted") == 2  # and it need not be 3


def padded(segments: str, result: str) -> str:
    return f"""func.func @f(%x: tensor<f32>) {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %r = "my.pad"(%x, %c1, %c2, %c5) {{operandSegmentSizes = array<i32: {segments}>}}
    : (tensor<f32>, index, index, index) -> {result}
  return
}}
"""


def test_segment_sizes_say_which_operands_are_whose() -> None:
    body = PAD.replace("concat %low_shape, %high_shape", "concat %high_shape, %low_shape")
    for segments, right in (("1, 1, 2", "2x5x1"), ("1, 2, 1", "5x1x2"), ("1, 0, 3", "1x2x5")):
        assert "refuted" not in words(padded(segments, f"tensor<{right}xf32>"), body, "my.pad = @pad")
    assert "refuted" in words(padded("1, 1, 2", "tensor<1x2x5xf32>"), body, "my.pad = @pad")


@pytest.mark.parametrize("segments", ["2, 1, 1", "1, 1, 1"])
def test_segment_sizes_that_do_not_fit_are_refused(segments: str) -> None:
    with pytest.raises(InputError, match="3 groups of them"):
        words(padded(segments, "tensor<?xf32>"), PAD, "my.pad = @pad")


def test_a_fold_may_have_operands_that_are_given_each_time() -> None:
    stack = library(library_text(STACK, "my.stack = @stack"))["my.stack"]
    assert stack.at(4, (1, 4), (2, 4), (3, 4)) == ((6, 4),)
    assert stack.at(4, (1, 4), (2, 4), (3, 5)) is None
    program = """func.func @f(%n: index, %a: tensor<?x?xf32>, %b: tensor<?x4xf32>, %c: tensor<?x?xf32>) {
  %r = "my.stack"(%n, %a, %b, %c) : (index, tensor<?x?xf32>, tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
"""
    assert words(program, STACK, "my.stack = @stack").count("refuted") >= 2
    short = program.replace("(%n, %a, %b, %c) : (index, tensor<?x?xf32>, tensor<?x4xf32>, ", "(%n, %c) : (index, ")
    assert "refuted" not in words(short, STACK, "my.stack = @stack")
    with pytest.raises(InputError, match="takes at least 2"):
        words(
            'func.func @f(%n: index) {\n  "my.stack"(%n) : (index) -> tensor<f32>\n  return\n}',
            STACK,
            "my.stack = @stack",
        )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (FILL.replace("tensor<?xindex>", "tensor<3xindex>"), "stands alone, on a tensor"),
        (FILL.replace("shapesolve.variadic", "shapesolve.variadic = 2"), "stands alone, on a tensor"),
        (FILL.replace("shapesolve.variadic", 'shapesolve.variadic, shapesolve.attribute = "n"'), "takes no operand"),
        (COUNT.replace("shapesolve.at_most", "shapesolve.at_most = [0]"), "a number has no extents"),
    ],
)
def test_attributes_that_say_nothing_are_refused(body: str, words: str) -> None:
    name = body.split("@")[1].split("(")[0]
    with pytest.raises(InputError, match=words):
        library(library_text(body, f"my.op = @{name}"))
