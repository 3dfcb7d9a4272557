"""Rewriting of exported graphs into forms that torch-mlir's importer accepts.

Covers weights in lists of tensors, float arithmetic on sizes, and views by strides.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

PLACES = ("nn_module_stack", "stack_trace")
"""Keys of a node's metadata that give its place in the model; the other keys describe the computed value."""

_WEIGHTS = ("PARAMETER", "BUFFER", "CONSTANT_TENSOR")


def name_weights_in_lists(program: Any) -> None:
    """Wrap each weight in a list of tensors in an alias: the importer takes only results of operators there."""
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
    """Return the elements of an argument that is a list, else None."""
    return list(cast("list[Any]", argument)) if isinstance(argument, list | tuple) else None


def _replace_in_lists(node: Any, weight: Any, named: Any) -> None:
    arguments = list[Any]()
    for given in node.args:
        listed = _listed(given)
        arguments.append(given if listed is None else [named if each is weight else each for each in listed])
    node.args = tuple(arguments)


def drop_stored_arguments(program: Any) -> list[str]:
    """Take out the final contents of arguments that a call changes; return the names of these.

    The importer would make them mutable tensors, of which torch-mlir lowers nothing.
    """
    signature, output = program.graph_signature, program.graph.output_node()
    pairs = list(zip(signature.output_specs, output.args[0], strict=True))
    kept = [each for each in pairs if each[0].kind.name != "USER_INPUT_MUTATION"]
    output.args = (tuple(value for _, value in kept),)
    names = [str(spec.target) for spec, _ in pairs if spec.kind.name == "USER_INPUT_MUTATION"]
    signature.output_specs = [spec for spec, _ in kept]
    return names


def shared_memory(program: Any) -> tuple[str, Any] | None:
    """Return the names of buffers or arguments of which one is changed and that share memory, and the change."""
    trees: Any = import_module("torch.utils._pytree")
    signature = program.graph_signature
    held: dict[str, Any] = {**program.state_dict, **program.constants}
    tensors: dict[str, tuple[str, Any]] = {
        node: (name, held.get(name)) for node, name in signature.inputs_to_buffers.items()
    }
    given = zip(signature.user_inputs, trees.tree_leaves(program.example_inputs), strict=False)
    tensors |= {str(node): (str(node), leaf) for node, leaf in given}
    places = {node: each.untyped_storage().data_ptr() for node, (_, each) in tensors.items() if hasattr(each, "shape")}
    for node in program.graph.nodes:
        schema = getattr(node.target, "_schema", None)
        source: Any = node.args[0] if getattr(schema, "is_mutable", False) and node.args else None
        while getattr(source, "op", "") == "call_function" and source.args:
            source = source.args[0]
        place = places.get(getattr(source, "name", ""))
        names = sorted(f"`{tensors[each][0]}`" for each, other in places.items() if other == place)
        if place and len(names) > 1:
            return " and ".join(names), node
    return None


_OF_ONE = ("sym_float", "ceil", "floor", "trunc", "round")
_GREATEST_POWER = 8


def spell_with_operators(graph: Any) -> None:
    """Replace Python functions that convert between sizes and floats by operators of PyTorch, and powers by products.

    The importer has no `torch.sym_max`, `torch.sym_min`, `torch.sym_float`, `math.ceil`, `math.floor`, `math.trunc`,
    `round`, `pow` and `torch.sym_not`. No operator rounds a float down, so ``floor(x)`` becomes ``-ceil(-x)``.
    torch-mlir lowers no truncation of floats, which equals ``floor`` for numbers that are not negative.
    """
    torch = import_module("torch")
    for node in list(graph.nodes):
        name = getattr(node.target, "__name__", "")
        if node.op != "call_function" or isinstance(node.target, torch._ops.OpOverload):
            continue
        numbers = [each for each in node.args if each is not None]  # round(x, None)
        values = [each.meta["val"] if isinstance(each, torch.fx.Node) else each for each in numbers]
        if name in ("sym_max", "sym_min") and all(isinstance(each, int | torch.SymInt) for each in values):
            prim = torch.ops.prim
            node.target = prim.max.int if name == "sym_max" else prim.min.int
        elif name == "sym_not":
            node.target = torch.ops.aten.__not__.default
        elif name == "pow" and isinstance(values[0], torch.SymInt) and _is_small_power(values[1]):
            _spell_as_product(node, numbers[0], values[1])
        elif name in _OF_ONE and len(numbers) == 1 and isinstance(numbers[0], torch.fx.Node):
            made = _respelled(node, name, numbers[0], torch)
            if made is not None:
                node.replace_all_uses_with(made)
                graph.erase_node(node)


def _spell_as_product(node: Any, size: Any, exponent: int) -> None:
    """Replace the power of a size by products."""
    product = size
    for power in range(2, exponent + 1):
        with node.graph.inserting_before(node):
            product = node.graph.call_function(operator.mul, (product, size))
        product.meta = {**node.meta, "val": size.meta["val"] ** power}
    node.replace_all_uses_with(product)
    node.graph.erase_node(node)


def _is_small_power(exponent: Any) -> bool:
    """Return whether an exponent says how often a size is multiplied by itself, in few operations."""
    return isinstance(exponent, int) and 1 <= exponent <= _GREATEST_POWER


def _respelled(node: Any, name: str, number: Any, torch: Any) -> Any:
    """Return the node that replaces another one, inserted before it; None if it stays."""
    aten, value = torch.ops.aten, number.meta["val"]

    def make(target: Any, operands: tuple[Any, ...], result: Any) -> Any:
        with node.graph.inserting_before(node):
            made = node.graph.call_function(target, operands)
        made.meta = {**node.meta, "val": result}
        return made

    if name == "sym_float":
        is_float = isinstance(value, torch.SymFloat)
        return number if is_float else make(aten.Float.Scalar, (number,), node.meta["val"])
    if not isinstance(value, torch.SymFloat):
        return None
    if name == "floor" or (name == "trunc" and _is_never_negative(value)):
        up = make(aten.ceil.float, (make(operator.neg, (number,), -value),), -node.meta["val"])
        return make(operator.neg, (up,), node.meta["val"])
    if name == "round":
        return _rounded(number, node.meta["val"], make, torch) if _is_never_negative(value) else None
    return make(aten.ceil.float if name == "ceil" else aten.Int.float, (number,), node.meta["val"])


def _rounded(number: Any, result: Any, make: Callable[[Any, tuple[Any, ...], Any], Any], torch: Any) -> Any:
    """Return the node that rounds to the nearest integer, halves to even: ``ceil(x - 0.5)``, plus 1 at an odd half."""
    aten, value = torch.ops.aten, number.meta["val"]
    less = make(aten.sub.float, (number, 0.5), value - 0.5)
    below = make(aten.ceil.float, (less,), result)
    is_half = make(aten.eq.float, (less, make(aten.Float.Scalar, (below,), value)), value == value - 0.5)
    odd = make(aten.remainder.int, (below, 2), result)
    more = make(torch.ops.prim.min.int, (make(aten.Int.bool, (is_half,), result), odd), result)
    return make(aten.add.int, (below, more), result)


def _is_never_negative(value: Any) -> bool:
    """Return whether PyTorch knows that a float computed from sizes is not negative."""
    return bool(value.node.shape_env.bound_sympy(value.node.expr).lower >= 0)


def spell_with_views(graph: Any) -> None:
    """Replace `as_strided` by `view` where it returns all elements in memory order.

    PyTorch's decompositions introduce it, for `group_norm` among others, and the importer takes no sizes in it. The
    stride of an extent of 1 does not matter.
    """
    torch = import_module("torch")
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.as_strided.default):
        source, size, strides = node.args[:3]
        offset = node.args[3] if len(node.args) > 3 else None
        value, result = source.meta["val"], node.meta["val"]
        in_order = _is_in_order(value.shape, value.stride(), torch) and _is_in_order(
            result.shape, [_meant(each, torch) for each in strides], torch
        )
        starts = offset in (None, 0) and _is_surely(value.storage_offset() == 0, torch)
        if in_order and starts and _is_surely(value.numel() == result.numel(), torch):
            node.target, node.args = torch.ops.aten.view.default, (source, size)


def _is_in_order(shape: Sequence[Any], strides: Sequence[Any], torch: Any) -> bool:
    """Return whether a tensor is contiguous in row-major order."""
    behind: Any = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if _is_surely(extent == 1, torch):
            continue
        if not _is_surely(stride == behind, torch):
            return False
        behind = behind * extent
    return True


def _meant(each: Any, torch: Any) -> Any:
    """Return the symbolic value of a graph node."""
    return each.meta["val"] if isinstance(each, torch.fx.Node) else each


def _is_surely(truth: Any, torch: Any) -> bool:
    """Return whether a condition holds for all sizes, without adding a guard."""
    return bool(torch.fx.experimental.symbolic_shapes.statically_known_true(truth))
