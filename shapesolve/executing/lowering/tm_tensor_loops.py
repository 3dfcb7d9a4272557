"""torch-mlir's own structured operations as loops, by its own passes."""

from __future__ import annotations

from typing import Any

from shapesolve.executing.lowering.operations import descendants
from shapesolve.reading import bindings

BUFFERS = "func.func(tm-tensor-bufferize)"
LOOPS = "func.func(tm-tensor-to-loops)"


def own_buffers(module: Any) -> None:
    """Say of the buffers that the operations fill that nothing else uses them: bufferization demands it.

    They are allocated for this, and each is filled before it is read as a tensor.
    """
    ir = bindings.ir()
    for op in [each for each in descendants(module.operation) if each.name == "bufferization.to_tensor"]:
        allocated = op.operands[0].owner
        if allocated.name != "memref.alloc":
            continue
        op.attributes["restrict"] = ir.UnitAttr.get(module.context)
        filling = [use.owner for use in op.operands[0].uses if use.owner.name.startswith("tm_tensor.")]
        if filling:
            op.move_after(filling[0])
