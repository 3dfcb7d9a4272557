"""Calls of a model as expressions of Python, for people to paste."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

LONGEST = 400
"""Characters of a call; longer ones are not written."""


def call_text(function: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    """Return ``make()[0](torch.ones(2, 3))``, or "" for arguments that cannot be written in a line."""
    try:
        parts = [_text(each) for each in arguments] + [f"{name}={_text(each)}" for name, each in keywords.items()]
    except TypeError:
        return ""
    text = f"{function}({', '.join(parts)})"
    return text if len(text) <= LONGEST else ""


def plain(given: Any) -> Any:
    """Return a tensor of ones of the same shape and element type; anything else as it is."""
    torch = import_module("torch")
    return torch.ones(tuple(given.shape), dtype=given.dtype) if isinstance(given, torch.Tensor) else given


def _text(given: Any) -> str:
    torch = import_module("torch")
    if isinstance(given, torch.Tensor):
        extents = [str(each) for each in given.shape]
        kind = [] if given.dtype == torch.float32 else [f"dtype={given.dtype}"]
        return f"torch.ones({', '.join([*(extents or ['()']), *kind])})"
    if given is None or type(given) in (bool, int, float, str):
        return repr(given)
    if type(given) in (list, tuple):
        inside = ", ".join(_text(each) for each in cast("list[Any] | tuple[Any, ...]", given))
        if isinstance(given, list):
            return f"[{inside}]"
        return f"({inside},)" if len(cast("tuple[Any, ...]", given)) == 1 else f"({inside})"
    if type(given) is dict:
        pairs = cast("dict[Any, Any]", given).items()
        return "{" + ", ".join(f"{key!r}: {_text(each)}" for key, each in pairs) + "}"
    raise TypeError
