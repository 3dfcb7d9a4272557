"""The part of a function that is lowered and executed for some of its operations."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.execution.execution import Place
from shapesolve.ir.program import Operation
from shapesolve.trace.events import Trace


def suspect_range(trace: Trace, ops: Sequence[Operation]) -> tuple[Operation | None, Operation | None]:
    """Return the first and the last operation of a function's body that are, or hold, one of ``ops``.

    Loops before the first are left out where nothing uses their results; after the last a long function is cut off, and
    one that cannot be lowered as a whole. None where that may change whether one of ``ops`` fails: the function has
    several blocks; the first is None where it calls what may fail, too.
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
    """Return the line and column of an operation."""
    return None if op is None else (op.location.line, op.location.column)
