"""Records: frozen for the type checker, and as quick to make as a class can be.

A frozen dataclass sets each field past its own lock, which takes five times as long. Of what a walk and a judgement
make there are hundreds of thousands, so that a fifth of the time of a check went there. That nobody changes a record is
seen by the type checker, as for a frozen dataclass. Records are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(kind: type[T]) -> type[T]:
    """Make a class one of records, whose fields are its annotations."""
    made = dataclass(slots=True, eq=False, repr=False)(kind)
    if made.__repr__ is object.__repr__:
        made.__repr__ = _shown  # one for all: one for each would be compiled at every start
    return made


def _shown(self: object) -> str:
    """What the ``repr`` of a dataclass is."""
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(cast(Any, self)) if field.repr)
    return f"{type(self).__qualname__}({shown})"
