"""Conversion of operands to the arguments of a shape function, and of its results to shapes.

A `!shape.value_shape` takes a shaped value with its shape (and its contents, where they are known), a `!shape.shape`
the shape alone; any other argument takes an operand of its own type.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Abstract, Size, Tensor, UnknownValue, Unmodeled
from shapesolve.ir.program import (
    SHAPE_TYPE,
    SHAPE_TYPES,
    SIZE_TYPE,
    TYPES_WITH_ERRORS,
    VALUE_SHAPE_TYPE,
    Attribute,
    DenseIntegers,
    ScalarType,
    ShapedType,
    Type,
)
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, truth
from shapesolve.symbolic.shape_kinds import INVALID, RankedShape, Shape


def accepts(argument: Type, operand: Type) -> bool:
    """Return whether an argument of a shape function accepts an operand of this type."""
    wanted, given = str(argument), str(operand)
    if wanted == given:
        return True
    if wanted in SHAPE_TYPES:
        return isinstance(operand, ShapedType) or given == VALUE_SHAPE_TYPE
    if wanted == SIZE_TYPE:
        return isinstance(operand, ScalarType) and operand.kind == "index"
    if isinstance(argument, ShapedType) and isinstance(operand, ShapedType):
        return _is_wider(argument, operand)
    return False


def _is_wider(argument: ShapedType, operand: ShapedType) -> bool:
    """Return whether the argument's type is the operand's, or has it as a special case."""
    if (argument.container, str(argument.element)) != (operand.container, str(operand.element)):
        return False
    if argument.extents is None or operand.extents is None:
        return argument.extents is None
    return len(argument.extents) == len(operand.extents) and all(
        wanted is None or wanted == given for wanted, given in zip(argument.extents, operand.extents, strict=True)
    )


def is_argument(type: Type) -> bool:
    """Return whether an argument of a shape function can have this type."""
    return str(type) in TYPES_WITH_ERRORS or isinstance(type, ScalarType | ShapedType)


def is_extent_tensor(type: Type) -> bool:
    """Return whether a tensor of this type holds extents."""
    if not isinstance(type, ShapedType) or type.container != "tensor" or type.rank != 1:
        return False
    return isinstance(type.element, ScalarType) and type.element.kind != "float" and not type.element.is_boolean


def describes_shape(type: Type) -> bool:
    """Return whether a value that a shape function returns with this type is the shape of a result."""
    return str(type) in SHAPE_TYPES or is_extent_tensor(type)


def is_result(type: Type) -> bool:
    """Return whether a shape function can return this type."""
    return describes_shape(type) or str(type) == SIZE_TYPE or (isinstance(type, ScalarType) and type.kind != "float")


def fits(returned: Type, result: Type) -> bool:
    """Return whether a returned type of a shape function can describe a result of an operation."""
    if isinstance(result, ShapedType):
        return describes_shape(returned)
    if str(returned) == SIZE_TYPE:
        return str(result) == SIZE_TYPE or (isinstance(result, ScalarType) and result.kind == "index")
    return str(returned) == str(result)


def passed(argument: Type, value: Abstract) -> Abstract:
    """Return an operand in the form of an argument that accepts it."""
    wanted = str(argument)
    if wanted == SHAPE_TYPE and isinstance(value, Tensor):
        return value.shape
    if wanted == SIZE_TYPE and isinstance(value, Dim):
        return Size(value, at_least(value, 0))
    return value


def attribute_value(type: Type, attribute: Attribute | None) -> Abstract | None:
    """An attribute in the form of an argument's type; None where it has no such form."""
    if isinstance(type, ScalarType) and isinstance(attribute, int):
        if type.kind == "float":
            return UnknownValue()
        if type.is_boolean:
            return truth(bool(attribute))
        return dim(int(attribute))
    if str(type) == SIZE_TYPE and isinstance(attribute, int):
        return Size(dim(attribute), truth(attribute >= 0))
    numbers = _numbers(attribute)
    if numbers is None:
        return None
    if str(type) == SHAPE_TYPE:
        return RankedShape.of(numbers, truth(all(number >= 0 for number in numbers)))
    if is_extent_tensor(type) and isinstance(type, ShapedType) and type.extents in ((None,), (len(numbers),)):
        return Tensor.of([len(numbers)], tuple(dim(number) for number in numbers))
    return None


def _numbers(attribute: Attribute | None) -> Sequence[int] | None:
    if isinstance(attribute, DenseIntegers):
        return attribute.values if attribute.type.rank == 1 else None
    if isinstance(attribute, tuple):
        numbers = [each for each in attribute if isinstance(each, int)]
        return numbers if len(numbers) == len(attribute) else None
    return None


def described(value: Abstract, type: Type) -> tuple[Abstract, Formula, Formula]:
    """Return a value that a shape function returned as a result of the operation, and its two requirements.

    These are the formulas under which it is no error, and under which no extent is negative.
    """
    match value:
        case Shape():
            return value, value.valid, _no_negative(value)
        case Tensor() if describes_shape(type) and isinstance(type, ShapedType):
            shape = _held(value)
            if shape is None:
                return Unmodeled("the extents that the shape function returns are not known"), TRUE, TRUE
            return shape, shape.valid, conjunction((value.holds_sizes, _no_negative(shape)))
        case Tensor():
            return value.shape, value.shape.valid, _no_negative(value.shape)
        case Size():
            return value, value.valid, at_least(value.value, 0)
        case _:
            return value, TRUE, TRUE


def _held(tensor: Tensor) -> Shape | None:
    """The shape whose extents a tensor holds."""
    if tensor.elements is None:
        return tensor.spells
    extents = [element for element in tensor.elements if isinstance(element, Dim)]
    return RankedShape.of(extents) if len(extents) == len(tensor.elements) else None


def _no_negative(shape: Shape) -> Formula:
    if not isinstance(shape, RankedShape):
        return TRUE
    return conjunction(at_least(extent, 0) for extent in shape.dims)


def in_form_of(result: Type, value: Abstract) -> Abstract:
    """A described result in the form of the type that the operation declares."""
    if isinstance(result, ShapedType):
        return as_tensor(value) if isinstance(value, Shape) else value
    if isinstance(value, Shape) and str(result) == VALUE_SHAPE_TYPE:
        return Tensor(value)
    if isinstance(value, Size) and isinstance(result, ScalarType):
        return value.value
    return value


def as_tensor(shape: Shape) -> Abstract:
    """Return a tensor of a shape: it has been demanded that the shape is no error, and a tensor always has one."""
    match shape:
        case RankedShape(dims=extents):
            return Tensor.of(extents)
        case _ if shape is INVALID:
            return Unmodeled("")
        case _:
            return Tensor(shape)
