"""Shapes that annotations of ``forward`` declare, as jaxtyping writes them: ``Float[Tensor, "b t 8"]``.

An annotation is read, not evaluated. The package need not be installed where annotations are texts.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from shapesolve.frontends.torch_names import named_size

_TEXT = re.compile(r"""\w+\[\s*[\w.]+\s*,\s*(?P<quote>["'])(?P<shape>[^"']*)(?P=quote)\s*\]""")


def annotated_shapes(module: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the dynamic shapes that the annotations of a module's ``forward`` declare, None without a named size.

    Equal names are equal sizes, and numbers are fixed. Of other forms (``*batch``, ``#t``, ``t-1``), and of arguments
    without an annotation, nothing is declared.
    """
    dims: Any = import_module("torch.export").Dim
    try:
        given = inspect.signature(module.forward).bind(*arguments, **keywords).arguments
        parameters = inspect.signature(module.forward).parameters
    except (TypeError, ValueError):
        return None
    if any(
        parameters[each].kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for each in given
    ):
        return None
    names: dict[str, Any] = {}
    found: dict[str, Any] = {}
    for argument, value in given.items():
        rank = len(getattr(value, "shape", ()))
        parts = _aligned(_shape_text(parameters[argument].annotation), rank)
        if not hasattr(value, "shape"):
            found[argument] = None
            continue
        sizes = {at: declared_size(each, names, dims) for at, each in enumerate(parts)}
        found[argument] = {at: each for at, each in sizes.items() if each is not None} or None
    return found if names else None


def _shape_text(annotation: Any) -> str:
    """Return the shape in an annotation, "" if it has none."""
    if isinstance(annotation, str):
        match = _TEXT.fullmatch(annotation.strip())
        return "" if match is None else match["shape"]
    text = getattr(annotation, "dim_str", "")
    return text if isinstance(text, str) else ""


def _aligned(text: str, rank: int) -> list[str]:
    """Return one part of a shape for each dimension, ``_`` where the shape says nothing of it."""
    parts = text.split()
    several = [at for at, each in enumerate(parts) if each == "..." or each.startswith(("*", "#*"))]
    if len(several) > 1 or (len(parts) != rank and not several) or len(parts) - len(several) > rank:
        return ["_"] * rank
    if not several:
        return parts
    more = ["_"] * (rank - len(parts) + 1)
    return [*parts[: several[0]], *more, *parts[several[0] + 1 :]]


def declared_size(part: str, names: dict[str, Any], dims: Any) -> Any:
    """Return the declared size of a dimension, None for a fixed one; ``names`` collects the sizes with a name."""
    part = part.rpartition("=")[2]
    if part.isdecimal():
        return None
    if not part.isidentifier() or part.startswith("_"):
        return dims.AUTO
    if part not in names:
        names[part] = named_size(part, [each.__name__ for each in names.values()])
        names[part].users_name = part
    return names[part]
