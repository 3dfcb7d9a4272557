"""Models of PyTorch, from Python: ``shapesolve.torch.check(exported_program)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from shapesolve.api import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.report import Report


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
    ``dynamic_shapes``, as torch.export.export takes them (None: every extent is dynamic), or a tuple of these.
    ``level``: "torch", or "linalg", "stablehlo" or "tosa" for what torch-mlir lowers the model to. ``decompose``:
    whether PyTorch rewrites the operations first, as torch-mlir has it by default. Raises InputError where PyTorch
    refuses the model, or torch-mlir has no way on.
    """
    from shapesolve.frontends.open import needs
    from shapesolve.frontends.torch_export import exported_program, is_torch, torch_model

    needs("torch")
    if is_torch(model):
        given = model
    else:
        given = (model, args, _all_dynamic(args) if dynamic_shapes is None else dynamic_shapes)
    program = torch_model(given, name).program
    return checked(exported_program(program, level=level, decompose=decompose, where=name), name, options)


def _all_dynamic(args: Any) -> Any:
    """Return dynamic shapes for example inputs in which torch.export keeps every extent dynamic that it can."""
    from importlib import import_module

    torch: Any = import_module("torch")

    def dimensions(each: Any) -> Any:
        is_tensor = isinstance(each, torch.Tensor)
        return dict.fromkeys(range(each.dim()), torch.export.Dim.AUTO) if is_tensor else None

    given: Any = (args,)
    if isinstance(args, Mapping):
        given = dict(cast("Mapping[str, Any]", args))
    elif isinstance(args, list | tuple):
        given = tuple(cast("Sequence[Any]", args))
    return torch.utils._pytree.tree_map(dimensions, given)
