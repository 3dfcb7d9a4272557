"""Join of abstract values: the value where two branches meet, as a choice by the branch condition."""

from __future__ import annotations

from math import lcm

from shapesolve.domain.values import (
    Abstract,
    Element,
    Float,
    ListValue,
    NoneValue,
    Size,
    StringValue,
    Tensor,
    UnknownValue,
    Unmodeled,
    Witness,
)
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import either
from shapesolve.symbolic.normal_forms import joined_size
from shapesolve.symbolic.segments import choose_shape
from shapesolve.symbolic.shape_kinds import INVALID, Shape


def join(condition: Formula, a: Abstract, b: Abstract) -> Abstract:
    """Return ``a`` if the condition holds, else ``b``; Unmodeled if the domain has no such expression."""
    if isinstance(a, ListValue) and isinstance(b, ListValue):
        return _join_lists(condition, a, b)
    match a, b:
        case Dim(), Dim():
            return joined_size(condition, a, b)
        case Formula(), Formula():
            return either(condition, a, b)
        case Size(), Size():
            return Size(joined_size(condition, a.value, b.value), either(condition, a.valid, b.valid))
        case Witness(), Witness():
            return Witness(either(condition, a.passing, b.passing), a.asserted and b.asserted)
        case Shape(), Shape():
            joined = join_shapes(condition, a, b)
            return Unmodeled("shapes of different rank meet") if joined is None else joined
        case Tensor(), Tensor():
            joined = join_shapes(condition, a.shape, b.shape)
            if joined is None:
                return Unmodeled("tensors of different rank meet")
            spelled = _join_extents(condition, a, b, joined)
            fits = either(condition, a.fits, b.fits)
            elements = _join_elements(condition, a.elements, b.elements)
            return Tensor(joined, elements, spelled.spells, fits, signs=spelled.signs)
        case Float(), Float():
            return join_floats(condition, a, b)
        case ((UnknownValue() | StringValue() | Float()), (UnknownValue() | StringValue() | Float())):
            return a if same(a, b) else UnknownValue()
        case NoneValue(), NoneValue():
            return a
        case _:
            return Unmodeled("values of different kinds meet")


def _join_extents(condition: Formula, a: Tensor, b: Tensor, joined: Shape) -> Tensor:
    """Return a tensor of the joined shape with the shape that both spell."""
    if a.signs is not b.signs or a.spells is None or b.spells is None:
        return Tensor(joined)
    return Tensor(joined, spells=join_shapes(condition, a.spells, b.spells), signs=a.signs)


def _join_lists(condition: Formula, a: ListValue, b: ListValue) -> Abstract:
    if len(a.items) == len(b.items) and a.types == b.types:
        items = tuple(join(condition, x, y) for x, y in zip(a.items, b.items, strict=True))
        if not any(isinstance(each, Unmodeled) for each in items):
            return ListValue(items, a.types)
    return Unmodeled("lists of different values meet")


def join_shapes(condition: Formula, a: Shape, b: Shape) -> Shape | None:
    """Return the shape that is ``a`` where the condition holds, else ``b``; None if one of them is always invalid."""
    if a is not b and (a is INVALID or b is INVALID):
        return None
    return choose_shape(condition, a, b)


def join_floats(condition: Formula, a: Float, b: Float) -> Float:
    """Return the float that is ``a`` where the condition holds, else ``b``."""
    if same(a, b):
        return a
    one, other = _numerators(a, b)
    return Float(
        joined_size(condition, one[0], other[0]),
        joined_size(condition, one[1], other[1]),
        either(condition, a.exact, b.exact),
        either(condition, a.whole, b.whole),
        None if a.error is None or b.error is None else max(a.error, b.error),
        either(condition, a.defined, b.defined),
    )


def _numerators(a: Float, b: Float) -> tuple[tuple[Dim, Dim], tuple[Dim, Dim]]:
    """Return two floats as quotients, with a common denominator if theirs are constants."""
    if not (a.denominator.is_constant and b.denominator.is_constant):
        return (a.numerator, a.denominator), (b.numerator, b.denominator)
    common = lcm(a.denominator.constant, b.denominator.constant)
    one, other = (each.numerator * (common // each.denominator.constant) for each in (a, b))
    return (one, dim(common)), (other, dim(common))


def _join_elements(
    condition: Formula, a: tuple[Element, ...] | None, b: tuple[Element, ...] | None
) -> tuple[Element, ...] | None:
    if a is None or b is None or len(a) != len(b):
        return None
    merged: list[Element] = []
    for x, y in zip(a, b, strict=True):
        if isinstance(x, Dim) and isinstance(y, Dim):
            merged.append(joined_size(condition, x, y))
        elif isinstance(x, Formula) and isinstance(y, Formula):
            merged.append(either(condition, x, y))
        elif isinstance(x, Float) and isinstance(y, Float):
            merged.append(join_floats(condition, x, y))
        else:
            return None
    return tuple(merged)


def same(a: Abstract, b: Abstract) -> bool:
    """Return whether two values are the same expression."""
    match a, b:
        case Tensor(), Tensor():
            same_parts = a.shape is b.shape and a.fits is b.fits and same_bounds(a, b)
            return same_parts and a.spells is b.spells and a.signs is b.signs and _same_elements(a.elements, b.elements)
        case Size(), Size():
            return a.value is b.value and a.valid is b.valid
        case Witness(), Witness():
            return a.passing is b.passing and a.asserted is b.asserted
        case (UnknownValue(), UnknownValue()) | (NoneValue(), NoneValue()):
            return True
        case StringValue(), StringValue():
            return a == b
        case Float(), Float():
            return _parts(a) == _parts(b) and a.error == b.error and a.infinite == b.infinite
        case ListValue(), ListValue():
            return len(a.items) == len(b.items) and all(map(same, a.items, b.items))
        case _:
            return a is b


def same_bounds(a: Tensor, b: Tensor) -> bool:
    """Return whether two tensors have the same interval of elements."""
    if a.between is None or b.between is None:
        return a.between is b.between
    one, other = a.between, b.between
    same_ends = one.low is other.low and one.high is other.high and one.denominator == other.denominator
    return same_ends and one.where is other.where and one.step == other.step


def _parts(value: Float) -> list[int]:
    """Return the identities of the expressions in a float."""
    return [id(part) for part in (value.numerator, value.denominator, value.exact, value.whole, value.defined)]


def _same_elements(a: tuple[Element, ...] | None, b: tuple[Element, ...] | None) -> bool:
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
