"""Calls that one program inlines: contents are followed into the bodies of functions, and nothing wrong is proved."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined
from support.upstream_passes import after_passes

from shapesolve.ir.inlining import inlined_program
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.value_numbering import same_function
from shapesolve.solver.verdicts import VerdictKind

pytestmark = [pytest.mark.process, pytest.mark.slow]

VECTOR, BUFFER = "tensor<?xf32>", "memref<?xf32>"
CALLEES = f"""func.func private @exp(%x: {VECTOR}) -> {VECTOR} {{
  %a = math.exp %x : {VECTOR}
  return %a : {VECTOR}
}}
func.func private @twice(%x: {VECTOR}, %p: i1) -> ({VECTOR}, {VECTOR}) {{
  %a = scf.if %p -> ({VECTOR}) {{
    %b = func.call @exp(%x) : ({VECTOR}) -> {VECTOR}
    scf.yield %b : {VECTOR}
  }} else {{
    scf.yield %x : {VECTOR}
  }}
  %c = func.call @exp(%a) : ({VECTOR}) -> {VECTOR}
  return %c, %a : {VECTOR}, {VECTOR}
}}
func.func private @first(%x: {BUFFER}, %y: {BUFFER}, %v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %r = memref.load %y[%c0] : {BUFFER}
  memref.store %v, %x[%c0] : {BUFFER}
  return %r : f32
}}
"""


def program(arguments: str, results: str, *lines: str, callees: str = CALLEES) -> str:
    body = "\n  ".join(lines)
    return f"{callees}func.func @f({arguments}) -> {results} {{\n  {body}\n}}"


PURE = program(
    f"%x: {VECTOR}, %p: i1",
    f"({VECTOR}, {VECTOR})",
    f"%a:2 = call @twice(%x, %p) : ({VECTOR}, i1) -> ({VECTOR}, {VECTOR})",
    f"%b:2 = call @twice(%a#1, %p) : ({VECTOR}, i1) -> ({VECTOR}, {VECTOR})",
    f"return %a#0, %b#0 : {VECTOR}, {VECTOR}",
)
MEMORY = program(
    f"%x: {BUFFER}, %y: {BUFFER}, %n: index, %v: f32",
    "f32",
    "%c0 = arith.constant 0 : index",
    "%c1 = arith.constant 1 : index",
    "%s = scf.for %i = %c0 to %n step %c1 iter_args(%w = %v) -> (f32) {",
    f"  %r = func.call @first(%x, %y, %w) : ({BUFFER}, {BUFFER}, f32) -> f32",
    "  scf.yield %r : f32",
    "}",
    "return %s : f32",
)
INLINE = "inline{default-pipeline=}"
PROGRAMS = {"pure": PURE, "memory": MEMORY}
WRONG = {
    "another result": ("pure", "return %a#0, %b#0", "return %a#0, %b#1"),
    "another call's result": ("pure", "return %a#0, %b#0", "return %a#0, %a#0"),
    "another operand": ("pure", "@twice(%a#1, %p)", "@twice(%a#0, %p)"),
    "another body": ("pure", "math.exp", "math.exp2"),
    "another branch": ("pure", "scf.yield %b", "scf.yield %x"),
    "results in another order": ("pure", "return %c, %a", "return %a, %c"),
    "other buffers": ("memory", "@first(%x, %y, %w)", "@first(%y, %x, %w)"),
    "one buffer": ("memory", "@first(%x, %y, %w)", "@first(%x, %x, %w)"),
    "another value": ("memory", "@first(%x, %y, %w)", "@first(%x, %y, %v)"),
    "a load behind the store": (
        "memory",
        f"  %r = memref.load %y[%c0] : {BUFFER}\n  memref.store %v, %x[%c0] : {BUFFER}\n",
        f"  memref.store %v, %x[%c0] : {BUFFER}\n  %r = memref.load %y[%c0] : {BUFFER}\n",
    ),
}


def inlined(name: str) -> str:
    """Return a program in which MLIR has inlined all calls."""
    found = after_passes(PROGRAMS[name], INLINE)
    assert "call" not in found
    return found


def is_proved(source: str, target: str) -> bool:
    found = refined(source, target, Options(execute=False, functions=("f",)))
    return found.word is VerdictKind.PROVED and not found.not_compared


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_inlined_program_refines_its_source_and_the_reverse(name: str) -> None:
    assert is_proved(PROGRAMS[name], inlined(name))
    assert is_proved(inlined(name), PROGRAMS[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_are_inlined_as_mlir_does(name: str) -> None:
    ours, theirs = inlined_program(read_text(PROGRAMS[name])), read_text(inlined(name))
    assert same_function((ours, ours.functions["f"]), (theirs, theirs.functions["f"]))


@pytest.mark.parametrize("name", WRONG)
def test_other_calls_are_not_proved(name: str) -> None:
    of, old, new = WRONG[name]
    changed = PROGRAMS[of].replace(old, new)
    assert changed != PROGRAMS[of]
    assert not is_proved(PROGRAMS[of], after_passes(changed, INLINE))
    assert not is_proved(inlined(of), changed)


def calls(program: Program) -> list[str]:
    """Return the names of the functions that @f calls."""
    return [str(op.attributes["callee"]) for op in program.functions["f"].operation.walk() if op.name == "func.call"]


STAYING = {
    "a declaration": "func.func private @g(%x: f32) -> f32",
    "several blocks": "func.func private @g(%x: f32) -> f32 {\n  cf.br ^b\n^b:\n  return %x : f32\n}",
    "a contract": "func.func private @g(%x: f32) -> f32 attributes {shapesolve.requires = []} {\n  return %x : f32\n}",
    "an argument's attribute": "func.func private @g(%x: f32 {test.a}) -> f32 {\n  return %x : f32\n}",
    "memory of the call": (
        "func.func private @g(%x: f32) -> f32 {\n  %a = memref.alloca() : memref<f32>\n"
        "  memref.store %x, %a[] : memref<f32>\n  %r = memref.load %a[] : memref<f32>\n  return %r : f32\n}"
    ),
}


@pytest.mark.parametrize("name", STAYING)
def test_a_call_stays(name: str) -> None:
    callee = STAYING[name].replace("test.a", "llvm.noundef")
    text = program("%x: f32", "f32", "%r = call @g(%x) : (f32) -> f32", "return %r : f32", callees=f"{callee}\n")
    found = read_text(text)
    assert inlined_program(found) is found


def test_a_function_that_calls_itself_is_inlined_once() -> None:
    callee = "func.func private @g(%x: f32) -> f32 {\n  %r = call @g(%x) : (f32) -> f32\n  return %r : f32\n}\n"
    text = program("%x: f32", "f32", "%r = call @g(%x) : (f32) -> f32", "return %r : f32", callees=callee)
    found = inlined_program(read_text(text))
    assert len(calls(found)) == 1
