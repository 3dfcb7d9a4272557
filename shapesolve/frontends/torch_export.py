"""Export of PyTorch models by torch.export, with what was declared of their sizes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Facts, message_of, message_with_hint, whole_message
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_annotations import annotated_shapes
from shapesolve.frontends.torch_declared import (
    automatic,
    check_dimensions,
    declarations_of,
    declared_at,
    environment_of,
    leaf_shapes,
)
from shapesolve.frontends.torch_examples import drop_asserts_on_sizes, run_example
from shapesolve.frontends.torch_facts import user_inputs
from shapesolve.frontends.torch_frames import whole_stacks
from shapesolve.frontends.torch_names import exportable, in_users_names, is_named
from shapesolve.frontends.torch_recording import Recording, recording
from shapesolve.frontends.torch_specs import is_spec, shapes_of_spec
from shapesolve.frontends.torch_state import state_kept
from shapesolve.frontends.torch_stated import stated_conditions
from shapesolve.frontends.torch_tracing import spacings_of_any_length, views_as_written
from shapesolve.frontends.torch_undeclared import (
    all_dynamic,
    with_fixed_sizes,
    with_sizes_that_are_not_zero,
    without_ones,
)
from shapesolve.frontends.users_frames import users_frame_of
from shapesolve.ir.declarations import Declarations
from shapesolve.records import value_record

RETURNS = (
    "a model of PyTorch is (module, example_inputs) or (module, example_inputs, dynamic_shapes), or what "
    "torch.export.export returned; one of JAX is (function, 'b, n', ...), or what jax.export returned"
)


@value_record
class TorchModel:
    """An exported program of PyTorch.

    Attributes:
        program: The program that torch.export returned.
        facts: The user's declarations of the arguments; None if they are not known.
        declarations: The same, with the conditions that torch.export found.
        inexpressible: Conditions that torch.export found and that the size language cannot express.
        changed: Names of the attributes that a call changes and that hold no tensor.
        stated: Conditions on data that the model states by ``torch._check``, in normal form.
    """

    program: Any
    facts: Facts | None = None
    declarations: Declarations | None = None
    inexpressible: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    stated: frozenset[str] = frozenset()


def is_program(given: Any) -> bool:
    """Return whether an object is an ``ExportedProgram``."""
    return type(given).__name__ == "ExportedProgram" and hasattr(given, "graph_signature")


def is_torch(given: Any) -> bool:
    """Return whether an object is a PyTorch model in one of the accepted forms."""
    if not isinstance(given, list | tuple):
        return is_program(given)
    parts = cast("tuple[object, ...]", given)
    return 2 <= len(parts) <= 3 and hasattr(parts[0], "named_parameters")


@whole_stacks()
def torch_model(given: Any, where: str, returned_line: Callable[[int], str] = lambda _: "") -> TorchModel:
    """Export a model that is not exported yet.

    Args:
        given: A model of PyTorch in one of the forms that are taken.
        where: The place of errors that no line of the model raises.
        returned_line: Returns the line that gives the example inputs (1) or the dynamic shapes (2), "" if unknown.

    Raises:
        InputError: The model fails on its example inputs, or PyTorch refuses it; with PyTorch's own words.
    """
    if is_program(given):
        return TorchModel(given)
    module, _, *rest = given
    _, (arguments, keywords) = example_of(given)
    shapes = rest[0] if rest else annotated_shapes(module, arguments, keywords)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assumptions: tuple[str, ...] = ()
            if is_spec(shapes):
                shapes, assumptions = shapes_of_spec(shapes, module, arguments, keywords, returned_line(2) or where)
            shapes = _by_argument(shapes, module, arguments, keywords)  # before tensors in two places become two
            arguments, keywords = _with_distinct_tensors(arguments, keywords)
            shapes = exportable(shapes)
            if shapes is None:
                return _undeclared(module, arguments, keywords, returned_line(1) or where)
            check_dimensions(module, arguments, keywords, shapes, returned_line(2) or where)
            ran = run_example(module, arguments, keywords, returned_line(1) or where)
            if ran.succeeded:
                arguments, keywords = _without_declared_ones(module, arguments, keywords, shapes)
            program, found, refusal = _exported(module, arguments, keywords, shapes)
    except InputError:
        raise
    except Exception as error:
        place = users_frame_of(error)
        line = f"{relative(place[0])}:{place[1]}" if place is not None else returned_line(2) or where
        message = in_users_names(message_with_hint(error), shapes)
        raise InputError(f"torch.export refuses this model: {message}", where=line) from None
    leaves = leaf_shapes(module, arguments, keywords, shapes)
    facts, declarations, inexpressible = declarations_of(
        program, leaves, found, refusal, can_run=ran.succeeded, assumptions=assumptions
    )
    declarations, facts = with_sizes_that_are_not_zero(declarations, facts, module, (arguments, keywords))
    return TorchModel(program, facts, declarations, inexpressible, ran.changed, stated_conditions(program, found))


def _undeclared(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], where: str) -> TorchModel:
    """Export with every size dynamic but those that the model fixes; where that is refused, with none."""
    ran = run_example(module, arguments, keywords, where)
    if ran.succeeded:
        arguments, keywords = without_ones(module, (arguments, keywords))
    shapes = all_dynamic(module, arguments, keywords)
    try:
        program, found, refusal = _exported(module, arguments, keywords, shapes)
    except Exception as error:
        refusal, shapes = whole_message(error), None
        program, found, _ = _exported(module, arguments, keywords, None)
    leaves = leaf_shapes(module, arguments, keywords, shapes)
    facts, declarations, inexpressible = declarations_of(program, leaves, found, refusal, can_run=ran.succeeded)
    declarations, facts = with_fixed_sizes(declarations, facts, module, (arguments, keywords))
    return TorchModel(program, facts, declarations, inexpressible, ran.changed, stated_conditions(program, found))


def _without_declared_ones(
    module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], shapes: Any
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return example inputs with 2 for extents of 1 that have a declared name, if that is declared and runs, too."""
    declared = leaf_shapes(module, arguments, keywords, shapes)

    def has_name(tensor: Any, dimension: int) -> bool:
        return is_named(declared_at(declared.get(id(tensor)), dimension))

    larger = without_ones(module, (arguments, keywords), has_name)
    try:
        check_dimensions(module, *larger, shapes, "")
    except InputError:
        return arguments, keywords
    return larger


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
    """Export with the declared sizes; if that is refused, with sizes that the exporter chooses, and the refusal.

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
            with state_kept(module), recording() as found, views_as_written(), spacings_of_any_length():
                program = export(module, arguments, keywords, dynamic_shapes=given, strict=False, **options)
        except Exception as error:
            if shapes is None or _is_malformed(error):
                raise
            refused = refused or error
            continue
        if options:
            drop_asserts_on_sizes(program)
        named: dict[str, Any] = getattr(environment_of(user_inputs(program)), "source_name_to_debug_name", None) or {}
        named.update({source: in_users_names(str(name), shapes) for source, name in named.items()})
        return program, found, "" if refused is None else in_users_names(whole_message(refused), shapes)
    assert refused is not None
    raise refused


def _is_malformed(error: Exception) -> bool:
    """Return whether PyTorch refuses the form of the declared sizes, whatever the model does."""
    return getattr(getattr(error, "error_type", None), "name", "") == "INVALID_INPUT"


def _by_argument(shapes: Any, module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return the dynamic shapes by argument; a ``ShapesCollection`` has them by tensor."""
    return shapes.dynamic_shapes(module, arguments, keywords) if hasattr(shapes, "dynamic_shapes") else shapes


def _with_distinct_tensors(
    arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the example with a tensor of its own in each place.

    For a tensor in two places torch.export makes two arguments and a program that reads only one of them, whatever is
    declared of their extents: what is proved of that program would not hold of the model.
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
    """Return the program in a file that ``torch.export.save`` wrote."""
    torch = import_module("torch")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.export.load(path)
    except Exception as error:
        raise InputError(f"torch.export cannot load this file: {message_of(error)}", where=path) from None
    _forget_derived_ranges(program)
    return TorchModel(program)


def _forget_derived_ranges(program: Any) -> None:
    """Remove the ranges of expressions, which files contain and PyTorch takes for those of symbols."""
    for node in program.graph.nodes:
        environment = getattr(getattr(node.meta.get("val"), "fake_mode", None), "shape_env", None)
        ranges: dict[Any, Any] = getattr(environment, "var_to_range", None) or {}
        for key in [each for each in ranges if not getattr(each, "is_Symbol", True)]:
            del ranges[key]
