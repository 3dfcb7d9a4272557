"""Programs as MLIR lowers them: structured loops and branches as blocks."""

from __future__ import annotations

from shapesolve.ir import bindings


def with_blocks(text: str) -> str:
    """The module with branches between blocks instead of structured control. Raises MLIR's error where it cannot be."""
    context = bindings.new_context()
    with context, bindings.ir().Location.unknown(context):
        module = bindings.ir().Module.parse(text)
        manager = bindings.passmanager().PassManager.parse("builtin.module(convert-scf-to-cf)", context)
        manager.run(module.operation)
        return str(module)
