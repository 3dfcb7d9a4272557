"""What running an operation does besides giving results: said at its rule, and not assumed where nobody says it.

An effect is that of the operation itself; those of the operations in its regions come on top of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from shapesolve.ir.program import Operation, ShapedType
from shapesolve.records import value_record


@value_record
class Effects:
    """What an operation may do, where all that it demands holds.

    ``reads``: its results depend on more than its operands, attributes and regions: on memory, variables, the device.
    ``writes``: it changes something that others see: memory, variables, the outside; or it decides what runs next.
    ``stops``: it may stop the program in a defined way, as its claims of kind CHECK say, and not otherwise.
    ``any_result``: two runs of it on the same operands, in the same state, may give different results.
    ``asks_where``: its results depend on where in the iterations of the loops around it it runs.
    """

    reads: bool = False
    writes: bool = False
    stops: bool = False
    any_result: bool = False
    asks_where: bool = False

    def __or__(self, other: Effects) -> Effects:
        """Whatever one of the two does."""
        return Effects(*(getattr(self, each.name) or getattr(other, each.name) for each in fields(self)))

    @property
    def is_function(self) -> bool:
        """Whether it gives the same results wherever its operands, its attributes and its iteration are the same."""
        return not (self.reads or self.writes or self.any_result)

    @property
    def is_erasable(self) -> bool:
        """Whether nobody notices that it does not run, where its results are not used and all its demands hold."""
        return not (self.writes or self.stops)


PURE = Effects()
"""It computes its results from its operands and attributes, or hands them on, and does nothing else."""

READS = Effects(reads=True)
WRITES = Effects(writes=True)
STOPS = Effects(stops=True)
ANY_RESULT = Effects(any_result=True)
ASKS_WHERE = Effects(asks_where=True)

UNSTATED = Effects(reads=True, writes=True, stops=True, asks_where=True)
"""What an operation may do of which nobody says what it does. What it draws its results from counts as state."""

EffectsOf = Effects | Callable[[Operation], Effects]
"""What a rule says: of every instance the same, or by what an instance is given."""


def on_values(op: Operation) -> Effects:
    """The effects of an operation that is pure on values, and reads and writes the buffers that it is given."""
    return READS | WRITES if any(map(_is_buffer, (each.type for each in op.operands))) else PURE


def touches_buffers(op: Operation) -> bool:
    """Whether the operation takes or gives a buffer."""
    return any(_is_buffer(each.type) for each in (*op.operands, *op.results))


def _is_buffer(type: object) -> bool:
    return isinstance(type, ShapedType) and type.container == "memref"
