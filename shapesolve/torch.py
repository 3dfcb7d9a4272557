"""Models of PyTorch, from Python: ``shapesolve.torch.check(exported_program)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shapesolve.exported_models import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.judging.report import Report


def check(
    model: Any,
    args: Sequence[Any] | Mapping[str, Any] = (),
    dynamic_shapes: Any = None,
    *,
    level: str = "torch",
    decompose: bool = True,
    options: Options | None = None,
    name: str = "<model>",
) -> Report:
    """Decide every obligation of a model of PyTorch, at the level of its own operators, in this process.

    ``model`` is an ``ExportedProgram``, or a module with example inputs ``args`` (a mapping: by name) and
    ``dynamic_shapes``, as torch.export.export takes them, or a tuple of these. ``level``: "torch", or "linalg",
    "stablehlo" or "tosa" for what torch-mlir lowers the model to. ``decompose``: whether PyTorch rewrites the
    operations first, as torch-mlir has it by default. Raises InputError where PyTorch refuses the model, or torch-mlir
    has no way on.
    """
    from shapesolve.doors.kinds import needs
    from shapesolve.doors.torch_model import is_torch, torch_model
    from shapesolve.doors.torch_program import exported_program

    needs("torch")
    given = model if is_torch(model) else (model, args, dynamic_shapes)
    program = torch_model(given, name).program
    return checked(exported_program(program, level=level, decompose=decompose, where=name), name, options)
