"""Flags for overflow of 64-bit arithmetic are demands: a target may not add them."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
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


@pytest.mark.parametrize("type", ["i8", "i64", "index"])
def test_poison_that_is_not_chosen_does_no_harm(type: str) -> None:
    """The sum is chosen only where there is a number above ``%n``, and so it does not wrap there."""
    target = """%s = arith.addi %n, %1 overflow<nsw> : TYPE
  %r = arith.select %c, %s, %n : TYPE
  return %r : TYPE"""
    source = target.replace(" overflow<nsw>", "")
    assert word(source, target, type) == "proved"


@pytest.mark.parametrize("type", ["i32", "i8"])
def test_narrow_integers_that_wrap_are_refuted(type: str) -> None:
    plain = "%r = arith.addi %n, %1 : TYPE\n  return %r : TYPE"
    assert word(plain, plain.replace("%1 :", "%1 overflow<nsw> :"), type) == "refuted"


PAIR = """func.func private @seen(TYPE)
func.func @f(%x: TYPE, %y: TYPE, %t: tensor<?xTYPE>) -> RESULT {
  %0 = arith.constant 0 : TYPE
  %1 = arith.constant 1 : TYPE
  %4 = arith.constant 4 : TYPE
  %i = arith.constant 0 : index
  %q = arith.cmpi slt, %x, %y : TYPE
  BODY
}
"""
ADD, SUM = "%s = arith.addi %x, %y : TYPE", "%s = arith.addi %x, %y overflow<nsw> : TYPE"
MORE = "%w = arith.cmpi sgt, %s, %x : TYPE"
RETURN, TRUTH = "return %r : TYPE", "return %r : i1"

WRONG = {
    "a flag of what is not used": (f"{SUM}\n%r = arith.addi %x, %y : TYPE", SUM.replace("%s", "%r")),
    "a shift that is not used": (
        "%s = arith.shli %x, %y : TYPE\n%r = arith.addi %x, %y : TYPE",
        "%c = arith.cmpi ult, %y, %4 : TYPE\n%s = arith.select %c, %y, %4 : TYPE\n%r = arith.addi %x, %s : TYPE",
    ),
    "an exact division that is not chosen": (
        "%s = arith.divui %x, %4 exact : TYPE\n%r = arith.select %q, %s, %x : TYPE",
        "%s = arith.divui %x, %4 : TYPE\n%u = arith.muli %s, %4 : TYPE\n%r = arith.select %q, %s, %u : TYPE",
    ),
    "another result": (f"{SUM}\n%r = arith.addi %s, %1 : TYPE", f"{SUM}\n%r = arith.addi %s, %4 : TYPE"),
    "a divisor": (
        f"%s = arith.ori %x, %1 : TYPE\n%p = arith.cmpi eq, %x, %s : TYPE\n{RETURN.replace('%r', '%x')}",
        f"%s = arith.ori %x, %1 : TYPE\n%u = arith.addi %s, %y overflow<nuw> : TYPE\n%d = arith.divui %0, %u : TYPE\n"
        f"%r = arith.addi %x, %d : TYPE\n{RETURN}",
    ),
    "poison for a number": ("%r = arith.addi %x, %1 : TYPE", "%r = ub.poison : TYPE"),
}
RIGHT = {
    "the same flag": (SUM.replace("%s", "%r"), f"%u = arith.addi %1, %1 : TYPE\n{SUM.replace('%s', '%r')}"),
    "a number for poison": ("%r = ub.poison : TYPE", "%r = arith.addi %x, %1 : TYPE"),
    "a flag where it is chosen": (
        "%s = arith.addi %x, %1 : TYPE\n%r = arith.select %q, %s, %x : TYPE",
        "%s = arith.addi %x, %1 overflow<nsw> : TYPE\n%r = arith.select %q, %s, %x : TYPE",
    ),
    "a factor that is divided away": (
        "%2 = arith.constant 2 : TYPE\n%s = arith.muli %x, %2 overflow<nsw> : TYPE\n%r = arith.divsi %s, %2 : TYPE",
        "%r = arith.addi %x, %0 : TYPE",
    ),
    "in a branch": (
        f"{SUM}\n%r = scf.if %q -> (TYPE) {{\nscf.yield %s : TYPE\n}} else {{\nscf.yield %x : TYPE\n}}",
        f"%u = arith.addi %1, %1 : TYPE\n{SUM}\n"
        "%r = scf.if %q -> (TYPE) {\nscf.yield %s : TYPE\n} else {\nscf.yield %x : TYPE\n}",
    ),
}


def compared(source: str, target: str, type: str, result: str = "TYPE") -> Refinement:
    bodies = (each if "return" in each else f"{each}\n{RETURN}" for each in (source, target))
    ours, theirs = (
        read_text(PAIR.replace("BODY", body).replace("RESULT", result).replace("TYPE", type)) for body in bodies
    )
    (found,) = refine_programs(ours, theirs, Options(execute=False, functions=("f",)))
    return found


@pytest.mark.parametrize("pair", WRONG)
def test_poison_in_the_source_alone_excuses_nothing(pair: str) -> None:
    for type in ("i8", "i32"):
        assert compared(*WRONG[pair], type).word == "refuted"
    found = compared(*WRONG[pair], "i64")
    assert found.word != "proved" or found.not_compared


@pytest.mark.parametrize("pair", RIGHT)
def test_poison_in_the_target_that_is_not_used_does_no_harm(pair: str) -> None:
    for type in ("i8", "i32"):
        assert compared(*RIGHT[pair], type).word == "proved"


def test_a_choice_is_no_conjunction() -> None:
    """Unless %x is less than %y, a sum that wraps is ignored by the choice, and not by the conjunction."""
    source = f"%f = arith.constant false\n{SUM}\n{MORE}\n%r = arith.select %q, %w, %f : i1\n{TRUTH}"
    target = f"{SUM}\n{MORE}\n%r = arith.andi %q, %w : i1\n{TRUTH}"
    assert compared(source, target, "i32", "i1").word == "refuted"
    assert compared(target, source, "i32", "i1").word == "proved"


def test_what_is_not_followed_may_be_harmed() -> None:
    """A call minds poison in both programs or in none, which is all that is known of it."""
    call = f"func.call @seen(%s) : (TYPE) -> ()\n{RETURN.replace('%r', '%x')}"
    unused = "%u = arith.addi %1, %1 : TYPE"
    assert {each.verdict.word for each in compared(f"{SUM}\n{call}", f"{unused}\n{SUM}\n{call}", "i32").findings} == {
        "proved"
    }
    assert compared(f"{ADD}\n{call}", f"{SUM}\n{call}", "i32").word == "undecided"
