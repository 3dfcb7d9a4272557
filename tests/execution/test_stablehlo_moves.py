"""Reverses and paddings of StableHLO that its own lowering leaves out, executed, against numpy."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt
import pytest

from shapesolve.execution.execution import Outcome, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

Array = npt.NDArray[np.int64]
Extents = tuple[int, ...]


def filled(extents: Extents) -> Array:
    return np.array([n * n % 11 - 4 for n in range(prod(extents))], dtype=np.int64).reshape(extents)


def executed(text: str, arrays: list[Array], checks: bool) -> Array:
    call = [TensorInput(each.shape, tuple(map(int, each.flat))) for each in arrays]
    (run,) = execute_many(text, "f", [call], runtime_checks=checks)
    assert run.outcome is Outcome.RETURNED, run
    (extents,) = run.result_extents
    (values,) = run.result_values
    assert isinstance(extents, tuple)
    assert values is not None
    return np.array(values, dtype=np.int64).reshape(extents)


@pytest.mark.parametrize("type", ["?x?x?", "2x3x4", "2x?x4"])
@pytest.mark.parametrize("dimensions", [(), (1,), (0, 2), (0, 1, 2)])
def test_reverse_is_executed_as_numpys_flip(type: str, dimensions: tuple[int, ...]) -> None:
    text = f"""func.func @f(%a: tensor<{type}xi64>) -> tensor<{type}xi64> {{
      %r = stablehlo.reverse %a, dims = {list(dimensions)} : tensor<{type}xi64>
      return %r : tensor<{type}xi64>
    }}"""
    array = filled((2, 3, 4))
    for checks in (False, True):
        assert np.array_equal(executed(text, [array], checks), np.flip(array, dimensions))


def padded(array: Array, value: int, amounts: list[tuple[int, int, int]]) -> Array:
    """Return what the specification says, element by element."""
    extents = [
        low + high + extent + max(extent - 1, 0) * gap
        for extent, (low, high, gap) in zip(array.shape, amounts, strict=True)
    ]
    found = np.full(extents, value, dtype=np.int64)
    for place in np.ndindex(*array.shape):
        moved = tuple(low + index * (gap + 1) for index, (low, _, gap) in zip(place, amounts, strict=True))
        if all(0 <= index < extent for index, extent in zip(moved, extents, strict=True)):
            found[moved] = array[place]
    return found


AMOUNTS = [(0, 0, 1), (-1, 2, 0), (2, -1, 2), (-2, -1, 1), (1, 3, 0)]


@pytest.mark.parametrize(("first", "second"), list(product(AMOUNTS, AMOUNTS[:3])))
def test_pad_is_executed_as_numpys_with_gaps_between(first: tuple[int, int, int], second: tuple[int, int, int]) -> None:
    low, high, gaps = (list(each) for each in zip(first, second, strict=True))
    text = f"""func.func @f(%a: tensor<?x?xi64>, %v: tensor<i64>) -> tensor<?x?xi64> {{
      %r = stablehlo.pad %a, %v, low = {low}, high = {high}, interior = {gaps}
        : (tensor<?x?xi64>, tensor<i64>) -> tensor<?x?xi64>
      return %r : tensor<?x?xi64>
    }}"""
    array = filled((4, 3))
    found = executed(text, [array, np.array(7)], checks=False)
    assert np.array_equal(found, padded(array, 7, [first, second]))


@pytest.mark.parametrize("type", ["?x?", "2x2", "?x2"])
@pytest.mark.parametrize("start", [(0, 0), (1, 1), (-5, 2), (7, -1), (2, 9)])
def test_dynamic_update_slice_is_executed_with_clamped_indices(type: str, start: tuple[int, int]) -> None:
    text = f"""func.func @f(%a: tensor<?x?xi64>, %b: tensor<{type}xi64>, %i: tensor<i64>, %j: tensor<i64>)
        -> tensor<?x?xi64> {{
      %r = stablehlo.dynamic_update_slice %a, %b, %i, %j
        : (tensor<?x?xi64>, tensor<{type}xi64>, tensor<i64>, tensor<i64>) -> tensor<?x?xi64>
      return %r : tensor<?x?xi64>
    }}"""
    array, part = filled((4, 3)), filled((2, 2)) + 100
    row, column = min(max(start[0], 0), 2), min(max(start[1], 0), 1)
    expected = array.copy()
    expected[row : row + 2, column : column + 2] = part
    for checks in (False, True):
        assert np.array_equal(executed(text, [array, part, *map(np.array, start)], checks), expected)
