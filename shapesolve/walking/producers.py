"""The operation that makes a value."""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.reading.analyses import program_analysis
from shapesolve.reading.program import Operation, Program, Value


@program_analysis
def producers(program: Program) -> Mapping[Value, Operation]:
    """The operation that each value is a result of; arguments of blocks have none."""
    return {result: op for op in program.operation.walk() for result in op.results}
