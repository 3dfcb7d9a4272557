"""Sources of the variables of a formula in live values: arguments, their extents and elements."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import product
from typing import Literal

from shapesolve.domain.fresh_variables import single_variable
from shapesolve.domain.values import Abstract, Element, Size, Tensor, Witness
from shapesolve.guards.dialects import NotExpressibleError, Terms
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import ShapedType, Type
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import RankedShape, Shape, UnrankedShape

ValueSource = Callable[[Terms], Bindings]
"""Writes the operations that read a variable. For the symbol of a shape, returns the shaped value itself."""


@value_record
class HeldElements:
    """Value source of the shape that the elements of a rank-1 tensor spell (`IntegerList`).

    Attributes:
        tensor: The live tensor.
        type: Its type.
        kind: Its extents are the elements, none of which is negative; or the extents or the signs of any elements.
        length: The number of elements.
        is_shape: Whether the program takes the tensor for a shape wherever a guard does, and so assumes that it holds
            sizes.
    """

    tensor: Bindings
    type: ShapedType
    kind: Literal["sizes", "extents", "signs"]
    length: Dim
    is_shape: bool

    def __call__(self, terms: Terms) -> Bindings:
        if self.kind == "signs":
            raise NotExpressibleError("it compares the signs of all elements of a tensor")
        if not self.is_shape:
            raise NotExpressibleError("the program may end before it takes the elements of a tensor for sizes")
        return terms.shape_held(self.tensor)


def value_sources(
    values: Iterable[tuple[Abstract, Bindings, Type]], stated: Container[Formula] | None = None
) -> dict[Variable, ValueSource]:
    """Return the value source of each variable that some value, extent or element equals; the first of several.

    Args:
        stated: If given, the facts that hold in every run: a tensor is taken for a shape only if they say that it holds
            sizes.
    """
    found: dict[Variable, ValueSource] = {}
    for abstract, live, type in values:
        for variable, source in _in(abstract, live, type, stated):
            found.setdefault(variable, source)
    return found


def _in(
    abstract: Abstract, live: Bindings, type: Type, stated: Container[Formula] | None
) -> Iterator[tuple[Variable, ValueSource]]:
    match abstract:
        case Tensor() if isinstance(type, ShapedType):
            yield from _extents(abstract, live, type)
            yield from _elements(abstract.elements or (), live, type)
            if isinstance(abstract.spells, UnrankedShape):
                is_shape = stated is None or abstract.holds_sizes in stated
                yield from _held_elements(abstract.spells, abstract.signs, live, type, is_shape)
        case Tensor():
            yield from _of_shape(abstract.shape, live)
        case Shape():
            yield from _of_shape(abstract, live)
        case Witness():
            variable = _sole_variable(abstract.passing)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case Size():
            variable = single_variable(abstract.value)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case Dim() | Formula():
            variable = _sole_variable(abstract)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case _:
            pass


def _extents(tensor: Tensor, live: Bindings, type: ShapedType) -> Iterator[tuple[Variable, ValueSource]]:
    if isinstance(tensor.shape, UnrankedShape):
        yield tensor.shape.symbol, lambda terms: live
    if not isinstance(tensor.shape, RankedShape):
        return
    for position, extent in enumerate(tensor.shape.dims):
        variable = single_variable(extent)
        if variable is not None:
            yield variable, _extent(live, type, position)


def _held_elements(
    spelled: UnrankedShape, signs: Shape | None, live: Bindings, type: ShapedType, is_shape: bool
) -> Iterator[tuple[Variable, ValueSource]]:
    if not isinstance(signs, UnrankedShape):
        yield spelled.symbol, HeldElements(live, type, "sizes", spelled.rank, is_shape=True)
        return
    yield spelled.symbol, HeldElements(live, type, "extents", spelled.rank, is_shape)
    yield signs.symbol, HeldElements(live, type, "signs", spelled.rank, is_shape)


def _of_shape(shape: Shape, live: Bindings) -> Iterator[tuple[Variable, ValueSource]]:
    if isinstance(shape, UnrankedShape):
        yield shape.symbol, lambda terms: live
    elif isinstance(shape, RankedShape):
        for position, extent in enumerate(shape.dims):
            variable = single_variable(extent)
            if variable is not None:
                yield variable, _extent_of_shape(live, position)


def _extent_of_shape(live: Bindings, position: int) -> ValueSource:
    return lambda terms: terms.extent_of_shape(live, position)


def _extent(live: Bindings, type: ShapedType, position: int) -> ValueSource:
    return lambda terms: terms.extent(live, type, position)


def _elements(elements: Sequence[Element], live: Bindings, type: ShapedType) -> Iterator[tuple[Variable, ValueSource]]:
    extents = [each for each in type.extents or () if each is not None]
    places = product(*map(range, extents)) if type.extents is not None and len(extents) == len(type.extents) else ()
    for element, place in zip(elements, places, strict=False):
        variable = _sole_variable(element)
        if variable is not None:
            yield variable, _element(live, type, place)


def _element(live: Bindings, type: ShapedType, place: tuple[int, ...]) -> ValueSource:
    return lambda terms: terms.element(live, type, place)


def _sole_variable(value: Element) -> Variable | None:
    """Return the variable that a number is; for a truth, the bit that is 1 where it holds."""
    if isinstance(value, Dim):
        return single_variable(value)
    if len(value.variables) != 1:
        return None
    (variable,) = value.variables
    return variable if variable.is_bit and str(value) == f"{variable.text} == 1" else None
