"""Export of PyTorch models, and import of an ``ExportedProgram`` by torch-mlir without large weights."""

from __future__ import annotations

import linecache
import os
import re
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Begin, Exported, Facts, message_of, nobody, only, whole_message
from shapesolve.frontends.lowering import annotate, at_levels, lower, printed
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_annotations import annotated_shapes
from shapesolve.frontends.torch_declared import (
    automatic,
    check_dimensions,
    declarations_of,
    leaf_shapes,
    with_guards_of,
)
from shapesolve.frontends.torch_examples import drop_asserts_on_sizes, has_contents, run_example
from shapesolve.frontends.torch_facts import facts_of, settled_extent
from shapesolve.frontends.torch_frames import torch_directory, whole_stacks, written_operation
from shapesolve.frontends.torch_graph import PLACES, name_weights_in_lists, spell_with_operators, spell_with_views
from shapesolve.frontends.torch_recording import Recording, recording
from shapesolve.frontends.torch_spacings import spacings_of_any_length
from shapesolve.frontends.torch_undeclared import all_dynamic, with_fixed_sizes, without_ones
from shapesolve.frontends.torch_views import views_as_written
from shapesolve.frontends.users_frames import users_frame_of
from shapesolve.ir import bindings
from shapesolve.ir.declarations import Declarations
from shapesolve.ir.locations import OPERATION
from shapesolve.records import value_record

FUNCTION = "forward"
MOST_FLOATS = 16
"""Larger tensors of floats among the weights are elided: no size depends on them."""
MOST_INTEGERS = 4096
"""Larger tensors of integers are elided; smaller ones may be tables that sizes or indices come from."""

KEPT_WHOLE = ("aten.linear.default", "aten.matmul.default")
"""Operators that ``decompose=False`` leaves to torch-mlir: their decomposition into views assumes lengths of 1."""

_SAMPLE = 1024  # of a weight tells mostly that it is not the same everywhere
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_MOST_UNSAID = 4
_DECOMPOSED = "PyTorch's decomposition of this program admits only sizes with"


def exported_program(
    program: Any, *, level: str = "linalg", decompose: bool = True, where: str = "", model: TorchModel | None = None
) -> Exported:
    """Return the program at a level, with its facts as attributes.

    Args:
        program: What torch.export returned.
        level: The level.
        decompose: Whether to decompose all operations that torch-mlir decomposes by default.
        where: The place of errors.
        model: The model whose declared facts replace all that torch.export knows, None to believe torch.export.

    Raises:
        InputError: torch-mlir cannot import or lower the program.
    """
    return only(exported_at(program, (level,), decompose=decompose, where=where, model=model))


def exported_at(
    program: Any,
    levels: Sequence[str],
    *,
    decompose: bool = True,
    where: str = "",
    begin: Begin = nobody,
    model: TorchModel | None = None,
) -> list[Exported | InputError]:
    """Return the program at several levels, with the error where one cannot be reached; else as `exported_program`."""
    facts, unsaid = (model.facts, model.unsaid) if model is not None and model.facts is not None else facts_of(program)
    declarations = None if model is None else model.declarations
    lines, notes = _Lines(), _unsaid(unsaid) + _merged(program)
    with warnings.catch_warnings(), recording() as found, views_as_written():
        warnings.simplefilter("ignore")
        module = _imported(program, decompose, lines, where)
    if declarations is not None:
        declarations, unsaid = with_guards_of(declarations, program, found)
        notes += _unsaid(unsaid)
    elif found.guards:
        notes += (f"{_DECOMPOSED}: {' and '.join(dict.fromkeys(str(each) for each, _, _ in found.guards))}",)

    def finish(copy: Any, level: str) -> Exported:
        lower(copy, level, where)
        annotate(copy, FUNCTION, facts)
        return Exported(printed(copy), lines.found, notes, level, declarations)

    return at_levels(module, levels, finish, where, begin)


def _unsaid(unsaid: Sequence[str]) -> tuple[str, ...]:
    notes = [
        f"torch.export states what cannot be said here, and is not used: {guard}" for guard in unsaid[:_MOST_UNSAID]
    ]
    if len(unsaid) > _MOST_UNSAID:
        notes.append(f"and {len(unsaid) - _MOST_UNSAID} more such statements of torch.export")
    return tuple(notes)


def _merged(program: Any) -> tuple[str, ...]:
    """Return a note for tensors that stand in several places of the example: the program reads only one of them."""
    leaves = import_module("torch.utils._pytree").tree_leaves(program.example_inputs)
    wanted = [spec.arg for spec in program.graph_signature.input_specs if spec.kind.name == "USER_INPUT"]
    places: dict[int, list[str]] = {}
    for leaf, each in zip(leaves, wanted, strict=False):
        if type(each).__name__ == "TensorArgument":
            places.setdefault(id(leaf), []).append(f"%{each.name}")
    return tuple(
        f"torch.export takes {' and '.join(names)} for one tensor, as its example gave one for both"
        for names in places.values()
        if len(names) > 1
    )


def _imported(program: Any, decompose: bool, lines: _Lines, where: str) -> Any:
    """Return the program in the torch dialect."""
    importer_module = import_module("torch_mlir.extras.fx_importer")
    decompositions = import_module("torch_mlir.extras.fx_decomp_util")
    ir = bindings.ir()
    context = ir.Context()
    import_module("torch_mlir.dialects.torch").register_dialect(context)
    try:
        table = dict(decompositions.get_decomposition_table())
        if not decompose:
            table = {operator: rule for operator, rule in table.items() if str(operator) not in KEPT_WHOLE}
        program = program.run_decompositions(table)
        _give_all_buffers(program)
        spell_with_operators(program.graph_module.graph)
        spell_with_views(program.graph_module.graph)
        _sizes_as_tensors(program.graph_module.graph)
        name_weights_in_lists(program)
        hooks = type("Elided", (importer_module.FxImporterHooks,), {"resolve_literal": _literal})()
        importer = importer_module.FxImporter(context=context, hooks=hooks)
        own = {"get_node_location": lines.location, "format_asm_shape": _shape_text}
        importer._cc = type("Types", (importer_module.ContextCache,), own)(
            context, py_attr_tracker=importer._py_attr_tracker
        )
        signature = program.graph_signature
        mutates = signature.buffers_to_mutate or signature.user_inputs_to_mutate
        import_ = importer.import_program if mutates else importer.import_frozen_program
        with _pythons_remainder(importer_module.PY_BUILTIN_TO_TORCH_OP):
            import_(program, func_name=FUNCTION)
    except (InputError, MemoryError):
        raise
    except Exception as error:
        said = _of_higher_order(program) or message_of(error)
        raise InputError(f"torch-mlir cannot import this model: {said}", where=where) from None
    return importer.module


def _of_higher_order(program: Any) -> str:
    """Return a message about operators that take programs, such as `torch.cond`; "" without one."""
    kind = import_module("torch")._ops.HigherOrderOperator
    names = {str(node.target) for node in program.graph.nodes if isinstance(node.target, kind)}
    return f"its importer does not know {' and '.join(sorted(names))}, which takes parts of the model" if names else ""


@contextmanager
def _pythons_remainder(operators: dict[str, Any]) -> Generator[None]:
    """Import ``%`` of sizes with the meaning that it has in Python.

    The importer makes C's remainder of it, of which its dialect has none for integers, so that its value is unknown
    and nothing lowers it.
    """
    before = operators["mod"]
    operators["mod"] = import_module("torch").ops.aten.remainder
    try:
        yield
    finally:
        operators["mod"] = before


def _give_all_buffers(program: Any) -> None:
    """Add the buffers that are not saved to the state dict, the only place where the importer looks."""
    buffers = program.graph_signature.inputs_to_buffers.values()
    unsaved = {name: program.constants[name] for name in buffers if name in program.constants}
    if unsaved:
        program._state_dict = {**program.state_dict, **unsaved}


def _sizes_as_tensors(graph: Any) -> None:
    """Convert sizes to tensors where an operator takes a tensor, as in ``x // n``."""
    torch = import_module("torch")
    scalar_tensor = torch.ops.aten.scalar_tensor.default
    for node in list(graph.nodes):
        if node.op != "call_function" or not hasattr(node.target, "_schema"):
            continue
        for at, (given, wanted) in enumerate(zip(node.args, node.target._schema.arguments, strict=False)):
            size = given.meta.get("val") if isinstance(given, torch.fx.Node) else None
            if not isinstance(size, torch.SymInt) or str(wanted.type) != "Tensor":
                continue
            with graph.inserting_before(node):
                made = graph.call_function(scalar_tensor, (given,), {"dtype": torch.int64})
            made.meta = {key: each for key, each in node.meta.items() if key in PLACES}
            with import_module("torch._guards").detect_fake_mode([size, node.meta["val"]]):
                made.meta["val"] = scalar_tensor(size, dtype=torch.int64)
            node.update_arg(at, made)


def _shape_text(_: Any, shape: Sequence[Any]) -> str:
    """Return extents as types write them.

    An extent that torch.export found to be one number is that number: the importer, which asks only what a size was
    made as, would have it `?` at the arguments, and the program more general than it is.
    """
    known = map(settled_extent, shape)
    return ",".join("?" if each is None else str(each) for each in known)


def _literal(_: Any, importer: Any, literal: Any, info: Any) -> Any:
    """Return the operation for a weight or a constant, with its contents if it is small or constant."""
    del info
    torch, importer_module, ir = import_module("torch"), import_module("torch_mlir.extras.fx_importer"), bindings.ir()
    if not isinstance(literal, torch.Tensor):
        return None
    make = importer_module.TORCH_DTYPE_TO_MLIR_TYPE.get(literal.dtype)
    if make is None:
        return None
    element = make()
    extents = list(literal.shape)
    result = importer._cc.tensor_to_vtensor_type(literal)
    number = _only_number(literal)
    if number is not None:
        attribute = ir.FloatAttr if isinstance(number, float) else ir.IntegerAttr
        kind = ir.RankedTensorType.get(extents, element)
        value = ir.DenseElementsAttr.get_splat(kind, attribute.get(element, number))
    elif _is_small(literal):
        value = ir.DenseElementsAttr.get(literal.detach().contiguous().cpu().numpy(), type=element, shape=extents)
    else:
        shape = "".join(f"{extent}x" for extent in extents)
        value = ir.Attribute.parse(f"dense_resource<__elided__> : tensor<{shape}{element}>")
    return ir.Operation.create("torch.vtensor.literal", results=[result], attributes={"value": value}).result


def _only_number(literal: Any) -> float | int | None:
    """Return the value of all elements of a tensor, None where they differ or cannot be read."""
    if not has_contents(literal) or not literal.numel() or literal.dtype.is_complex or literal.is_quantized:
        return None
    numbers = literal.detach().flatten()
    first = numbers[0]
    if not all(bool((each == first).all()) for each in (numbers[:_SAMPLE], numbers)):
        return None
    number = first.item()
    return float(number) if literal.dtype.is_floating_point else int(number)


def _is_small(literal: Any) -> bool:
    torch = import_module("torch")
    if not has_contents(literal):
        return False
    count = literal.numel()
    if literal.dtype in (torch.float32, torch.float64, torch.float16):
        return bool(count <= MOST_FLOATS)
    return bool(count <= MOST_INTEGERS) and not literal.dtype.is_floating_point and not literal.dtype.is_complex


class _Lines:
    """Locations of graph nodes in the model's own source."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int], str] = {}
        self._torch = torch_directory()

    @property
    def location(self) -> Any:
        """The replacement of the importer's own method: the node's name, its module's path, the model's lines."""

        def get_node_location(cache: Any, node: Any) -> Any:
            context = cache._c
            location = bindings.ir().Location
            frames = [location.file(file, line, 0, context=context) for file, line in self._frames(node)]
            inner = frames[0] if frames else location.unknown(context=context)
            if len(frames) > 1:
                inner = location.callsite(inner, frames[1:], context=context)
            path = location.name(_module_path(node), childLoc=inner, context=context)
            operation = written_operation(node)
            if operation:
                path = location.name(f"{OPERATION}{operation}", childLoc=path, context=context)
            return location.name(node.name, childLoc=path, context=context)

        return get_node_location

    def _frames(self, node: Any) -> list[tuple[str, int]]:
        """Return the lines that are not PyTorch's own, the innermost call first."""
        found: list[tuple[str, int]] = []
        for file, line in reversed(_FRAME.findall(node.meta.get("stack_trace") or "")):
            if os.path.abspath(file).startswith(self._torch) or file.startswith(("torch/", "<")):
                continue
            shown, number = relative(file), int(line)
            text = linecache.getline(file, number).strip()
            if text:
                self.found[shown, number] = text
            found.append((shown, number))
        return found


def _module_path(node: Any) -> str:
    """Return the path of a node's module, ``encoder.layers.3.attn``; of the outermost one its class."""
    stack: dict[str, tuple[str, Any]] = node.meta.get("nn_module_stack") or {}
    if not stack:
        return FUNCTION
    path, kind = list(stack.values())[-1]
    if path.startswith("_empty_nn_module"):
        return FUNCTION
    name = str(kind if isinstance(kind, str) else getattr(kind, "__name__", FUNCTION))
    return path or name.rpartition(".")[2]


RETURNS = (
    "a model of PyTorch is (module, example_inputs) or (module, example_inputs, dynamic_shapes), or what "
    "torch.export.export returned; one of JAX is (function, 'b, n', ...), or what jax.export returned"
)


@value_record
class TorchModel:
    """An exported program of PyTorch.

    Attributes:
        program: what torch.export returned.
        facts: what the user declared of the arguments, None where that is not known.
        declarations: the same with what torch.export found besides.
        unsaid: conditions that torch.export found and that cannot be said in the size language.
    """

    program: Any
    facts: Facts | None = None
    declarations: Declarations | None = None
    unsaid: tuple[str, ...] = ()


def is_program(given: Any) -> bool:
    """Return whether an object is an ``ExportedProgram``."""
    return type(given).__name__ == "ExportedProgram" and hasattr(given, "graph_signature")


def is_torch(given: Any) -> bool:
    """Return whether an object is a PyTorch model in one of the accepted forms."""
    if not isinstance(given, list | tuple):
        return is_program(given)
    parts = cast("tuple[object, ...]", given)
    return 2 <= len(parts) <= 3 and hasattr(parts[0], "named_parameters")


_TAKEN = "; PyTorch's algebra means something of its own by the names C, E, I, N, O, Q and S: call the Dim otherwise"


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
            shapes = _by_argument(shapes, module, arguments, keywords)  # before tensors in two places become two
            arguments, keywords = _with_distinct_tensors(arguments, keywords)
            if shapes is None:
                return _undeclared(module, arguments, keywords, returned_line(1) or where)
            check_dimensions(module, arguments, keywords, shapes, returned_line(2) or where)
            can_run = run_example(module, arguments, keywords, returned_line(1) or where)
            program, found, refusal = _exported(module, arguments, keywords, shapes)
    except InputError:
        raise
    except Exception as error:
        hint = _TAKEN if type(error).__name__ == "SympifyError" else ""
        place = users_frame_of(error)
        line = f"{relative(place[0])}:{place[1]}" if place is not None else returned_line(2) or where
        raise InputError(f"torch.export refuses this model: {message_of(error)}{hint}", where=line) from None
    leaves = leaf_shapes(module, arguments, keywords, shapes)
    facts, declarations, unsaid = declarations_of(program, leaves, found, refusal, can_run=can_run)
    return TorchModel(program, facts, declarations, unsaid)


def _undeclared(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], where: str) -> TorchModel:
    """Export with every size dynamic but those that the model fixes; where that is refused, with none."""
    can_run = run_example(module, arguments, keywords, where)
    if can_run:
        arguments, keywords = without_ones(module, (arguments, keywords))
    shapes = all_dynamic(module, arguments, keywords)
    try:
        program, found, refusal = _exported(module, arguments, keywords, shapes)
    except Exception as error:
        refusal, shapes = whole_message(error), None
        program, found, _ = _exported(module, arguments, keywords, None)
    leaves = leaf_shapes(module, arguments, keywords, shapes)
    facts, declarations, unsaid = declarations_of(program, leaves, found, refusal, can_run=can_run)
    declarations, facts = with_fixed_sizes(declarations, facts, module, (arguments, keywords))
    return TorchModel(program, facts, declarations, unsaid)


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
            with recording() as found, views_as_written(), spacings_of_any_length():
                program = export(module, arguments, keywords, dynamic_shapes=given, strict=False, **options)
        except Exception as error:
            if shapes is None or type(error).__name__ == "SympifyError" or _is_malformed(error):
                raise
            refused = refused or error
            continue
        if options:
            drop_asserts_on_sizes(program)
        return program, found, "" if refused is None else whole_message(refused)
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
