"""Test of the reducer: it keeps the requested property, removes the rest, and every candidate is a valid module."""

from __future__ import annotations

import pytest

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reducer import reduce

pytestmark = pytest.mark.slow

LARGE = """
func.func private @helper(%n: index) -> index {
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  return %m : index
}
func.func @other(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func @main(%a: tensor<?xf32>, %b: tensor<?x?xf32> {shapesolve.shape = "[B, T]"}, %n: index)
    -> (index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?xf32>
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %h = call @helper(%n) : (index) -> index
  %p = arith.cmpi sge, %d1, %d0 : index
  %r = scf.if %p -> (index) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %h) -> (index) {
      %q = arith.cmpi slt, %i, %d0 : index
      cf.assert %q, "wanted"
      %y = arith.addi %x, %i : index
      scf.yield %y : index
    }
    scf.yield %s : index
  } else {
    cf.assert %p, "unwanted"
    scf.yield %d0 : index
  }
  return %r, %a : index, tensor<?xf32>
}"""


def test_only_what_is_asked_for_remains() -> None:
    small = reduce(LARGE, lambda text: '"wanted"' in text)
    lines = [line for line in small.splitlines() if line.strip()]
    assert '"wanted"' in small
    assert "unwanted" not in small
    assert not any(word in small for word in ("scf", "@helper", "@other", "tensor", "shapesolve"))
    assert len(lines) <= 7
    assert read_text(small).functions


def test_a_verdict_can_be_what_stays() -> None:
    def is_refuted(text: str) -> bool:
        report = check_program(read_text(text), Options(execute=False))
        return any(
            each.verdict.word == "refuted" and each.obligation.op.name == "cf.assert"
            for each in report.checked_obligations
        )

    small = reduce(LARGE, is_refuted)
    assert is_refuted(small)
    assert len(small) < len(LARGE) / 3


def test_every_candidate_is_a_valid_module() -> None:
    seen: list[str] = []

    def keep_loop(text: str) -> bool:
        seen.append(text)
        assert read_text(text) is not None
        return "scf.for" in text

    small = reduce(LARGE, keep_loop)
    assert len(seen) > 10
    assert "scf.for" in small


def test_a_text_that_does_not_fail_stays_as_it_is() -> None:
    assert reduce(LARGE, lambda text: False) == LARGE


def test_the_number_of_candidates_is_bounded() -> None:
    asked: list[str] = []

    def still_fails(text: str) -> bool:
        asked.append(text)
        return True

    reduce(LARGE, still_fails, attempts=5)
    assert len(asked) <= 6


def test_a_question_that_refuses_its_candidate_says_no() -> None:
    def refuses(text: str) -> bool:
        if "@other" not in text:
            raise InputError("no such function")
        return True

    assert "@other" in reduce(LARGE, refuses)


def test_texts_that_are_no_module_are_refused() -> None:
    with pytest.raises(InputError, match="not a valid module"):
        reduce("func.func @f( {", lambda text: True)
