"""Attributes of shape functions: upper bounds, functions without a body, folds over operands, element types."""

from __future__ import annotations

import pytest
from support.library_programs import library_text

from shapesolve.checker.report import Report
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.shape_functions.queries import library
from shapesolve.solver.verdicts import Proved, Refuted

WHERE = """
  func @where(%a: !shape.value_shape) -> (!shape.shape {shapesolve.at_most = [0]}) {
    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %n = num_elements %s : !shape.shape -> !shape.size
    %r = rank %s : !shape.shape -> !shape.size
    %x = from_extents %n, %r : !shape.size, !shape.size
    return %x : !shape.shape
  }
"""
JOIN = """
  func @join(%a: !shape.shape, %b: !shape.shape) -> !shape.shape attributes {shapesolve.fold} {
    %0 = const_size 0
    %1 = const_size 1
    %x = get_extent %a, %0 : !shape.shape, !shape.size -> !shape.size
    %y = get_extent %b, %0 : !shape.shape, !shape.size -> !shape.size
    %v = get_extent %a, %1 : !shape.shape, !shape.size -> !shape.size
    %w = get_extent %b, %1 : !shape.shape, !shape.size -> !shape.size
    %m = meet %v, %w, error = "rows differ" : !shape.size, !shape.size -> !shape.size
    %n = add %x, %y : !shape.size, !shape.size -> !shape.size
    %r = from_extents %n, %m : !shape.size, !shape.size
    return %r : !shape.shape
  }
"""
READ = "  func private @read() -> !shape.shape"
CAST = """
  func @cast(%a: !shape.shape {shapesolve.element = f32}, %b: !shape.shape {shapesolve.element = 0})
      -> (!shape.shape {shapesolve.element = f16}) {
    return %a : !shape.shape
  }
"""


MISPLACED = "!shape.shape attributes {shapesolve.element}"


def report(program: str, body: str, mapping: str) -> Report:
    """Return the check of a program whose module lists a library."""
    text = f"module attributes {{shape.lib = [@lib]}} {{\n{library_text(body, mapping)}{program}}}\n"
    return check_program(read_text(text), Options(execute=False))


def bounded(limit: int) -> str:
    """Return a program that asserts a bound of the rows that an operation finds."""
    return f"""func.func @f(%a: tensor<?x3xf32>) {{
  %w = "my.where"(%a) : (tensor<?x3xf32>) -> tensor<?x2xindex>
  %c0 = arith.constant 0 : index
  %limit = arith.constant {limit} : index
  %n = tensor.dim %w, %c0 : tensor<?x2xindex>
  %m = tensor.dim %a, %c0 : tensor<?x3xf32>
  %most = arith.muli %m, %limit : index
  %ok = arith.cmpi sle, %n, %most : index
  cf.assert %ok, "few"
  return
}}
"""


def test_an_upper_bound_is_proved_and_nothing_below_it() -> None:
    assert all(
        isinstance(each.verdict, Proved) for each in report(bounded(3), WHERE, "my.where = @where").checked_obligations
    )
    below = report(bounded(2), WHERE, "my.where = @where").checked_obligations
    assert [each.verdict.word for each in below if each.obligation.op.name == "cf.assert"] == ["refuted"]


def test_run_time_results_are_any_shape_of_their_type() -> None:
    program = """func.func @f() {
  %r = "my.read"() : () -> tensor<?x4xf32>
  %s = "my.read"() : () -> tensor<?x4xf32>
  %0 = tosa.add %r, %r : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.add %r, %s : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}
"""
    words = [each.verdict.word for each in report(program, READ, "my.read = @read").checked_obligations]
    assert words[0] == "proved"
    assert words[1] != "proved"


def test_a_fold_takes_any_number_of_operands() -> None:
    join = library(library_text(JOIN, "my.join = @join"))["my.join"]
    assert join.at((2, 5)) == ((2, 5),)
    assert join.at((2, 5), (3, 5)) == ((5, 5),)
    assert join.at((2, 5), (3, 5), (0, 5), (7, 5)) == ((12, 5),)
    assert join.at((2, 5), (3, 5), (0, 4)) is None
    program = """func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "my.join"(%a, %b, %c) : (tensor<?x?xf32>, tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
    refuted = [
        each
        for each in report(program, JOIN, "my.join = @join").checked_obligations
        if isinstance(each.verdict, Refuted)
    ]
    assert {str(each.obligation.claim) for each in refuted} == {"a[1] == 4", "c[1] == 4"}
    assert all("rows differ" in each.obligation.message for each in refuted)


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (("f32", "f32", "f16"), set[str]()),
        (("f64", "f64", "f16"), {"E1"}),
        (("f32", "f16", "f16"), {"E1"}),
        (("f32", "f32", "f32"), {"E2"}),
    ],
)
def test_element_types_are_demanded_and_inferred(types: tuple[str, str, str], expected: set[str]) -> None:
    a, b, r = (f"tensor<?x{each}>" for each in types)
    program = f"""func.func @f(%a: {a}, %b: {b}) {{
  %r = "my.cast"(%a, %b) : ({a}, {b}) -> {r}
  return
}}
"""
    checked_obligations = report(program, CAST, "my.cast = @cast").checked_obligations
    assert {each.obligation.clause for each in checked_obligations if isinstance(each.verdict, Refuted)} == expected


def test_functions_that_may_lose_static_shapes_are_known() -> None:
    body = WHERE + JOIN + READ + CAST
    functions = library(library_text(body, "my.where = @where, my.join = @join, my.read = @read, my.cast = @cast"))
    lost = {name for name, each in functions.items() if each.may_lose_static_shapes}
    assert lost == {"my.where", "my.read"}
    assert functions["my.where"].at((2, 3)) == (None,)
    assert functions["my.read"].at() == (None,)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (WHERE.replace("[0]", '"rows"'), "stands alone or lists extents"),
        (WHERE.replace("[0]", "[-1]"), "stands alone or lists extents"),
        (CAST.replace("element = 0", "element = 7"), "the number of the operand"),
        (CAST.replace("(!shape.shape {shapesolve.element = f16})", MISPLACED), "belongs to an argument"),
        (CAST.replace("shapesolve.element = f16", "shapesolve.shape = f16"), "belongs to an argument"),
        (JOIN.replace("%b: !shape.shape)", "%b: !shape.shape, %c: !shape.size)"), "two operands are shapes"),
    ],
)
def test_attributes_that_say_nothing_are_refused(body: str, words: str) -> None:
    name = body.split("@")[1].split("(")[0]
    with pytest.raises(InputError, match=words):
        library(library_text(body, f"my.op = @{name}"))


ON_NUMBERS = """
  func @fill(%sizes: tensor<?xindex> {shapesolve.variadic}) -> !shape.shape {
    %r = from_extent_tensor %sizes : tensor<?xindex>
    return %r : !shape.shape
  }
"""
ON_CONTENTS = """
  func @reshape(%x: !shape.shape, %to: !shape.value_shape) -> !shape.shape {
    %v = value_of %to : tensor<?xindex>
    %r = value_as_shape %v : tensor<?xindex> -> !shape.shape
    return %r : !shape.shape
  }
"""
IN_A_REGION = """
  func @either(%x: !shape.shape, %to: tensor<1xindex>) -> !shape.shape {
    %0 = const_size 0
    %n = get_extent %x, %0 : !shape.shape, !shape.size -> !shape.size
    %i = size_to_index %n : !shape.size
    %c4 = arith.constant 4 : index
    %large = arith.cmpi uge, %i, %c4 : index
    %r = scf.if %large -> (!shape.shape) {
      %s = shape.from_extent_tensor %to : tensor<1xindex>
      scf.yield %s : !shape.shape
    } else {
      scf.yield %x : !shape.shape
    }
    return %r : !shape.shape
  }
"""
COUNTED = """
  func @counted(%x: !shape.shape) -> !shape.shape {
    %0 = const_size 0
    %n = get_extent %x, %0 : !shape.shape, !shape.size -> !shape.size
    %i = size_to_index %n : !shape.size
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = scf.for %k = %c0 to %i step %c1 iter_args(%a = %c1) -> (index) {
      %square = arith.muli %a, %a : index
      %next = arith.addi %square, %k : index
      scf.yield %next : index
    }
    %r = from_extents %p : index
    return %r : !shape.shape
  }
"""
EXACT = """
  func @exact(%x: !shape.shape, %axis: index {shapesolve.attribute = "axis"}) -> !shape.shape {
    %wanted = const_shape [1, 3, 224, 224] : !shape.shape
    %r = meet %x, %wanted, error = "an image" : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }
"""


@pytest.mark.parametrize(
    ("body", "is_lost"),
    [(ON_NUMBERS, True), (ON_CONTENTS, True), (IN_A_REGION, True), (COUNTED, False), (EXACT, False)],
)
def test_results_that_depend_on_numbers_or_contents_are_lost(body: str, is_lost: bool) -> None:
    """The document: should functions that produce dynamic outputs given all statically shaped inputs be marked?"""
    name = body.split("@")[1].split("(")[0]
    assert library(library_text(body, f"my.op = @{name}"))["my.op"].may_lose_static_shapes is is_lost
