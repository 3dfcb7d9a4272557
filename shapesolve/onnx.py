"""Models in ONNX, from Python: ``shapesolve.onnx.check("model.onnx")``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shapesolve.exported_models import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.judging.report import Report


def check(path: str | Path, *, level: str = "torch", options: Options | None = None) -> Report:
    """Decide every obligation of a model in ONNX, imported as operators of PyTorch, in this process.

    ``level``: "torch", or "linalg", "stablehlo" or "tosa" for what torch-mlir lowers the model to.

    Raises InputError for a file that cannot be read, and where torch-mlir has no way on.
    """
    from shapesolve.doors.kinds import needs
    from shapesolve.doors.onnx_model import exported_model

    needs("onnx")
    return checked(exported_model(str(path), level), str(path), options)
