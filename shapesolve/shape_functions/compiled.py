"""Shape functions compiled for given ranks, to be asked at every launch of an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, cast

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.domain.values import Abstract, Size
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.program import Attribute, ScalarType, Type
from shapesolve.records import value_record
from shapesolve.shape_functions.argument_passing import is_extent_tensor
from shapesolve.shape_functions.signature import EVERY_EXTENT
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.compilation import Compiled, NotCompiledError, compile_function
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.shape_kinds import RankedShape

if TYPE_CHECKING:
    from shapesolve.shape_functions.shape_function import ShapeFunction

Answer = tuple[tuple[int, ...] | int | None, ...] | None
"""The results, None for one that the operands do not determine; None instead of all where the function fails."""

ANY_NUMBER = -1
"""Stands in a key for an operand that is any number."""

Key = tuple[int | tuple[str, int], ...]
"""The rank of each operand that is a shape, and of each that is a number its value, or that it is any."""

AttributeKey = tuple[tuple[str, int | tuple[int, ...]], ...]
"""The attributes that a function is compiled for."""

Kept = tuple[Key, AttributeKey]

MAX_KEPT = 256
"""The number of combinations of ranks, numbers and attributes that are kept compiled for one function."""


@value_record
class CompiledAnswer:
    """Answer of a shape function for given ranks.

    Attributes:
        compute: The demands of the function, last that no arithmetic of 64 bits overflows, and the results, both from
            all numbers and extents in a row.
        ranges: What `compute` takes each of these to lie in.
    """

    compute: Compiled
    ranges: tuple[tuple[int, int], ...]

    def takes(self, numbers: Sequence[int]) -> bool:
        """Return whether the answer is for these numbers and extents."""
        return all(least <= number <= largest for number, (least, largest) in zip(numbers, self.ranges, strict=True))


def key_of(operands: Sequence[Sequence[int] | int]) -> Key:
    """Return the combination of ranks that a compiled function is for, whatever the numbers are."""
    return tuple(ANY_NUMBER if isinstance(operand, int) else len(operand) for operand in operands)


def key_with_numbers(operands: Sequence[Sequence[int] | int]) -> Key:
    """Return the combination of ranks and numbers that a compiled function is for."""
    return tuple(("is", operand) if isinstance(operand, int) else len(operand) for operand in operands)


def attribute_key(attributes: Mapping[str, Attribute] | None) -> AttributeKey | None:
    """Return attributes as part of a key; None if one is neither an integer nor a list of integers."""
    if not attributes:
        return ()
    found: list[tuple[str, int | tuple[int, ...]]] = []
    for name, value in attributes.items():
        if type(value) is int:  # no bool, which is equal to an integer
            found.append((name, value))
        elif isinstance(value, list | tuple) and all(type(each) is int for each in value):
            found.append((name, tuple(cast("Sequence[int]", value))))
        else:
            return None
    return tuple(found)


def numbers_in(operands: Sequence[Sequence[int] | int], key: Key) -> list[int]:
    """Return the extents and numbers in a row that a function takes which is compiled for a key.

    Raises:
        TypeError: An extent is no integer.
    """
    found: list[int] = []
    for operand, given in zip(operands, key, strict=True):
        if not isinstance(operand, int):
            found += map(index, operand)
        elif given == ANY_NUMBER:
            found.append(operand)
    return found


def compiled(
    function: ShapeFunction, types: Sequence[Type], key: Key, attributes: Mapping[str, Attribute] | None
) -> CompiledAnswer | None:
    """Return a shape function for operands of these ranks; None where it is not a function of their numbers alone."""
    parameters: list[Variable] = []
    ranges: list[tuple[int, int]] = []
    operands: list[list[Dim] | Dim | int] = []
    for position, (given, type) in enumerate(zip(key, types, strict=True)):
        if not isinstance(given, int):
            operands.append(given[1])
            continue
        is_number = given == ANY_NUMBER
        if is_number and isinstance(type, ScalarType) and type.is_boolean:
            return None
        taken = integer_range(type) if is_number else (0, MAX_SIZE)
        bounds = (None, None) if is_extent_tensor(type) else taken
        made = [Variable.of(f"operand{position}.{index}", *bounds) for index in range(1 if is_number else given)]
        parameters += made
        ranges += [taken] * len(made)
        extents = [of_atom(each) for each in made]
        operands.append(extents[0] if is_number else extents)
    applied = function.on(*operands, attributes=attributes)
    conditions = [*(claim.formula for claim in applied.claims), applied.no_overflow]
    if any(claim.formula is FALSE for claim in applied.claims):
        return CompiledAnswer(compile_function(parameters, [FALSE, applied.no_overflow], []), tuple(ranges))
    results: list[Dim | tuple[Dim, ...] | None] = []
    for value, indices in zip(applied.results, function.signature.bounded, strict=True):
        sizes = _sizes(value)
        is_bound = function.is_opaque or (sizes is not None and _is_bound(sizes, indices))
        if sizes is None and not is_bound:
            return None
        results.append(None if is_bound else sizes)
    try:
        return CompiledAnswer(compile_function(parameters, conditions, results), tuple(ranges))
    except NotCompiledError:
        return None


def _is_bound(sizes: Dim | tuple[Dim, ...], indices: Sequence[int]) -> bool:
    """Return whether a function gives an upper bound only, of a number or of some extents of a shape."""
    if isinstance(sizes, Dim):
        return bool(indices)
    return any(index in indices or EVERY_EXTENT in indices for index in range(len(sizes)))


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
