"""Write copies of buffers as loops; MLIR would call a library function that need not be there."""

from __future__ import annotations

from typing import Any

from shapesolve.executing.lowering.operations import Builder, descendants
from shapesolve.reading import bindings


def write_as_loops(module: Any) -> None:
    """Replace every ``memref.copy`` between ranked buffers by a structured operation, to be turned into loops."""
    ir = bindings.ir()
    for op in [each for each in descendants(module.operation) if each.name == "memref.copy"]:
        source, target = op.operands
        if not isinstance(source.type, ir.MemRefType):
            continue
        rank = len(source.type.shape)
        loops = ", ".join(f"d{loop}" for loop in range(rank))
        straight = f"affine_map<({loops}) -> ({loops})>"
        parallel = ", ".join(["#linalg.iterator_type<parallel>"] * rank)
        generic = Builder(op).build(
            "linalg.generic",
            [source, target],
            [],
            {
                "indexing_maps": f"[{straight}, {straight}]",
                "iterator_types": f"[{parallel}]",
                "operandSegmentSizes": "array<i32: 1, 1>",
            },
            regions=1,
        )
        element = source.type.element_type
        body = generic.regions[0].blocks.append(element, element, arg_locs=[op.location] * 2)
        with ir.InsertionPoint(body), op.location:
            ir.Operation.create("linalg.yield", operands=[body.arguments[0]])
        op.erase()
