"""Sizes that a solver found, as arguments that a function can be called with."""

from __future__ import annotations

from math import prod

from shapesolve.executing.execution import Input, ScalarInput, TensorInput
from shapesolve.language.dims import Dim
from shapesolve.language.evaluation import Assignment, evaluate, evaluate_extents, holds
from shapesolve.language.formulas import Formula
from shapesolve.language.shapes import Shape
from shapesolve.reading.program import ScalarType, Type
from shapesolve.walking.obligations import Trace
from shapesolve.walking.values import Abstract, Float, Size, Tensor, Witness


def arguments(trace: Trace, sizes: Assignment) -> tuple[Input, ...] | str:
    """The arguments of the function at these sizes, or why there are none.

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
    return tuple(found)


def _argument(type: Type, value: Abstract, sizes: Assignment) -> Input | str:
    match value:
        case Tensor():
            return _tensor(value, sizes)
        case Dim() | Formula():
            return ScalarInput(_number(value, sizes))
        case Shape():
            extents = evaluate_extents(value, sizes)
            return TensorInput((len(extents),), extents)
        case Size():
            if not holds(value.valid, sizes):
                return "an error value cannot be passed"
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
        if len(spelled) == prod(extents):
            return TensorInput(extents, spelled)
    return TensorInput(extents)


def _number(value: Dim | Formula, sizes: Assignment) -> int:
    return evaluate(value, sizes) if isinstance(value, Dim) else int(holds(value, sizes))
