"""From what a user gives to an ``ExportedProgram`` of PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from shapesolve.doors.torch_frames import whole_stacks
from shapesolve.doors.words import said_by
from shapesolve.errors import InputError
from shapesolve.records import value_record

RETURNS = (
    "a model of PyTorch is (module, example_inputs) or (module, example_inputs, dynamic_shapes), or what "
    "torch.export.export returned; one of JAX is (function, 'b, n', ...), or what jax.export returned"
)


@value_record
class TorchModel:
    """A program, and what runs as PyTorch itself runs it."""

    program: Any
    eager: Any


def is_program(given: Any) -> bool:
    """Whether something is an ``ExportedProgram``."""
    return type(given).__name__ == "ExportedProgram" and hasattr(given, "graph_signature")


def is_torch(given: Any) -> bool:
    """Whether something is a model of PyTorch in one of the forms that are taken."""
    if not isinstance(given, list | tuple):
        return is_program(given)
    parts = cast("tuple[object, ...]", given)
    return 2 <= len(parts) <= 3 and hasattr(parts[0], "named_parameters")


_TAKEN = "; PyTorch's algebra means something of its own by the names C, E, I, N, O, Q and S: call the Dim otherwise"


@whole_stacks()
def torch_model(given: Any, where: str) -> TorchModel:
    """Export what is not exported yet. Raises InputError with PyTorch's own words where it refuses."""
    if is_program(given):
        return TorchModel(given, None)
    module, inputs, *rest = given
    keywords: dict[str, Any] = {}
    if isinstance(inputs, Mapping):
        keywords = dict(cast("Mapping[str, Any]", inputs))
        inputs = ()
    arguments: tuple[Any, ...] = (
        tuple(cast("tuple[Any, ...]", inputs)) if isinstance(inputs, list | tuple) else (inputs,)
    )
    torch = import_module("torch")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shapes = _by_argument(rest[0] if rest else None, module, arguments, keywords)
            arguments, keywords = _told_apart(arguments, keywords)
            program = torch.export.export(module, arguments, keywords, dynamic_shapes=shapes, strict=False)
    except Exception as error:
        hint = _TAKEN if type(error).__name__ == "SympifyError" else ""
        raise InputError(f"torch.export refuses this model: {said_by(error)}{hint}", where=where) from None
    return TorchModel(program, module)


def _by_argument(shapes: Any, module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What is dynamic, by argument also where it was said of the tensors themselves, as ``ShapesCollection`` does."""
    return shapes.dynamic_shapes(module, arguments, keywords) if hasattr(shapes, "dynamic_shapes") else shapes


def _told_apart(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The example with a tensor of its own in each place.

    Of one that stands in two, torch.export makes two arguments and a program that reads only one of them, whatever was
    said of their extents: nothing that is proved of it would hold of the model.
    """
    torch = import_module("torch")
    seen: set[int] = set()

    def own(each: Any) -> Any:
        if not isinstance(each, torch.Tensor):
            return each
        is_again = id(each) in seen
        seen.add(id(each))
        return each.detach().requires_grad_(each.requires_grad) if is_again else each

    found: tuple[tuple[Any, ...], dict[str, Any]] = torch.utils._pytree.tree_map(own, (arguments, keywords))
    return found


def loaded(path: str) -> TorchModel:
    """The program in a file that ``torch.export.save`` wrote."""
    torch = import_module("torch")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.export.load(path)
    except Exception as error:
        raise InputError(f"torch.export cannot load this file: {said_by(error)}", where=path) from None
    _forget_derived_ranges(program)
    return TorchModel(program, None)


def _forget_derived_ranges(program: Any) -> None:
    """Ranges of expressions, which a file brings where PyTorch expects those of symbols, and then fails."""
    for node in program.graph.nodes:
        environment = getattr(getattr(node.meta.get("val"), "fake_mode", None), "shape_env", None)
        ranges: dict[Any, Any] = getattr(environment, "var_to_range", None) or {}
        for key in [each for each in ranges if not getattr(each, "is_Symbol", True)]:
            del ranges[key]
