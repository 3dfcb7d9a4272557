"""Test of shape queries, which report no findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.library_programs import BINARY, USE, library_text, written

from shapesolve import dims
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir import bindings
from shapesolve.options import Options
from shapesolve.shape_functions.queries import library, shapes_of
from shapesolve.shape_functions.shape_function import ShapeFunction


@pytest.fixture
def path(tmp_path: Path) -> str:
    return written(tmp_path, library_text(BINARY, "my.op = @binary"))


@pytest.mark.covers("inference.before_construction")
@pytest.mark.covers("inference.own_type_systems")
def test_before_there_is_an_operation(path: str) -> None:
    binary = library(path)["my.op"]
    assert binary.at((2, 0), (2, 0)) == ((2, 0),)
    assert binary.at((2, 1), (2, 0)) is None
    n, m = dims("N M")
    applied = binary.on([n, 4], [m, 4])
    assert str(applied.valid) == "M == N"
    assert applied.message is None
    assert binary.on([n, 4], [m, 5]).message is not None
    assert "the operands differ" in (binary.on([n, 4], [m, 5]).message or "")


@pytest.mark.covers("inference.pure")
@pytest.mark.covers("inference.optional_reports")
def test_queries_of_a_library_have_no_effect_on_later_ones(path: str, capfd: pytest.CaptureFixture[str]) -> None:
    binary = library(path)["my.op"]
    assert [binary.at((2,), (3,)), binary.at((2,), (2,)), binary.at((2,), (3,))] == [None, ((2,),), None]
    first, second = (shapes_of(USE, options=Options(libraries=(path,))) for _ in range(2))
    assert str(first) == str(second) == "([a[0], a[1]],)"
    assert shapes_of("nonsense {") is None
    assert shapes_of(USE, "nosuch") is None
    assert shapes_of(USE, options=Options(libraries=("nosuch.mlir",))) is None
    assert capfd.readouterr() == ("", "")


def test_a_program_that_always_fails() -> None:
    text = """func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: i1) -> tensor<?xf32> {{
  {before}
  %r = "tosa.add"(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
"""
    casts = """%x = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %y = tensor.cast {second} : tensor<{size}xf32> to tensor<?xf32>"""
    assert shapes_of(text.format(before=casts.format(second="%b", size=3))) is None
    assert str(shapes_of(text.format(before=casts.format(second="%a", size=2)))) == "([2],)"


def test_operands_that_are_not_taken(path: str) -> None:
    binary = library(path)["my.op"]
    with pytest.raises(InputError, match="takes 2 operands, not 1"):
        binary.at((2,))
    with pytest.raises(InputError, match="does not take operand 1"):
        binary.at((2,), 3)


def test_libraries_as_text_and_as_modules(path: str) -> None:
    text = library_text(BINARY, "my.op = @binary")
    with bindings.ir().Context():
        module = bindings.ir().Module.parse(text)
        found = [library(each)["my.op"].at((2, 0), (2, 0)) for each in (path, Path(path), text, module)]
    assert found == [((2, 0),)] * 4
    with pytest.raises(TypeError, match="a path, the text of MLIR"):
        library(3)
    with pytest.raises(InputError, match="no shape"):
        library("func.func @f() {\n  return\n}")


AXES = """
shape.function_library @axes {
  func @along(%x: !shape.shape, %axis: index {shapesolve.attribute = "axis"}) -> !shape.shape {
    %n = get_extent %x, %axis : !shape.shape, index -> !shape.size
    %r = from_extents %n : !shape.size
    return %r : !shape.shape
  }
  func @any(%x: !shape.shape) -> !shape.shape {
    return %x : !shape.shape
  }
} mapping { my.along = @along, my.any = @any }
"""


def test_a_function_is_compiled_once_for_its_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    along = library(AXES)["my.along"]
    extents = (3, 4)
    expected = {0: ((3,),), 1: ((4,),), 2: None}
    for axis, answer in expected.items():
        assert along.at(extents, attributes={"axis": axis}) == answer
    assert along.at(extents, attributes={"axis": True}) == along.at(extents, attributes={"axis": True})
    with pytest.raises(InputError, match="axis"):
        along.at(extents)
    monkeypatch.setattr(ShapeFunction, "on", None)  # nothing is interpreted again
    for axis, answer in expected.items():
        assert along.at(extents, attributes={"axis": axis}) == answer
    assert along.at((7, 8), attributes={"axis": 1}) == ((8,),)


def test_extents_that_are_no_sizes() -> None:
    same = library(AXES)["my.any"]
    assert same.at((0, MAX_SIZE)) == ((0, MAX_SIZE),)
    for wrong in ((-1, 2), (2, MAX_SIZE + 1)):
        with pytest.raises(ValueError, match="is no size"):
            same.at(wrong)
    for no_integer in ((1.5, 2), (None,), "ab"):
        with pytest.raises(TypeError):
            same.at(no_integer)  # pyright: ignore[reportArgumentType]


def test_options_of_another_type() -> None:
    with pytest.raises(TypeError, match="options are an Options"):
        shapes_of("func.func @f() {\n  return\n}", options=None)  # pyright: ignore[reportArgumentType]
