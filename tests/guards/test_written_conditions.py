"""Test that a condition written as operations stops a run at the sizes at which the condition is false."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.execution import Outcome, execute_many
from shapesolve.execution.execution import TensorInput
from shapesolve.guards.condition_builder import ConditionWriter
from shapesolve.guards.dialects import IndexTerms, Insertion
from shapesolve.guards.value_sources import value_sources
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.reader import read_text
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

SIZES = list(product(range(4), repeat=2))
ARGUMENTS = "%a: tensor<?xf32>, %b: tensor<?xf32>"


@pytest.mark.process
@pytest.mark.parametrize(
    "text",
    [
        "a % b == 1",
        "a % b == a",
        "(a - 2) % b == 1",
        "a // b == 1",
        "a // b == 0",
        "(a - 2) // b == -1",
        "(a - 2) // b >= 0",
        "max(a, b) == 2 or min(a, b) == 0",
        "compatible(a, b)",
        "broadcast(a, b) == b",
    ],
)
def test_a_condition_stops_runs_where_it_is_false(text: str) -> None:
    program = read_text(f"func.func @f({ARGUMENTS}) {{\n  return\n}}", "program.mlir")
    function = program.functions["f"]
    inputs = make_inputs(function)
    formula = parse_formula(text, Scope.closed(dict(zip("ab", map(of_atom, inputs.variables), strict=True))))
    insertion = Insertion.of(program)
    block = insertion.live[function.operation.number].regions[0].blocks[0]
    terms = IndexTerms(insertion, block.operations[0].operation)
    types = [each.type for each in function.arguments]
    writer = ConditionWriter(terms, value_sources(zip(inputs.values, block.arguments, types, strict=True)))
    terms.require(writer.write(formula), "the condition")
    calls = [[TensorInput((each,)) for each in sizes] for sizes in SIZES]
    runs = execute_many(str(insertion.unnumbered()), "f", calls, runtime_checks=False)
    for sizes, run in zip(SIZES, runs, strict=True):
        is_true = holds(formula, dict(zip(inputs.variables, sizes, strict=True)))
        assert (run.outcome is Outcome.RETURNED) == is_true, (sizes, run.message)
