"""Operands, attributes and results of an operation as those of a shape function."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import checked, library_text, written

CONCAT = """  func @concat(
      %a: !shape.shape, %b: !shape.shape, %axis: index {shapesolve.attribute = "axis"}) -> !shape.shape {
    %c1 = const_size 1
    %i = index_to_size %axis
    %j = add %i, %c1 : !shape.size, !shape.size -> !shape.size
    %head, %ta = "shape.split_at"(%a, %i) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
    %x, %tail = "shape.split_at"(%a, %j) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
    %ea = get_extent %a, %i : !shape.shape, !shape.size -> !shape.size
    %eb = get_extent %b, %i : !shape.shape, !shape.size -> !shape.size
    %e = add %ea, %eb : !shape.size, !shape.size -> !shape.size
    %mid = from_extents %e : !shape.size
    %r0 = concat %head, %mid : !shape.shape, !shape.shape -> !shape.shape
    %r = concat %r0, %tail : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }"""

RESHAPED = """  func @reshaped(
      %a: !shape.value_shape, %to: tensor<?xindex> {shapesolve.attribute = "to"}) -> tensor<?xindex> {
    return %to : tensor<?xindex>
  }"""

FILLED = """  func @filled(
      %to: tensor<2xindex>, %n: !shape.size, %flag: i1 {shapesolve.attribute = "flag"}) -> (tensor<2xindex>, index) {
    %m = size_to_index %n : !shape.size
    %zero = arith.constant 0 : index
    %k = arith.select %flag, %m, %zero : index
    return %to, %k : tensor<2xindex>, index
  }"""


def result(text: str, path: str, *assumptions: str) -> list[str]:
    (function,) = checked(text, path, assumptions=assumptions).functions
    assert all(each.verdict.word == "proved" for each in function.checked_obligations)
    assert not function.approximations
    results = function.trace.results
    assert results is not None
    return [str(getattr(each, "shape", each)) for each in results]


@pytest.mark.parametrize(("axis", "shape"), [(0, "[a[0] + b[0], a[1]]"), (1, "[a[0], a[1] + b[1]]")])
@pytest.mark.covers("inference.local")
def test_an_attribute_is_passed_as_an_argument(tmp_path: Path, axis: int, shape: str) -> None:
    path = written(tmp_path, library_text(CONCAT, "my.concat = @concat"))
    text = f"""func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %r = "my.concat"(%a, %b) {{axis = {axis}}} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}
"""
    assert result(text, path) == [shape]


@pytest.mark.parametrize("to", ["array<i64: 2, 6>", "[2, 6]", "dense<[2, 6]> : tensor<2xi64>"])
def test_a_list_attribute_is_passed_as_a_tensor(tmp_path: Path, to: str) -> None:
    path = written(tmp_path, library_text(RESHAPED, "my.reshape = @reshaped"))
    text = f"""func.func @f(%a: tensor<?xf32>) -> tensor<?x?xf32> {{
  %r = "my.reshape"(%a) {{to = {to}}} : (tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}
"""
    assert result(text, path) == ["[2, 6]"]


@pytest.mark.parametrize(("flag", "number"), [("true", "n"), ("false", "0")])
def test_contents_and_numbers(tmp_path: Path, flag: str, number: str) -> None:
    """The elements of an operand are extents of the result; an index is a size; there are two results."""
    path = written(tmp_path, library_text(FILLED, "my.fill = @filled"))
    text = f"""func.func @f(%n: index, %m: index) -> (tensor<?x?xf32>, index) {{
  %to = tensor.from_elements %n, %m : tensor<2xindex>
  %r, %k = "my.fill"(%to, %n) {{flag = {flag}}} : (tensor<2xindex>, index) -> (tensor<?x?xf32>, index)
  return %r, %k : tensor<?x?xf32>, index
}}
"""
    assert result(text, path, "n >= 0", "m >= 0") == ["[n, m]", number]
    words = {
        each.obligation.message for each in checked(text, path).checked_obligations if each.verdict.word == "refuted"
    }
    assert any("negative extent" in each for each in words)


def test_declared_types_are_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, library_text(RESHAPED, "my.reshape = @reshaped"))
    text = """func.func @f(%a: tensor<?xf32>) {
  %r = "my.reshape"(%a) {to = [2, 6]} : (tensor<?xf32>) -> tensor<2x5xf32>
  %s = "my.reshape"(%a) {to = [2, 6]} : (tensor<?xf32>) -> tensor<2x6x1xf32>
  return
}
"""
    found = {each.obligation.clause: each.verdict.word for each in checked(text, path).checked_obligations}
    assert found == {"T2": "refuted", "T1": "unreachable"}
