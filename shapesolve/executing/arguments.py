"""Sizes that a solver found, as arguments that a function can be called with."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from shapesolve.executing.execution import Input, ScalarInput, TensorInput, bytes_of, too_many_bytes
from shapesolve.language.dims import Dim, dim
from shapesolve.language.evaluation import Assignment, evaluate, evaluate_extents, holds
from shapesolve.language.formulas import Formula
from shapesolve.language.shapes import Shape
from shapesolve.reading.program import ScalarType, ShapedType, Type
from shapesolve.walking.obligations import Trace
from shapesolve.walking.values import Abstract, Float, Size, Tensor, Witness, validity


def arguments(trace: Trace, sizes: Assignment, most_bytes: int | None = None) -> tuple[Input, ...] | str:
    """The arguments of the function at these sizes, or why there are none: they may take more than ``most_bytes``.

    Contents that the sizes do not say are left to the execution.
    """
    found: list[Input] = []
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        try:
            given = _argument(argument.type, value, sizes)
        except KeyError as missing:
            return f"no size was found for {missing.args[0]}"
        if isinstance(given, str):
            return f"{argument.name}: {given}"
        found.append(given)
    taken = _bytes_taken(trace, found)
    return too_many_bytes(taken, most_bytes) if most_bytes is not None and taken > most_bytes else tuple(found)


def _bytes_taken(trace: Trace, given: Sequence[Input]) -> int:
    """What tensors take, those left out whose elements have a size of which only the execution knows."""
    total = 0
    for argument, each in zip(trace.function.arguments, given, strict=True):
        if isinstance(argument.type, ShapedType) and isinstance(each, TensorInput):
            element = argument.type.element
            total += prod(each.extents) * (bytes_of(element.width) if isinstance(element, ScalarType) else 0)
    return total


def _argument(type: Type, value: Abstract, sizes: Assignment) -> Input | str:
    if not holds(validity(value), sizes):
        return "an error value cannot be passed"
    match value:
        case Tensor():
            return _tensor(value, sizes)
        case Dim() | Formula():
            return ScalarInput(_number(value, sizes))
        case Shape():
            extents = evaluate_extents(value, sizes)
            return TensorInput((len(extents),), extents)
        case Size():
            return ScalarInput(evaluate(value.value, sizes))
        case Witness():
            return ScalarInput(int(holds(value.passing, sizes)))
        case _:
            if isinstance(type, ScalarType):
                return ScalarInput(0)
            return f"a value of type {type} cannot be passed"


def _tensor(value: Tensor, sizes: Assignment) -> Input | str:
    extents = evaluate_extents(value.shape, sizes)
    if any(extent < 0 for extent in extents):
        return f"it has a negative extent: {extents}"
    numbers = tuple(_number(each, sizes) for each in value.elements or () if not isinstance(each, Float))
    if value.elements is not None and len(numbers) == len(value.elements):
        return TensorInput(extents, numbers)
    if value.spells is not None:
        spelled = evaluate_extents(value.spells, sizes)
        if (count := prod(extents)) == len(spelled):
            held = (evaluate(value.spelled_element(dim(count - 1 - number)), sizes) for number in range(count))
            return TensorInput(extents, tuple(held))
    return TensorInput(extents)


def _number(value: Dim | Formula, sizes: Assignment) -> int:
    return evaluate(value, sizes) if isinstance(value, Dim) else int(holds(value, sizes))
