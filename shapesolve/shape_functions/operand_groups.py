"""Grouping of an operation's operands by the arguments of a shape function that take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Type, Value
from shapesolve.records import value_record
from shapesolve.shape_functions.argument_passing import is_extent_tensor
from shapesolve.symbolic.dims import Dim


@value_record
class OperandGroups:
    """Number of operands that each argument of a shape function takes.

    Attributes:
        variadic: For each argument that takes operands, whether it takes any number of them, as one tensor.
        folds: Whether the last two arguments take the first and each further one of any number of operands.
    """

    variadic: tuple[bool, ...]
    folds: bool = False

    def of(self, op: Operation) -> list[tuple[Value, ...]] | None:
        """Return the operands of each argument, or None if the operation does not have as many as are taken.

        Of a function that folds, the last argument has all operands behind the first of the fold.
        """
        operands, taken = op.operands, len(self.variadic)
        if self.folds:
            sizes = [1] * (taken - 1) + [len(operands) - taken + 1]
        elif op.segments and len(op.segments) == taken and any(self.variadic):
            sizes = list(op.segments)
        else:
            sizes = [len(operands) - taken + 1 if variadic else 1 for variadic in self.variadic]
        fixed = [size for size, variadic in zip(sizes, self._is_any_number, strict=True) if not variadic]
        if min(sizes, default=0) < 0 or sum(sizes) != len(operands) or any(size != 1 for size in fixed):
            return None
        ends = [sum(sizes[: number + 1]) for number in range(taken)]
        return [operands[end - size : end] for size, end in zip(sizes, ends, strict=True)]

    def with_group(self, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return operands given in Python, in a row as an operation has them, with those of a group as one tuple.

        So they are returned as they are where they are grouped already, or where there are other than one group.
        """
        if self.variadic.count(True) != 1:
            return operands
        first = self.variadic.index(True)
        end = len(operands) - (len(self.variadic) - first - 1)
        group = operands[first:end]
        is_in_a_row = end >= first and all(isinstance(each, int | Dim) for each in group)
        return (*operands[:first], group, *operands[end:]) if is_in_a_row else operands

    @property
    def count(self) -> str:
        """The number of operands in words, for a message."""
        any_number = sum(self._is_any_number)
        if any_number > 1:
            return f"{len(self.variadic)} groups of them, whose sizes operandSegmentSizes gives"
        return f"at least {len(self.variadic) - 1}" if any_number else str(len(self.variadic))

    @property
    def _is_any_number(self) -> tuple[bool, ...]:
        return (*self.variadic[:-1], True) if self.folds else self.variadic


def is_group(type: Type) -> bool:
    """Return whether an argument of this type can hold any number of operands: a tensor of numbers, of any length."""
    return is_extent_tensor(type) and isinstance(type, ShapedType) and type.extents == (None,)


def accepts_in_group(argument: Type, operand: Type) -> bool:
    """Return whether an operand can be an element of an argument that holds any number of them."""
    return (
        isinstance(operand, ScalarType) and isinstance(argument, ShapedType) and str(argument.element) == str(operand)
    )


def grouped(values: Sequence[Abstract]) -> Tensor:
    """Return the tensor that holds these numbers."""
    numbers = tuple(each for each in values if isinstance(each, Dim))
    return Tensor.of([len(values)], numbers if len(numbers) == len(values) else None)
