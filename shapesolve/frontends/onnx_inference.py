"""Shape inference of ONNX, without the shapes that it states wrongly.

It takes unknown extents of an Attention whose heads are in the last dimension for 0; the halves of an STFT that does
not ask for whole ones for these, against the default of its attribute; and of the extents that broadcast in an Einsum
the first (seen in ONNX 1.23).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

DOMAINS_OF_ONNX = ("", "ai.onnx")
_HIDDEN = "."
"""Ending of the name of a node that shape inference does not see."""


def inferred(model: Any) -> Any:
    """Return a model with the inferred types of its values."""
    onnx = import_module("onnx")
    nodes = [node for graph in graphs_in(model.graph) for node in graph.node if node.domain in DOMAINS_OF_ONNX]
    for node in nodes:
        if node.op_type == "STFT" and not _has(node, "onesided"):
            node.attribute.append(onnx.helper.make_attribute("onesided", 1))
    found = onnx.shape_inference.infer_shapes(model, data_prop=True)
    hidden = [node for node in nodes if node.op_type == "Einsum" or _has(node, "q_num_heads")]
    if not hidden:
        return found
    for node in hidden:
        node.op_type += _HIDDEN
    for graph, other in zip(graphs_in(model.graph), graphs_in(found.graph), strict=True):
        _state_elements(graph, other)
    found = onnx.shape_inference.infer_shapes(model, data_prop=True)
    for graph in graphs_in(found.graph):
        for node in graph.node:
            node.op_type = node.op_type.removesuffix(_HIDDEN)
    return found


def graphs_in(graph: Any) -> Iterator[Any]:
    """Yield a graph and those inside its nodes."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for each in (attribute.g, *attribute.graphs):
                yield from graphs_in(each)


def _has(node: Any, name: str) -> bool:
    return any(each.name == name for each in node.attribute)


def _state_elements(graph: Any, other: Any) -> None:
    """State the types of elements, and known ranks, that the hidden nodes of a graph yield, as those of another do."""
    known = {each.name for each in (*graph.value_info, *graph.output)}
    types = {each.name: each.type.tensor_type for each in other.value_info}
    for node in graph.node:
        if node.op_type.endswith(_HIDDEN):
            for name in {*node.output} & types.keys() - known:
                is_ranked = types[name].HasField("shape") and node.op_type.startswith("Einsum")
                extents = [None] * len(types[name].shape.dim) if is_ranked else None
                made = import_module("onnx").helper.make_tensor_value_info(name, types[name].elem_type, extents)
                graph.value_info.append(made)
