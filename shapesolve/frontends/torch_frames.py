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
