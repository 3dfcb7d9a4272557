"""Records: frozen for the type checker, and as quick to make as a class can be.

A frozen dataclass sets each field past its own lock, which takes five times as long. Of what a walk and a judgement
make there are hundreds of thousands, so that a fifth of the time of a check went there. That nobody changes a record is
seen by the type checker, as for a frozen dataclass. Records are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(kind: type[T]) -> type[T]:
    """Make a class one of records, whose fields are its annotations."""
    return dataclass(slots=True, eq=False)(kind)
