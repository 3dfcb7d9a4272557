"""Bodies of structured operations that compute indices and branch, as lowerings of concatenations do."""

from __future__ import annotations

import pytest
from elements.test_loops import compared

HEAD = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
"""
END = "  return %r : tensor<?xf32>\n}"
JOINED = f"{HEAD}  %r = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n{END}"


def generic(body: str) -> str:
    """Return a program that computes as many elements as both arguments have."""
    return f"""{HEAD}  %da = tensor.dim %a, %c0 : tensor<?xf32>
  %db = tensor.dim %b, %c0 : tensor<?xf32>
  %sum = arith.addi %da, %db : index
  %e = tensor.empty(%sum) : tensor<?xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}}
      outs(%e : tensor<?xf32>) {{
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
{body}
    linalg.yield %v : f32
  }} -> tensor<?xf32>
{END}"""


BRANCHED = """    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %p = arith.cmpi ult, %i, %d : index
    %v = scf.if %p -> (f32) {
      %k = arith.addi %i, %c0 : index
      %s = tensor.extract %a[%k] : tensor<?xf32>
      scf.yield %s : f32
    } else {
      %k = arith.subi %i, %d : index
      %t = tensor.extract %b[%k] : tensor<?xf32>
      scf.yield %t : f32
    }"""
REPEATED = "    %k = arith.remui %i, %da : index\n    %v = tensor.extract %a[%k] : tensor<?xf32>"
GENERATED = f"""{HEAD}  %da = tensor.dim %a, %c0 : tensor<?xf32>
  %db = tensor.dim %b, %c0 : tensor<?xf32>
  %sum = arith.addi %da, %db : index
  %r = tensor.generate %sum {{
  ^bb0(%i: index):
{REPEATED}
    tensor.yield %v : f32
  }} : tensor<?xf32>
{END}"""
ON_DATA = """    %u = tensor.extract %a[%c0] : tensor<?xf32>
    %w = tensor.extract %b[%c0] : tensor<?xf32>
    %p = arith.cmpf olt, %u, %w : f32
"""
IF = f"""{ON_DATA}    %v = scf.if %p -> (f32) {{
      scf.yield %u : f32
    }} else {{
      scf.yield %w : f32
    }}"""
SELECT = f"{ON_DATA}    %v = arith.select %p, %u, %w : f32"
SHIFTED = """    %q = arith.subi %i, %n : index
    %p = arith.cmpi ult, %q, %c2 : index
    %x = arith.constant 1.0 : f32
    %y = arith.constant 2.0 : f32
    %v = scf.if %p -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %y : f32
    }"""

RIGHT = {
    "a concatenation": (JOINED, generic(BRANCHED)),
    "a signed comparison": (JOINED, generic(BRANCHED.replace("ult", "slt"))),
    "elements again and again": (GENERATED, generic(REPEATED)),
    "a branch by data": (generic(IF), generic(SELECT)),
}
WRONG = {
    "one element further": (JOINED, generic(BRANCHED.replace("ult", "ule"))),
    "the other operand": (JOINED, generic(BRANCHED.replace("%b[", "%a["))),
    "branches exchanged": (JOINED, generic(BRANCHED.replace("ult", "uge"))),
    "another offset": (JOINED, generic(BRANCHED.replace("%i, %d : index\n      %t", "%i, %c1 : index\n      %t"))),
    "the extent of the other operand": (JOINED, generic(BRANCHED.replace("tensor.dim %a", "tensor.dim %b"))),
    "elements that are repeated": (GENERATED, generic(REPEATED.replace("remui", "divui"))),
    "another divisor": (GENERATED, generic(REPEATED.replace("%da", "%c2"))),
    "a branch by data, exchanged": (generic(IF), generic(SELECT.replace("%u, %w : f32", "%w, %u : f32"))),
    "another condition on data": (generic(IF), generic(SELECT.replace("olt", "ole"))),
    "numbers below 0 as signed ones": (generic(SHIFTED), generic(SHIFTED.replace("ult", "slt"))),
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_elements_are_proved(name: str) -> None:
    source, target = RIGHT[name]
    for found in (compared(source, target), compared(target, source)):
        assert found.word == "proved" and not found.not_compared


@pytest.mark.parametrize("name", WRONG)
def test_other_elements_are_not(name: str) -> None:
    source, target = WRONG[name]
    assert source != target
    found = compared(source, target)
    assert found.word != "proved" or found.not_compared
