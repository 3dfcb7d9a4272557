"""Operands in groups, and lists that are partly attributes and partly operands."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.index_type import DYNAMIC
from shapesolve.language.dims import Dim, dim
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.rule_context import CannotSee, RuleContext

"""What an attribute says where an operand says the number."""


def segment(op: Operation, number: int) -> tuple[Value, ...]:
    """One group of operands."""
    if number >= len(op.segments):
        raise CannotSee("the groups of its operands are not known")
    start = sum(op.segments[:number])
    return op.operands[start : start + op.segments[number]]


def integers_of(op: Operation, attribute: str) -> tuple[int, ...]:
    """An attribute that is a list of integers; nothing where it is absent."""
    value = op.attributes.get(attribute, ())
    if not isinstance(value, tuple):
        raise CannotSee(f"its attribute {attribute} is not a list")
    return tuple(entry for entry in value if isinstance(entry, int))


def integer_of(op: Operation, attribute: str) -> int:
    """An attribute that is one integer."""
    value = op.attributes.get(attribute)
    if not isinstance(value, int):
        raise CannotSee(f"its attribute {attribute} is not a number")
    return value


def mixed(op: Operation, see: RuleContext, attribute: str, operands: Sequence[Value]) -> tuple[Dim, ...]:
    """The numbers of an attribute, with the operands in the places that it leaves open."""
    dynamic = iter(operands)
    return tuple(
        see.integer(next(dynamic)) if number == DYNAMIC else dim(number) for number in integers_of(op, attribute)
    )


def declared_with(see: RuleContext, result: Value, operands: Sequence[Value]) -> tuple[Dim, ...]:
    """The declared extents of a result, with the operands in the places of `?`."""
    dynamic = iter(operands)
    return tuple(see.integer(next(dynamic)) if extent is None else extent for extent in see.declared_dims(result))
