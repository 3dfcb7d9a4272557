"""Differential test of the elements of reduced small integer tensors against numpy."""

from __future__ import annotations

from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples
from support.other_executions import interpreted

from shapesolve.domain.values import Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula

TYPES = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "i1": np.bool_}
FOLDS = {
    "add": np.add,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
}
SMALL = {"i8": (-128, 127), "i32": (-(2**31), 2**31 - 1), "i64": (-(2**15), 2**15), "i1": (0, 1)}
SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=3).filter(lambda shape: prod(shape) <= 8)


def unit(name: str, type: str) -> int:
    if type == "i1":
        return 1 if name == "and" else 0
    half = 2 ** (int(type[1:]) - 1)
    return {"add": 0, "multiply": 1, "maximum": -half, "minimum": half - 1, "and": -1, "or": 0}[name]


def spelled(numbers: np.ndarray, type: str) -> str:
    return str(numbers.tolist()).replace("True", "true").replace("False", "false")


def program(name: str, type: str, numbers: np.ndarray, folded: tuple[int, ...], start: int) -> str:
    source = f"tensor<{'x'.join(map(str, (*numbers.shape, type)))}>"
    left = [str(extent) for index, extent in enumerate(numbers.shape) if index not in folded]
    result = f"tensor<{'x'.join((*left, type))}>"
    first = ("false", "true")[start] if type == "i1" else start
    return f"""func.func @f() -> {result} {{
      %a = stablehlo.constant dense<{spelled(numbers, type)}> : {source}
      %z = stablehlo.constant dense<{first}> : tensor<{type}>
      %r = stablehlo.reduce(%a init: %z) applies stablehlo.{name} across dimensions = {list(folded)}
        : ({source}, tensor<{type}>) -> {result}
      return %r : {result}
    }}"""


def held(text: str) -> list[int] | None:
    """The elements of what is returned, where they are known."""
    trace = trace_of(text)
    (result,) = [value for op in trace.reached if op.name == "func.return" for value in op.operands]
    found = trace.values[result]
    assert isinstance(found, Tensor)
    if found.elements is None:
        return None
    return [_number(each) for each in found.elements]


def _number(element: object) -> int:
    if isinstance(element, Formula):
        return int(holds(element, {}))
    assert isinstance(element, Dim)
    return evaluate(element, {})


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", FOLDS)
@examples(8)
@given(data=st.data())
def test_folded_contents_agree_with_numpy(name: str, type: str, data: st.DataObject) -> None:
    if type == "i1" and name not in ("and", "or"):
        return
    shape = data.draw(SHAPES)
    low, high = SMALL[type] if name != "multiply" or type != "i64" else (-9, 9)
    numbers = np.array([data.draw(st.integers(low, high)) for _ in range(prod(shape))], TYPES[type]).reshape(shape)
    folded = tuple(sorted(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1))))
    found = held(program(name, type, numbers, folded, unit(name, type)))
    wanted = FOLDS[name].reduce(numbers, axis=folded, dtype=TYPES[type])
    assert found == [int(each) for each in np.ravel(wanted)]


@pytest.mark.parametrize(("name", "start"), [("add", 1), ("multiply", 0), ("maximum", 0), ("minimum", 5), ("and", 1)])
def test_an_initial_value_that_changes_something_may_take_part_or_not(name: str, start: int) -> None:
    assert held(program(name, "i8", np.array([3, 4], np.int8), (0,), start)) is None


def test_unsigned_integers_are_not_followed() -> None:
    assert held(program("add", "ui8", np.array([3, 200], np.uint8), (0,), 0)) is None


def test_a_body_whose_order_matters_is_not_followed() -> None:
    text = """func.func @f() -> tensor<i8> {
      %a = stablehlo.constant dense<[3, 4]> : tensor<2xi8>
      %z = stablehlo.constant dense<0> : tensor<i8>
      %r = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
      reducer(%x: tensor<i8>, %y: tensor<i8>) {
        %s = stablehlo.add %y, %x : tensor<i8>
        stablehlo.return %s : tensor<i8>
      }
      return %r : tensor<i8>
    }"""
    assert held(text) == [7]
    assert held(text.replace("stablehlo.add", "stablehlo.subtract")) is None
    assert held(text.replace("%y, %x", "%y, %y")) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_contents_of_windows_agree_with_the_interpreter_of_stablehlo(seed: int) -> None:
    random = Random(seed)
    rank, name, type = random.randint(1, 2), random.choice([*FOLDS]), random.choice(["i8", "i32"])
    shape = [random.randint(1, 4) for _ in range(rank)]
    sizes, strides, gaps, base = ([random.randint(1, most) for _ in range(rank)] for most in (3, 3, 2, 2))
    padding = [[random.randint(-1, 2), random.randint(-1, 2)] for _ in range(rank)]
    dilated = [
        (extent - 1) * between + 1 + sum(ends) for extent, between, ends in zip(shape, base, padding, strict=True)
    ]
    window = [(size - 1) * gap + 1 for size, gap in zip(sizes, gaps, strict=True)]
    if min(dilated) < 0:
        return
    counts = [
        (extent - width) // stride + 1 if extent >= width else 0
        for extent, width, stride in zip(dilated, window, strides, strict=True)
    ]
    numbers = np.array([random.randint(-128, 127) for _ in range(prod(shape))], TYPES[type]).reshape(shape)
    source, result = (f"tensor<{'x'.join(map(str, (*extents, type)))}>" for extents in (shape, counts))
    lists = {"window_dimensions": sizes, "window_strides": strides, "window_dilations": gaps, "base_dilations": base}
    attributes = ", ".join(f"{key} = array<i64: {str(each)[1:-1]}>" for key, each in lists.items())
    text = f"""func.func @f() -> {result} {{
      %a = stablehlo.constant dense<{spelled(numbers, type)}> : {source}
      %z = stablehlo.constant dense<{unit(name, type)}> : tensor<{type}>
      %r = "stablehlo.reduce_window"(%a, %z) <{{{attributes}, padding = dense<{padding}> : tensor<{rank}x2xi64>}}> ({{
      ^bb0(%x: tensor<{type}>, %y: tensor<{type}>):
        %s = stablehlo.{name} %x, %y : tensor<{type}>
        stablehlo.return %s : tensor<{type}>
      }}) : ({source}, tensor<{type}>) -> {result}
      return %r : {result}
    }}"""
    found = held(text)
    if found is None:
        assert prod(counts) > 16 or prod(counts) * prod(sizes) > 64
    else:
        assert found == [int(each) for each in np.ravel(interpreted(text, [()])[0])]
