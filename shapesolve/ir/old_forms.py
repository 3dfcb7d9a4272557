"""Operations under old names that MLIR still parses in their generic form, and their names today."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shapesolve.ir import llvm_forms
from shapesolve.ir.program import SHAPE_TYPE, SIZE_TYPE, Attribute, ShapedType, Value
from shapesolve.records import value_record

_SHAPES_AND_SIZES = (SIZE_TYPE, SHAPE_TYPE)


@value_record
class OldForm:
    """Today's name of an operation, and a test whether its old form has the same semantics."""

    today: str
    means_the_same: Callable[[Sequence[Value], Sequence[Value], Mapping[str, Attribute]], bool]


def _is_join(operands: Sequence[Value], results: Sequence[Value], attributes: Mapping[str, Attribute]) -> bool:
    return len(operands) == 2 and len(results) == 1 and all(map(_is_of_shapes, (*operands, *results)))


def _is_constant(operands: Sequence[Value], results: Sequence[Value], attributes: Mapping[str, Attribute]) -> bool:
    value = attributes.get("value")
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return not operands and [str(each.type) for each in results] == [SIZE_TYPE] and is_number


def _is_of_shapes(value: Value) -> bool:
    type = value.type
    is_extents = isinstance(type, ShapedType) and str(type.element) == "index" and type.rank == 1
    return is_extents or str(type) in _SHAPES_AND_SIZES or str(type) == "index"


OLD_FORMS: Mapping[str, OldForm] = {
    "shape.join": OldForm("shape.meet", _is_join),
    "shape.constant_dim": OldForm("shape.const_size", _is_constant),
}


def current_name(
    name: str, operands: Sequence[Value], results: Sequence[Value], attributes: Mapping[str, Attribute]
) -> str:
    """Return today's name of an operation if its form has the same semantics, else its own name."""
    old = OLD_FORMS.get(name)
    return old.today if old is not None and old.means_the_same(operands, results, attributes) else name


def may_be_named(name: str, live: str) -> bool:
    """Return whether an operation with this live name may have this name in a `Program`."""
    return name == live or (live in OLD_FORMS and OLD_FORMS[live].today == name) or llvm_forms.TODAY.get(live) == name
