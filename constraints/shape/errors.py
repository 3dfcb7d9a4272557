"""Error messages in the program for the invalid shapes and sizes of the shape dialect."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.domain.values import validity
from shapesolve.ir.program import Operation, SymbolRef, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import Claim
from shapesolve.symbolic.formula_kinds import TRUE, Formula

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


def error_claim(ctx: RuleContext, what: str, value: Value, valid: Formula) -> Claim:
    """Return the claim (C1) that a value is no error: with the messages in the program, else with what makes it one.

    Args:
        what: The value in words.
        valid: The condition under which it is no error.
    """
    messages = error_messages(ctx, value)
    maker = None if messages else _source(ctx, value)
    line = maker.location.line if maker is not None else 0
    source = f" of {maker.name}{f' in line {line}' if line else ''}" if maker is not None else ""
    return Claim("C1", valid, f"{what} is an error{source}", authors_messages=messages)


def _source(ctx: RuleContext, value: Value) -> Operation | None:
    """Return the operation that makes a value an error, of operands that are none, if it is the only one."""
    maker = ctx.producer(value)
    while maker is not None:
        unsound = [each for each in maker.operands if _may_be_error(ctx, each)]
        if not unsound:
            return maker
        maker = ctx.producer(unsound[0]) if len(unsound) == 1 else None
    return None


def _may_be_error(ctx: RuleContext, value: Value) -> bool:
    known = ctx.seen(value)
    return not is_error_free(value) and known is not None and validity(known) is not TRUE


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
