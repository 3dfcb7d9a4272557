"""Shape functions compiled for given ranks, to be asked at every launch of an operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapesolve.domain.values import Abstract, Size
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import Type
from shapesolve.shape_functions.argument_passing import is_extent_tensor
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.compilation import Compiled, NotCompiledError, compile_function
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.shape_kinds import RankedShape

if TYPE_CHECKING:
    from shapesolve.shape_functions.shape_function import ShapeFunction

Answer = tuple[tuple[int, ...] | int | None, ...] | None
"""The results, None for one that the operands do not determine; None instead of all where the function fails."""

Key = tuple[int | tuple[str, int], ...]
"""The rank of each operand that is a shape, and the value of each that is a number."""

MAX_KEPT = 256
"""The number of combinations of ranks that are kept compiled for one function."""


def key_of(operands: Sequence[Sequence[int] | int]) -> Key:
    """Return the combination of ranks and numbers that a compiled function is for."""
    return tuple(("is", operand) if isinstance(operand, int) else len(operand) for operand in operands)


def compiled(function: ShapeFunction, types: Sequence[Type], key: Key) -> Compiled | None:
    """Return a shape function for operands of these ranks; None where it is not a function of their extents alone.

    Its conditions are the demands of the function, and last that no arithmetic of 64 bits overflows.
    """
    parameters: list[Variable] = []
    operands: list[list[Dim] | int] = []
    for position, (given, type) in enumerate(zip(key, types, strict=True)):
        if not isinstance(given, int):
            operands.append(given[1])
            continue
        bounds = (None, None) if is_extent_tensor(type) else (0, MAX_SIZE)
        made = [Variable.of(f"operand{position}.{index}", *bounds) for index in range(given)]
        parameters += made
        operands.append([of_atom(each) for each in made])
    applied = function.on(*operands)
    results = [_sizes(each) for each in applied.results]
    conditions = [*(claim.formula for claim in applied.claims), applied.presumes]
    try:
        compute = compile_function(parameters, conditions, [each for each in results if each is not None])
    except NotCompiledError:
        return None
    return compute if None not in results else None


def _sizes(value: Abstract) -> Dim | tuple[Dim, ...] | None:
    match value:
        case RankedShape(dims=extents):
            return extents
        case Dim():
            return value
        case Size():
            return value.value
        case _:
            return None
