"""State that calls of a PyTorch module change: contents of tensors, and what attributes and objects in them hold."""

from __future__ import annotations

import copy
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from types import FunctionType, MethodType, ModuleType
from typing import Any, cast

from shapesolve.records import record

_CONTAINERS = (list, dict, set)
_MOST_HOLDERS = 10_000
"""Objects and containers that are followed from a module's attributes."""


@contextmanager
def state_kept(module: Any) -> Generator[list[str]]:
    """Give a module afterwards the contents of its buffers and the attributes that it had before.

    The same holds for the attributes of objects that it holds, for lists, dictionaries and sets, and for the global
    variables beside its classes. Other state, such as a file, is not given back.

    Yields:
        A list that afterwards names the attributes that were changed and hold no tensor.
    """
    torch = import_module("torch")
    buffers = [(each, each.detach().clone()) for each in module.buffers()]
    holders = list(_Search(module).holders())
    changed: list[str] = []
    try:
        yield changed
    finally:
        changed += dict.fromkeys(name for each in holders for name in each.give_back())
        with torch.no_grad():
            for each, contents in buffers:
                if each.shape == contents.shape:
                    each.copy_(contents)


@record
class _Holder:
    """An object with variables, or a container, and what it held.

    Attributes:
        name: The path to it from the module, "" for the module itself.
        held: The object.
        before: A copy of its variables, or of the container.
        kind: The class of an object, None for a container.
        own: Variables of the framework's, which are not followed.
    """

    name: str
    held: Any
    before: Any
    kind: type[Any] | None = None
    own: frozenset[str] = frozenset()

    def give_back(self) -> list[str]:
        """Give the object back what it held; return the names of what had changed and holds no tensor."""
        if self.kind is None:
            if _is_same(self.held, self.before):
                return []
            _fill(self.held, self.before)
            return [self.name] if self.name.rpartition(".")[2] != "_buffers" else []
        if type(self.held) is not self.kind:  # a lazy module becomes another one in its first call
            return []
        now = _variables(self.held)
        changed: list[str] = []
        for name in [each for each in now if each not in self.before and each not in self.own]:
            changed += [] if _is_tensor(now.pop(name)) else [name]
        for name, value in self.before.items():
            there = now.get(name)
            if there is not value or name not in now:
                now[name] = value
                changed += [] if _is_tensor(value) or _is_tensor(there) else [name]
        return [_joined(self.name, each) for each in changed]


class _Search:
    """Search for the objects and containers that a module, and the files of its classes, hold."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._seen = set[int]()
        self._framework = frozenset(_variables(import_module("torch").nn.Module())) - {"_buffers"}

    def holders(self) -> Iterator[_Holder]:
        """Yield each holder once."""
        modules = dict(self._module.named_modules())
        self._seen.update(map(id, modules.values()))
        waiting = [self._object(path, each) for path, each in modules.items()]
        files = dict.fromkeys(type(each).__module__ for each in modules.values())
        waiting += [self._file(each) for each in files if each in sys.modules and not _is_library(each)]
        for holder in islice(waiting, _MOST_HOLDERS):  # which grows meanwhile
            yield holder
            waiting += self._inside(holder)

    def _object(self, path: str, held: Any) -> _Holder:
        own = self._framework if _is_module(held) else frozenset[str]()
        kind = type(cast("object", held))
        return _Holder(path, held, _without(own, _variables(held)), kind, own)

    def _file(self, name: str) -> _Holder:
        held = sys.modules[name]
        own = frozenset(each for each in vars(held) if each.startswith("__"))
        return _Holder(name, held, _without(own, _variables(held)), type(held), own)

    def _inside(self, holder: _Holder) -> Iterator[_Holder]:
        """Yield the objects and containers that a holder holds and that were not seen."""
        before: Any = holder.before
        named: list[tuple[str, Any]]
        if holder.kind is None:
            named = [(holder.name, each) for each in (before.values() if hasattr(before, "values") else before)]
        else:
            named = [(_joined(holder.name, name), each) for name, each in before.items()]
        for name, each in named:
            if id(each) in self._seen:
                continue
            if _is_container(each):
                self._seen.add(id(each))
                yield _Holder(name, each, copy.copy(each))
            elif _has_state(each):
                self._seen.add(id(each))
                yield self._object(name, each)


def _has_state(value: Any) -> bool:
    """Return whether a value is an object with variables of its own, and no tensor, class, function or file."""
    if isinstance(value, type | ModuleType | FunctionType | MethodType) or _is_tensor(value):
        return False
    is_own = _is_module(value) or not _is_library(type(value).__module__)
    return is_own and isinstance(getattr(value, "__dict__", None), dict)


def _is_container(value: Any) -> bool:
    return isinstance(value, _CONTAINERS)


def _is_module(value: Any) -> bool:
    return isinstance(value, import_module("torch").nn.Module)


def _is_library(module: str) -> bool:
    """Return whether a file is PyTorch's or Python's own."""
    package = module.partition(".")[0]
    return package == "torch" or package in sys.stdlib_module_names


def _without(names: frozenset[str], variables: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in variables.items() if name not in names}


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _variables(module: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", vars(module))


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
