"""What Python computes of sizes with floats, in operators that torch-mlir's importer knows."""

from __future__ import annotations

import operator
from importlib import import_module
from typing import Any


def spell_with_operators(graph: Any) -> None:
    """Let sizes become floats, and floats become sizes, by operators of PyTorch instead of functions of Python.

    The importer has no `torch.sym_float`, `math.ceil`, `math.floor` and `math.trunc`. There is no operator that rounds
    a float down: what it gives is what rounds the negative up, with the other sign. torch-mlir lowers none that cuts a
    float off, which is the same where it is not negative.
    """
    torch = import_module("torch")
    for node in list(graph.nodes):
        name = getattr(node.target, "__name__", "")
        if node.op != "call_function" or name not in ("sym_float", "ceil", "floor", "trunc") or len(node.args) != 1:
            continue
        (number,) = node.args
        if not isinstance(node.target, torch._ops.OpOverload) and isinstance(number, torch.fx.Node):
            made = _respelled(node, name, number, torch)
            if made is not None:
                node.replace_all_uses_with(made)
                graph.erase_node(node)


def _respelled(node: Any, name: str, number: Any, torch: Any) -> Any:
    """The node that stands for another one, made before it; None where that stays."""
    aten, value = torch.ops.aten, number.meta["val"]

    def make(target: Any, operand: Any, result: Any) -> Any:
        with node.graph.inserting_before(node):
            made = node.graph.call_function(target, (operand,))
        made.meta = {**node.meta, "val": result}
        return made

    if name == "sym_float":
        is_float = isinstance(value, torch.SymFloat)
        return number if is_float else make(aten.Float.Scalar, number, node.meta["val"])
    if not isinstance(value, torch.SymFloat):
        return None
    if name == "floor" or (name == "trunc" and _is_never_negative(value)):
        up = make(aten.ceil.float, make(operator.neg, number, -value), -node.meta["val"])
        return make(operator.neg, up, node.meta["val"])
    return make(aten.ceil.float if name == "ceil" else aten.Int.float, number, node.meta["val"])


def _is_never_negative(value: Any) -> bool:
    """Whether PyTorch knows that a float of sizes is not negative."""
    return bool(value.node.shape_env.bound_sympy(value.node.expr).lower >= 0)
