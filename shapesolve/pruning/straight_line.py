"""Straight-line code: a block with the bodies of the assumptions in it that it cannot get past without running them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shapesolve.ir.control_flow import places_in
from shapesolve.ir.program import Block, Operation, Program, Value
from shapesolve.rewriting.checks import ASSUMING, ASSUMING_ALL, can_be_asked, is_passing, makes_witness
from shapesolve.semantics.registry import RuleRegistry


def straight_lines(program: Program, registry: RuleRegistry) -> Iterator[tuple[Operation, ...]]:
    """Yield the operations of each block of a program in the order in which they run.

    A body that waits for constraints of the program belongs to the block around it: a run in which one of them fails
    stops there. One that waits for a witness from elsewhere is a block of its own.
    """
    makers = places_in(program).makers
    inlined: set[Block] = set()
    for block in program.operation.nested_blocks():  # from the outside in
        if block not in inlined:
            yield tuple(_in_order(block.operations, makers, registry, inlined))


def _in_order(
    ops: Iterable[Operation], makers: Mapping[Value, Operation], registry: RuleRegistry, inlined: set[Block]
) -> Iterator[Operation]:
    for op in ops:
        yield op
        if op.name == ASSUMING and _is_asserted(op.operands[0], makers, registry):
            for block in op.regions[0].blocks:
                inlined.add(block)
                yield from _in_order(block.operations, makers, registry, inlined)


def _is_asserted(witness: Value, makers: Mapping[Value, Operation], registry: RuleRegistry) -> bool:
    """Return whether a witness passes wherever control gets to: what makes it stops every other run."""
    waiting = [witness]
    while waiting:
        maker = makers.get(waiting.pop())
        if maker is None or not makes_witness(maker):
            return False
        if maker.name == ASSUMING_ALL:
            waiting += maker.operands
        elif not (is_passing(maker) or can_be_asked(maker, registry)):
            return False
    return True


def is_inlined(op: Operation, ops: frozenset[Operation]) -> bool:
    """Return whether an operation is an assumption whose body is part of the straight-line code."""
    return op.name == ASSUMING and all(each in ops for block in op.regions[0].blocks for each in block.operations)
