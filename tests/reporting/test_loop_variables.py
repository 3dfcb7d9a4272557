"""What a loop counts has its name in reports, also where the normal form counts rounds."""

from __future__ import annotations

from shapesolve import check
from shapesolve.contracts.requirements import requirement

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
    (extract,) = [each for each in function.judgements if each.obligation.op.name == "tensor.extract"]
    assert "%j.round" in str(extract.obligation.claim)
    assert requirement(function, extract) == "0 <= %j < x[0]"


def test_which_of_the_indices_is_meant_does_not_read_as_its_value() -> None:
    (function,) = check(TEXT, execute=False).functions
    (extract,) = [each for each in function.judgements if each.obligation.op.name == "tensor.extract"]
    assert extract.obligation.message == "the index in dimension 0 is out of the bounds of %x"
