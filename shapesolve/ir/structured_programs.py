"""Programs with structured control flow in place of blocks and branches, and `scf.for` in place of loops that count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.copies import with_counted_uses
from shapesolve.ir.counted_loops import with_counted_loops
from shapesolve.ir.program import Block, Function, Operation, Program, Region
from shapesolve.ir.structuring import structured_region


@program_analysis
def structured_program(program: Program, any_step: bool = False) -> Program:
    """Return a program that does the same, its functions' control flow structured where it can be; else itself.

    The operations that stay have the same numbers and locations; those of branches stand at these. Its executable text
    is that of the program.

    Args:
        any_step: Whether it may be undefined where a loop takes steps that are not positive.
    """
    found = ((each.operation, _structured_body(each, any_step)) for each in program.functions.values())
    bodies = {operation: body for operation, body in found if body is not None}
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


def _structured_body(function: Function, any_step: bool) -> Region | None:
    """Return the body of a function with structured control flow; None if nothing changes."""
    if function.body is None or function.operation.name != "func.func":
        return None
    found = with_counted_loops(structured_region(function.body) or function.body, any_step=any_step)
    return None if found is function.body else with_counted_uses(found)


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
