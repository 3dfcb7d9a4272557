"""MLIR's own operations, as the bindings show them."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.ir.bindings import Bindings


def descendants(live: Bindings) -> Iterator[Bindings]:
    """The operations inside another, each before those inside it."""
    for region in live.regions:
        for block in region.blocks:
            for op in block.operations:
                yield op.operation
                yield from descendants(op.operation)


def captures(op: Bindings) -> bool:
    """Return whether the regions use values of the program around."""
    inner = list(descendants(op))
    known = {value for each in inner for value in each.results}
    blocks = [block for each in (op, *inner) for region in each.regions for block in region.blocks]
    known |= {argument for block in blocks for argument in block.arguments}
    return any(operand not in known for each in inner for operand in each.operands)
