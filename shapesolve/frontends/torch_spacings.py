"""Evenly spaced numbers, as many as a size says, while PyTorch traces a model."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


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
