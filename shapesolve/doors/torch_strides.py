"""Views that PyTorch makes by strides, in operators that torch-mlir's importer knows."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any


def spell_with_views(graph: Any) -> None:
    """Let `as_strided` be a `view` where it gives all elements in the order in which memory has them.

    PyTorch's own rewriting brings these in, as of each `group_norm`, and the importer takes no sizes in them. Extents
    that are 1 have no stride to speak of.
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
    """Whether memory has all elements one behind the other, the last dimension first."""
    behind: Any = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if _is_surely(extent == 1, torch):
            continue
        if not _is_surely(stride == behind, torch):
            return False
        behind = behind * extent
    return True


def _meant(each: Any, torch: Any) -> Any:
    """The number that a node of a graph computes."""
    return each.meta["val"] if isinstance(each, torch.fx.Node) else each


def _is_surely(truth: Any, torch: Any) -> bool:
    """Whether something holds for all sizes; what is asked adds no guard."""
    return bool(torch.fx.experimental.symbolic_shapes.statically_known_true(truth))
