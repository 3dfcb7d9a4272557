"""Stack traces of an export that keep every frame of the user's code, not only those of ``forward``."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_FORWARD = "forward"


def torch_directory() -> str:
    """Return the directory of PyTorch, with a separator at the end."""
    home: Any = import_module("torch").__file__
    return os.path.dirname(os.path.abspath(str(home))) + os.sep


@contextmanager
def whole_stacks() -> Generator[None]:
    """Keep helper methods and functions in the stack traces of graph nodes, if PyTorch filters these.

    Frames above the model's own ``forward`` are dropped.
    """
    tracer: Any = import_module("torch.fx.proxy").TracerBase
    before = getattr(tracer, "_filter_traceback_frames", None)
    if before is None:
        yield
        return
    inside = torch_directory()
    traceback = import_module("traceback")

    def filtered(self: Any, summary: Sequence[Any]) -> Any:
        first = next((number for number, each in enumerate(summary) if each.name == _FORWARD), len(summary))
        own = [each for each in summary[first:] if each.name == _FORWARD or not each.filename.startswith(inside)]
        return traceback.StackSummary.from_list(own) if own else before(self, summary)

    tracer._filter_traceback_frames = filtered
    try:
        yield
    finally:
        tracer._filter_traceback_frames = before


_SPELLED = {
    "__add__": "+", "__radd__": "+", "__iadd__": "+", "__sub__": "-", "__rsub__": "-", "__isub__": "-",
    "__mul__": "*", "__rmul__": "*", "__imul__": "*", "__truediv__": "/", "__rtruediv__": "/", "__itruediv__": "/",
    "__floordiv__": "//", "__rfloordiv__": "//", "__mod__": "%", "__pow__": "**", "__matmul__": "@",
    "__rmatmul__": "@", "__and__": "&", "__or__": "|", "__xor__": "^", "__invert__": "~", "__neg__": "-",
    "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">=", "__eq__": "==", "__ne__": "!=",
    "__getitem__": "indexing", "__setitem__": "assignment", "_assert_scalar": "assertion",
}  # fmt: skip


def written_operation(node: Any) -> str:
    """Return the operation of the model that a graph node was made for, as users write it; "" if that is not known."""
    written = node.meta.get("torch_fn")
    if written:
        name = str(written[1]).rpartition(".")[2]
    else:
        stack: Sequence[tuple[str, Any]] = node.meta.get("source_fn_stack") or ()
        target = stack[-1][1] if stack else ""
        name = target if isinstance(target, str) else str(getattr(target, "__name__", ""))
        name = name.rpartition(".")[2]
    if name and name == getattr(node.target, "_overloadname", ""):  # an operator that was called by its whole name
        name = str(node.target._opname)
    return _SPELLED.get(name, name)
