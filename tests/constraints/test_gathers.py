"""Differential test of `vector.gather` and `vector.scatter` against what their description says they do: executed loads
and stores, one for each element that the mask selects.
"""

from __future__ import annotations

import pytest

from shapesolve.checker.check import trace_of
from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.evaluation import holds

pytestmark = pytest.mark.process

INDICES = (2, 0, -1, 3)
SIZES, OFFSETS, SELECTED = range(7), range(-1, 4), range(5)

HEAD = "func.func @f(%m: memref<2x?xf32>, %i: index, %j: index, %n: index) {\n"
VECTORS = f"""
  %at = arith.constant dense<{list(INDICES)}> : vector<4xi8>
  %value = arith.constant dense<2.0> : vector<4xf32>
  %mask = vector.create_mask %n : vector<4xi1>
"""
TYPES = "memref<2x?xf32>, vector<4xi8>, vector<4xi1>, vector<4xf32>"
ACCESSES = {
    "vector.gather": f"  %v = vector.gather %m[%i, %j] [%at], %mask, %value : {TYPES} into vector<4xf32>\n",
    "vector.scatter": f"  vector.scatter %m[%i, %j] [%at], %mask, %value : {TYPES}\n",
}


def one_by_one(access: str) -> str:
    """Return the function that accesses one element after the other."""
    text = HEAD + "  %value = arith.constant 2.0 : f32\n"
    for lane, index in enumerate(INDICES):
        text += f"""
  %lane{lane} = arith.constant {lane} : index
  %selected{lane} = arith.cmpi sgt, %n, %lane{lane} : index
  scf.if %selected{lane} {{
    %index = arith.constant {index} : index
    %place = arith.addi %j, %index : index
    {access}
  }}
"""
    return text + "  return\n}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCESSES)
def test_every_selected_element_is_accessed_where_the_claims_say(name: str) -> None:
    program = read_text(HEAD + VECTORS + ACCESSES[name] + "  return\n}")
    trace = trace_of(program, program.functions["f"], Options())
    claims = [each.claim for each in trace.obligations if each.op.name == name]
    by_name = {each.name: each for each in trace.input_variables}
    vectors = [(size, i, j, n) for size in SIZES for i in (0, 2) for j in OFFSETS for n in SELECTED]
    scalar = one_by_one(
        "%v = memref.load %m[%i, %place] : memref<2x?xf32>\n    memref.store %v, %m[%i, %place] : memref<2x?xf32>"
        if name == "vector.gather"
        else "memref.store %value, %m[%i, %place] : memref<2x?xf32>"
    )
    runs = [(TensorInput((2, size)), *map(ScalarInput, numbers)) for size, *numbers in vectors]
    executions = execute_many(scalar, "f", runs, runtime_checks=True)
    claimed = [
        all(
            holds(claim, dict(zip(map(by_name.__getitem__, ("m[1]", "i", "j", "n")), each, strict=True)))
            for claim in claims
        )
        for each in vectors
    ]
    assert {True, False} == set(claimed)
    assert [each.outcome for each in executions] == [Outcome.RETURNED if each else Outcome.ABORTED for each in claimed]
