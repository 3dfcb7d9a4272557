"""Right pairs in corners of the dialects, executed at small sizes: both programs return the same."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from random import Random

import pytest
from elements.test_corners import ALL, Pair

from shapesolve.execution.execution import Execution, Input, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import Function, Program, ScalarType, ShapedType, Type
from shapesolve.ir.reader import read_text

# The whole module, for it finds the pairs to run by reading all of them as it is imported.
pytestmark = [pytest.mark.exhaustive, pytest.mark.process]

SIZES = (0, 1, 2, 3, 5, 9)


def number(type: Type, dice: Random) -> int:
    if not isinstance(type, ScalarType) or type.kind == "float":
        return dice.randint(-6, 6)
    if type.kind == "index":
        return dice.randint(0, 2)
    half = 2 ** ((type.width or 64) - 1)
    return dice.choice([0, 1, 2, 3, 5, -1, -2, -3, half, half - 1]) % (2 * half)


def arguments(function: Function, extents: Iterator[int], dice: Random) -> list[Input]:
    found: list[Input] = []
    for each in function.arguments:
        type = each.type
        if not isinstance(type, ShapedType):
            is_size = isinstance(type, ScalarType) and type.kind == "index"
            found.append(ScalarInput(next(extents) if is_size else abs(number(type, dice))))
            continue
        given = (None,) if type.extents is None else type.extents
        shape = tuple(next(extents) if extent is None else extent for extent in given)
        numbers = tuple(number(type.element, dice) for _ in range(math.prod(shape)))
        is_float = isinstance(type.element, ScalarType) and type.element.kind == "float"
        found.append(TensorInput(shape, floats=numbers) if is_float else TensorInput(shape, values=numbers))
    return found


def function_of(program: Program) -> Function:
    (function,) = program.functions.values()
    return function


def runs_of(pair: Pair) -> Iterator[tuple[Execution, Execution]]:
    source, target = read_text(pair.source), read_text(pair.target)
    dice, function = Random(20), function_of(source)
    sizes = [*([each] * 9 for each in SIZES), *([dice.randint(0, 5) for _ in range(9)] for _ in range(6))]
    calls = [arguments(function, islice(cycle(each), 9), dice) for each in sizes]
    both = (execute_many(each.executable, "f", calls, runtime_checks=True) for each in (source, target))
    return zip(*both, strict=True)


NO_VALUES = "which has no values to pass or return"
NOT_EXECUTED = {
    "buffers: outparam 1": "1 arguments given where the function takes 2",
    "buffers: outparam 5": "1 arguments given where the function takes 2",
    "comparators: tensor.gather 1": "one-shot-bufferize: tensor.gather: op was not bufferized",
    "selects_and_moves: unranked 1": "one-shot-bufferize: arith.addf: op was not bufferized",
    "vectors: vector returned 1": f"argument 0 has type vector<4xf32>, {NO_VALUES}",
    "transfers: least unsigned of a vector 2": f"argument 0 has type vector<4xi8>, {NO_VALUES}",
}
"""Right pairs that nothing executes, and what the execution says."""

_INTERPRETED = {"stablehlo.sort", "stablehlo.scatter"}


@cache
def _names_in(text: str) -> frozenset[str]:
    return frozenset(op.name for op in function_of(read_text(text)).operation.walk())


def names_of(pair: Pair) -> frozenset[str]:
    """Return the names of the operations of both programs."""
    return _names_in(pair.source) | _names_in(pair.target)


def way_of(pair: Pair) -> str:
    """Return how a pair is executed."""
    names = names_of(pair)
    if pair.title in NOT_EXECUTED:
        return "not executed"
    if names & _INTERPRETED:
        return "interpreted"
    return "with vectors" if any(each.startswith("vector.") for each in names) else "executed"


def shown(found: Execution, types: tuple[Type, ...]) -> list[object]:
    """Return results as numbers; all that are NaN are one."""
    return [
        tuple("nan" if math.isnan(_float(each)) else each for each in values)
        if str(getattr(type, "element", "")) == "f32" and isinstance(values, tuple)
        else values
        for type, values in zip(types, found.result_values, strict=True)
    ]


def _float(bits: int) -> float:
    result: float = struct.unpack("=f", struct.pack("=I", bits))[0]
    return result


@pytest.mark.parametrize(
    "pair",
    [each for each in ALL if each.truth != "wrong" and way_of(each) == "executed"],
    ids=lambda each: each.title,
)
def test_right_programs_return_the_same(pair: Pair) -> None:
    types = function_of(read_text(pair.source)).result_types
    returned = 0
    for source, target in runs_of(pair):
        if source.outcome is Outcome.RETURNED:
            returned += 1
            assert target.outcome is Outcome.RETURNED
            assert source.result_extents == target.result_extents
            assert shown(source, types) == shown(target, types)
    assert returned


@pytest.mark.parametrize("title", NOT_EXECUTED)
def test_unexecuted_pairs_cannot_be_executed(title: str) -> None:
    (pair,) = (each for each in ALL if each.title == title)
    said = {each.message for both in runs_of(pair) for each in both if each.outcome is Outcome.NOT_EXECUTABLE}
    assert said == {NOT_EXECUTED[title]}
