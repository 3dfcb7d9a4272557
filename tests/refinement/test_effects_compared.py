"""Effects in order are part of what a program does."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs

FRAME = """func.func private @log(index)
ml_program.global private mutable @state(dense<0> : tensor<4xi32>) : tensor<4xi32>
func.func @f(%n: index, %m: index, %t: tensor<4xi32>) -> index {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %c = arith.cmpi ult, %n, %m : index
  BODY
  return %n : index
}
"""
PRINT_N, PRINT_M = "vector.print %n : index", "vector.print %m : index"
IF = "scf.if %c {\n  vector.print %n : index\n }"
IF_NOT = "%d = arith.cmpi uge, %n, %m : index\n scf.if %d {\n  vector.print %n : index\n }"
LOOP = "scf.for %i = %0 to %n step %1 {\n  vector.print %i : index\n }"
LONGER = LOOP.replace("to %n", "to %m")
BLOCKS = "cf.cond_br %c, ^a, ^b\n ^a:\n vector.print %n : index\n cf.br ^b\n ^b:"
OTHER_BLOCKS = BLOCKS.replace("cond_br %c, ^a, ^b", "cond_br %c, ^b, ^a")
STORE = "ml_program.global_store @state = %t : tensor<4xi32>"
CALL = "func.call @log(%n) : (index) -> ()"

BODIES = {
    "": "",
    "print n": PRINT_N,
    "print m": PRINT_M,
    "n, then m": f"{PRINT_N}\n{PRINT_M}",
    "m, then n": f"{PRINT_M}\n{PRINT_N}",
    "in a branch": IF,
    "in the other branch": IF_NOT,
    "in a loop": LOOP,
    "in another loop": LONGER,
    "between blocks": BLOCKS,
    "between other blocks": OTHER_BLOCKS,
    "to a global": STORE,
    "to a global after a print": f"{PRINT_N}\n{STORE}",
    "by a call": CALL,
}


OTHER_NUMBERS = ({"print n", "print m"}, {"n, then m", "m, then n"})
"""Bodies that print other numbers where `n` and `m` differ."""
ALIKE = {"in a branch", "between blocks"}
"""Bodies that do the same."""


@pytest.mark.sweep
@pytest.mark.parametrize("target", BODIES)
@pytest.mark.parametrize("source", BODIES)
def test_only_the_same_effects_are_proved(source: str, target: str) -> None:
    options = Options(execute=False, functions=("f",))
    unused = "%u = arith.addi %0, %1 : index\n"  # so that the two are not one program
    ours, theirs = (
        read_text(FRAME.replace("BODY", BODIES[source])),
        read_text(FRAME.replace("BODY", unused + BODIES[target])),
    )
    (found,) = refine_programs(ours, theirs, options)
    if source != target and {source, target} in OTHER_NUMBERS:
        assert found.word == "refuted"
    elif {source, target} == ALIKE:
        assert found.word == "proved"
    elif source != target:
        assert found.word == "undecided" and found.exit_code == 3
        assert found.undecided[0].question == "the effects are the same, in the same order"
    elif "blocks" not in source:
        assert found.word == "proved"


CHECKED = """func.func @f(%n: index, %m: index, %p: i1) {
  %0 = arith.constant 0 : index
  %q = arith.cmpi ult, %n, %m : index
  %always = arith.cmpi uge, %n, %0 : index
  BODY
  return
}
"""
FIRST, SECOND, ALWAYS = (f'cf.assert %{each}, "no"' for each in ("p", "q", "always"))
UNUSED = "%u = arith.addi %0, %0 : index"


@pytest.mark.parametrize(
    ("source", "target", "word"),
    [
        ((PRINT_N, FIRST), (FIRST, PRINT_N), "undecided"),
        ((FIRST, PRINT_N), (PRINT_N, FIRST), "undecided"),
        ((FIRST, PRINT_N, SECOND), (FIRST, SECOND, PRINT_N), "undecided"),
        ((FIRST, PRINT_N), (UNUSED, FIRST, PRINT_N), "proved"),
        ((FIRST, PRINT_N, FIRST), (FIRST, PRINT_N), "proved"),
        ((PRINT_N, FIRST, SECOND), (PRINT_N, SECOND, FIRST), "proved"),
        ((PRINT_N, ALWAYS), (ALWAYS, PRINT_N), "proved"),
        ((FIRST, SECOND), (SECOND, FIRST), "proved"),
    ],
)
def test_a_run_that_is_stopped_has_had_the_same_effects(
    source: tuple[str, ...], target: tuple[str, ...], word: str
) -> None:
    ours, theirs = (read_text(CHECKED.replace("BODY", "\n".join(each))) for each in (source, target))
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    assert found.word == word


NUMBERS = """func.func @f(%n: index, %a: i8, %x: vector<2xi8>, %y: vector<2xi8>, %u: f32, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %big = arith.constant 9223372036854775807 : index
  %two = arith.constant 2 : i8
  %sum = arith.addi %a, %a : i8
  %double = arith.muli %a, %two : i8
  %next = arith.addi %n, %1 : index
  %wrap = arith.addi %n, %big overflow<nsw> : index
  %positive = arith.cmpi sge, %n, %1 : index
  %other = arith.select %positive, %1, %big : index
  BODY
  return
}
"""


@pytest.mark.parametrize(
    ("source", "target", "verdict"),
    [
        ("%n : index|%next : index", "%next : index|%n : index", "refuted"),
        ("%n : index|%n : index", "%n : index|%next : index", "refuted"),
        ("%sum : i8", "%double : i8", "proved"),
        ("%sum : i8", "%a : i8", "refuted"),
        ("%positive : i1", "%positive : i1", "proved"),
        ("%x : vector<2xi8>|%y : vector<2xi8>", "%y : vector<2xi8>|%x : vector<2xi8>", "refuted"),
        ("%u : f32|%v : f32", "%v : f32|%u : f32", "undecided"),  # floats are not followed
        ("%n : index", "%n : index punctuation <comma>", "undecided"),
        ("%wrap : index", "%other : index", "undecided"),  # what is poison from 1 on may be printed as anything
    ],
)
def test_printed_numbers_are_compared(source: str, target: str, verdict: str) -> None:
    ours, theirs = (
        read_text(NUMBERS.replace("BODY", "\n".join(f"vector.print {each}" for each in body.split("|"))))
        for body in (source, target)
    )
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    assert found.word == verdict
