"""Models in ONNX, from Python: ``shapesolve.onnx.check("model.onnx")``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.api import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.report import Report


def check(path: str | Path, *, level: str = "torch", options: Options | None = None) -> Report:
    """Decide every obligation of a model in ONNX, imported as operators of PyTorch, in this process.

    ``level``: "torch", or "linalg", "stablehlo" or "tosa" for what torch-mlir lowers the model to.

    Raises InputError for a file that cannot be read, and where torch-mlir has no way on.
    """
    from shapesolve.frontends.onnx_import import exported_model
    from shapesolve.frontends.open import needs

    needs("onnx")
    return checked(exported_model(str(path), level), str(path), options)
