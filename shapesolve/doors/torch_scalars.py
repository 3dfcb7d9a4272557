"""What Python computes of sizes with floats, in operators that torch-mlir's importer knows."""

from __future__ import annotations

import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

_OF_ONE = ("sym_float", "ceil", "floor", "trunc", "round")


def spell_with_operators(graph: Any) -> None:
    """Let sizes become floats, and floats become sizes, by operators of PyTorch instead of functions of Python.

    The importer has no `torch.sym_max`, `torch.sym_min`, `torch.sym_float`, `math.ceil`, `math.floor`, `math.trunc` and
    `round`. There is no operator that rounds a float down: what it gives is what rounds the negative up, with the other
    sign. torch-mlir lowers none that cuts a float off, which is the same where it is not negative.
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
        elif name in _OF_ONE and len(numbers) == 1 and isinstance(numbers[0], torch.fx.Node):
            made = _respelled(node, name, numbers[0], torch)
            if made is not None:
                node.replace_all_uses_with(made)
                graph.erase_node(node)


def _respelled(node: Any, name: str, number: Any, torch: Any) -> Any:
    """The node that stands for another one, made before it; None where that stays."""
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
    """To the nearest integer, halves to the even one: of a half, one more than what lies below it where that is odd."""
    aten, value = torch.ops.aten, number.meta["val"]
    less = make(aten.sub.float, (number, 0.5), value - 0.5)
    below = make(aten.ceil.float, (less,), result)
    is_half = make(aten.eq.float, (less, make(aten.Float.Scalar, (below,), value)), value == value - 0.5)
    odd = make(aten.remainder.int, (below, 2), result)
    more = make(torch.ops.prim.min.int, (make(aten.Int.bool, (is_half,), result), odd), result)
    return make(aten.add.int, (below, more), result)


def _is_never_negative(value: Any) -> bool:
    """Whether PyTorch knows that a float of sizes is not negative."""
    return bool(value.node.shape_env.bound_sympy(value.node.expr).lower >= 0)
