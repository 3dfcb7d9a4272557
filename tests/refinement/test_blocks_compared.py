"""Programs of blocks against structured ones, and against other blocks: right pairs are proved, wrong ones are not."""

from __future__ import annotations

import pytest
from support.sampled_rows import sampled

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs

HEAD = """func.func @f(%a: tensor<?xi32>, %k: index, %w: i32) -> (i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %n = tensor.dim %a, %c0 : tensor<?xi32>
"""


def program(body: str) -> str:
    return f"{HEAD}{body}\n}}"


SUM = program("""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %o = %k) -> (i32, index) {
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %t = arith.addi %s, %x : i32
    %p = arith.addi %o, %c2 : index
    scf.yield %t, %p : i32, index
  }
  return %r#0, %r#1 : i32, index""")
SUM_OF_BLOCKS = program("""  cf.br ^head(%c0, %z, %k : index, i32, index)
^head(%i: index, %s: i32, %o: index):
  %goes = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes, ^body, ^end
^body:
  %x = tensor.extract %a[%i] : tensor<?xi32>
  %t = arith.addi %s, %x : i32
  %p = arith.addi %o, %c2 : index
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %t, %p : index, i32, index)
^end:
  return %s, %o : i32, index""")
CHOICE = program("""  %c = arith.cmpi slt, %k, %n : index
  %r:2 = scf.if %c -> (i32, index) {
    %x = arith.addi %w, %one : i32
    scf.yield %x, %n : i32, index
  } else {
    scf.yield %w, %k : i32, index
  }
  return %r#0, %r#1 : i32, index""")
CHOICE_OF_BLOCKS = program("""  %c = arith.cmpi slt, %k, %n : index
  cf.cond_br %c, ^then, ^end(%w, %k : i32, index)
^then:
  %x = arith.addi %w, %one : i32
  cf.br ^end(%x, %n : i32, index)
^end(%u: i32, %v: index):
  return %u, %v : i32, index""")
NARROW = program("""  %r = scf.for %i = %z to %w step %one iter_args(%o = %k) -> (index) : i32 {
    %p = arith.addi %o, %c2 : index
    scf.yield %p : index
  }
  return %w, %r : i32, index""")
NARROW_OF_BLOCKS = program("""  cf.br ^head(%z, %k : i32, index)
^head(%i: i32, %o: index):
  %goes = arith.cmpi slt, %i, %w : i32
  cf.cond_br %goes, ^body, ^end
^body:
  %p = arith.addi %o, %c2 : index
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j, %p : i32, index)
^end:
  return %w, %o : i32, index""")
NESTED = program("""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %o = %k) -> (i32, index) {
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%u = %o) -> (index) {
      %p = arith.addi %u, %c2 : index
      scf.yield %p : index
    }
    %x = tensor.extract %a[%i] : tensor<?xi32>
    %t = arith.addi %s, %x : i32
    scf.yield %t, %q : i32, index
  }
  return %r#0, %r#1 : i32, index""")
NESTED_OF_BLOCKS = program("""  cf.br ^head(%c0, %z, %k : index, i32, index)
^head(%i: index, %s: i32, %o: index):
  %goes = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes, ^inner(%c0, %o : index, index), ^end
^inner(%j: index, %u: index):
  %on = arith.cmpi slt, %j, %i : index
  cf.cond_br %on, ^body, ^last
^body:
  %p = arith.addi %u, %c2 : index
  %l = arith.addi %j, %c1 : index
  cf.br ^inner(%l, %p : index, index)
^last:
  %x = tensor.extract %a[%i] : tensor<?xi32>
  %t = arith.addi %s, %x : i32
  %m = arith.addi %i, %c1 : index
  cf.br ^head(%m, %t, %u : index, i32, index)
^end:
  return %s, %o : i32, index""")
FROM = program("""  %r = scf.for %i = %k to %n step %c1 iter_args(%s = %w) -> (i32) {
    %t = arith.addi %s, %one : i32
    scf.yield %t : i32
  }
  return %r, %k : i32, index""")
FROM_OF_BLOCKS = program("""  cf.br ^head(%k, %w, %n : index, i32, index)
^head(%i: index, %s: i32, %m: index):
  %goes = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes, ^body, ^end
^body:
  %t = arith.addi %s, %one : i32
  %j = arith.addi %i, %c1 : index
  %l = arith.addi %m, %c1 : index
  cf.br ^head(%j, %t, %m : index, i32, index)
^end:
  return %s, %k : i32, index""")
STEPS = program("""  %r = scf.for %i = %c0 to %n step %k iter_args(%s = %w) -> (i32) {
    %t = arith.addi %s, %one : i32
    scf.yield %t : i32
  }
  return %r, %k : i32, index""")
STEPS_OF_BLOCKS = program("""  cf.br ^head(%c0, %w : index, i32)
^head(%i: index, %s: i32):
  %goes = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes, ^body, ^end
^body:
  %t = arith.addi %s, %one : i32
  %j = arith.addi %i, %k : index
  cf.br ^head(%j, %t : index, i32)
^end:
  return %s, %k : i32, index""")
RIGHT = {
    "from a number": (FROM, FROM_OF_BLOCKS),
    "sum": (SUM, SUM_OF_BLOCKS),
    "choice": (CHOICE, CHOICE_OF_BLOCKS),
    "narrow counter": (NARROW, NARROW_OF_BLOCKS),
    "nest": (NESTED, NESTED_OF_BLOCKS),
}
REWRITTEN = {
    "bound first": ("sum", "cmpi slt, %i, %n", "cmpi sgt, %n, %i"),
    "step first": ("sum", "addi %i, %c1", "addi %c1, %i"),
    "step that does not overflow": ("sum", "addi %i, %c1", "addi %i, %c1 overflow<nsw>"),
    "narrow step that does not overflow": ("narrow counter", "addi %i, %one", "addi %i, %one overflow<nsw>"),
    "empty block": ("sum", "cf.cond_br %goes, ^body, ^end", "cf.cond_br %goes, ^go, ^end\n^go:\n  cf.br ^body"),
    "block behind the loop": ("sum", "^end:", "^end:\n  cf.br ^out\n^out:"),
    "argument of the body": (
        "sum",
        "^body, ^end\n^body:\n  %x = tensor.extract %a[%i]",
        "^body(%i : index), ^end\n^body(%h: index):\n  %x = tensor.extract %a[%h]",
    ),
    "argument behind the loop": (
        "sum",
        "^body, ^end\n",
        "^body, ^end(%s : i32)\n",
    ),
    "both sides of a branch to one block": (
        "choice",
        "cf.br ^end(%x, %n : i32, index)",
        "cf.cond_br %c, ^end(%x, %n : i32, index), ^end(%x, %n : i32, index)",
    ),
    "swapped branch on the negation": (
        "choice",
        "cmpi slt, %k, %n : index\n  cf.cond_br %c, ^then, ^end(%w, %k : i32, index)",
        "cmpi sge, %k, %n : index\n  cf.cond_br %c, ^end(%w, %k : i32, index), ^then",
    ),
}
WRONG = [
    ("steps", "addi %i, %k", "addi %i, %n"),
    ("steps", "addi %i, %k", "addi %i, %i"),
    ("steps", "addi %i, %k", "addi %i, %k overflow<nsw>"),
    ("steps", "addi %i, %k", "addi %k, %k"),
    ("steps", "addi %i, %k", "subi %i, %k"),
    ("steps", "addi %i, %k", "muli %i, %k"),
    ("steps", "slt, %i, %n", "slt, %i, %k"),
    ("steps", "slt, %i, %n", "sle, %i, %n"),
    ("steps", "slt, %i, %n", "slt, %k, %n"),
    ("steps", "^head(%c0, %w", "^head(%k, %w"),
    ("steps", "^head(%c0, %w", "^head(%c0, %one"),
    ("steps", "^head(%j, %t", "^head(%j, %s"),
    ("steps", "return %s, %k", "return %s, %i"),
    ("sum", "cmpi slt, %i, %n", "cmpi sle, %i, %n"),
    ("sum", "cmpi slt, %i, %n", "cmpi slt, %i, %k"),
    ("sum", "cmpi slt, %i, %n", "cmpi ne, %i, %k"),
    ("sum", "cmpi slt, %i, %n", "cmpi slt, %o, %n"),
    ("sum", "cmpi slt, %i, %n", "cmpi slt, %n, %i"),
    ("sum", "cond_br %goes, ^body, ^end", "cond_br %goes, ^end, ^body"),
    ("sum", "^head(%c0, %z, %k", "^head(%c1, %z, %k"),
    ("sum", "^head(%c0, %z, %k", "^head(%k, %z, %k"),
    ("sum", "^head(%c0, %z, %k", "^head(%c0, %w, %k"),
    ("sum", "^head(%c0, %z, %k", "^head(%c0, %z, %c0"),
    ("sum", "^head(%j, %t, %p", "^head(%p, %t, %j"),
    ("sum", "^head(%j, %t, %p", "^head(%j, %s, %p"),
    ("sum", "^head(%j, %t, %p", "^head(%j, %x, %p"),
    ("sum", "^head(%j, %t, %p", "^head(%j, %t, %o"),
    ("sum", "^head(%j, %t, %p", "^head(%j, %t, %j"),
    ("sum", "^head(%j, %t, %p", "^head(%i, %t, %p"),
    ("sum", "addi %i, %c1", "addi %i, %c2"),
    ("sum", "addi %i, %c1", "addi %o, %c1"),
    ("sum", "addi %i, %c1", "subi %i, %c1"),
    ("sum", "addi %i, %c1", "muli %i, %c1"),
    ("sum", "%a[%i]", "%a[%j]"),
    ("sum", "addi %o, %c2", "addi %o, %i"),
    ("sum", "return %s, %o", "return %s, %i"),
    ("sum", "return %s, %o", "return %z, %o"),
    ("sum", "return %s, %o", "return %s, %k"),
    ("sum", "cf.br ^head(%j", "%out = arith.cmpi eq, %x, %w : i32\n  cf.cond_br %out, ^end, ^head(%j"),
    ("sum", "cf.br ^head(%c0", "cf.cond_br %early, ^body, ^head(%c0"),
    ("choice", "cond_br %c, ^then, ^end(%w, %k : i32, index)", "cond_br %c, ^end(%w, %k : i32, index), ^then"),
    ("choice", "cond_br %c, ^then, ^end(%w, %k", "cond_br %c, ^then, ^end(%w, %n"),
    ("choice", "cond_br %c, ^then, ^end(%w, %k", "cond_br %c, ^then, ^end(%one, %k"),
    ("choice", "^end(%x, %n", "^end(%w, %n"),
    ("choice", "^end(%x, %n", "^end(%x, %k"),
    ("choice", "cmpi slt", "cmpi sle"),
    ("choice", "cmpi slt", "cmpi ult"),
    ("choice", "cf.br ^end(%x, %n", "cf.br ^then2\n^then2:\n  cf.br ^end(%x, %c0"),
    ("choice", "return %u, %v", "return %w, %v"),
    ("narrow counter", "cmpi slt", "cmpi ult"),
    ("narrow counter", "cmpi slt", "cmpi sle"),
    ("narrow counter", "addi %i, %one", "addi %i, %two"),
    ("narrow counter", "addi %i, %one", "addi %one, %one"),
    ("narrow counter", "^head(%z, %k", "^head(%one, %k"),
    ("nest", "cmpi slt, %j, %i", "cmpi slt, %j, %n"),
    ("nest", "cmpi slt, %j, %i", "cmpi sle, %j, %i"),
    ("nest", "cmpi slt, %j, %i", "cmpi slt, %i, %j"),
    ("nest", "^inner(%c0, %o", "^inner(%c1, %o"),
    ("nest", "^inner(%c0, %o", "^inner(%c0, %k"),
    ("nest", "^inner(%l, %p", "^inner(%l, %u"),
    ("nest", "^head(%m, %t, %u", "^head(%m, %t, %o"),
    ("nest", "^head(%m, %t, %u", "^head(%m, %s, %u"),
    ("nest", "cf.br ^inner(%l, %p : index, index)", "cf.br ^head(%l, %s, %p : index, i32, index)"),
    ("nest", "%on, ^body, ^last", "%on, ^body, ^end"),
    ("nest", "%on, ^body, ^last", "%on, ^last, ^body"),
    ("nest", "%a[%i]", "%a[%c0]"),
    ("from a number", "addi %i, %c1", "addi %i, %c1 overflow<nuw>"),
    ("from a number", "addi %s, %one", "addi %s, %two"),
    ("from a number", "cmpi slt, %i, %n", "cmpi slt, %i, %l"),
    ("from a number", "cmpi slt, %i, %n", "cmpi slt, %i, %k"),
    ("from a number", "return %s, %k", "return %s, %i"),
    ("from a number", "return %s, %k", "return %s, %m"),
]


def compared(source: str, target: str) -> Refinement:
    (found,) = refine_programs(read_text(source), read_text(target), Options(execute=False))
    return found


def edited(target: str, old: str, new: str) -> str:
    assert old in target
    return target.replace(old, new, 1)


def is_proved(found: Refinement) -> bool:
    return found.word == "proved" and not found.is_partial


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_blocks_and_structured_programs_refine_each_other(name: str) -> None:
    source, target = RIGHT[name]
    assert is_proved(compared(source, target))
    assert is_proved(compared(target, source))
    assert is_proved(compared(target, target))


@pytest.mark.slow
def test_steps_that_are_not_known() -> None:
    """An `scf.for` is undefined where its step is not positive; blocks are not, and go round for ever or not at all."""
    assert is_proved(compared(STEPS, STEPS_OF_BLOCKS))
    assert is_proved(compared(STEPS_OF_BLOCKS, STEPS_OF_BLOCKS))
    assert not is_proved(compared(STEPS_OF_BLOCKS, STEPS))
    one = STEPS.replace("step %k", "step %c1")
    assert not is_proved(compared(one, STEPS_OF_BLOCKS))
    loop = STEPS[STEPS.index("  %r =") : STEPS.index("  return")]
    guarded = STEPS.replace(loop, loop.replace("to %n", "to %m")).replace(
        "  %r =", "  %m = arith.maxsi %n, %k : index\n  %r ="
    )
    assert not is_proved(compared(guarded, STEPS_OF_BLOCKS))
    never = STEPS_OF_BLOCKS.replace("^head(%c0, %w", "^head(%n, %w")  # no iteration, whatever the step is
    nothing = program("  return %w, %k : i32, index")
    assert compared(nothing, never).word != "refuted"


@pytest.mark.parametrize("name", REWRITTEN)
def test_the_way_blocks_are_written_does_not_matter(name: str) -> None:
    of, old, new = REWRITTEN[name]
    source, target = RIGHT[of]
    target = edited(target, old, new)
    if name == "argument behind the loop":
        target = target.replace("^end:\n  return %s, %o", "^end(%h: i32):\n  return %h, %o")
    found = compared(source, target)
    assert is_proved(found), found.omissions


REACHING = [
    ("steps", "addi %i, %k", "addi %i, %k overflow<nsw>"),
    ("sum", "cmpi slt, %i, %n", "cmpi ne, %i, %k"),
    ("sum", "^head(%c0, %z, %k", "^head(%c0, %w, %k"),
    ("sum", "^head(%j, %t, %p", "^head(%p, %t, %j"),
    ("sum", "cf.br ^head(%c0", "cf.cond_br %early, ^body, ^head(%c0"),
    ("nest", "^inner(%c0, %o", "^inner(%c1, %o"),
    ("nest", "cf.br ^inner(%l, %p : index, index)", "cf.br ^head(%l, %s, %p : index, i32, index)"),
    ("nest", "%on, ^body, ^last", "%on, ^body, ^end"),
    ("from a number", "addi %i, %c1", "addi %i, %c1 overflow<nuw>"),
]
"""Those of `WRONG` that reach what no other test of this folder that `make test` runs does."""


@pytest.mark.slow
@pytest.mark.parametrize(("of", "old", "new"), sampled(WRONG, 4, REACHING))
def test_wrong_blocks_are_not_proved(of: str, old: str, new: str) -> None:
    source, target = (STEPS, STEPS_OF_BLOCKS) if of == "steps" else RIGHT[of]
    target = edited(target, old, new)
    if "%early" in new:  # a loop with two entries
        target = edited(target, "cf.cond_br %early", "%early = arith.cmpi slt, %k, %n : index\n  cf.cond_br %early")
        target = target.replace("^body,", "^body(%c1, %z, %k : index, i32, index),", 1)
        target = target.replace("^body,", "^body(%i, %s, %o : index, i32, index),", 1)
        target = target.replace("^body:", "^body(%h: index, %g: i32, %e: index):").replace("%a[%i]", "%a[%h]")
        target = (
            target.replace("addi %s, %x", "addi %g, %x").replace("addi %o,", "addi %e,").replace("addi %i,", "addi %h,")
        )
    if new.endswith("%l"):  # a bound that each iteration raises
        target = target.replace("cmpi slt, %i, %l", "cmpi slt, %i, %m").replace("^head(%j, %t, %m", "^head(%j, %t, %l")
    if new == "%a[%j]":
        line = "  %j = arith.addi %i, %c1 : index\n"
        target = target.replace(line, "").replace("  %x = tensor", f"{line}  %x = tensor")
    assert not is_proved(compared(source, target))
