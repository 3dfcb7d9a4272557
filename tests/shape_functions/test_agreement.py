"""Test that a shape function gives the same on variables as on numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from support.library_programs import checked, library_text, verdicts, written

from shapesolve import dims
from shapesolve.shape_functions.queries import library
from shapesolve.shape_functions.shape_function import ShapeFunction
from shapesolve.symbolic.evaluation import evaluate_shape, holds
from shapesolve.symbolic.shape_kinds import Shape

Extents = tuple[int, ...]

VALUES = "%a: !shape.value_shape, %b: !shape.value_shape"
SHAPES = "%a: !shape.shape, %b: !shape.shape"
OF_BOTH = """    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %t = shape_of %b : !shape.value_shape -> !shape.shape
"""

FUNCTIONS = {
    "broadcast": f"""  func @f({SHAPES}) -> !shape.shape {{
    %r = broadcast %a, %b {{error = "no"}} : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }}""",
    "meet": f"""  func @f({VALUES}) -> !shape.shape {{
{OF_BOTH}    %r = meet %s, %t, error = "no" : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }}""",
    "concat": f"""  func @f({SHAPES}) -> !shape.shape {{
    %r = concat %a, %b : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }}""",
    "with_shape": f"""  func @f({VALUES}) -> !shape.shape {{
    %s = shape_of %a : !shape.value_shape -> !shape.shape
    %v = with_shape %b, %s : !shape.value_shape, !shape.shape
    %r = shape_of %v : !shape.value_shape -> !shape.shape
    return %r : !shape.shape
  }}""",
    "stacked": """  func @f(%a: !shape.shape, %b: !shape.shape) -> tensor<2xindex> {
    %n = num_elements %a : !shape.shape -> !shape.size
    %m = num_elements %b : !shape.shape -> !shape.size
    %i = size_to_index %n : !shape.size
    %j = size_to_index %m : !shape.size
    %less = arith.cmpi slt, %i, %j : index
    %k = scf.if %less -> index {
      %d = arith.subi %j, %i : index
      scf.yield %d : index
    } else {
      %c = func.call @double(%i) : (index) -> index
      scf.yield %c : index
    }
    %r = tensor.from_elements %k, %j : tensor<2xindex>
    return %r : tensor<2xindex>
  }
  func.func @double(%x: index) -> index {
    %0 = arith.addi %x, %x : index
    func.return %0 : index
  }""",
    "cropped": """  func @f(%a: !shape.shape, %b: !shape.shape) -> tensor<1xindex> {
    %n = num_elements %a : !shape.shape -> !shape.size
    %m = num_elements %b : !shape.shape -> !shape.size
    %i = size_to_index %n : !shape.size
    %j = size_to_index %m : !shape.size
    %d = arith.subi %i, %j : index
    %r = tensor.from_elements %d : tensor<1xindex>
    return %r : tensor<1xindex>
  }""",
    "checked": f"""  func @f({SHAPES}) -> !shape.shape {{
    %w = cstr_eq %a, %b : !shape.shape, !shape.shape
    %r = assuming %w -> (!shape.shape) {{
      shape.assuming_yield %a : !shape.shape
    }}
    return %r : !shape.shape
  }}""",
}


def _numpy_broadcast(a: Extents, b: Extents) -> Extents | None:
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        return None


def _stacked(a: Extents, b: Extents) -> Extents:
    n, m = int(np.prod(a, dtype=int)), int(np.prod(b, dtype=int))
    return (m - n, m) if n < m else (2 * n, m)


def _cropped(a: Extents, b: Extents) -> Extents | None:
    left = int(np.prod(a, dtype=int)) - int(np.prod(b, dtype=int))
    return (left,) if left >= 0 else None


ORACLES: dict[str, Callable[[Extents, Extents], Extents | None]] = {
    "broadcast": _numpy_broadcast,
    "meet": lambda a, b: a if a == b else None,
    "concat": lambda a, b: a + b,
    "with_shape": lambda a, b: a if a == b else None,
    "stacked": _stacked,
    "cropped": _cropped,
    "checked": lambda a, b: a if a == b else None,
}

SIZES = (0, 1, 2, 3, 4)
RANKS = ((0, 0), (1, 1), (2, 1), (2, 2), (0, 2))


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.covers("shape.func")
@pytest.mark.covers("inference.compiler_and_run_time")
@pytest.mark.covers("inference.interoperable")
@pytest.mark.covers("inference.declarative")
def test_symbolic_results_are_the_concrete_ones(name: str, tmp_path: Path) -> None:
    function = library(written(tmp_path, library_text(FUNCTIONS[name], "my.op = @f")))["my.op"]
    outcomes = set[bool]()
    for left, right in RANKS:
        xs = dims(" ".join(f"X{i}" for i in range(left))) if left else ()
        ys = dims(" ".join(f"Y{i}" for i in range(right))) if right else ()
        symbolic = function.on(list(xs), list(ys))
        assert not symbolic.approximations
        (result,) = symbolic.results
        assert isinstance(result, Shape)
        for a in product(SIZES, repeat=left):
            for b in product(SIZES, repeat=right):
                expected = ORACLES[name](a, b)
                assert function.at(a, b) == (None if expected is None else (expected,)), (a, b)
                pairs = zip((*xs, *ys), (*a, *b), strict=True)
                sizes = {variable: number for size, number in pairs for variable in size.variables}
                assert holds(symbolic.valid, sizes) == (expected is not None), (a, b)
                if expected is not None:
                    assert evaluate_shape(result, sizes) == expected, (a, b)
                outcomes.add(expected is None)
    assert outcomes == ({False} if name in ("concat", "stacked") else {False, True})


@pytest.mark.covers("inference.partly_known")
def test_broadcast_of_unknown_ranks_agrees_with_the_builtin_rule(tmp_path: Path) -> None:
    path = written(tmp_path, library_text(FUNCTIONS["broadcast"], "my.op = @f"))
    text = """func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %r = "my.op"(%a, %b) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %s = "my.op"(%r, %b) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %t = "my.op"(%a, %a) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}
func.func @g(%a: tensor<16x?xf32>, %b: tensor<?x16xf32>) {
  %r = "my.op"(%a, %b) : (tensor<16x?xf32>, tensor<?x16xf32>) -> tensor<16x16xf32>
  return
}
"""
    found = verdicts(checked(text, path))
    assert found["f/my.op.1/V1"] == "refuted"
    assert found["f/my.op.2/V1"] == "proved"
    assert found["g/my.op.1/V1"] == "refuted"
    assert found.keys() == {"f/my.op.1/V1", "f/my.op.2/V1", "g/my.op.1/V1"}  # where it broadcasts, g's result is 16x16


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_results_are_the_interpreted_ones(name: str) -> None:
    function = library(library_text(FUNCTIONS[name], "my.op = @f"))["my.op"]
    for left, right in RANKS:
        for a, b in product(product((0, 1, 2, 3), repeat=left), product((0, 1, 3), repeat=right)):
            assert function.at(a, b) == function._interpreted((a, b), None), (a, b)


def test_overflowing_functions_are_interpreted() -> None:
    function = library(library_text(FUNCTIONS["stacked"], "my.op = @f"))["my.op"]
    large = (1 << 32, 1 << 31)
    assert function.at((2,), (3,)) == ((1, 3),)  # compiled for these ranks
    assert function.at((3, 1), large) == function._interpreted(((3, 1), large), None)
    assert function.at(large, (1, 5)) == function._interpreted((large, (1, 5)), None)


NUMBERS = {
    "mul": """  func @f(%a: !shape.shape, %n: !shape.size) -> !shape.shape {
    %0 = const_size 0
    %e = get_extent %a, %0 : !shape.shape, !shape.size -> !shape.size
    %m = mul %e, %n : !shape.size, !shape.size -> !shape.size
    %r = from_extents %m : !shape.size
    return %r : !shape.shape
  }""",
    "div": """  func @f(%a: !shape.shape, %n: !shape.size) -> !shape.size {
    %e = num_elements %a : !shape.shape -> !shape.size
    %r = div %e, %n : !shape.size, !shape.size -> !shape.size
    return %r : !shape.size
  }""",
    "get_extent": """  func @f(%a: !shape.shape, %n: !shape.size) -> !shape.size {
    %r = get_extent %a, %n : !shape.shape, !shape.size -> !shape.size
    return %r : !shape.size
  }""",
    "split_at": """  func @f(%a: !shape.shape, %n: index) -> !shape.shape {
    %r, %s = "shape.split_at"(%a, %n) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
    return %s : !shape.shape
  }""",
    "branch": """  func @f(%a: !shape.shape, %n: index) -> !shape.shape {
    %c0 = arith.constant 0 : index
    %p = arith.cmpi slt, %n, %c0 : index
    %r = scf.if %p -> (!shape.shape) {
      %t = shape.from_extents %c0 : index
      scf.yield %t : !shape.shape
    } else {
      scf.yield %a : !shape.shape
    }
    return %r : !shape.shape
  }""",
    "wraps": """  func @f(%a: !shape.shape, %n: i8) -> i8 {
    %c = arith.constant 100 : i8
    %r = arith.addi %n, %c : i8
    return %r : i8
  }""",
    "at_most": """  func @f(%a: !shape.shape, %n: !shape.size)
      -> (!shape.shape {shapesolve.at_most = [0]}, !shape.size) {
    %r = from_extents %n, %n : !shape.size, !shape.size
    return %r, %n : !shape.shape, !shape.size
  }""",
    "too_short": """  func @f(%a: !shape.shape, %n: !shape.size) -> !shape.size {
    %7 = const_size 7
    %r = get_extent %a, %7 : !shape.shape, !shape.size -> !shape.size
    return %r : !shape.size
  }""",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERS)
def test_compiled_results_of_numbers_are_the_interpreted_ones(name: str) -> None:
    function = library(library_text(NUMBERS[name], "my.op = @f"))["my.op"]
    for extents, number in product([(), (0,), (3,), (2, 5), (4, 0, 1)], [-129, -3, -1, 0, 1, 2, 7, 127, 1 << 62]):
        assert function.at(extents, number) == function._interpreted((extents, number), None), (extents, number)


def test_what_always_fails_and_what_is_never_known_is_compiled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = {name: library(library_text(NUMBERS[name], "my.op = @f"))["my.op"] for name in ("at_most", "too_short")}
    monkeypatch.setattr(ShapeFunction, "_interpreted", None)
    assert [functions["at_most"].at((2,), number) for number in (3, 4)] == [(None, 3), (None, 4)]
    assert functions["too_short"].at((2, 3), 4) is None
