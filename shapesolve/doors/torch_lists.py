"""Lists of tensors some of which are weights, as torch-mlir's importer takes them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

PLACES = ("nn_module_stack", "stack_trace")
"""What a node is told of where in the model it stands. Of what it computes, others say other things."""

_WEIGHTS = ("PARAMETER", "BUFFER", "CONSTANT_TENSOR")


def name_weights_in_lists(program: Any) -> None:
    """Let each weight in a list be what an operator gives: the importer takes values there, and no tensors."""
    torch = import_module("torch")
    signature = program.graph_signature
    weights = {spec.arg.name for spec in signature.input_specs if spec.kind.name in _WEIGHTS}
    graph = program.graph_module.graph
    for node in list(graph.nodes):
        lists = [_listed(each) for each in node.args] if node.op == "call_function" else []
        inner: list[Any] = [each for one in lists for each in one or () if isinstance(each, torch.fx.Node)]
        for each in dict.fromkeys(inner):
            if each.op != "placeholder" or each.name not in weights:
                continue
            with graph.inserting_before(node):
                named = graph.call_function(torch.ops.aten.alias.default, (each,))
            named.meta = {key: held for key, held in node.meta.items() if key in PLACES} | {"val": each.meta["val"]}
            _replace_in_lists(node, each, named)


def _listed(argument: Any) -> list[Any] | None:
    """What stands in an argument that is a list."""
    return list(cast("list[Any]", argument)) if isinstance(argument, list | tuple) else None


def _replace_in_lists(node: Any, weight: Any, named: Any) -> None:
    arguments = list[Any]()
    for given in node.args:
        listed = _listed(given)
        arguments.append(given if listed is None else [named if each is weight else each for each in listed])
    node.args = tuple(arguments)
