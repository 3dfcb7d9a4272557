"""The operation that makes a value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from shapesolve.reading.program import Operation, Program, Value


@lru_cache(maxsize=2)  # the functions of one program are walked one after another
def producers(program: Program) -> Mapping[Value, Operation]:
    """The operation that each value is a result of; arguments of blocks have none."""
    return {result: op for op in program.operation.walk() for result in op.results}
