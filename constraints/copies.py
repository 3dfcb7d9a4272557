"""Where an operation that moves elements gives back what it was given."""

from __future__ import annotations

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import FALSE, Formula, at_least, conjunction
from shapesolve.language.recording import unrecorded
from shapesolve.language.shapes import same_shape
from shapesolve.reading.program import AffineExpression, Operation, ShapedType, Value
from shapesolve.walking.rule_context import RuleContext

from .linalg_loops import LoopNest

Copies = tuple[tuple[Value, Formula], ...]


def copied(op: Operation, nest: LoopNest, see: RuleContext, source: int) -> Copies:
    """Where a nest that writes an operand to all of its output gives that operand.

    Where both have the same shape, every position is written, and what is read there is what stood there: a dimension
    that is read at 0 only has one position, or none.
    """
    if len(op.results) != 1 or source >= len(nest.operands) - 1:
        return ()
    given, into = nest.operands[source], nest.operands[-1]
    if not same_elements(given, op.results[0]):
        return ()
    rank = len(nest.ranges)
    if [(each.kind, each.value) for each in nest.maps[-1].results] != [("dim", loop) for loop in range(rank)]:
        return ()
    if len(nest.maps[source].results) != rank:
        return ()
    extents = nest.extents[-1]
    with unrecorded():
        read = conjunction(_in_place(*each, extents) for each in enumerate(nest.maps[source].results))
        return ((given, conjunction((same_shape(see.shape(given), see.shape(into)), read))),)


def _in_place(loop: int, read: AffineExpression, extents: tuple[Dim, ...]) -> Formula:
    """Where what is read of a dimension is the number of its loop, at every position."""
    if read.kind == "dim" and read.value == loop:
        return conjunction(())
    if read.kind == "dim":
        return conjunction((at_least(1, extents[loop]), at_least(1, extents[read.value])))
    return at_least(1, extents[loop]) if read.kind == "constant" and read.value == 0 else FALSE


def handed_on(op: Operation) -> int | None:
    """Which operand the body of an operation hands on unchanged, doing nothing else; None where it does more."""
    blocks = op.regions[0].blocks
    if len(blocks) != 1 or len(blocks[0].operations) != 1:
        return None
    yielded = blocks[0].operations[0].operands
    if len(yielded) != 1 or yielded[0] not in blocks[0].arguments:
        return None
    return blocks[0].arguments.index(yielded[0])


def same_elements(given: Value, result: Value) -> bool:
    """Whether two tensors have elements of one type."""
    types = given.type, result.type
    tensors = [type for type in types if isinstance(type, ShapedType) and type.container == "tensor"]
    return len(tensors) == 2 and tensors[0].element == tensors[1].element
