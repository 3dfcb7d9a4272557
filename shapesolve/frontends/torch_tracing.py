"""Changes of PyTorch while it traces a model: spacings of any length, and views with the sizes that it asks for."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_ALGORITHM = "_reshape_view_helper_core_alg"


@contextmanager
def spacings_of_any_length() -> Generator[None]:
    """Let ``torch.linspace`` have a length that is a size of the inputs.

    PyTorch takes the number of the example for such a length, so that the export holds for that size alone: its
    operator has no lengths that are symbols. The same numbers are a range that is scaled.
    """
    torch: Any = import_module("torch")
    linspace = torch.linspace

    def spaced(start: Any, end: Any, steps: Any, *rest: Any, **options: Any) -> Any:
        if not isinstance(steps, torch.SymInt) or rest or options.keys() - {"dtype", "device"}:
            return linspace(start, end, steps, *rest, **options)
        kind = options.pop("dtype", None) or torch.get_default_dtype()
        exact = kind if kind.is_floating_point else torch.get_default_dtype()
        numbers = torch.arange(steps, dtype=exact, **options)
        intervals = torch.full((), steps - 1, dtype=exact, **options).clamp(min=1)
        return (start + numbers / intervals * (end - start)).to(kind)

    torch.linspace = spaced
    try:
        yield
    finally:
        torch.linspace = linspace


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
