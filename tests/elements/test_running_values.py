"""Test of bodies that read what earlier iterations wrote to another output: these are no argument's elements."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.refined_pairs import refined

from shapesolve.solver.verdicts import VerdictKind

VECTOR, NUMBER = "tensor<?xf32>", "tensor<f32>"
MAPS = {VECTOR: "affine_map<(i) -> (i)>", NUMBER: "affine_map<(i) -> ()>"}


def program(outputs: Sequence[str], body: str, *, kind: str = "reduction") -> str:
    """Return a loop over the elements %e of a vector; %o0, %o1 are the elements of the outputs."""
    maps = ", ".join(MAPS[each] for each in (VECTOR, *outputs))
    given = ", ".join(f"%p{number}" for number in range(len(outputs)))
    elements = ", ".join(f"%o{number}: f32" for number in range(len(outputs)))
    result = f"%r{'#0' if len(outputs) > 1 else ''}"
    return f"""
func.func @f(%x: {VECTOR}, %p0: {outputs[0]}, %p1: {NUMBER}) -> {outputs[0]} {{
  %first = tensor.extract %p1[] : {NUMBER}
  %r{":2" if len(outputs) > 1 else ""} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["{kind}"]}}
      ins(%x : {VECTOR}) outs({given} : {", ".join(outputs)}) {{
  ^bb0(%e: f32, {elements}):
    {body}
  }} -> ({", ".join(outputs)})
  return {result} : {outputs[0]}
}}"""


SUM_OF_SUMS = "%s = arith.addf %o0, %o1 : f32\n%t = arith.addf %o1, %e : f32\nlinalg.yield %s, %t : f32, f32"
SUM_OF_FIRST = "%s = arith.addf %o0, %first : f32\nlinalg.yield %s : f32"
PREFIX_SUMS = "%t = arith.addf %o1, %e : f32\nlinalg.yield %t, %t : f32, f32"
FIRST_ADDED = "%t = arith.addf %first, %e : f32\nlinalg.yield %t : f32"
TWO_SUMS = "%s = arith.addf %o0, %e : f32\n%t = arith.mulf %o1, %e : f32\nlinalg.yield %s, %t : f32, f32"
ONE_SUM = "%s = arith.addf %o0, %e : f32\nlinalg.yield %s : f32"


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "target"),
    [
        (program((NUMBER, NUMBER), SUM_OF_SUMS), program((NUMBER,), SUM_OF_FIRST)),
        (program((VECTOR, NUMBER), PREFIX_SUMS), program((VECTOR,), FIRST_ADDED, kind="parallel")),
    ],
    ids=["a sum of sums is no sum of initial elements", "prefix sums are no sums of two elements"],
)
def test_a_running_value_is_not_its_initial_element(source: str, target: str) -> None:
    for first, second in ((source, target), (target, source)):
        found = refined(first, second)
        assert found.word is not VerdictKind.PROVED or "contents" in found.not_compared


def test_two_sums_at_once_are_followed() -> None:
    found = refined(program((NUMBER, NUMBER), TWO_SUMS), program((NUMBER,), ONE_SUM))
    assert found.word is VerdictKind.PROVED
    assert found.compares_elements and "contents" not in found.not_compared
