"""From what a user gives to an ``ExportedProgram`` of PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from shapesolve.doors.exported import Facts
from shapesolve.doors.shown_paths import relative
from shapesolve.doors.torch_declared import automatic, declarations_of, leaf_shapes
from shapesolve.doors.torch_examples import drop_asserts_on_sizes, run_example
from shapesolve.doors.torch_frames import whole_stacks
from shapesolve.doors.torch_recording import Recording, recording, users_frame_of
from shapesolve.doors.words import said_by, whole_message
from shapesolve.errors import InputError
from shapesolve.reading.declarations import Declarations
from shapesolve.records import value_record

RETURNS = (
    "a model of PyTorch is (module, example_inputs) or (module, example_inputs, dynamic_shapes), or what "
    "torch.export.export returned; one of JAX is (function, 'b, n', ...), or what jax.export returned"
)


@value_record
class TorchModel:
    """An exported program of PyTorch.

    Attributes:
        program: what torch.export returned.
        eager: what runs as PyTorch itself runs it, None where only the program is at hand.
        facts: what the user declared of the arguments, None where that is not known.
        declarations: the same with what torch.export found besides.
        unsaid: conditions that torch.export found and that cannot be said in the size language.
    """

    program: Any
    eager: Any
    facts: Facts | None = None
    declarations: Declarations | None = None
    unsaid: tuple[str, ...] = ()


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
    module, _, *rest = given
    _, (arguments, keywords) = example_of(given)
    shapes = rest[0] if rest else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shapes = _by_argument(shapes, module, arguments, keywords)
            arguments, keywords = _told_apart(arguments, keywords)
            can_run = run_example(module, arguments, keywords, where)
            program, found, refusal = _exported(module, arguments, keywords, shapes)
    except InputError:
        raise
    except Exception as error:
        hint = _TAKEN if type(error).__name__ == "SympifyError" else ""
        place = users_frame_of(error)
        line = f"{relative(place[0])}:{place[1]}" if place is not None else where
        raise InputError(f"torch.export refuses this model: {said_by(error)}{hint}", where=line) from None
    leaves = leaf_shapes(module, arguments, keywords, shapes)
    facts, declarations, unsaid = declarations_of(program, leaves, found, refusal, can_run=can_run)
    return TorchModel(program, module, facts, declarations, unsaid)


def example_of(given: Any) -> tuple[Any, tuple[tuple[Any, ...], dict[str, Any]]]:
    """Return the module of a model, and its example inputs by position and by name."""
    module, inputs, *_ = given
    if isinstance(inputs, Mapping):
        return module, ((), dict(cast("Mapping[str, Any]", inputs)))
    if isinstance(inputs, list | tuple):
        return module, (tuple(cast("tuple[Any, ...]", inputs)), {})
    return module, ((inputs,), {})


def _exported(
    module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], shapes: Any
) -> tuple[Any, Recording, str]:
    """Export as declared; where that is refused, with the sizes left to the exporter: the last is how it refused.

    Raises what torch.export raises of the declarations where nothing else works either.
    """
    export = import_module("torch").export.export
    refused: Exception | None = None
    for given, options in (
        (shapes, {}),
        (automatic(shapes), {}),
        (shapes, {"prefer_deferred_runtime_asserts_over_guards": True}),
        (automatic(shapes), {"prefer_deferred_runtime_asserts_over_guards": True}),
    ):
        try:
            with recording() as found:
                program = export(module, arguments, keywords, dynamic_shapes=given, strict=False, **options)
        except Exception as error:
            if shapes is None or type(error).__name__ == "SympifyError":
                raise
            refused = refused or error
            continue
        if options:
            drop_asserts_on_sizes(program)
        return program, found, "" if refused is None else whole_message(refused)
    assert refused is not None
    raise refused


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
