"""Programs with structured control flow in place of blocks and branches, and `scf.for` in place of loops that count.

Loops hand on each value once.
"""

from __future__ import annotations

from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.copies import program_with_bodies, with_counted_uses
from shapesolve.ir.counted_loops import with_counted_loops
from shapesolve.ir.program import Function, Program, Region
from shapesolve.ir.repeated_values import without_repeated_values
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
    return program_with_bodies(program, bodies)


def _structured_body(function: Function, any_step: bool) -> Region | None:
    """Return the body of a function with structured control flow; None if nothing changes."""
    if function.body is None or function.operation.name != "func.func":
        return None
    merged = without_repeated_values(structured_region(function.body) or function.body)
    found = with_counted_loops(merged, any_step=any_step)
    return None if found is function.body else with_counted_uses(found)
