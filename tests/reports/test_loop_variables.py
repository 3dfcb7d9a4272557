"""Test that reports name a loop's counter, also where the normal form counts iterations."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.reports.phrases import claim_values
from shapesolve.solver.verdicts import Refuted, Undecided

TEXT = """
func.func @f(%x: tensor<?xf32>, %k: index, %lo: index, %n: index) {
  %c4 = arith.constant 4 : index
  scf.for %j = %lo to %n step %c4 {
    %p = arith.cmpi slt, %j, %k : index
    cf.assert %p, "small"
    %v = tensor.extract %x[%j] : tensor<?xf32>
  }
  return
}"""


def test_a_loop_of_steps_says_its_variable() -> None:
    (function,) = check(TEXT, execute=False).functions
    (extract,) = [each for each in function.checked_obligations if each.obligation.op.name == "tensor.extract"]
    assert "%j.round" in str(extract.obligation.claim)
    assert Requirements(function).text(extract) == "0 <= %j < x[0]"


def test_index_positions_do_not_read_as_values() -> None:
    (function,) = check(TEXT, execute=False).functions
    (extract,) = [each for each in function.checked_obligations if each.obligation.op.name == "tensor.extract"]
    assert extract.obligation.message == "the index in dimension 0 is out of the bounds of %x"


FOR = "scf.for %i = %c0 to %n step %c1 {\n %e = tensor.extract %x[%i] : tensor<?xf32>\n }"
CARRIED = """%r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> index {
  %e = tensor.extract %x[%k] : tensor<?xf32>
  %next = arith.addi %k, %c3 : index
  scf.yield %next : index
}"""
WHILE = """%r = scf.while (%i = %c0) : (index) -> index {
  %more = arith.cmpi ne, %i, %n : index
  scf.condition(%more) %i : index
} do {
^bb0(%i: index):
  %e = tensor.extract %x[%i] : tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  scf.yield %j : index
}"""
BLOCKS = """cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %e = tensor.extract %x[%i] : tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^header(%j : index)
^exit:"""


@pytest.mark.parametrize(("loop", "index"), [(FOR, 2), (CARRIED, 3), (WHILE, 2), (BLOCKS, 2)])
def test_a_counterexample_says_the_index_of_an_iteration_that_fails(loop: str, index: int) -> None:
    constants = "\n".join(f"%c{number} = arith.constant {number} : index" for number in (0, 1, 3))
    text = f"func.func @f(%n: index, %x: tensor<?xf32>) {{\n{constants}\n{loop}\nreturn\n}}"
    (function,) = check(text, execute=False).functions
    (extract,) = [each for each in function.checked_obligations if each.obligation.op.name == "tensor.extract"]
    assert isinstance(extract.verdict, Refuted)
    values = {name: value for name, value, _ in claim_values(extract.obligation, extract.verdict, extract.verdict)}
    assert values == {"index in dimension 0": index, "extent 0 of %x": 2}


STOPPED = """
func.func @f(%x: tensor<?xf32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %square = arith.muli %j, %j : index
    %p = arith.cmpi ne, %square, %k : index
    cf.assert %p, "no square"
    %v = tensor.extract %x[%j] : tensor<?xf32>
  }
  return
}"""


def test_an_iteration_that_may_not_be_reached_has_no_number() -> None:
    (function,) = check(STOPPED, execute=False).functions
    (extract,) = [each for each in function.checked_obligations if each.obligation.op.name == "tensor.extract"]
    assert isinstance(extract.verdict, Undecided) and extract.verdict.candidate is not None
    values = claim_values(extract.obligation, extract.verdict.candidate, extract.verdict)
    assert [name for name, _, _ in values] == ["extent 0 of %x"]
