"""Import of ONNX models by torch-mlir, without large weights.

The model's own level (torch) has its nodes as ``torch.operator "onnx.X"``; of a node without a rule nothing is known
but the type that ONNX's shape inference gives it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Begin, Exported, Facts, message_of, nobody, only
from shapesolve.frontends.lowering import annotate, at_levels, lower, printed
from shapesolve.frontends.onnx_external import read_small_initializers
from shapesolve.frontends.onnx_inference import DOMAINS_OF_ONNX, inferred
from shapesolve.ir import bindings
from shapesolve.preconditions.python_guards import identifier
from shapesolve.symbolic.parser import names_in

ORIGIN = "ONNX"
MOST_BYTES = 1 << 15
"""Larger initializers are elided."""
MOST_FLOATS = 16
FUNCTION = "forward"
OWN_LEVEL = "torch"

_CHANGED = {
    "onnx.GroupNormalization": 21,
    "onnx.DFT": 20,
    "onnx.Scan": 9,
    **dict.fromkeys(("onnx.Max", "onnx.Mean", "onnx.Min", "onnx.Sum"), 8),
    **dict.fromkeys(
        (
            f"onnx.{name}"
            for name in ("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor")
        ),
        7,
    ),
    **dict.fromkeys(("onnx.GRU", "onnx.Gemm", "onnx.LSTM", "onnx.PRelu", "onnx.RNN"), 7),
    "onnx.Tile": 6,
    "onnx.Concat": 4,
    "onnx.Pad": 2,
}
"""The opsets since which the operators with rules are what these describe: before, they broadcast otherwise, or have
other operands, attributes or defaults."""

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
        read_small_initializers(model, Path(path).parent, MOST_BYTES // 8)
        model = import_module("onnx.inliner").inline_local_functions(model)
        typed = inferred(model)
        name_foreign_operators(typed.graph)
        module, names = _imported(typed)
    except Exception as error:
        raise InputError(f"torch-mlir cannot import this model: {message_of(error)}", where=path) from None
    facts = facts_of(typed.graph, names)

    def finish(copy: Any, level: str) -> Exported:
        if level == OWN_LEVEL:
            _name_older_operators(copy, typed)
        else:
            lower(copy, level, path, _TO_TORCH, is_backend=True)
        annotate(copy, FUNCTION, facts)
        return Exported(_DUMMY.sub("\n", printed(copy).replace(_LOST, "__elided__")), level=level)

    return at_levels(module, levels, finish, path, begin)


def name_foreign_operators(graph: Any) -> None:
    """Name the operators of other domains with these, where ONNX has one of that name.

    The importer drops the domain, so that another's ``Add`` would be that of ONNX.
    """
    has = import_module("onnx.defs").has
    for node in graph.node:
        if node.domain not in DOMAINS_OF_ONNX and has(node.op_type):
            node.op_type = f"{node.domain}.{node.op_type}"
        for attribute in node.attribute:
            for each in (attribute.g, *attribute.graphs):
                name_foreign_operators(each)


def _name_older_operators(module: Any, model: Any) -> None:
    """Name the operators that a later opset has changed with that opset: most have no rule."""
    opset = max((each.version for each in model.opset_import if each.domain in DOMAINS_OF_ONNX), default=1)

    def named(op: Any) -> Any:
        name = op.attributes["name"].value if op.name == "torch.operator" else ""
        if opset < _CHANGED.get(name, 0):
            op.attributes["name"] = bindings.ir().StringAttr.get(f"{name}.before.{_CHANGED[name]}", op.context)
        return bindings.ir().WalkResult.ADVANCE

    module.operation.walk(named)


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
        """Import a tensor whose rank is not inferred as such; the importer takes it for a scalar, or for no value."""
        if given == "" or not given.WhichOneof("value"):
            return bindings.ir().Type.parse("!torch.vtensor", context)
        if not given.tensor_type.elem_type or given.tensor_type.HasField("shape"):
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
    """Return whether an initializer keeps its contents. Floats decide no size."""
    onnx = import_module("onnx")
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return False
    count = prod(tensor.dims)
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
