"""Pairs in corners whose programs shapesolve cannot lower, executed by StableHLO's interpreter or by MLIR's passes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any

import numpy as np
import pytest
from elements.test_corners import ALL, Pair
from elements.test_corners_as_executed import SIZES, function_of, names_of, way_of
from support.other_executions import interpreted, numpy_type, run_with_vectors

from shapesolve.ir.program import Function, ScalarType, ShapedType
from shapesolve.ir.reader import read_text

pytestmark = pytest.mark.exhaustive

ALIKE = {
    "regions: scatter differences 3": "the target promises unique indices",
    "comparators: sort 5": "the interpreter does not look at the type of a comparison",
    "regions: sort in total order 2": "the interpreter does not look at the type of a comparison",
    "comparators: sort int 2": "ties of integers cannot be told apart",
    "regions: sort unsigned 2": "ties of integers cannot be told apart",
}
"""Wrong pairs that the interpreter does not tell apart, and why."""

ENDS_THE_PROCESS = {
    "regions: scatter quotients 1": "the interpreter divides by zero",
    "regions: scatter quotients 2": "the interpreter divides by zero",
}

PACKED = "vectors: data mask 1"
"""Right by element; lowered, its mask is read from the bits of one byte."""


def numbers(element: object) -> list[object]:
    """Return numbers of a type, the odd ones among them."""
    type = numpy_type(element)
    if type.kind == "f":
        return [-3.0, -1.0, -0.0, 0.0, 1.0, 2.0, 5.0, float("nan"), float("inf")]
    if type.kind == "b":
        return [False, True]
    if isinstance(element, ScalarType) and element.kind == "index":
        return [0, 1, 2]
    limits = np.iinfo(type)
    return [0, 1, 2, 3, limits.min, limits.max]


def arguments(function: Function, extents: Iterator[int], dice: Random) -> list[Any]:
    found: list[Any] = []
    for each in function.arguments:
        is_shaped = isinstance(each.type, ShapedType)
        element: object = each.type.element if isinstance(each.type, ShapedType) else each.type
        given = (each.type.extents or ()) if isinstance(each.type, ShapedType) else ()
        shape = tuple(next(extents) if extent is None else extent for extent in given)
        count = int(np.prod(shape, dtype=int))
        chosen = np.array([dice.choice(numbers(element)) for _ in range(count)], dtype=numpy_type(element))
        found.append(chosen.reshape(shape) if is_shaped else np.array(next(extents), dtype=numpy_type(element)))
    return found


def returns_the_same(pair: Pair) -> bool:
    dice, function = Random(3), function_of(read_text(pair.source))
    sizes = [*([each] * 9 for each in SIZES), *([dice.randint(0, 5) for _ in range(9)] for _ in range(30))]
    calls = [arguments(function, islice(cycle(each), 9), dice) for each in sizes]
    (type,) = function.result_types
    assert isinstance(type, ShapedType) and type.extents is not None
    if way_of(pair) == "interpreted":
        both = [interpreted(text, calls) for text in (pair.source, pair.target)]
    else:
        both = [run_with_vectors(text, calls, len(type.extents), type.element) for text in (pair.source, pair.target)]
    return all(map(is_same, *both))


def is_same(first: Any, second: Any) -> bool:
    """Return whether arrays are equal, zeros by their signs; all that are NaN are one."""
    if first.dtype.kind != "f":
        return bool(np.array_equal(first, second))
    signs = [np.signbit(each) & ~np.isnan(each) for each in (first, second)]
    return bool(np.array_equal(first, second, equal_nan=True) and np.array_equal(*signs))


@pytest.mark.parametrize(
    "pair",
    [each for each in ALL if way_of(each) == "interpreted" and each.title not in ENDS_THE_PROCESS],
    ids=lambda each: each.title,
)
def test_the_interpreter_tells_them_apart(pair: Pair) -> None:
    assert returns_the_same(pair) == (pair.truth != "wrong" or pair.title in ALIKE)


@pytest.mark.parametrize(
    "pair",
    [each for each in ALL if way_of(each) == "with vectors" and each.truth != "wrong"],
    ids=lambda each: each.title,
)
def test_right_programs_with_vectors_return_the_same(pair: Pair) -> None:
    assert returns_the_same(pair) == (pair.title != PACKED)


def test_every_way_is_taken() -> None:
    assert {way_of(each) for each in ALL} >= {"interpreted", "with vectors", "executed"}
    titles = {each.title for each in ALL}
    wrong = {each.title for each in ALL if each.truth == "wrong"}
    assert {*ALIKE, *ENDS_THE_PROCESS} <= wrong and PACKED in titles
    assert all("stablehlo.sort" not in names_of(each) for each in ALL if way_of(each) == "executed")
