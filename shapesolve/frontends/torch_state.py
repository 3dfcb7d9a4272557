"""State that calls of a PyTorch module change: contents of its buffers, and attributes of other types."""

from __future__ import annotations

import copy
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

_CONTAINERS = (list, dict, set)


@contextmanager
def state_kept(module: Any) -> Generator[list[str]]:
    """Give a module afterwards the contents of its buffers and the attributes that it had before.

    Of what attributes hold, lists, dictionaries and sets are given back, but no other objects.

    Yields:
        A list that afterwards names the attributes that were changed and hold no tensor.
    """
    torch = import_module("torch")
    framework = frozenset(_variables(torch.nn.Module())) - {"_buffers"}
    buffers = [(each, each.detach().clone()) for each in module.buffers()]
    modules: list[tuple[str, Any, type[Any], dict[str, tuple[Any, Any]]]] = [
        (path, each, type(each), _attributes(each, framework)) for path, each in module.named_modules()
    ]
    changed: list[str] = []
    try:
        yield changed
    finally:
        for path, each, kind, before in modules:
            if type(each) is kind:  # a lazy module becomes another one in its first call
                changed += (f"{path}.{name}" if path else name for name in _give_back(each, before, framework))
        with torch.no_grad():
            for each, contents in buffers:
                if each.shape == contents.shape:
                    each.copy_(contents)


def _attributes(module: Any, framework: frozenset[str]) -> dict[str, tuple[Any, Any]]:
    """Return the attributes of a module by name, each with a copy of a container."""
    own = {name: value for name, value in _variables(module).items() if name not in framework}
    return {name: (value, _copied(value)) for name, value in own.items()}


def _give_back(module: Any, before: dict[str, tuple[Any, Any]], framework: frozenset[str]) -> list[str]:
    """Give a module its attributes back; return the names of those without tensors that had changed."""
    now = _variables(module)
    changed: list[str] = []
    for name in [each for each in now if each not in before and each not in framework]:
        changed += [] if _is_tensor(now.pop(name)) else [name]
    for name, (value, contents) in before.items():
        there = now.get(name)
        if there is value and (contents is None or _is_same(value, contents)):
            continue
        if contents is not None:
            _fill(value, contents)
        now[name] = value
        if name != "_buffers" and not _is_tensor(value) and not _is_tensor(there):
            changed.append(name)
    return changed


def _variables(module: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", vars(module))


def _copied(value: Any) -> Any:
    return copy.copy(cast("object", value)) if isinstance(value, _CONTAINERS) else None


def _fill(container: Any, contents: Any) -> None:
    """Give a container the contents of another one."""
    if isinstance(container, list):
        cast("list[Any]", container)[:] = contents
    else:
        container.clear()
        container.update(contents)


def _is_same(container: Any, before: Any) -> bool:
    """Return whether a container holds the objects that it held before."""
    if isinstance(container, dict):
        held, were = cast("dict[Any, Any]", container), cast("dict[Any, Any]", before)
        return _is_same(list(held), list(were)) and _is_same(list(held.values()), list(were.values()))
    if isinstance(container, set):
        return bool(container == before)
    return len(container) == len(before) and all(one is other for one, other in zip(container, before, strict=True))


def _is_tensor(value: Any) -> bool:
    return isinstance(value, import_module("torch").Tensor)
