"""Names of sizes that PyTorch's algebra takes for something else: exported under another name, shown as the user's."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from typing import Any, cast

_OF_THE_ALGEBRA = frozenset("CEINOQS")
"""Names of which no ``Dim`` can be calculated with, nor be named in a refusal."""


def named_size(name: str, taken: Collection[str] = (), **limits: int | None) -> Any:
    """Return a ``Dim`` with a name that is not taken and that PyTorch can calculate with, and with the user's."""
    spelled = name
    while spelled in _OF_THE_ALGEBRA or spelled in taken:
        spelled += "_"
    size = import_module("torch.export").Dim(spelled, **limits)
    size.users_name = name if name in _OF_THE_ALGEBRA and spelled == f"{name}_" else spelled
    return size


def is_named(size: Any) -> bool:
    """Return whether a declared size has a name."""
    return hasattr(size, "__name__") and hasattr(size, "min") and hasattr(size, "max")


def users_name(size: Any) -> str:
    """Return the name of a size as the user gave it, with that of its root in ``2*S``."""
    root = _root(size)
    own = getattr(root, "users_name", root.__name__)
    return re.sub(rf"\b{root.__name__}\b", own, str(size.__name__))


def exportable(shapes: Any) -> Any:
    """Return declared sizes with another name for each that PyTorch's algebra takes for something else."""
    taken = {_root(each).__name__ for each in _sizes(shapes)}
    renamed: dict[int, Any] = {}

    def other(size: Any) -> Any:
        root = _root(size)
        if root.__name__ not in _OF_THE_ALGEBRA:
            return size
        if id(size) not in renamed and size is root:
            found = named_size(root.__name__, taken)
            found.min, found.max, found.users_name = root.min, root.max, root.__name__
            renamed[id(size)] = found
        elif id(size) not in renamed:
            found = other(root)
            name = re.sub(rf"\b{root.__name__}\b", found.__name__, size.__name__)
            renamed[id(size)] = type(size)(name, found, size.fn)
        return renamed[id(size)]

    return _mapped(shapes, other)


def in_users_names(text: str, shapes: Any) -> str:
    """Return a message of PyTorch with the user's names of sizes."""
    names = {each.__name__: getattr(each, "users_name", each.__name__) for each in map(_root, _sizes(shapes))}
    return re.sub(r"\b\w+\b", lambda word: names.get(word[0], word[0]), text)


def _root(size: Any) -> Any:
    root = getattr(size, "root", size)
    return root if is_named(root) else size


def _sizes(shapes: Any) -> Iterator[Any]:
    if isinstance(shapes, Mapping):
        for each in cast("Mapping[object, object]", shapes).values():
            yield from _sizes(each)
    elif isinstance(shapes, tuple | list):
        for each in cast("tuple[object, ...]", shapes):
            yield from _sizes(each)
    elif is_named(shapes) and type(shapes).__name__ != "_StaticDim":
        yield shapes


def _mapped(shapes: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(shapes, Mapping):
        return {key: _mapped(each, change) for key, each in cast("Mapping[object, object]", shapes).items()}
    if isinstance(shapes, tuple | list):
        parts = [_mapped(each, change) for each in cast("tuple[object, ...]", shapes)]
        return parts if isinstance(shapes, list) else tuple(parts)
    return change(shapes) if is_named(shapes) and type(shapes).__name__ != "_StaticDim" else shapes
