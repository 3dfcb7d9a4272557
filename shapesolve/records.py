"""Record classes: frozen for the type checker, and as quick to build and to define as a class can be.

A frozen dataclass sets each field past its own lock, which takes five times as long. A check builds hundreds of
thousands of records, so that a fifth of its time went there. It also compiles six functions when it is defined, at
every start; a plain record compiles none. The type checker ensures that a record is not changed, as for a frozen
dataclass. A record is compared by identity, a value record by its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(kind: type[T]) -> type[T]:
    """Make a class one of records, whose fields are its annotations."""
    is_plain = _is_plain(kind)
    made = dataclass(slots=True, eq=False, repr=False, init=not is_plain)(kind)
    if is_plain:
        cast(Any, made).__init__ = _initializer(made)
    if made.__repr__ is object.__repr__:
        made.__repr__ = _shown  # one for all: one for each would be compiled at every start
    return made


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(field,))
def value_record(kind: type[T]) -> type[T]:
    """Make a class one of records that are equal if they have the same class and equal fields."""
    made = record(kind)
    content = _content_of(made)

    def is_equal(self: object, other: object) -> bool:
        return content(self) == content(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(content(self))

    if "__eq__" not in kind.__dict__:
        made.__eq__ = is_equal
    if "__hash__" not in kind.__dict__:
        made.__hash__ = hashed
    return made


def replacer(kind: type[T], *names: str) -> Callable[..., T]:
    """Return a function from a record of several fields, and new values of these, to the record with the new values.

    For many records: ``dataclasses.replace`` looks up the fields anew each time.
    """
    given = [each.name for each in fields(cast(Any, kind)) if each.init]
    content, places = attrgetter(*given), [given.index(name) for name in names]

    def replaced(one: T, *values: object) -> T:
        found = list(content(one))
        for place, value in zip(places, values, strict=True):
            found[place] = value
        return kind(*found)

    return replaced


def _content_of(kind: type[object]) -> Callable[[object], object]:
    """Return a function from records of a class to the tuple of their fields."""
    names = [each.name for each in fields(cast(Any, kind)) if each.compare]
    return attrgetter(*names) if names else lambda _: ()


def _is_plain(kind: type[object]) -> bool:
    """Return whether the constructor of a class only sets the fields of its body to its arguments."""
    return not (
        "__init__" in kind.__dict__
        or hasattr(kind, "__post_init__")
        or any(isinstance(each, Field) for each in kind.__dict__.values())
        or any(map(is_dataclass, kind.__bases__))
    )


def _initializer(kind: type[object]) -> FunctionType:
    """Return the constructor of a plain record: one of as many fields, with the names changed.

    To compile those of the classes that a check imports took a tenth of its processor time.
    """
    own = fields(cast(Any, kind))
    names = tuple(each.name for each in own)
    code = _setter(len(names)).replace(
        co_names=names, co_varnames=("self", *names), co_qualname=f"{kind.__qualname__}.__init__"
    )
    defaults = tuple(each.default for each in own if each.default is not MISSING)
    return FunctionType(code, {}, "__init__", defaults)


@cache
def _setter(count: int) -> CodeType:
    """Return the code of a constructor with a number of fields."""
    names = [f"field{index}" for index in range(count)]
    body = "".join(f" self.{name} = {name}\n" for name in names) or " pass\n"
    made: dict[str, Any] = {}
    exec(f"def __init__({', '.join(['self', *names])}):\n{body}", made)
    return made["__init__"].__code__


def _shown(self: object) -> str:
    """Return the ``repr`` that a dataclass would have."""
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(cast(Any, self)) if field.repr)
    return f"{type(self).__qualname__}({shown})"
