"""Import of ONNX models by torch-mlir, without large weights.

The model's own level (torch) has its nodes as ``torch.operator "onnx.X"``, where every operator has a rule. Otherwise
they are lowered to PyTorch's operators, and those that torch-mlir writes in a form that PyTorch refuses are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Begin, Exported, Facts, message_of, nobody, only
from shapesolve.frontends.lowering import annotate, at_levels, lower, printed
from shapesolve.ir import bindings
from shapesolve.preconditions.python_guards import identifier
from shapesolve.semantics.registry import load_rules
from shapesolve.symbolic.parser import names_in

ORIGIN = "ONNX"
MOST_BYTES = 1 << 15
"""Larger initializers are elided."""
MOST_FLOATS = 16
FUNCTION = "forward"
OWN_LEVEL = "torch"

_LOST = "__onnx_constant_not_found_possibly_due_to_being_elided__"
"""Name that torch-mlir gives to an elided initializer, which then has dummy contents."""

_DUMMY = re.compile(r'\n\{-#\s+dialect_resources: \{\s+builtin: \{\s+__elided__: "0x0+"\s+\}\s+\}\s+#-\}\s*')
_TO_TORCH = "torch-onnx-to-torch-backend-pipeline"


def exported_model(path: str, level: str) -> Exported:
    """Return the model of a file at a level, with the names of its dimensions as facts.

    Raises:
        InputError: The file cannot be read, or torch-mlir cannot import or lower the model.
    """
    return only(exported_at(path, (level,)))


def exported_at(path: str, levels: Sequence[str], begin: Begin = nobody) -> list[Exported | InputError]:
    """Return the model of a file at several levels, with the error where one cannot be reached."""
    onnx = import_module("onnx")
    try:
        model = onnx.load(path, load_external_data=False)
        if not model.graph.node and not model.graph.output:
            raise ValueError("it holds no graph")
    except Exception as error:
        raise InputError(f"this is no model in ONNX, or only part of one: {message_of(error)}", where=path) from None
    try:
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
        module, names = _imported(inferred)
    except Exception as error:
        raise InputError(f"torch-mlir cannot import this model: {message_of(error)}", where=path) from None
    facts = facts_of(inferred.graph, names)

    def finish(copy: Any, level: str) -> Exported:
        if level == OWN_LEVEL and has_rules(copy):
            annotate(copy, FUNCTION, facts)
            return Exported(_DUMMY.sub("\n", printed(copy)), level=level)
        lower(copy, level, path, _TO_TORCH, is_backend=True)
        spell_as_pytorch(copy)
        annotate(copy, FUNCTION, facts)
        return Exported(_DUMMY.sub("\n", printed(copy).replace(_LOST, "__elided__")), level=level)

    return at_levels(module, levels, finish, path, begin)


def has_rules(module: Any) -> bool:
    """Return whether every node of a module in ONNX's operators has a rule of its own."""
    rules = load_rules()
    functions = [op for op in module.body.operations if op.operation.name == "func.func"]
    return len(functions) == 1 and all(
        op.attributes["name"].value in rules for op in _operations_in(functions[0]) if op.name == "torch.operator"
    )


def _operations_in(op: Any) -> Iterator[Any]:
    """Yield the operations in the regions of an operation, nested ones included."""
    for region in op.regions:
        for block in region:
            for each in block.operations:
                yield each.operation
                yield from _operations_in(each.operation)


def _imported(model: Any) -> tuple[Any, Sequence[str]]:
    """Return the module in the torch dialect, and the names of its function's arguments."""
    importer = import_module("torch_mlir.extras.onnx_importer")
    context = bindings.ir().Context()
    import_module("torch_mlir.dialects.torch").register_dialect(context)
    whole = importer.ContextCache.tensor_proto_to_attr

    def elided(cache: Any, tensor: Any) -> Any:
        if _is_small(tensor):
            text = _written_down(tensor)
            if text:
                return bindings.ir().Attribute.parse(f"{text} : {cache.tensor_proto_to_builtin_type(tensor)}", context)
            return whole(cache, tensor)
        return bindings.ir().Attribute.parse(
            f"dense_resource<__elided__> : {cache.tensor_proto_to_builtin_type(tensor)}", context
        )

    of_type = importer.ContextCache.type_proto_to_type

    def unranked(cache: Any, given: Any) -> Any:
        """Import a tensor whose rank is not inferred as such; the importer takes it for a scalar."""
        if given == "" or not given.tensor_type.elem_type or given.tensor_type.HasField("shape"):
            return of_type(cache, given)
        element = cache.tensor_element_type(given.tensor_type.elem_type)
        return bindings.ir().Type.parse(f"!torch.vtensor<*,{element}>", context)

    importer.ContextCache.tensor_proto_to_attr = elided
    importer.ContextCache.type_proto_to_type = unranked
    try:
        model.graph.name = FUNCTION
        info = importer.ModelInfo(model)
        module = info.create_module(context=context)
        importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
    finally:
        importer.ContextCache.tensor_proto_to_attr = whole
        importer.ContextCache.type_proto_to_type = of_type
    return module, list(info.main_graph.input_map)


def _written_down(tensor: Any) -> str:
    """Return the integers or finite floats of a small initializer as MLIR writes them, "" for others."""
    onnx, numpy = import_module("onnx"), import_module("numpy")
    kinds = onnx.TensorProto
    if tensor.data_type not in (kinds.INT64, kinds.INT32, kinds.BOOL, kinds.FLOAT):
        return ""
    values = onnx.numpy_helper.to_array(tensor)
    if not values.size or not numpy.isfinite(values).all():
        return ""
    if tensor.data_type == kinds.FLOAT:  # seventeen digits tell which
        texts = numpy.vectorize(_float_text, otypes=[object])(values).tolist()
    else:
        texts = values.tolist()
    return f"dense<{str(texts).replace(chr(39), '').lower()}>"


def _float_text(number: Any) -> str:
    return f"{float(number):.17e}"


def _is_small(tensor: Any) -> bool:
    """Return whether an initializer keeps its contents. Floats decide no size; external data is not read."""
    onnx = import_module("onnx")
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return False
    count = 1
    for extent in tensor.dims:
        count *= extent
    integers = (onnx.TensorProto.INT64, onnx.TensorProto.INT32, onnx.TensorProto.BOOL)
    return bool(count <= MOST_FLOATS or (tensor.data_type in integers and count * 8 <= MOST_BYTES))


def facts_of(graph: Any, names: Sequence[str]) -> Facts:
    """Return the facts that the names of dimensions state: equal names are equal sizes.

    Some exporters write expressions, such as ``past + T``, as names.
    """
    inputs = {each.name: each for each in graph.input}
    given = {name: _dimensions(inputs[name]) for name in names if name in inputs}
    bare = {each for shape in given.values() for each in shape if isinstance(each, str) and each.isidentifier()}
    called: dict[str, str] = {}
    shapes: dict[int, tuple[str, ...]] = {}
    for position, name in enumerate(names):
        shapes[position] = tuple(_text(each, bare, called) for each in given.get(name, ()))
    return Facts(ORIGIN, tuple(names), shapes)


def _dimensions(value: Any) -> tuple[int | str | None, ...]:
    """Return the extents of an input, each a number, a name or None."""
    if not value.type.HasField("tensor_type") or not value.type.tensor_type.HasField("shape"):
        return ()
    found: list[int | str | None] = []
    for each in value.type.tensor_type.shape.dim:
        kind = each.WhichOneof("value")
        found.append(int(each.dim_value) if kind == "dim_value" else str(each.dim_param) or None if kind else None)
    return tuple(found)


def _text(dimension: int | str | None, bare: set[str], called: dict[str, str]) -> str:
    if dimension is None or dimension == "?":
        return "_"
    if isinstance(dimension, int):
        return str(dimension)
    if dimension not in called:
        called[dimension] = _named(dimension, bare, called)
    return called[dimension]


def _named(dimension: str, bare: set[str], called: dict[str, str]) -> str:
    """Return the size of a named dimension: ``past + T`` is a sum if both are names of other dimensions."""
    if not dimension.isidentifier() and re.fullmatch(r"[\w\s+*()/-]+", dimension):
        try:
            if set(names_in(dimension)) <= bare:
                return dimension
        except InputError:
            pass
    return identifier(dimension, frozenset(called.values()) | (bare - {dimension}))


_INTERPOLATION = "torch.aten.__interpolate.size_list_scale_list"
_MEANS = {"torch.aten.avg_pool1d": 1, "torch.aten.avg_pool2d": 2, "torch.aten.avg_pool3d": 3}


def spell_as_pytorch(module: Any) -> None:
    """Rewrite operations that PyTorch refuses in the form that torch-mlir's importer gives them.

    The importer sets `align_corners` to false for nearest neighbor interpolation, and gives average pooling more
    strides than its window has dimensions.
    """

    def respell(op: Any) -> Any:
        operation = op.operation
        if operation.name == _INTERPOLATION:
            _drop_align_corners(operation)
        elif operation.name in _MEANS:
            _cut_strides(operation, _MEANS[operation.name])
        return bindings.ir().WalkResult.ADVANCE

    module.operation.walk(respell)


def _drop_align_corners(op: Any) -> None:
    mode, aligned, again = (_maker(op.operands[number]) for number in (3, 4, 5))
    names = [None if each is None else each.name for each in (mode, aligned, again)]
    expected = ["torch.constant.str", "torch.constant.bool", "torch.constant.none"]
    if names == expected and mode.attributes["value"].value == "nearest":
        op.operands[4] = again.results[0]


def _cut_strides(op: Any, dimensions: int) -> None:
    listed = _maker(op.operands[2])
    if listed is None or listed.name != "torch.prim.ListConstruct" or len(listed.operands) <= dimensions:
        return
    ones = [_maker(each) for each in list(listed.operands)[dimensions:]]
    if all(each is not None and each.name == "torch.constant.int" and _number(each) == 1 for each in ones):
        kept = list(listed.operands)[:dimensions]
        ir = bindings.ir()
        made = ir.Operation.create(
            listed.name, results=[listed.results[0].type], operands=kept, loc=listed.location, ip=ir.InsertionPoint(op)
        )
        op.operands[2] = made.results[0]


def _number(constant: Any) -> int:
    return int(constant.attributes["value"].value)


def _maker(value: Any) -> Any:
    """Return the operation that defines a value, None for an argument."""
    return None if isinstance(value.owner, bindings.ir().Block) else value.owner.operation
