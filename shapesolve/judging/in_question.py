"""Which part of a function must be executed to see whether some of its operations fail."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.executing.execution import Place
from shapesolve.reading.program import Operation
from shapesolve.walking.obligations import Trace


def in_question(trace: Trace, ops: Sequence[Operation]) -> tuple[Operation | None, Operation | None]:
    """The first and the last operation in the body of a function that are, or hold, one of ``ops``.

    Loops in front of the first are left out where nothing looks at their results; after the last a long function is
    cut off, and one that cannot be lowered as a whole. None where that may change whether one of ``ops`` fails: the
    function has several blocks; the first is None where it calls what may fail, too.
    """
    body = trace.function.body
    if not ops or body is None or len(body.blocks) != 1:
        return None, None
    within = {inner: op for op in body.blocks[0].operations for inner in op.walk()}
    if any(op not in within for op in ops):  # functions that are called can be written in place of their calls
        order = {op: number for number, op in enumerate(trace.reached)}
        return None, max(ops, key=lambda op: order.get(op, -1))
    numbered = sorted((within[op] for op in ops), key=lambda each: each.number)
    return numbered[0], numbered[-1]


def place_of(op: Operation | None) -> Place | None:
    """Where an operation stands in the text."""
    return None if op is None else (op.location.line, op.location.column)
