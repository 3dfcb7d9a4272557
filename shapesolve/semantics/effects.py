"""Effects of operations: stated at their rules, and assumed to be all possible ones if not stated.

An effect is that of the operation itself; those of the operations in its regions come on top of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from shapesolve.ir.program import Operation, is_buffer
from shapesolve.records import value_record


@value_record
class Effects:
    """Possible effects of an operation whose requirements hold.

    Attributes:
        reads: Its results depend on more than its operands, attributes and regions: on memory, variables, the device.
        writes: It changes something that others see: memory, variables, the outside; or it decides what runs next.
        stops: It may stop the program in a defined way, as its claims of kind CHECK say, and not otherwise.
        any_result: Two runs of it on the same operands, in the same state, may give different results.
        asks_where: Its results depend on the iteration of the loops around it.
    """

    reads: bool = False
    writes: bool = False
    stops: bool = False
    any_result: bool = False
    asks_where: bool = False

    def __or__(self, other: Effects) -> Effects:
        """Return the union of two effects."""
        return Effects(*(getattr(self, each.name) or getattr(other, each.name) for each in fields(self)))

    @property
    def is_function(self) -> bool:
        """Return whether equal operands, attributes and iterations give equal results."""
        return not (self.reads or self.writes or self.any_result)

    @property
    def is_erasable(self) -> bool:
        """Return whether the operation can be erased if its results are unused and its requirements hold."""
        return not (self.writes or self.stops)


PURE = Effects()
"""No effects: the results are computed from operands and attributes, or handed on."""

READS = Effects(reads=True)
WRITES = Effects(writes=True)
STOPS = Effects(stops=True)
ANY_RESULT = Effects(any_result=True)
ASKS_WHERE = Effects(asks_where=True)

UNSTATED = Effects(reads=True, writes=True, stops=True, asks_where=True)
"""All effects that an operation without stated ones may have. What it draws its results from counts as state."""

EffectsOf = Effects | Callable[[Operation], Effects]
"""The effects of every instance of an operation, or a function from an instance to its effects."""


def on_values(op: Operation) -> Effects:
    """Return the effects of an operation that is pure on values and reads and writes its buffer operands."""
    return READS | WRITES if any(map(is_buffer, (each.type for each in op.operands))) else PURE


def touches_buffers(op: Operation) -> bool:
    """Return whether an operand or a result of the operation is a buffer."""
    return any(is_buffer(each.type) for each in (*op.operands, *op.results))
