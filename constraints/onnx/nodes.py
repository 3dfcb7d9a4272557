"""Attributes and operands of ONNX nodes.

A claim is what the operator's specification demands of shapes, or what leaves a result without a shape. Where the
specification gives a formula for an extent and the formula is 0, the result is empty, and nothing is demanded.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import OpSemantics
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula

from ..torch.operands import claim_of_some, is_present

_PREFIX = "torch.onnx."


def integer_attribute(op: Operation, name: str, default: int) -> int:
    """Return an attribute that is an integer, or its default."""
    found = op.attributes.get(f"{_PREFIX}{name}", default)
    if not isinstance(found, int):
        raise UnknownValueError(f"its attribute {name} is no integer")
    return found


def text_attribute(op: Operation, name: str, default: str) -> str:
    """Return an attribute that is a string, or its default."""
    found = op.attributes.get(f"{_PREFIX}{name}", default)
    if not isinstance(found, str):
        raise UnknownValueError(f"its attribute {name} is no text")
    return found


def integers_attribute(op: Operation, name: str) -> tuple[int, ...] | None:
    """Return an attribute that is a list of integers, None if it is absent."""
    found = op.attributes.get(f"{_PREFIX}{name}")
    if found is None:
        return None
    if not isinstance(found, tuple):
        raise UnknownValueError(f"its attribute {name} is no list")
    numbers = tuple(each for each in found if isinstance(each, int))
    if len(numbers) != len(found):
        raise UnknownValueError(f"its attribute {name} holds other things than integers")
    return numbers


def has_attribute(op: Operation, name: str) -> bool:
    """Return whether a node has an attribute."""
    return f"{_PREFIX}{name}" in op.attributes


def operand(op: Operation, ctx: RuleContext, position: int) -> Value | None:
    """Return an optional operand, None if it is omitted."""
    if position >= len(op.operands) or not is_present(ctx, op.operands[position]):
        return None
    return op.operands[position]


def listed(op: Operation, ctx: RuleContext, name: str, position: int) -> tuple[Dim, ...] | None:
    """Return a list of integers that is an attribute in older opsets and an operand in newer ones, None if omitted."""
    given = operand(op, ctx, position)
    if given is not None:
        return ctx.integers(given)
    numbers = integers_attribute(op, name)
    return None if numbers is None else tuple(map(dim, numbers))


def constant_list(op: Operation, ctx: RuleContext, name: str, position: int) -> tuple[int, ...] | None:
    """Return such a list where all of it is constant.

    Raises:
        UnknownValueError: A number in it is computed.
    """
    found = listed(op, ctx, name, position)
    if found is None:
        return None
    if not all(each.is_constant for each in found):
        raise UnknownValueError(f"the {name} are computed, and not followed here")
    return tuple(each.constant for each in found)


def axis(number: int, rank: int, *, ends_at_rank: bool = False) -> int:
    """Return an axis counted from the front.

    Args:
        number: The axis; a negative one counts from the end.
        rank: The rank of the tensor.
        ends_at_rank: Whether the rank itself is allowed.

    Raises:
        UnknownValueError: There is no such axis.
    """
    if not -rank <= number < rank + ends_at_rank:
        raise UnknownValueError(f"there is no axis {number} in rank {rank}")
    return number + rank if number < 0 else number


def axes(numbers: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return axes counted from the front.

    Raises:
        UnknownValueError: There is no such axis, or one is named twice.
    """
    found = tuple(axis(each, rank) for each in numbers)
    if len(set(found)) != len(found):
        raise UnknownValueError("an axis is named twice")
    return found


def left_to_the_runtime(
    semantics: OpSemantics,
    ctx: RuleContext,
    clause: str,
    formula: Formula,
    words: tuple[str, str, str],
    shown: tuple[tuple[str, Dim], ...],
) -> OpSemantics:
    """Return semantics with a claim that some runtimes make, and others do not: see `claim_of_some`."""
    return claim_of_some(semantics, ctx, clause, formula, words, shown, decider="the runtime")
