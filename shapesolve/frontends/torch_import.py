"""Import of an ``ExportedProgram`` of PyTorch by torch-mlir, without large weights."""

from __future__ import annotations

import linecache
import os
import re
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from shapesolve.errors import InputError, plural
from shapesolve.frontends.export_process import Begin, Exported, Facts, message_of, nobody, only
from shapesolve.frontends.lowering import annotate, at_levels, lower, printed
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_declared import guards_of, with_guards_of
from shapesolve.frontends.torch_examples import has_contents
from shapesolve.frontends.torch_export import TorchModel
from shapesolve.frontends.torch_facts import ARGUMENTS, facts_of, settled_extent
from shapesolve.frontends.torch_frames import torch_directory, written_operation
from shapesolve.frontends.torch_graph import (
    PLACES,
    drop_stored_arguments,
    name_weights_in_lists,
    shared_memory,
    spell_with_operators,
    spell_with_views,
)
from shapesolve.frontends.torch_recording import recording
from shapesolve.frontends.torch_stated import mark_stated, stated_assertions
from shapesolve.frontends.torch_tracing import views_as_written
from shapesolve.ir import bindings
from shapesolve.ir.locations import OPERATION

FUNCTION = "forward"
MOST_FLOATS = 16
"""Larger tensors of floats among the weights are elided: no size depends on them."""
MOST_INTEGERS = 4096
"""Larger tensors of integers are elided; smaller ones may be tables that sizes or indices come from."""

KEPT_WHOLE = ("aten.linear.default", "aten.matmul.default")
"""Operators that ``decompose=False`` leaves to torch-mlir: their decomposition into views assumes lengths of 1."""

_PADS = tuple(f"aten.{kind}_pad{rank}d.default" for kind in ("reflection", "replication") for rank in (1, 2, 3))

_ALWAYS_WHOLE = ("aten.grid_sampler.default", "aten.grid_sampler_2d.default", *_PADS)
"""Operators that are never decomposed, since their decompositions read a tensor at computed places.

Those of a grid are always in range, which no proof can show, as the places are floats. A reflection that is longer than
what it reflects may be in range by reflecting twice, where PyTorch raises an error.
"""

_SAMPLE = 1024  # of a weight tells mostly that it is not the same everywhere
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_MOST_INEXPRESSIBLE = 4
_MOST_NAMED = 3
"""Most tensors, attributes or conditions that a note names."""
_INTERNAL = re.compile(r"\b[suz]+[if]?\d+\b")
"""A symbol of the exporter: ``s38``, ``u0``."""
_SHARED = "which PyTorch cannot decompose; give one of them memory of its own, as clone() does"
_EXECUTING = re.compile(r"While executing %(\w+)")
_REPLACE_IT = "so write this line with another operation"
_DECOMPOSED = "PyTorch's decomposition of this program admits only sizes with"


def exported_program(
    program: Any, *, level: str = "linalg", decompose: bool = True, where: str = "", model: TorchModel | None = None
) -> Exported:
    """Return the program at a level, with its facts as attributes.

    Args:
        program: What torch.export returned.
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
    """Return the program at several levels, or the error of a level that cannot be reached; see `exported_program`."""
    given = facts_of(program) if model is None or model.facts is None else (model.facts, model.inexpressible)
    facts, inexpressible = given
    declarations = None if model is None else model.declarations
    lines, notes = _Lines(), _merged(program)
    with warnings.catch_warnings(), recording() as found, views_as_written():
        warnings.simplefilter("ignore")
        stated = frozenset[str]() if model is None else model.stated
        module, effects, assertions = _imported(program, decompose, lines, where, stated, facts)
    if declarations is not None:
        declarations, others = with_guards_of(declarations, program, found)
        inexpressible = [*inexpressible, *others]
    elif found.guards:
        guards, others = guards_of(program, facts.shapes, found)
        inexpressible = [*inexpressible, *others]
        notes += _decomposition_note([each.text for each in guards])
    notes = _inexpressible_note(inexpressible) + notes + effects
    notes += _attributes_note(() if model is None else model.changed)

    def finish(copy: Any, level: str) -> Exported:
        lower(copy, level, where)
        mark_stated(copy, assertions)
        annotate(copy, FUNCTION, facts)
        return Exported(printed(copy), lines.found, notes, level, declarations)

    return at_levels(module, levels, finish, where, begin)


def _inexpressible_note(inexpressible: Sequence[str]) -> tuple[str, ...]:
    """Return a note on guards that are not used; those on symbols that only the exporter knows are counted alone."""
    guards = list(dict.fromkeys(inexpressible))
    if not guards:
        return ()
    told = [each for each in guards if not _INTERNAL.search(each)][:_MOST_INEXPRESSIBLE]
    more = f", and {len(guards) - len(told)} more" if told and len(guards) > len(told) else ""
    listed = f": {', '.join(told)}{more}" if told else ""
    are = f"{plural(len(guards), 'guard')} of torch.export that cannot be written with sizes of the inputs"
    return (f"{are} {'is' if len(guards) == 1 else 'are'} not used{listed}",)


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


def _decomposition_note(conditions: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the conditions that decomposing a program found."""
    if not conditions:
        return ()
    more = f" and {len(conditions) - _MOST_NAMED} more" if len(conditions) > _MOST_NAMED else ""
    return (f"{_DECOMPOSED}: {' and '.join(f'({each})' for each in conditions[:_MOST_NAMED])}{more}",)


def _changed(program: Any) -> list[str]:
    """Return the names of the buffers and parameters that a call of the program changes."""
    signature = program.graph_signature
    parameters = getattr(signature, "parameters_to_mutate", {})  # older PyTorch has no such list
    return [*signature.buffers_to_mutate.values(), *parameters.values()]


def _effect_notes(tensors: Sequence[str], arguments: Sequence[str]) -> tuple[str, ...]:
    """Return notes on the buffers and parameters, and on the arguments, that a call of the model changes."""
    notes: list[str] = []
    if tensors:
        notes += [f"calls change tensors of the model, of whose contents nothing is known: {_listed(tensors)}"]
    if arguments:
        named = _listed([f"%{each}" for each in arguments])
        notes += [f"calls change their arguments, in which the lowered program stores nothing: {named}"]
    return tuple(notes)


def _attributes_note(names: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the attributes without tensors that a call of the model changes."""
    if not names:
        return ()
    return (f"calls change attributes or globals of the model, so only its first call is judged: {_listed(names)}",)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _imported(
    program: Any, decompose: bool, lines: _Lines, where: str, stated: frozenset[str], facts: Facts
) -> tuple[Any, tuple[str, ...], frozenset[str]]:
    """Return the program in the torch dialect, notes on what its calls change, and messages of stated assertions."""
    importer_module = import_module("torch_mlir.extras.fx_importer")
    decompositions = import_module("torch_mlir.extras.fx_decomp_util")
    ir = bindings.ir()
    context = ir.Context()
    import_module("torch_mlir.dialects.torch").register_dialect(context)
    try:
        whole = _ALWAYS_WHOLE if decompose else (*_ALWAYS_WHOLE, *KEPT_WHOLE)
        table = decompositions.get_decomposition_table()
        table = {operator: rule for operator, rule in table.items() if str(operator) not in whole}
        program = program.run_decompositions(table)
        assertions = stated_assertions(program, stated, facts)
        stored = drop_stored_arguments(program)
        _give_all_buffers(program)
        spell_with_operators(program.graph_module.graph)
        spell_with_views(program.graph_module.graph)
        _sizes_as_tensors(program.graph_module.graph)
        name_weights_in_lists(program)
        own = {"resolve_literal": _literal, "store_produced_value": _not_stored}
        hooks = type("Elided", (importer_module.FxImporterHooks,), own)()
        importer = importer_module.FxImporter(context=context, hooks=hooks)
        own = {"get_node_location": lines.location, "format_asm_shape": _shape_text}
        importer._cc = type("Types", (importer_module.ContextCache,), own)(
            context, py_attr_tracker=importer._py_attr_tracker
        )
        changed = _changed(program)
        import_ = importer.import_program if changed else importer.import_frozen_program
        if not changed:
            _drop_constant_inputs(program)
        with _pythons_remainder(importer_module.PY_BUILTIN_TO_TORCH_OP):
            import_(program, func_name=FUNCTION)
    except (InputError, MemoryError):
        raise
    except Exception as error:
        if shared := shared_memory(program):
            names, node = shared
            place = next((f"{file}:{line}" for file, line in lines.frames(node)), where)
            raise InputError(f"{names} share memory, and calls change it here, {_SHARED}", where=place) from None
        if (failing := _executing(program, error)) is not None:
            place = next((f"{file}:{line}" for file, line in lines.frames(failing)), where)
            first = str(error).partition("\n")[0]
            message = f"PyTorch cannot decompose {failing.target} here, {_REPLACE_IT}: {first}"
            raise InputError(message, where=place) from None
        reason = _of_higher_order(program) or message_of(error)
        raise InputError(f"torch-mlir cannot import this model: {reason}", where=where) from None
    return importer.module, _effect_notes(changed, stored), assertions


def _drop_constant_inputs(program: Any) -> None:
    """Put constant inputs (None, numbers, texts) in the place of their uses; the importer makes them arguments.

    Facts about arguments count the others alone.
    """
    constants = {spec.arg.name: spec.arg.value for spec in program.graph_signature.input_specs
                 if spec.kind.name == "USER_INPUT" and type(spec.arg).__name__ not in ARGUMENTS}  # fmt: skip
    for node in list(program.graph.nodes):
        if node.op == "placeholder" and node.name in constants:
            node.replace_all_uses_with(constants[node.name])
            program.graph.erase_node(node)


def _executing(program: Any, error: Exception) -> Any:
    """Return the node of the graph at which PyTorch raised an error, None if it does not say so."""
    found = _EXECUTING.search(str(error))
    return next((each for each in program.graph.nodes if found is not None and each.name == found[1]), None)


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
    """Return extents in the syntax of types.

    An extent that torch.export found to be one number is that number: the importer, which asks only what a size was
    made as, would have it `?` at the arguments, and the program more general than it is.
    """
    known = map(settled_extent, shape)
    return ",".join("?" if each is None else str(each) for each in known)


def _literal(_: Any, importer: Any, literal: Any, info: Any) -> Any:
    """Return the operation for a weight or a constant, with its contents if it is small or constant.

    A buffer or parameter that calls change has other contents in the next call: none of them are used.
    """
    is_constant = info is None or info.input_spec.target not in _changed(info.program)
    torch, importer_module, ir = import_module("torch"), import_module("torch_mlir.extras.fx_importer"), bindings.ir()
    if not isinstance(literal, torch.Tensor):
        return None
    make = importer_module.TORCH_DTYPE_TO_MLIR_TYPE.get(literal.dtype)
    if make is None:
        return None
    element = make()
    extents = list(literal.shape)
    result = importer._cc.tensor_to_vtensor_type(literal)
    number = _only_number(literal) if is_constant else None
    if number is not None:
        attribute = ir.FloatAttr if isinstance(number, float) else ir.IntegerAttr
        kind = ir.RankedTensorType.get(extents, element)
        value = ir.DenseElementsAttr.get_splat(kind, attribute.get(element, number))
    elif is_constant and _is_small(literal):
        value = ir.DenseElementsAttr.get(literal.detach().contiguous().cpu().numpy(), type=element, shape=extents)
    else:
        shape = "".join(f"{extent}x" for extent in extents)
        value = ir.Attribute.parse(f"dense_resource<__elided__> : tensor<{shape}{element}>")
    return ir.Operation.create("torch.vtensor.literal", results=[result], attributes={"value": value}).result


def _not_stored(_: Any, importer: Any, literal: Any, produced: Any, info: Any) -> None:
    """Leave out what a call stores in a buffer: its extents stay, and of its contents nothing is known."""
    del importer, literal, produced, info


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
            frames = [location.file(file, line, 0, context=context) for file, line in self.frames(node)]
            inner = frames[0] if frames else location.unknown(context=context)
            if len(frames) > 1:
                inner = location.callsite(inner, frames[1:], context=context)
            path = location.name(_module_path(node), childLoc=inner, context=context)
            operation = written_operation(node)
            if operation:
                path = location.name(f"{OPERATION}{operation}", childLoc=path, context=context)
            return location.name(node.name, childLoc=path, context=context)

        return get_node_location

    def frames(self, node: Any) -> list[tuple[str, int]]:
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
