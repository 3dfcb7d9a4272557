"""Test that the value of undefined behavior in one compilation is no evidence."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.solver.verdicts import Refuted, Undecided, Verdict

FUNCTION = """func.func private @is_three(%x: index) -> i1 {{
  %c3 = arith.constant 3 : index
  %k = arith.cmpi eq, %x, %c3 : index
  return %k : i1
}}
func.func private @equal(%x: f32) -> i1 {{
  %k = arith.cmpf oeq, %x, %x : f32
  return %k : i1
}}
func.func @f(%n: index, %given: memref<1xindex>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %big = arith.cmpi sge, %n, %c3 : index
{body}
  return
}}
"""
COMPARED = """
  %k = func.call @is_three(%x) : (index) -> i1
  cf.assert %k, "three" """

DEPENDS = {
    "a poison number": f"%x = ub.poison : index\n{COMPARED}",
    "a poison truth": '%k = ub.poison : i1\ncf.assert %k, "poison"',
    "in a branch on poison": '%k = ub.poison : i1\nscf.if %k {\n cf.assert %big, "in a branch"\n}',
    "chosen by poison": f"%p = ub.poison : i1\n%x = arith.select %p, %c0, %c3 : index\n{COMPARED}",
    "yielded by poison": f"""%p = ub.poison : i1
  %x = scf.if %p -> (index) {{
    scf.yield %c0 : index
  }} else {{
    scf.yield %c3 : index
  }}
{COMPARED}""",
    "a sum with poison": f"%p = ub.poison : index\n%x = arith.addi %p, %n : index\n{COMPARED}",
    "a poison float": '%x = ub.poison : f32\n%k = arith.cmpf oeq, %x, %x : f32\ncf.assert %k, "a float"',
    "a poison float that is handed on": """%x = ub.poison : f32
  %k = func.call @equal(%x) : (f32) -> i1
  cf.assert %k, "a float" """,
    "a poison float in a loop": """%p = ub.poison : f32
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%y = %p) -> (f32) {
    scf.yield %y : f32
  }
  %k = arith.cmpf oeq, %x, %x : f32
  cf.assert %k, "a float" """,
    "a size of a poison tensor": f"%p = ub.poison : tensor<?xf32>\n%x = tensor.dim %p, %c0 : tensor<?xf32>\n{COMPARED}",
    "an empty tensor": f"""%e = tensor.empty() : tensor<1xindex>
  %x = tensor.extract %e[%c0] : tensor<1xindex>
{COMPARED}""",
    "a slice of an empty tensor": f"""%e = tensor.empty() : tensor<4xindex>
  %s = tensor.extract_slice %e[1] [2] [1] : tensor<4xindex> to tensor<2xindex>
  %x = tensor.extract %s[%c0] : tensor<2xindex>
{COMPARED}""",
    "an allocated tensor": f"""%e = bufferization.alloc_tensor() : tensor<1xindex>
  %x = tensor.extract %e[%c0] : tensor<1xindex>
{COMPARED}""",
    "a new buffer": f"%e = memref.alloc() : memref<1xindex>\n%x = memref.load %e[%c0] : memref<1xindex>\n{COMPARED}",
    "a new buffer on the stack": f"""%e = memref.alloca() : memref<1xindex>
  %x = memref.load %e[%c0] : memref<1xindex>
{COMPARED}""",
    "a view of a new buffer": f"""%e = memref.alloc() : memref<4xindex>
  %v = memref.subview %e[1] [2] [1] : memref<4xindex> to memref<2xindex, strided<[1], offset: 1>>
  %x = memref.load %v[%c0] : memref<2xindex, strided<[1], offset: 1>>
{COMPARED}""",
}


def last_verdict(body: str) -> Verdict:
    """The verdict on the last assertion, executed where that can be."""
    return [
        each.verdict
        for each in check(FUNCTION.format(body=body)).checked_obligations
        if each.obligation.op.name == "cf.assert"
    ][-1]


@pytest.mark.parametrize("body", DEPENDS.values(), ids=DEPENDS)
def test_claims_on_undefined_values_stay_open(body: str) -> None:
    verdict = last_verdict(body)
    assert isinstance(verdict, Undecided)
    assert "it may be anything" in verdict.reason


BESIDE = {
    "the size of an empty tensor": f"""%e = tensor.empty(%n) : tensor<?xindex>
  %x = tensor.dim %e, %c0 : tensor<?xindex>
{COMPARED}""",
    "poison that nothing uses": '%p = ub.poison : index\ncf.assert %big, "big"',
    "a filled tensor": f"""%e = tensor.empty(%n) : tensor<?xindex>
  %f = linalg.fill ins(%c1 : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>
  %x = tensor.dim %f, %c0 : tensor<?xindex>
{COMPARED}""",
    "an element of a tensor that was made": f"""%w = tensor.from_elements %n : tensor<1xindex>
  %x = tensor.extract %w[%c0] : tensor<1xindex>
{COMPARED}""",
}


@pytest.mark.process
@pytest.mark.parametrize("body", BESIDE.values(), ids=BESIDE)
def test_claims_independent_of_it_are_refuted(body: str) -> None:
    assert isinstance(last_verdict(body), Refuted)


STORED = """%e = memref.alloc() : memref<1xindex>
  memref.store %n, %e[%c0] : memref<1xindex>"""
FROM_BUFFERS = {
    "a load": f"{STORED}\n%x = memref.load %e[%c0] : memref<1xindex>\n{COMPARED}",
    "a tensor": f"""{STORED}
  %t = bufferization.to_tensor %e restrict : memref<1xindex> to tensor<1xindex>
  %x = tensor.extract %t[%c0] : tensor<1xindex>
{COMPARED}""",
    "a load beside an empty tensor": f"""%u = tensor.empty() : tensor<1xindex>
  {STORED}
  %x = memref.load %e[%c0] : memref<1xindex>
{COMPARED}""",
}


@pytest.mark.parametrize("body", FROM_BUFFERS.values(), ids=FROM_BUFFERS)
def test_the_reason_names_buffers_where_something_is_stored(body: str) -> None:
    verdict = last_verdict(body)
    assert isinstance(verdict, Undecided)
    assert "what buffers hold is not followed" in verdict.reason
    assert "compilation" not in verdict.reason


def test_the_reason_of_an_empty_tensor_beside_a_buffer() -> None:
    verdict = last_verdict(f"{STORED}\n{DEPENDS['an empty tensor'].replace('%e', '%u')}")
    assert isinstance(verdict, Undecided)
    assert "differ from one compilation to the next" in verdict.reason
