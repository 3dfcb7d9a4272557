"""Flags for overflow of 64-bit arithmetic are demands: a target may not add them."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs

FRAME = """func.func @f(%n: TYPE, %m: TYPE) -> TYPE {
  %1 = arith.constant 1 : TYPE
  %c = arith.cmpi slt, %n, %m : TYPE
  BODY
}
"""


def word(source: str, target: str, type: str) -> str:
    ours, theirs = (read_text(FRAME.replace("BODY", body).replace("TYPE", type)) for body in (source, target))
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    return found.word


@pytest.mark.parametrize("type", ["i64", "index"])
@pytest.mark.parametrize("flags", ["nsw", "nuw", "nsw, nuw"])
@pytest.mark.parametrize("op", ["addi", "subi", "muli"])
def test_an_added_flag_is_not_proved(op: str, flags: str, type: str) -> None:
    plain = f"%r = arith.{op} %n, %m : TYPE\n  return %r : TYPE"
    flagged = plain.replace("%m :", f"%m overflow<{flags}> :")
    unused = "%u = arith.addi %1, %1 : TYPE\n  "
    assert word(plain, flagged, type) == "undecided"
    assert word(flagged, plain, type) == "proved"
    assert word(flagged, unused + flagged, type) == "proved"


@pytest.mark.parametrize("type", ["i64", "index"])
def test_poison_that_is_not_used_does_no_harm(type: str) -> None:
    returned = "return %n : TYPE"
    assert word(returned, f"%r = arith.addi %n, %1 overflow<nsw> : TYPE\n  {returned}", type) == "proved"


@pytest.mark.parametrize("type", ["i64", "index"])
def test_poison_that_may_not_be_chosen_refutes_nothing(type: str) -> None:
    """The sum is chosen only where there is a number above ``%n``, and so it does not wrap there."""
    target = """%s = arith.addi %n, %1 overflow<nsw> : TYPE
  %r = arith.select %c, %s, %n : TYPE
  return %r : TYPE"""
    source = target.replace(" overflow<nsw>", "")
    assert word(source, target, type) == "undecided"


@pytest.mark.parametrize("type", ["i32", "i8"])
def test_narrow_integers_that_wrap_are_refuted(type: str) -> None:
    plain = "%r = arith.addi %n, %1 : TYPE\n  return %r : TYPE"
    assert word(plain, plain.replace("%1 :", "%1 overflow<nsw> :"), type) == "refuted"
