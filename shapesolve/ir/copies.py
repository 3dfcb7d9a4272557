"""Copies of operations and regions, with other values in place of some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from shapesolve.ir.program import Block, Operation, Region, Value

Values = Mapping[Value, Value]
"""The values that stand for others."""


def copied(op: Operation, values: Values, blocks: Mapping[Block, Block] | None = None) -> Operation:
    """Return an operation with other operands, also inside, and other successors."""
    return replace(
        op,
        operands=substituted(op.operands, values),
        results=substituted(op.results, values),
        regions=tuple(copied_region(each, values) for each in op.regions),
        successors=tuple((blocks or {}).get(each, each) for each in op.successors),
    )


def copied_region(region: Region, values: Values) -> Region:
    """Return a region with other values."""
    copies = {block: Block(substituted(block.arguments, values), ()) for block in region.blocks}
    for block, copy in copies.items():
        operations = tuple(copied(op, values, copies) for op in block.operations)
        # A branch refers to a copy before its operations exist.
        object.__setattr__(copy, "operations", operations)
    return Region(tuple(copies.values()))


def with_counted_uses(region: Region) -> Region:
    """Return a copy of a region with values of its own, whose numbers of uses are those in it."""
    uses = Counter[Value]()
    defined: list[Value] = []
    waiting = [region]
    while waiting:
        for block in waiting.pop().blocks:
            defined += block.arguments
            for op in block.operations:
                uses.update(op.operands)
                defined += op.results
                waiting += op.regions
    return copied_region(region, {each: Value(each.name, each.type, uses[each]) for each in defined})


def substituted(values: Iterable[Value], by: Values) -> tuple[Value, ...]:
    """Return what stands for values."""
    return tuple(by.get(each, each) for each in values)
