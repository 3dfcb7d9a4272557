"""Programs between two passes, with the names that the file gave to the arguments of its functions."""

from __future__ import annotations

from shapesolve.ir.program import Function, Program
from shapesolve.ir.reader import read_text


def read_step(text: str, file: str, original: Program) -> Program:
    """Read the output of a pass. Arguments have the names of the original's, so that assumptions apply.

    Raises:
        InputError: The text is no valid MLIR or has no function.
    """
    program = read_text(text, file)
    for name, function in program.functions.items():
        named = original.functions.get(name)
        if named is not None:
            _name_arguments(function, named)
    return program


def _name_arguments(function: Function, named: Function) -> None:
    """Give the arguments of a function that was just read the names of another's, unless values have them."""
    if len(function.arguments) != len(named.arguments):
        return
    taken = {value.name for op in function.operation.walk() for value in op.results}
    for value, other in zip(function.arguments, named.arguments, strict=True):
        if other.name not in taken:
            # The program was read a moment ago: nothing has been computed from the name yet.
            object.__setattr__(value, "name", other.name)
