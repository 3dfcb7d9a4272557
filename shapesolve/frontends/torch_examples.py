"""Example inputs of a PyTorch model: their first run, and tensors of other sizes derived from them."""

from __future__ import annotations

import copy
import linecache
from collections.abc import Sequence
from importlib import import_module
from math import prod
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import message_with_hint
from shapesolve.frontends.shown_paths import relative
from shapesolve.frontends.torch_state import state_kept
from shapesolve.frontends.users_frames import users_frame_of
from shapesolve.records import value_record


@value_record
class ExampleRun:
    """Run of a model on its example inputs.

    Attributes:
        succeeded: Whether it could be run: not with tensors or weights that hold nothing.
        changed: Names of the attributes that it changed and that hold no tensor.
    """

    succeeded: bool
    changed: tuple[str, ...] = ()


def run_example(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], where: str) -> ExampleRun:
    """Run the model on its example inputs without changing either.

    Raises InputError with PyTorch's words and the model's line where it fails.
    """
    torch, trees = import_module("torch"), import_module("torch.utils._pytree")
    leaves = trees.tree_leaves((arguments, keywords))
    weights = [*module.parameters(), *module.buffers()]
    if not all(has_contents(each) for each in (*leaves, *weights) if isinstance(each, torch.Tensor)):
        return ExampleRun(succeeded=False)
    given, named = trees.tree_map(_own_copy, (arguments, keywords))
    try:
        with torch.no_grad(), state_kept(module) as changed:
            module(*given, **named)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise _failure(error, where) from None
    return ExampleRun(succeeded=True, changed=tuple(changed))


def _failure(error: Exception, where: str) -> InputError:
    """Return the error for an example that fails, with the lines of the model that it went through."""
    steps: list[str] = []
    step = error.__traceback__
    while step is not None:
        file, line = step.tb_frame.f_code.co_filename, step.tb_lineno
        steps += [f"  {relative(file)}:{line}: {linecache.getline(file, line).strip()}"]
        step = step.tb_next
    place = users_frame_of(error)
    place_text = where if place is None else f"{relative(place[0])}:{place[1]}"
    excerpt = "\n".join(["Traceback (most recent call last):", *steps[1:], f"{type(error).__name__}: {error}"])
    return InputError(
        f"the model fails on its own example inputs: {message_with_hint(error)}", where=place_text, excerpt=excerpt
    )


def has_contents(tensor: Any) -> bool:
    """Return whether a tensor has elements in memory."""
    return type(tensor).__name__ != "FakeTensor" and tensor.device.type != "meta"


def _own_copy(each: Any) -> Any:
    if isinstance(each, import_module("torch").Tensor):
        return each.detach().clone()
    try:
        return copy.copy(each)
    except Exception:
        return each


def resized(tensor: Any, extents: Sequence[int], *, zeros: bool) -> Any:
    """Return a tensor of these extents with the elements of another one over and over, or integers that are 0."""
    torch = import_module("torch")
    if not tensor.dtype.is_floating_point and zeros:
        return torch.zeros(tuple(extents), dtype=tensor.dtype)
    count = prod(extents)
    flat = tensor.detach().reshape(-1)
    if not len(flat):
        return torch.ones(tuple(extents), dtype=tensor.dtype)
    return flat.repeat(-(-count // len(flat)))[:count].reshape(tuple(extents))


def drop_asserts_on_sizes(program: Any) -> None:
    """Take out the assertions on sizes of inputs that torch.export wrote instead of guards, and what only they use."""
    torch = import_module("torch")
    graph = program.graph
    for node in list(graph.nodes):
        if node.target is not torch.ops.aten._assert_scalar.default:
            continue
        condition = node.args[0]
        value = condition.meta.get("val") if isinstance(condition, torch.fx.Node) else condition
        expression = getattr(getattr(value, "node", None), "expr", None)
        symbols = [str(each) for each in getattr(expression, "free_symbols", ())]
        if expression is not None and not any(each.startswith(("u", "zuf")) for each in symbols):
            graph.erase_node(node)
    for node in reversed(list(graph.nodes)):
        if node.op == "call_function" and not node.users and _is_of_sizes(node, torch):
            graph.erase_node(node)
    program.graph_module.recompile()


def _is_of_sizes(node: Any, torch: Any) -> bool:
    return isinstance(node.meta.get("val"), torch.SymInt | torch.SymBool | int | bool)
