"""Differential test of the extents of results against MLIR's pass that resolves the dimensions of results.

In each function of the cases that is a single block, all dynamic extents of its operations' results are returned,
before and after the pass. Claims hold at the compared sizes, none of which is 0: MLIR takes the extents of a structured
operation without iterations from its inputs (`docs/upstream-findings.md`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.claims_at_sizes import broken

from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir import bindings
from shapesolve.ir.reader import read_text
from shapesolve.semantics.registry import load_rules
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.trace.events import Trace

pytestmark = pytest.mark.slow

CASES = Path(__file__).parents[1] / "cases"
LEAST = {"arith": 50, "bufferization": 6, "linalg": 80, "memref": 12, "scf": 12, "tensor": 35, "vector": 2}
"""Minimum number of compared extents of each dialect's cases."""

PASSES = "builtin.module(resolve-shaped-type-result-dims,canonicalize,cse)"
SIZES = (1, 2, 3, 4, 5, 6, 8, 12)
TRIES = 200


@pytest.mark.exhaustive
@pytest.mark.parametrize("dialect", sorted(LEAST))
def test_extents_are_those_that_mlir_computes(dialect: str) -> None:
    compared, wrong = 0, list[str]()
    for path in sorted((CASES / dialect).glob("*.mlir")):
        for name, before, after in _returning_extents(path.read_text(encoding="utf-8")):
            first, second = _trace(before, name), _trace(after, name)
            for ours, theirs in zip(first.results or (), second.results or (), strict=True):
                if isinstance(ours, Dim) and isinstance(theirs, Dim):
                    compared += 1
                    wrong += [f"{path.name} @{name}: {each}" for each in _difference(first, ours, theirs)]
    assert not wrong, "\n".join(wrong)
    assert compared >= LEAST[dialect]


def _trace(text: str, name: str) -> Trace:
    program = read_text(text)
    return interpret(program, make_inputs(program.functions[name]), load_rules())


def _difference(trace: Trace, ours: Dim, theirs: Dim) -> list[str]:
    """Sizes of which the two are different numbers, as far as both are made of nothing but sizes."""
    inputs = frozenset(trace.input_variables)
    if not ours.variables | theirs.variables <= inputs:
        return []
    chance = random.Random(0)
    for _ in range(TRIES if str(ours) != str(theirs) else 0):
        sizes = {variable: chance.choice(SIZES) for variable in sorted(inputs, key=str)}
        if not broken(trace, {variable.name: size for variable, size in sizes.items()}):
            numbers = evaluate(ours, sizes), evaluate(theirs, sizes)
            if numbers[0] != numbers[1]:
                return [f"{ours} is {numbers[0]}, and {theirs} is {numbers[1]} at {sizes}"]
    return []


def _returning_extents(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each function with its dynamic extents returned: its name, and the module before and after the pass."""
    ir, passmanager = bindings.ir(), bindings.passmanager()
    with bindings.new_context() as context, ir.Location.unknown():
        for number, found in enumerate(ir.Module.parse(text).body.operations):
            if found.operation.name != "func.func":
                continue
            module = ir.Module.parse(text)
            function = module.body.operations[number].operation
            if not _return_extents(function) or not _verifies(module):
                continue
            before = module.operation.get_asm(use_local_scope=True)
            passmanager.PassManager.parse(PASSES, context).run(module.operation)
            yield function.attributes["sym_name"].value, before, module.operation.get_asm(use_local_scope=True)


def _return_extents(function: Any) -> bool:
    """Make a function return the open extents of all that its operations give; False where there are none.

    Functions of shapes of unknown rank are left out.
    """
    ir = bindings.ir()
    blocks = function.regions[0].blocks
    if "<*x" in str(function.attributes["function_type"]):
        return False
    if len(blocks) != 1 or (last := list(blocks[0].operations)[-1]).operation.name != "func.return":
        return False
    given = [result for each in blocks[0].operations for result in each.operation.results]
    with ir.InsertionPoint(last):
        extents = [extent for value in given for extent in _extents(value)]
        ir.Operation.create("func.return", operands=extents)
    last.operation.erase()
    inputs = ir.TypeAttr(function.attributes["function_type"]).value.inputs
    made = ir.FunctionType.get(inputs, [extent.type for extent in extents])
    function.attributes["function_type"] = ir.TypeAttr.get(made)
    return bool(extents)


def _extents(value: Any) -> list[Any]:
    ir = bindings.ir()
    type, index = value.type, ir.IndexType.get()
    kind = {ir.RankedTensorType: "tensor", ir.MemRefType: "memref"}.get(value.type.__class__)
    extents: list[Any] = []
    for number in range(type.rank) if kind else ():
        if type.is_dynamic_dim(number):
            place = {"value": ir.IntegerAttr.get(index, number)}
            constant = ir.Operation.create("arith.constant", results=[index], attributes=place).result
            extents.append(ir.Operation.create(f"{kind}.dim", results=[index], operands=[value, constant]).result)
    return extents


def _verifies(module: Any) -> bool:
    """Return whether it still is a program: others may call the function."""
    try:
        return bool(module.operation.verify())
    except bindings.ir().MLIRError:
        return False
