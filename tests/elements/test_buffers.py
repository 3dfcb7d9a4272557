"""Elements of buffers: what was written last, in straight lines, branches and loops, against an interpreter."""

from __future__ import annotations

import random

import pytest
from elements.test_loops import Loop, Place, compared, differs, drawn, related

SOURCE = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %i: index, %p: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "as many"
  BODY
  return %r : tensor<?xf32>
}"""
TARGET = """func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %p: i1) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?xf32>
  %n = memref.dim %b, %c0 : memref<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "as many"
  %r = memref.alloc(%m) : memref<?xf32>
  BODY
  return %r : memref<?xf32>
}"""
COPY = "memref.copy %a, %r : memref<?xf32> to memref<?xf32>\n"
LOAD, STORE = "%x = memref.load %b[%i] : memref<?xf32>\n", "memref.store %x, %r[%i] : memref<?xf32>\n"
INSERTED = "%x = tensor.extract %b[%i] : tensor<?xf32>\n%r = tensor.insert %x into %a[%i] : tensor<?xf32>"
EITHER = f"""%r = scf.if %p -> (tensor<?xf32>) {{
  {INSERTED.replace("%r", "%u")}
  scf.yield %u : tensor<?xf32>
}} else {{
  scf.yield %a : tensor<?xf32>
}}"""
NEGATED = """%e = tensor.empty(%m) : tensor<?xf32>
%r = linalg.negf ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>"""
LOOP = """scf.for %k = %c0 to %m step %c1 {
  %x = memref.load %a[%k] : memref<?xf32>
  %y = arith.negf %x : f32
  memref.store %y, %r[%k] : memref<?xf32>
}"""
IN_PLACE = f"""{COPY}scf.for %k = %c0 to %m step %c1 {{
  %x = memref.load %r[%k] : memref<?xf32>
  %y = arith.negf %x : f32
  memref.store %y, %r[%k] : memref<?xf32>
}}"""
VIEW = """scf.for %k = %c0 to %m step %c1 {
  %v = memref.subview %a[%k] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
  %w = memref.subview %r[%k] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
  linalg.negf ins(%v : memref<1xf32, strided<[1], offset: ?>>) outs(%w : memref<1xf32, strided<[1], offset: ?>>)
}"""
CONDITIONAL = f"{COPY}scf.if %p {{\n{LOAD}{STORE}}}"
RIGHT = {
    "a copy and a store": (INSERTED, COPY + LOAD + STORE),
    "a branch": (EITHER, CONDITIONAL),
    "a loop": (NEGATED, LOOP),
    "a loop in place": (NEGATED, IN_PLACE),
    "views in a loop": (NEGATED, VIEW),
    "memory of its own that is freed": (
        INSERTED,
        f"%o = memref.alloc(%m) : memref<?xf32>\n{COPY}{LOAD}{STORE}memref.dealloc %o : memref<?xf32>",
    ),
}
WRONG = {
    "a copy after the store": (INSERTED, LOAD + STORE + COPY),
    "no copy": (INSERTED, LOAD + STORE),
    "no store": (INSERTED, COPY + LOAD),
    "another place": (INSERTED, COPY + LOAD + STORE.replace("%i", "%c0")),
    "another element": (INSERTED, COPY + LOAD.replace("%i", "%c0") + STORE),
    "a load after the copy": (INSERTED, COPY + LOAD.replace("%b", "%r") + STORE),
    "another branch": (EITHER, CONDITIONAL.replace("scf.if %p {", "scf.if %p {\n} else {")),
    "a shorter loop": (NEGATED, LOOP.replace("%k = %c0", "%k = %c1")),
    "an element for all": (NEGATED, LOOP.replace("%a[%k]", "%a[%c0]")),
    "the first element, in place": (NEGATED, IN_PLACE.replace("load %r[%k]", "load %r[%c0]")),
    "twice": (NEGATED, LOOP + IN_PLACE.removeprefix(COPY).replace("%k", "%l")),
    "another view": (NEGATED, VIEW.replace("%a[%k]", "%a[%c0]")),
    "arguments that may overlap": (
        INSERTED,
        LOAD.replace("%x", "%z") + "memref.store %z, %a[%c0] : memref<?xf32>\n" + COPY + LOAD + STORE,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_buffers_hold_what_was_written_last(name: str) -> None:
    source, target = RIGHT[name]
    found = compared(SOURCE.replace("BODY", source), TARGET.replace("BODY", target))
    assert (found.word, found.left_out) == ("proved", ())


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_other_contents_are_not_proved(name: str) -> None:
    source, target = WRONG[name]
    found = compared(SOURCE.replace("BODY", source), TARGET.replace("BODY", target))
    assert found.word != "proved" or found.not_compared


def test_written_arguments_are_reported_as_not_compared() -> None:
    """The result is right, and what the caller's buffer holds is not compared with anything."""
    written = "memref.store %x, %b[%i] : memref<?xf32>\n"
    found = compared(SOURCE.replace("BODY", INSERTED), TARGET.replace("BODY", COPY + LOAD + STORE + written))
    assert found.left_out == ("what buffers hold",)


def test_a_callee_may_write_to_its_buffer() -> None:
    put = """
func.func private @put(%b: memref<?xf32>, %i: index, %x: f32) {
  memref.store %x, %b[%i] : memref<?xf32>
  return
}"""
    call = "%y = arith.negf %x : f32\nfunc.call @put(%r, %i, %y) : (memref<?xf32>, index, f32) -> ()\n"
    found = compared(SOURCE.replace("BODY", INSERTED), TARGET.replace("BODY", COPY + LOAD + STORE + call) + put)
    assert found.word != "proved" or found.not_compared


def in_memory(loop: Loop) -> str:
    """Return the loop on memory, which is a copy of the initial tensor."""
    reads = "r" if loop.reads == "t" else loop.reads
    return TARGET.replace(
        "BODY",
        f"""memref.copy %{loop.initial}, %r : memref<?xf32> to memref<?xf32>
  %lower = arith.constant {loop.lower} : index
  %step = arith.constant {loop.step} : index
  %upper = affine.apply affine_map<()[s] -> (s + {loop.upper})>()[%m]
  scf.for %i = %lower to %upper step %step {{
    {loop.written.text("p")}
    {loop.read.text("q")}
    %x = memref.load %{reads}[%q] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%p] : memref<?xf32>
  }}""",
    ).replace(", %i: index, %p: i1", "")


def check_pairs(seed: int, number: int) -> int:
    """Compare random loops on tensors with loops on memory; return how many are proved with elements."""
    chooser = random.Random(seed)
    proved = 0
    for _ in range(number):
        source = drawn(chooser)
        if source.rows > 1 or all(source.result(size) is None for size in range(2, 8)):
            continue
        target = chooser.choice((source, related(source, chooser)))
        if target.rows > 1:
            continue
        found = compared(source.text(), in_memory(target))
        is_wrong = differs(source, target, range(8))
        assert not (found.word == "refuted" and not is_wrong), (source, target)
        if found.word == "proved" and not found.is_partial:
            assert not is_wrong, (source, target)
            proved += 1
    return proved


def test_verdicts_are_those_of_an_interpreter() -> None:
    assert check_pairs(1, 12) <= 12
    plain = Loop(0, 0, 1, Place(1, 0), 1, "a", Place(1, 0))
    found = compared(plain.text(), in_memory(plain))
    assert found.word == "proved" and not found.is_partial


@pytest.mark.exhaustive
def test_many_verdicts_are_those_of_an_interpreter() -> None:
    assert check_pairs(2, 300) >= 20
