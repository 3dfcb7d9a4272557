"""Check of ONNX models from Python: ``shapesolve.onnx.check("model.onnx")``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.api import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.report import Report


def check(path: str | Path, *, level: str = "torch", options: Options | None = None) -> Report:
    """Decide every obligation of an ONNX model, imported as operators of PyTorch, in this process.

    Args:
        path: The model's file.
        level: "torch", or "linalg", "stablehlo" or "tosa" for the program that torch-mlir lowers the model to.
        options: How to check.

    Raises:
        InputError: The file cannot be read, or torch-mlir cannot import or lower the model.
    """
    from shapesolve.frontends.onnx_import import exported_model
    from shapesolve.frontends.open import needs

    needs("onnx")
    return checked(exported_model(str(path), level), str(path), options)
