"""Views with the sizes that a model asks for, while PyTorch traces it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_ALGORITHM = "_reshape_view_helper_core_alg"


@contextmanager
def views_as_written() -> Generator[None]:
    """Let a view have the sizes that are asked for.

    PyTorch splits and joins extents until they fit, and has the fourth part of ``H`` rows as ``H//(H//4)`` where the
    model says 4: all that follows is computed with that, and asked about it.
    """
    references: Any = import_module("torch._refs")
    algorithm = getattr(references, _ALGORITHM, None)
    if algorithm is None:
        yield
        return

    def viewed(tensor: Any, shape: Sequence[Any], allow_copy: bool) -> Any:
        strides = _strides(tensor, shape)
        return algorithm(tensor, shape, allow_copy) if strides is None else tensor.as_strided(shape, strides)

    setattr(references, _ALGORITHM, viewed)
    try:
        yield
    finally:
        setattr(references, _ALGORITHM, algorithm)


def _strides(tensor: Any, shape: Sequence[Any]) -> Any:
    """Return the strides of a view; None where PyTorch finds none without splitting and joining."""
    if tensor.layout != import_module("torch").strided:
        return None
    common: Any = import_module("torch._prims_common")
    is_contiguous = getattr(common, "is_contiguous_or_false", None)
    if is_contiguous is not None and is_contiguous(tensor):
        return common.make_contiguous_strides_for(shape)
    compute = getattr(import_module("torch._subclasses.fake_impls"), "_compute_stride", None)
    return None if compute is None else compute(tensor.size(), tensor.stride(), shape)
