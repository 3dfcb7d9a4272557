"""Test that a target which may not terminate refines no terminating source, unless that passed the same operation."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Undecided, UndecidedReason

COUNTING = """
    %r = scf.while (%i = %n) : (index) -> index {
      %c = arith.cmpi ne, %i, %0 : index
      scf.condition(%c) %i : index
    } do {
    ^bb0(%i: index):
      BODY
      %j = arith.subi %i, %1 : index
      scf.yield %j : index
    }
"""
LOOP = COUNTING.replace("BODY", "")
ENDLESS = """
    %t = arith.constant true
    scf.while : () -> () {
      scf.condition(%t)
    } do {
      scf.yield
    }
"""
GUARDED = f"    scf.if %p {{ {LOOP} }}\n"
CHECK = '    cf.assert %p, "p"\n'
RETURN = "    return %n : index\n"
AGAIN = "    %s = arith.muli %n, %1 : index\n    return %s : index\n"  # the same in other words
CHECKED = COUNTING.replace("BODY", '%q = arith.cmpi slt, %i, %m : index\n      cf.assert %q, "q"')
ROUND = """func.func private @round(%n: index) {
  cf.br ^again
^again:
  %0 = arith.constant 0 : index
  %c = arith.cmpi ne, %n, %0 : index
  cf.cond_br %c, ^again, ^end
^end:
  return
}
"""
CALL = "    func.call @round(%n) : (index) -> ()\n"


def compared(source: str, target: str, *, allow_lost_checks: bool = False) -> Refinement:
    head = "func.func @f(%n: index, %m: index, %p: i1) -> index {\n"
    head += "    %0 = arith.constant 0 : index\n    %1 = arith.constant 1 : index\n"
    ours, theirs = (read_text(f"{ROUND}{head}{body}}}\n") for body in (source, target))
    options = Options(execute=False, functions=("f",))
    (found,) = refine_programs(ours, theirs, options, allow_lost_checks=allow_lost_checks)
    return found


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param(RETURN, ENDLESS + RETURN, id="a loop that never ends"),
        pytest.param(RETURN, LOOP + RETURN, id="a loop that ends for some arguments"),
        pytest.param(GUARDED + RETURN, LOOP + RETURN, id="a loop that the source runs sometimes"),
        pytest.param(LOOP + RETURN, LOOP.replace("%n", "%m") + RETURN, id="the same loop on other values"),
        pytest.param(CHECK + LOOP + RETURN, LOOP + CHECK + RETURN, id="a check that is never reached"),
        pytest.param(RETURN, CALL + RETURN, id="blocks that go round in a call"),
    ],
)
def test_endless_loops_are_undecided(source: str, target: str) -> None:
    found = compared(source, target)
    assert found.word == "undecided"
    (finding,) = found.undecided
    assert isinstance(finding.verdict, Undecided) and finding.verdict.reason_kind is UndecidedReason.APPROXIMATION
    assert "the target gets past" in finding.question


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param(LOOP + RETURN, LOOP + AGAIN, id="the same loop"),
        pytest.param(GUARDED + RETURN, GUARDED + AGAIN, id="the same loop under the same condition"),
        pytest.param(LOOP + RETURN, GUARDED + RETURN, id="a loop that the target runs sometimes"),
        pytest.param(LOOP + RETURN, RETURN, id="a loop that is gone"),
        pytest.param(CHECKED + RETURN, CHECKED + AGAIN, id="a loop with a check in it"),
        pytest.param(LOOP + CHECK + RETURN, CHECK + LOOP + RETURN, id="a check that comes earlier"),
        pytest.param(CALL + RETURN, CALL + AGAIN, id="blocks that go round in the same call"),
    ],
)
def test_target_passes_checks_that_the_source_passed(source: str, target: str) -> None:
    assert compared(source, target).word == "proved"


def test_aborted_runs_need_not_end_where_checks_may_be_lost() -> None:
    assert compared(CHECK + LOOP + RETURN, LOOP + RETURN, allow_lost_checks=True).word == "proved"


HOLDING = """func.func @f(%a: tensor<?xf32>, %n: i64, %m: memref<?xf32>) -> (tensor<?xf32>, i64, index) {
  %0 = arith.constant 0 : index
  %d = tensor.dim %a, %0 : tensor<?xf32>
  %p = arith.cmpi ne, %d, %0 : index
  cf.assert %p, "empty"
  BODY
  %b = tosa.OP %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %o = arith.OPi %n, %n : i64
  return %b, %o, %d : tensor<?xf32>, i64, index
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("change", ["", "tosa", "arith"])
def test_uncompared_contents_are_reported_where_they_matter(change: str) -> None:
    writes = "%x = memref.load %m[%0] : memref<?xf32>\n  memref.store %x, %m[%0] : memref<?xf32>"
    other = '%q = arith.cmpi sgt, %d, %0 : index\n  cf.assert %q, "none"'
    elements = ("the elements of result 0 (tensor<?xf32>)",) if change == "tosa" else ()
    check = "which check fails where one does, and its message"
    holding = HOLDING.replace(".OP", ".add")
    changed = holding.replace(f"{change}.add", f"{change}.sub") if change else holding

    def found(source: str, target: str) -> Refinement:
        ours, theirs = read_text(holding.replace("BODY", source)), read_text(changed.replace("BODY", target))
        (found,) = refine_programs(ours, theirs, Options(execute=False))
        return found

    for source, target, left in (
        ("%y = arith.addi %d, %0 : index", "", elements),
        ("", other, (*elements, check)),
        ("", writes, (*elements, "what buffers hold")),
        (writes, f"%y = arith.addi %d, %0 : index\n  {writes}", elements),
    ):
        shown = found(source, target)
        assert shown.left_out == left
        assert shown.word == (
            "refuted" if change == "arith" or "what buffers hold" in left else "proved"
        )  # %m may be empty
        assert shown.not_compared == (("contents",) if {*left} - {check} else ())


def test_calls_of_unknown_functions_are_reported() -> None:
    text = """func.func private @log(index) attributes {shapesolve.requires = []}
func.func private @down(%n: index) -> index attributes {shapesolve.ensures = ["result0 == 0"]} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %c = arith.cmpi eq, %n, %0 : index
  %r = scf.if %c -> index {
    scf.yield %0 : index
  } else {
    %m = arith.subi %n, %1 : index
    %i = func.call @down(%m) : (index) -> index
    scf.yield %0 : index
  }
  return %r : index
}
func.func @f(%n: index) -> index {
  BODY
  return %n : index
}
"""
    log, down = "func.call @log(%n) : (index) -> ()", "%d = func.call @down(%n) : (index) -> index"
    options = Options(execute=False, functions=("f",))
    for body, name in ((log, "log"), (down, "down")):
        ours, theirs = (read_text(text.replace("BODY", each)) for each in (body, ""))
        (found,) = refine_programs(ours, theirs, options)
        assert found.left_out == (f"whether @{name} is called, and what it does besides giving results",)


def test_nothing_is_proved_of_arguments_that_contradict_themselves() -> None:
    aborts = """func.func @f(%n: index) -> index {
  %c = arith.constant false
  cf.assert %c, "never"
  return %n : index
}
"""
    assumed = aborts.replace('cf.assert %c, "never"', "").replace(
        "-> index {", '-> index attributes {shapesolve.assume = ["n >= 1", "n <= 0"]} {'
    )
    for ours, theirs in ((aborts, assumed), (assumed, aborts)):
        found = refined(ours, theirs, Options(execute=False))
        assert (found.word, found.exit_code) == ("unreachable", 3)
