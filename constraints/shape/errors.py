"""Error messages in the program for the invalid shapes and sizes of the shape dialect."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.domain.values import validity
from shapesolve.ir.program import Operation, SymbolRef, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.symbolic.formula_kinds import TRUE

from ..transfer.extent_tensors import is_error_free

MOST_MADE = 200
"""The most values whose producers are visited."""


def error_messages(ctx: RuleContext, *values: Value) -> tuple[str, ...]:
    """Return the messages of the errors that these values may be."""
    found: dict[str, None] = {}
    seen: set[Value] = set()
    waiting = list(reversed(values))
    while waiting and len(seen) < MOST_MADE:
        value = waiting.pop()
        known = ctx.seen(value)
        if value in seen or is_error_free(value) or (known is not None and validity(known) is TRUE):
            continue
        seen.add(value)
        maker = ctx.producer(value)
        if maker is None:
            continue
        message = maker.attributes.get("error")
        if isinstance(message, str) and message:
            found[message] = None
        waiting += reversed([*maker.operands, *_yielded(maker), *_returned(ctx, maker, value)])
    return tuple(reversed(found))


def _returned(ctx: RuleContext, op: Operation, value: Value) -> Iterator[Value]:
    """Yield what the callee of a call returns as one of its results."""
    for symbol in op.attributes.values():
        callee = ctx.callee(op, symbol) if isinstance(symbol, SymbolRef) else None
        for block in callee.body.blocks if callee is not None and callee.body is not None else ():
            last = block.operations[-1] if block.operations else None
            if last is not None and not last.successors and len(last.operands) == len(op.results):
                yield last.operands[op.results.index(value)]


def _yielded(op: Operation) -> Iterator[Value]:
    """Yield the operands of the terminators of an operation's regions."""
    for region in op.regions:
        for block in region.blocks:
            if block.operations:
                yield from block.operations[-1].operands
