"""Tensors that the program itself writes down."""

from __future__ import annotations

from itertools import pairwise

from shapesolve.language.dims import dim
from shapesolve.language.formulas import truth
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import DenseFloats, DenseIntegers, Operation, ScalarType, ShapedType
from shapesolve.walking.rule_context import CannotSee
from shapesolve.walking.values import MAX_ELEMENTS, Between, Element, Tensor

from .float_numbers import constant
from .integers import wrapped


def constant_tensor(op: Operation, attribute: str) -> Tensor:
    """The tensor of an elements attribute: the declared shape, the elements where they are few, and their bounds."""
    type = op.results[0].type
    if not isinstance(type, ShapedType) or type.extents is None or None in type.extents:
        raise CannotSee("the shape of the constant is not known")
    extents = [extent for extent in type.extents if extent is not None]
    listed = op.attributes.get(attribute)
    if isinstance(listed, DenseFloats) and listed.values is not None:
        return Tensor(RankedShape.of(extents), tuple(map(constant, listed.values)))
    if not isinstance(type.element, ScalarType):
        return Tensor(RankedShape.of(extents))
    return Tensor(RankedShape.of(extents), _elements(listed, type.element), between=bounds_of(listed, type.element))


def _elements(listed: object, type: ScalarType) -> tuple[Element, ...] | None:
    if not isinstance(listed, DenseIntegers) or listed.values is None or len(listed.values) > MAX_ELEMENTS:
        return None
    if type.is_boolean:
        return tuple(truth(value != 0) for value in listed.values)
    return tuple(wrapped(dim(value), type.width) for value in listed.values)


def bounds_of(listed: object, type: ScalarType) -> Between | None:
    """Between which numbers the integers of an elements attribute lie, however many they are."""
    if not isinstance(listed, DenseIntegers) or type.is_boolean:
        return None
    values = (listed.splat,) if listed.splat is not None else listed.values
    if not values:
        return None
    half = 1 << (type.width - 1)
    signed = sorted({(value + half) % (2 * half) - half for value in values})
    steps = {after - before for before, after in pairwise(signed)} or {1}
    step = steps.pop() if len(steps) == 1 else 0
    return Between(dim(signed[0]), dim(signed[-1]), step=step)
