"""Copies of operations, regions and programs, with other values or bodies in place of some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from shapesolve.ir.program import Block, Function, Operation, Program, Region, Value

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


def program_with_bodies(program: Program, bodies: Mapping[Operation, Region]) -> Program:
    """Return a program with other bodies of functions, by their operations; itself if there are none."""
    if not bodies:
        return program
    copies: dict[Operation, Operation] = {}
    root = _with_bodies(program.operation, bodies, copies)
    replaced = {each: _copy(each, copies) for each in program.functions.values()}
    return replace(
        program,
        operation=root,
        functions={name: replaced[each] for name, each in program.functions.items()},
        symbols=program.symbols.of_copy(root, replaced.values()),
        asserted={replaced[each]: its for each, its in program.asserted.items()},
    )


def _with_bodies(op: Operation, bodies: Mapping[Operation, Region], copies: dict[Operation, Operation]) -> Operation:
    """Return an operation with other bodies of functions, and note each copy of an operation around them."""
    found = op
    if op in bodies:
        found = replace(op, regions=(bodies[op],))
    elif op.name == "builtin.module":
        regions = (
            Region(
                tuple(
                    Block(each.arguments, tuple(_with_bodies(inner, bodies, copies) for inner in each.operations))
                    for each in region.blocks
                )
            )
            for region in op.regions
        )
        found = replace(op, regions=tuple(regions))
    copies[op] = found
    return found


def _copy(function: Function, copies: Mapping[Operation, Operation]) -> Function:
    operation = copies.get(function.operation, function.operation)
    if operation is function.operation:
        return function
    body = operation.regions[0]
    return replace(function, operation=operation, arguments=body.blocks[0].arguments, body=body)


def substituted(values: Iterable[Value], by: Values) -> tuple[Value, ...]:
    """Return what stands for values."""
    return tuple(by.get(each, each) for each in values)
