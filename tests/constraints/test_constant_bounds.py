"""Differential test of the bounds of large constants against numpy, as signed numbers."""

from __future__ import annotations

from importlib import import_module

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.ir.program import DenseIntegers, ScalarType, ShapedType

bounds_of = import_module("shapesolve.constraints.transfer.extent_tensors").bounds_of


@pytest.mark.parametrize("width", [8, 16, 32, 64])
@given(data=st.data())
def test_bounds_of_a_constant_are_its_least_and_greatest_element(width: int, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.integers(-(2 ** (width - 1)), 2**width - 1), min_size=1, max_size=9))
    element = ScalarType("integer", width, f"i{width}")
    listed = DenseIntegers(ShapedType("tensor", (len(values),), element), tuple(values), None)
    found = bounds_of(listed, element)
    stored = numpy.array([each % 2**width for each in values], f"uint{width}").view(f"int{width}")
    assert found is not None
    assert (found.low.constant, found.high.constant) == (int(stored.min()), int(stored.max()))
    assert (found.single_value is not None) == (stored.min() == stored.max())


def test_empty_tensors_have_no_bounds() -> None:
    element = ScalarType("integer", 64, "i64")
    assert bounds_of(DenseIntegers(ShapedType("tensor", (0,), element), (), None), element) is None
