"""Records: frozen for the type checker, and as quick to make, and to define, as a class can be.

A frozen dataclass sets each field past its own lock, which takes five times as long. Of what a walk and a judgement
make there are hundreds of thousands, so that a fifth of the time of a check went there. It also compiles six functions
when it is defined, at every start. That nobody changes a record is seen by the type checker, as for a frozen dataclass.
A record is compared by identity, a value record by its fields.
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
    """Make a class one of records that are equal where they are of one class and their fields are equal."""
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
    """What two records of a class are compared by."""
    names = [each.name for each in fields(cast(Any, kind)) if each.compare]
    return attrgetter(*names) if names else lambda _: ()


def _shown(self: object) -> str:
    """What the ``repr`` of a dataclass is."""
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(cast(Any, self)) if field.repr)
    return f"{type(self).__qualname__}({shown})"
