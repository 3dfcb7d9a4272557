"""Running passes of the installed MLIR on a text."""

from __future__ import annotations

from shapesolve.ir import bindings

TOSA_TO_LINALG = "func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-tensor,tosa-to-arith)"
STABLEHLO_TO_LINALG = "stablehlo-legalize-to-linalg"


class PassFailedError(Exception):
    """MLIR says that a pass failed, or refuses the text."""


def after_passes(text: str, passes: str) -> str:
    """The program after some passes, in their textual form."""
    ir = bindings.ir()
    with bindings.new_context():
        bindings.register_stablehlo_passes()
        try:
            module = ir.Module.parse(text)
            bindings.passmanager().PassManager.parse(f"builtin.module({passes})").run(module.operation)
        except ir.MLIRError as error:
            raise PassFailedError(str(error)) from None
        return str(module)
