"""Programs of a comparison of elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shapesolve.elements.context import ElementContext, element_type
from shapesolve.elements.magnitudes import largest_magnitude
from shapesolve.elements.scalar_functions import FLOATS, keeps_special_values
from shapesolve.ir.program import Operation, Value
from shapesolve.records import record

_UNPREDICTABLE = frozenset(f"tosa.{each}" for each in ["abs", "add", "intdiv", "mul", "negate", "reduce_sum", "sub"])
_CLIPPED = {("tosa.negate", "i8"), ("tosa.negate", "i16")}
_OF_ANY_ZERO = frozenset(f"tosa.{each}" for each in ["clamp", "maximum", "minimum", "negate"])
"""Operations that TOSA defines by comparisons and differences, which tell no zeros apart, unlike their lowering."""


@record
class ElementSide:
    """One program of a comparison.

    Attributes:
        context: Its definitions and shapes.
        number: Returns the number of a value that equals the other program's value of that number.
        returned: The values that it returns, and the buffers that take its results.
        end: The operation that returns.
    """

    context: ElementContext
    number: Callable[[Value], str | None]
    returned: tuple[Value, ...]
    end: Operation

    @property
    def is_unpredictable(self) -> bool:
        """Presence of sums of integers that may be anything where they overflow, as TOSA has it."""
        return any(True for _ in self._unpredictable)

    @property
    def is_unpredictable_for_small_integers(self) -> bool:
        """Presence of sums that may overflow although the integers of arguments are small."""
        return any(largest_magnitude(value, self.context) is None for value in self._unpredictable)

    @property
    def _unpredictable(self) -> Iterator[Value]:
        """The values of TOSA that are not specified where they overflow."""
        for value, (op, _) in self.context.definitions.items():
            type = element_type(value)
            if op.name in _UNPREDICTABLE and type not in FLOATS and (op.name, type) not in _CLIPPED:
                yield value

    @property
    def is_lowered_otherwise(self) -> bool:
        """Presence of sums of booleans, which are disjunctions in StableHLO; MLIR's lowering makes them exclusive."""
        return any(
            op.name == "stablehlo.add" and element_type(value) == "i1"
            for value, (op, _) in self.context.definitions.items()
        )

    @property
    def keeps_special_values(self) -> bool:
        """Absence of dialects whose lowering may treat NaN, infinities and negative zero in its own way."""
        return all(keeps_special_values(op) for op, _ in self.context.definitions.values())

    @property
    def keeps_signs_of_zeros(self) -> bool:
        """Absence of operations whose lowering returns a zero of a sign that is not said."""
        return all(op.name not in _OF_ANY_ZERO for op, _ in self.context.definitions.values())
