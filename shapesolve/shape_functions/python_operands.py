"""Operands of a shape function that are given in Python, and its results as Python values."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from shapesolve.domain.values import Abstract, Size, Tensor
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import SHAPE_TYPE, SIZE_TYPE, ScalarType, Type
from shapesolve.shape_functions.argument_passing import is_extent_tensor
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.shape_kinds import RankedShape, ShapeLike
from shapesolve.symbolic.shapes import shape

Operand = ShapeLike | Dim | int
"""Argument of a shape function in Python: a shape or a number."""


def value_of(operand: Operand, type: Type) -> Abstract | None:
    """Return an operand as an abstract value of an argument's type; None where it has no such form."""
    if isinstance(operand, int | Dim):
        if str(type) == "index" or isinstance(type, ScalarType):
            return dim(operand)
        return Size(dim(operand)) if str(type) == SIZE_TYPE else None
    if isinstance(type, ScalarType) or str(type) == SIZE_TYPE:
        return None
    given = shape(operand)
    if is_extent_tensor(type) and isinstance(given, RankedShape):
        return Tensor.of([len(given.dims)], given.dims)
    return given if str(type) == SHAPE_TYPE else Tensor(given)


def check_sizes(extents: Sequence[int]) -> None:
    """Raise ValueError if an extent is below 0 or above 2^63-1, and TypeError if it is no integer."""
    for extent in map(index, extents):
        if not 0 <= extent <= MAX_SIZE:
            raise ValueError(f"{extent} is no size: sizes are from 0 to 2^63-1")


def number_of(value: Abstract) -> tuple[int, ...] | int | None:
    """Return a result as a number or the extents of a shape; None where it is not known."""
    match value:
        case RankedShape(dims=extents) if all(extent.is_constant for extent in extents):
            return tuple(extent.constant for extent in extents)
        case Dim() if value.is_constant:
            return value.constant
        case Size() if value.value.is_constant:
            return value.value.constant
        case _:
            return None
