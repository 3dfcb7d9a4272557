"""Where the variables of a function's inputs are found in its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from shapesolve.hardening.writing import Home
from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula
from shapesolve.language.shapes import RankedShape, Shape, UnrankedShape
from shapesolve.reading.bindings import Bindings
from shapesolve.reading.program import ShapedType, Type
from shapesolve.walking.unknowns import single_variable
from shapesolve.walking.values import Abstract, Element, Size, Tensor, Witness


def homes_of(values: Iterable[tuple[Abstract, Bindings, Type]]) -> dict[Variable, Home]:
    """For each variable that some value, extent or element just is: what reads it. The first of several."""
    found: dict[Variable, Home] = {}
    for abstract, live, type in values:
        for variable, home in _in(abstract, live, type):
            found.setdefault(variable, home)
    return found


def _in(abstract: Abstract, live: Bindings, type: Type) -> Iterator[tuple[Variable, Home]]:
    match abstract:
        case Tensor() if isinstance(type, ShapedType):
            yield from _extents(abstract, live, type)
            yield from _elements(abstract.elements or (), live, type)
            if isinstance(abstract.spells, UnrankedShape):
                yield abstract.spells.symbol, lambda terms: terms.shape_held(live)
        case Tensor():
            yield from _of_shape(abstract.shape, live)
        case Shape():
            yield from _of_shape(abstract, live)
        case Witness():
            variable = _alone(abstract.passing)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case Size():
            variable = single_variable(abstract.value)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case Dim() | Formula():
            variable = _alone(abstract)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case _:
            pass


def _extents(tensor: Tensor, live: Bindings, type: ShapedType) -> Iterator[tuple[Variable, Home]]:
    if isinstance(tensor.shape, UnrankedShape):
        yield tensor.shape.symbol, lambda terms: live
    if not isinstance(tensor.shape, RankedShape):
        return
    for position, extent in enumerate(tensor.shape.dims):
        variable = single_variable(extent)
        if variable is not None:
            yield variable, _extent(live, type, position)


def _of_shape(shape: Shape, live: Bindings) -> Iterator[tuple[Variable, Home]]:
    if isinstance(shape, UnrankedShape):
        yield shape.symbol, lambda terms: live
    elif isinstance(shape, RankedShape):
        for position, extent in enumerate(shape.dims):
            variable = single_variable(extent)
            if variable is not None:
                yield variable, _extent_of_shape(live, position)


def _extent_of_shape(live: Bindings, position: int) -> Home:
    return lambda terms: terms.extent_of_shape(live, position)


def _extent(live: Bindings, type: ShapedType, position: int) -> Home:
    return lambda terms: terms.extent(live, type, position)


def _elements(elements: Sequence[Element], live: Bindings, type: ShapedType) -> Iterator[tuple[Variable, Home]]:
    extents = [each for each in type.extents or () if each is not None]
    places = product(*map(range, extents)) if type.extents is not None and len(extents) == len(type.extents) else ()
    for element, place in zip(elements, places, strict=False):
        variable = _alone(element)
        if variable is not None:
            yield variable, _element(live, type, place)


def _element(live: Bindings, type: ShapedType, place: tuple[int, ...]) -> Home:
    return lambda terms: terms.element(live, type, place)


def _alone(value: Element) -> Variable | None:
    """The variable that a number is; for a truth, the one that is 1 where it holds."""
    if isinstance(value, Dim):
        return single_variable(value)
    if len(value.variables) != 1:
        return None
    (variable,) = value.variables
    return variable if variable.is_bit and str(value) == f"{variable.text} == 1" else None
