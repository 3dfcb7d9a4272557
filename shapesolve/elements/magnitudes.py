"""Magnitudes of TOSA's integers: whether sums overflow, which TOSA leaves open, where those of arguments are small."""

from __future__ import annotations

from shapesolve.elements.context import ElementContext, element_type
from shapesolve.elements.machine_integers import width_of
from shapesolve.ir.program import DenseIntegers, Operation, ShapedType, Value

LARGEST_SMALL = 7
"""Largest magnitude of integers that count as small."""

_CONSTANTS = frozenset(["arith.constant", "tosa.const"])
_SUMS = frozenset(["tosa.add", "tosa.sub"])
_KEPT = frozenset(
    [
        *("tosa.abs", "tosa.concat", "tosa.gather", "tosa.identity", "tosa.maximum", "tosa.minimum", "tosa.negate"),
        *("tosa.pad", "tosa.reduce_max", "tosa.reduce_min", "tosa.reshape", "tosa.reverse", "tosa.select"),
        *("tosa.slice", "tosa.tile", "tosa.transpose", "tensor.cast", "tensor.splat"),
    ]
)
"""Operations whose results are no larger than the largest of their operands."""


def largest_magnitude(value: Value, context: ElementContext) -> int | None:
    """Return a bound of the magnitude of a value's integers where those of arguments are small; None if not known."""
    return _Magnitudes(context).of(value)


class _Magnitudes:
    def __init__(self, context: ElementContext) -> None:
        self._context = context
        self._known: dict[Value, int | None] = {}

    def of(self, value: Value) -> int | None:
        if value not in self._known:
            self._known[value] = None
            self._known[value] = self._bounded(value)
        return self._known[value]

    def _bounded(self, value: Value) -> int | None:
        width = width_of(element_type(value))
        if width is None:
            return None
        found = self._unbounded(value)
        return found if found is not None and found < 2 ** (width - 1) else None

    def _unbounded(self, value: Value) -> int | None:
        if value in self._context.arguments:
            return LARGEST_SMALL
        maker = self._context.definitions.get(value)
        if maker is None:
            return None
        op = maker[0]
        if op.name in _CONSTANTS:
            return _largest(op)
        if op.name not in _SUMS | _KEPT:
            return None
        sizes = [self.of(each) for each in op.operands if _is_of_data(each, value)]
        if not sizes or any(each is None for each in sizes):
            return None
        known = [each for each in sizes if each is not None]
        return sum(known) if op.name in _SUMS else max(known)


def _is_of_data(operand: Value, result: Value) -> bool:
    """Return whether an operand holds numbers of the result: no shape, condition or index."""
    is_scalar = not isinstance(operand.type, ShapedType)
    return element_type(operand) == element_type(result) and not (is_scalar and element_type(operand) == "index")


def _largest(op: Operation) -> int | None:
    value = op.attributes.get("values", op.attributes.get("value"))
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return abs(value)
    if not isinstance(value, DenseIntegers):
        return None
    numbers = (value.splat,) if value.splat is not None else value.values
    return None if numbers is None else max(map(abs, numbers), default=0)
