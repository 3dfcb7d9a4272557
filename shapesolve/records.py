"""Record classes: frozen for the type checker, and as quick to build and to define as a class can be.

A frozen dataclass sets each field past its own lock, which takes five times as long. A check builds hundreds of
thousands of records, so that a fifth of its time went there. It also compiles six functions when it is defined, at
every start. The type checker ensures that a record is not changed, as for a frozen dataclass. A record is compared by
identity, a value record by its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(kind: type[T]) -> type[T]:
    """Make a class one of records, whose fields are its annotations."""
    made = dataclass(slots=True, eq=False, repr=False)(kind)
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


def _content_of(kind: type[object]) -> Callable[[object], object]:
    """Return a function from records of a class to the tuple of their fields."""
    names = [each.name for each in fields(cast(Any, kind)) if each.compare]
    return attrgetter(*names) if names else lambda _: ()


def _shown(self: object) -> str:
    """Return the ``repr`` that a dataclass would have."""
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(cast(Any, self)) if field.repr)
    return f"{type(self).__qualname__}({shown})"
