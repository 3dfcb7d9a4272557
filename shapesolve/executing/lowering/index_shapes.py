"""Give reshapes their shape as indices: MLIR reads narrower integers there as if they were indices."""

from __future__ import annotations

from typing import Any

from shapesolve.executing.lowering.operations import Builder, descendants


def widen(module: Any) -> None:
    """Cast the shape operand of every ``tensor.reshape`` to ``index``."""
    for op in [each for each in descendants(module.operation) if each.name == "tensor.reshape"]:
        shape = op.operands[1]
        if str(shape.type.element_type) != "index":
            extents = ", ".join("?" if extent < 0 else str(extent) for extent in shape.type.shape)
            op.operands[1] = Builder(op).value("arith.index_cast", [shape], f"tensor<{extents}xindex>")
