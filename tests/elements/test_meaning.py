"""Element expressions, evaluated at every index, against numpy: what each rule says of the operations of the pairs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest

from shapesolve.elements.comparison import with_indices
from shapesolve.elements.context import RULES, ElementContext
from shapesolve.elements.terms import Access, Apply, Choice, Leaf, Reduction, Term
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.program import ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.shape_functions.registries import registry_for
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.evaluation import evaluate, holds
from tests.elements.test_pairs import PAIRS, Pair, Program, text


def selected(condition: bool, then: float, otherwise: float) -> float:
    return then if condition else otherwise


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.maximumf": max,
    "arith.minimumf": min,
    "stablehlo.add": operator.add,
    "product of stablehlo.dot_general": operator.mul,
    "stablehlo.select": selected,
}


class Evaluator:
    """Evaluates terms of one program on arrays.

    Args:
        sizes: The size of each variable.
    """

    def __init__(self, context: ElementContext, arrays: list[Any], sizes: Mapping[Variable, int]) -> None:
        self.context = context
        self.arrays = arrays
        self.sizes = dict(sizes)

    def value(self, term: Term) -> Any:
        match term:
            case Access():
                return self.value(self.context.expand(term))
            case Leaf(key=("argument", int(position))):
                places = tuple(evaluate(each, self.sizes) for each in term.indices)
                array = self.arrays[position]
                assert all(0 <= place < extent for place, extent in zip(places, array.shape, strict=True))
                return array[places]
            case Leaf(key=("constant", _, (float(number), _))) | Leaf(key=("constant", _, float(number))):
                return number
            case Choice():
                return self.value(term.then if holds(term.condition, self.sizes) else term.otherwise)
            case Apply(key=str(name)):
                return FUNCTIONS[name](*map(self.value, term.operands))
            case Apply(key=(str(name), direction, *_)):
                operands = [self.value(each) for each in term.operands]
                if name == "stablehlo.compare":
                    return operands[0] < operands[1] if "LT" in str(direction) else operands[0] > operands[1]
                return FUNCTIONS[name](*operands)
            case Reduction():
                total = 0 if term.initial is None else self.value(term.initial)
                extents = [range(evaluate(each, self.sizes)) for each in term.extents]
                for place in product(*extents):
                    fixed = dict(zip(term.indices, map(dim, place), strict=True))
                    total += self.value(with_indices(term.body, fixed))
                return total
            case _:
                raise AssertionError(term)


def elements(pair: Pair, program: Program, arrays: list[Any]) -> tuple[Any, set[str]]:
    """Return the elements of the result, and the operations of the program."""
    read = read_text(text(pair, program))
    (function,) = read.functions.values()
    inputs = make_inputs(function)
    trace = interpret(read, inputs, registry_for(read, Options()))
    assert function.body is not None
    dynamic: list[int] = []
    for argument, array in zip(function.arguments, arrays, strict=True):
        assert isinstance(argument.type, ShapedType)
        dynamic += [
            size for extent, size in zip(argument.type.extents or (), array.shape, strict=True) if extent is None
        ]
    assert len(dynamic) == len(inputs.variables)
    sizes = dict(zip(inputs.variables, dynamic, strict=True))
    evaluator = Evaluator(ElementContext(function, trace.values, "iteration"), arrays, sizes)
    returned = function.body.blocks[0].operations[-1].operands[0]
    wanted = program.compute(arrays)
    found = np.empty(wanted.shape)
    for place in np.ndindex(*wanted.shape):
        found[place] = evaluator.value(Access(returned, tuple(map(dim, place))))
    return found, {op.name for op in function.operation.walk()}


ALL = [
    (name, kind, number)
    for name, pair in PAIRS.items()
    for kind, programs in (("source", (pair.source,)), ("right", pair.right), ("wrong", pair.wrong))
    for number in range(len(programs))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "number"), ALL)
def test_elements_are_those_of_numpy(name: str, kind: str, number: int) -> None:
    pair = PAIRS[name]
    program = {"source": (pair.source,), "right": pair.right, "wrong": pair.wrong}[kind][number]
    random = np.random.default_rng(2)
    arrays = [random.integers(-50, 50, shape).astype(np.float64) for shape in pair.shapes]
    found, _ = elements(pair, program, arrays)
    assert np.array_equal(found, program.compute(arrays))


def test_movements_are_covered() -> None:
    used: set[str] = set()
    for pair in PAIRS.values():
        for program in (pair.source, *pair.right, *pair.wrong):
            read = read_text(text(pair, program))
            used |= {op.name for op in read.operation.walk()}
    scalar = {name for name in RULES if name.split(".")[0] in ("arith", "math")}
    moves = {name for name in RULES.keys() - scalar if name.startswith(("tensor.", "stablehlo."))}
    assert len(used & moves) >= 14
