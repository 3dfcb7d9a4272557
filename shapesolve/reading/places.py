"""Where the operations of a program stand, and who uses its values."""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.reading.analyses import program_analysis
from shapesolve.reading.program import Block, Operation, Program, Region, Value
from shapesolve.records import record


@record
class Places:
    """A program turned around: from the inner to the outer, from a value to its maker, and to its users in order."""

    regions: Mapping[Operation, Region]
    blocks: Mapping[Operation, tuple[Block, int]]
    """The block that an operation stands in, and how many stand there before it."""
    around: Mapping[Block, Operation]
    makers: Mapping[Value, Operation]
    """The operations that values are results of; arguments have none."""
    users: Mapping[Value, list[Operation]]
    """Each user of a value once, however many of its operands the value is."""


@program_analysis
def places_in(program: Program) -> Places:
    """Find where every operation, block and value of a program stands."""
    regions: dict[Operation, Region] = {}
    blocks: dict[Operation, tuple[Block, int]] = {}
    around: dict[Block, Operation] = {}
    makers: dict[Value, Operation] = {}
    users: dict[Value, list[Operation]] = {}
    for op in program.operation.walk():
        makers.update(dict.fromkeys(op.results, op))
        for operand in dict.fromkeys(op.operands):
            users.setdefault(operand, []).append(op)
        for region in op.regions:
            for block in region.blocks:
                around[block] = op
                regions.update(dict.fromkeys(block.operations, region))
                blocks.update((each, (block, number)) for number, each in enumerate(block.operations))
    return Places(regions, blocks, around, makers, users)
