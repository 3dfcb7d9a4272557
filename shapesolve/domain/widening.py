"""Widening of the values that a loop changes, place by place.

A place is a part of a value: one extent, one element, or more; a size or shape that may be an error keeps when it is
one, or is widened as a whole. Where the values before and after an iteration differ in
a place, a fresh variable stands for any iteration's value there; all other places keep their values.
"""

from __future__ import annotations

from collections.abc import Set
from enum import Enum

from shapesolve.domain.fresh_variables import FreshVariables, integer_range, variables_of
from shapesolve.domain.join import same, same_bounds
from shapesolve.domain.values import ANY_FLOAT, Abstract, Element, Float, Size, Tensor
from shapesolve.ir.program import ShapedType, Value
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import RankedShape, Shape


class Part(Enum):
    """Part of a value other than a single extent or element."""

    WHOLE = "the value"
    NUMBER = "its number"
    SHAPE = "its shape"
    ELEMENTS = "all its elements"
    SPELLED = "the shape that it spells"
    BOUNDS = "the bounds of its elements"
    FITS = "whether it is as its type says"


Extent = tuple[str, int]
Place = Part | Extent
"""A part, or ("extent", index), or ("element", index)."""


def changes(before: Abstract, after: Abstract) -> set[Place]:
    """Return the places in which two values differ."""
    match before, after:
        case Shape(), Shape():
            found = _changed_extents(before, after)
            return {Part.WHOLE} if Part.SHAPE in found else found
        case Size(), Size() if before.valid is after.valid:
            return set() if before.value is after.value else {Part.NUMBER}
        case Tensor(), Tensor():
            return _changed_parts(before, after)
        case _:
            return set() if same(before, after) else {Part.WHOLE}


def _changed_parts(before: Tensor, after: Tensor) -> set[Place]:
    found = _changed_extents(before.shape, after.shape)
    if before.elements is not None:
        if after.elements is None or len(after.elements) != len(before.elements):
            found.add(Part.ELEMENTS)
        else:
            pairs = enumerate(zip(before.elements, after.elements, strict=True))
            found |= {("element", index) for index, (x, y) in pairs if not same(x, y)}
    if before.spells is not None and (found or before.spells is not after.spells or before.signs is not after.signs):
        found.add(Part.SPELLED)
    if before.between is not None and not same_bounds(before, after):
        found.add(Part.BOUNDS)
    if before.fits is not after.fits:
        found.add(Part.FITS)
    return found


def _changed_extents(before: Shape, after: Shape) -> set[Place]:
    if before is after:
        return set()
    if (
        not isinstance(before, RankedShape)
        or not isinstance(after, RankedShape)
        or len(before.dims) != len(after.dims)
        or before.valid is not after.valid
    ):
        return {Part.SHAPE}
    pairs = enumerate(zip(before.dims, after.dims, strict=True))
    return {("extent", index) for index, (x, y) in pairs if x is not y}


def places_depending_on(value: Abstract, inside: Set[str]) -> set[Place]:
    """Return the places of a value that depend on variables with these names."""

    def touches(variables: frozenset[Variable]) -> bool:
        return any(variable.name in inside for variable in variables)

    def of_shape(shape: Shape, whole: Part) -> set[Place]:
        if isinstance(shape, RankedShape) and not touches(shape.valid.variables):
            return {("extent", index) for index, extent in enumerate(shape.dims) if touches(extent.variables)}
        return {whole} if touches(shape.variables) else set()

    if isinstance(value, Shape):
        return of_shape(value, Part.WHOLE)
    if not isinstance(value, Tensor):
        return {Part.WHOLE} if touches(variables_of(value)) else set()
    found = of_shape(value.shape, Part.SHAPE)
    found |= {("element", i) for i, element in enumerate(value.elements or ()) if touches(element.variables)}
    spelled = [each for each in (value.spells, value.signs) if each is not None]
    if spelled and (found or any(touches(each.variables) for each in spelled)):
        found.add(Part.SPELLED)
    if value.between is not None and touches(value.between.variables):
        found.add(Part.BOUNDS)
    if touches(value.fits.variables):
        found.add(Part.FITS)
    return found


def covers(places: Set[Place], change: Place) -> bool:
    """Return whether the widened places include a place."""
    if change in places or Part.WHOLE in places:
        return True
    return isinstance(change, tuple) and (Part.SHAPE if change[0] == "extent" else Part.ELEMENTS) in places


def widen(
    value: Abstract, places: Set[Place], like: Value, unknowns: FreshVariables
) -> tuple[Abstract, frozenset[Variable]]:
    """Return the value with fresh variables in some places, and these variables. ``like`` has its type and its name."""
    if not places:
        return value, frozenset()
    type = like.type
    if Part.WHOLE not in places:
        if isinstance(value, Shape):
            shape = _with_fresh_extents(value, places, like.name, unknowns)
            return shape, shape.variables - value.variables
        if isinstance(value, Size):
            number = unknowns.size(like.name)
            return Size(number, value.valid), number.variables
    if Part.WHOLE in places or not isinstance(value, Tensor) or not isinstance(type, ShapedType):
        loose = unknowns.of_type(type, like.name, contents=False)
        return loose, variables_of(loose)
    if Part.SHAPE in places:
        shape = unknowns.shape_of_type(type, like.name)
        free = set(shape.variables)
    else:
        shape = _with_fresh_extents(value.shape, places, like.name, unknowns)
        free = set(shape.variables - value.shape.variables)
    elements = value.elements if Part.ELEMENTS not in places else None
    if elements is not None:
        elements = tuple(
            _fresh_element(element, type, f"{like.name}.values[{index}]", unknowns)
            if ("element", index) in places
            else element
            for index, element in enumerate(elements)
        )
        for index, element in enumerate(elements):
            free |= element.variables if ("element", index) in places else frozenset()
    spells, signs = (value.spells, value.signs) if Part.SPELLED not in places else (None, None)
    fits = unknowns.truth(f"{like.name} fits") if Part.FITS in places else value.fits
    between = value.between if Part.BOUNDS not in places else None
    return Tensor(shape, elements, spells, fits, between, signs), frozenset(free | fits.variables)


def _with_fresh_extents(shape: Shape, places: Set[Place], name: str, unknowns: FreshVariables) -> Shape:
    if not isinstance(shape, RankedShape):
        return shape
    extents = (
        unknowns.size(f"{name}[{index}]") if ("extent", index) in places else extent
        for index, extent in enumerate(shape.dims)
    )
    return RankedShape.of(extents, shape.valid)


def _fresh_element(element: Element, type: ShapedType, name: str, unknowns: FreshVariables) -> Element:
    if isinstance(element, Float):
        return ANY_FLOAT
    return unknowns.truth(name) if isinstance(element, Formula) else unknowns.size(name, *integer_range(type.element))
