"""Tests of programs on buffers that may overlap: proved where both change memory in the same steps, and only there."""

from __future__ import annotations

import pytest
from elements.test_loops import compared
from support.sampled_rows import sampled

from shapesolve.refinement.signatures import SignatureError

HEAD = """func.func @f(%a: memref<?x4xf32>, %b: memref<?x4xf32>, %n: index, %i: index, %p: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
"""
END = "  %last = memref.load %a[%c0, %c0] : memref<?x4xf32>\n  return %last : f32\n}"


def loop(body: str, *, end: str = "%n", first: str = "%c0", step: str = "%c1") -> str:
    """Return a loop over rows and columns."""
    return f"""  scf.for %r = {first} to {end} step {step} {{
    scf.for %c = %c0 to %c4 step %c1 {{
{body}    }}
  }}
"""


LOAD_A = "      %u = memref.load %a[%r, %c] : memref<?x4xf32>\n"
LOAD_B = "      %v = memref.load %b[%r, %c3] : memref<?x4xf32>\n"
SUM = "      %s = arith.addf %u, %v : f32\n"
STORE = "      memref.store %s, %b[%r, %c] : memref<?x4xf32>\n"
STORE_A = "      memref.store %s, %a[%c0, %c] : memref<?x4xf32>\n"
LOOP = loop(LOAD_A + LOAD_B + SUM + STORE)
COPIED = """  %t = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %a, %t : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %t, %b : memref<?x4xf32> to memref<?x4xf32>
"""
BRANCH = """  scf.if %p {
    memref.store %x, %b[%i, %c0] : memref<?x4xf32>
  } else {
    memref.store %x, %a[%i, %c1] : memref<?x4xf32>
  }
"""
SUMMED = """  %z = arith.constant 0.0 : f32
  %w = scf.for %r = %c0 to %n step %c1 iter_args(%d = %z) -> (f32) {
    %u = memref.load %a[%r, %c0] : memref<?x4xf32>
    %s = arith.addf %d, %u : f32
    memref.store %s, %b[%r, %c1] : memref<?x4xf32>
    scf.yield %s : f32
  }
  memref.store %w, %a[%c0, %c0] : memref<?x4xf32>
"""
VIEW = """  %t = memref.subview %a[%i, 1] [2, 2] [1, 2] : memref<?x4xf32> to memref<2x2xf32, strided<[4, 2], offset: ?>>
  memref.store %x, %b[%c0, %c0] : memref<?x4xf32>
  %u = memref.load %t[%c1, %c1] : memref<2x2xf32, strided<[4, 2], offset: ?>>
  memref.store %u, %b[%c1, %c0] : memref<?x4xf32>
"""
PLACES = """  %j = arith.addi %i, %c1 : index
  memref.store %x, %b[%c0, %c0] : memref<?x4xf32>
  %u = memref.load %a[%j, %c3] : memref<?x4xf32>
  memref.store %u, %b[%c1, %c0] : memref<?x4xf32>
"""
FLAT = """  %d = memref.dim %b, %c0 : memref<?x4xf32>
  %k = arith.muli %d, %c4 : index
  %g = memref.reinterpret_cast %b to offset: [0], sizes: [%k], strides: [1] : memref<?x4xf32> to memref<?xf32>
  memref.store %x, %g[%c4] : memref<?xf32>
"""
FLAT_PLACE = "  memref.store %x, %b[%c1, %c0] : memref<?x4xf32>\n"
PARALLEL = """  scf.parallel (%r, %c) = (%c0, %c0) to (%n, %c4) step (%c1, %c1) {
      %u = memref.load %a[%r, %c] : memref<?x4xf32>
      memref.store %u, %b[%r, %c] : memref<?x4xf32>
      scf.reduce
  }
"""
SERIAL = loop(LOAD_A + "      memref.store %u, %b[%r, %c] : memref<?x4xf32>\n")

MAPPED = """  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, 3)>, affine_map<(r, c) -> (r, c)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x4xf32>) outs(%b : memref<?x4xf32>) {
  ^bb0(%u: f32, %v: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }
"""
ROWS = "  %rows = memref.dim %b, %c0 : memref<?x4xf32>\n"
MAPPED_LOOP = ROWS + loop(LOAD_A.replace("%c]", "%c3]") + LOAD_B.replace("%c3]", "%c]") + SUM + STORE, end="%rows")
MAPPED_PARALLEL = ROWS + PARALLEL.replace("%n", "%rows").replace("%u, %b", "%s, %b").replace(
    "%a[%r, %c] : memref<?x4xf32>\n", "%a[%r, %c3] : memref<?x4xf32>\n" + LOAD_B.replace("%c3]", "%c]") + SUM
)

RIGHT = {
    "a structured operation": (MAPPED, MAPPED.replace("%u, %v : f32\n    linalg", "%v, %u : f32\n    linalg")),
    "loops of a structured operation": (MAPPED, MAPPED_LOOP),
    "loops over the rows of the other buffer": (MAPPED, MAPPED_LOOP.replace("memref.dim %b", "memref.dim %a")),
    "parallel loops of a structured operation": (MAPPED, MAPPED_PARALLEL),
    "loads in another order": (LOOP, loop(LOAD_B + LOAD_A + SUM + STORE)),
    "a sum that commutes": (LOOP, LOOP.replace("%u, %v", "%v, %u")),
    "a load that is made twice": (
        LOOP,
        loop(LOAD_A + LOAD_B + LOAD_B.replace("%v", "%y") + SUM.replace("%v", "%y") + STORE),
    ),
    "a copy in two steps": (COPIED, COPIED.replace("%t", "%o")),
    "a branch": (BRANCH, "  %q = arith.andi %p, %p : i1\n" + BRANCH.replace("scf.if %p", "scf.if %q")),
    "a scalar that is handed on": (SUMMED, SUMMED.replace("%d, %u", "%u, %d")),
    "a view": (VIEW, PLACES),
    "another shape": (FLAT, FLAT_PLACE),
    "the order of a parallel loop": (PARALLEL, SERIAL),
}
WRONG = {
    "a structured operation with another map": (MAPPED, MAPPED.replace("(r, 3)", "(r, 2)")),
    "a structured operation with another body": (
        MAPPED,
        MAPPED.replace("%u, %v : f32\n    linalg", "%u, %u : f32\n    linalg"),
    ),
    "a structured operation on another buffer": (MAPPED, MAPPED.replace("ins(%a", "ins(%b")),
    "a structured operation that writes another buffer": (MAPPED, MAPPED.replace("outs(%b", "outs(%a")),
    "iterations in parallel": (MAPPED.replace('"parallel", "parallel"', '"parallel", "reduction"'), MAPPED),
    "loops with a load behind the store": (
        MAPPED,
        MAPPED_LOOP.replace(
            "      memref.store", "      memref.store %u, %b[%r, %c] : memref<?x4xf32>\n      memref.store"
        ),
    ),
    "loops that read another element": (MAPPED, MAPPED_LOOP.replace("%a[%r, %c3]", "%a[%r, %c2]")),
    "loops that leave out a column": (MAPPED, MAPPED_LOOP.replace("%c = %c0", "%c = %c1")),
    "loops that hold an element": (
        MAPPED,
        MAPPED_LOOP.replace("    scf.for %c", LOAD_A.replace("%c]", "%c3]") + "    scf.for %c").replace(
            "{\n" + LOAD_A.replace("%c]", "%c3]") + LOAD_B.replace("%c3]", "%c]"), "{\n" + LOAD_B.replace("%c3]", "%c]")
        ),
    ),
    "parallel loops of a reduction": (
        MAPPED.replace('"parallel", "parallel"', '"parallel", "reduction"'),
        MAPPED_PARALLEL,
    ),
    "a structured operation for loops": (MAPPED_LOOP, MAPPED),
    "a load behind the store": (
        LOOP,
        loop(LOAD_A + LOAD_B + SUM + STORE + LOAD_A.replace("%u", "%y") + STORE.replace("%s", "%y")),
    ),
    "a load before the other loop": (
        LOOP,
        LOOP.replace("    scf.for %c", LOAD_B + "    scf.for %c").replace(LOAD_B + SUM, SUM),
    ),
    "stores in another order": (
        loop(LOAD_A + LOAD_B + SUM + STORE + STORE_A),
        loop(LOAD_A + LOAD_B + SUM + STORE_A + STORE),
    ),
    "a load before a store": (
        loop(LOAD_A + LOAD_B + SUM + STORE + LOAD_A.replace("%u", "%y") + STORE_A.replace("%s", "%y")),
        loop(LOAD_A + LOAD_B + SUM + LOAD_A.replace("%u", "%y") + STORE + STORE_A.replace("%s", "%y")),
    ),
    "another buffer is read": (LOOP, LOOP.replace("load %b", "load %a")),
    "another buffer is written": (LOOP, LOOP.replace("store %s, %b", "store %s, %a")),
    "another place is read": (LOOP, LOOP.replace("%r, %c3", "%r, %c2")),
    "another place is written": (LOOP, LOOP.replace("%b[%r, %c] :", "%b[%r, %c3] :")),
    "another operand": (LOOP, LOOP.replace("%u, %v", "%u, %u")),
    "fewer iterations": (LOOP, LOOP.replace("%c0 to %n", "%c1 to %n")),
    "larger steps": (LOOP, LOOP.replace("to %n step %c1", "to %n step %c2")),
    "interchanged loops": (
        LOOP,
        LOOP.replace("%r = %c0 to %n", "%c = %c0 to %c4").replace(
            "    scf.for %c = %c0 to %c4", "    scf.for %r = %c0 to %n"
        ),
    ),
    "no temporary copy": (COPIED, "  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>\n"),
    "copied back": (COPIED, COPIED.replace("%t, %b", "%t, %a")),
    "the other branch": (BRANCH, BRANCH.replace("%b[%i", "%t[%i").replace("%a[%i", "%b[%i").replace("%t[%i", "%a[%i")),
    "another condition": (BRANCH, BRANCH.replace("scf.if %p", "%q = arith.cmpi eq, %i, %n : index\n  scf.if %q")),
    "another initial value": (SUMMED, SUMMED.replace("0.0", "1.0")),
    "another value is handed on": (SUMMED, SUMMED.replace("yield %s", "yield %u")),
    "what is handed on is not stored": (SUMMED, SUMMED.replace("store %s", "store %d")),
    "the initial value is left": (SUMMED, SUMMED.replace("store %w", "store %z")),
    "a view of another part": (VIEW, PLACES.replace("%j, %c3", "%j, %c2")),
    "a view with other steps": (
        VIEW,
        VIEW.replace("[1, 2] : m", "[1, 1] : m").replace("strided<[4, 2]", "strided<[4, 1]"),
    ),
    "a load of a view before the store": (
        VIEW,
        PLACES.replace("  memref.store %x, %b[%c0, %c0] : memref<?x4xf32>\n", "")
        + "  memref.store %x, %b[%c0, %c0] : memref<?x4xf32>\n",
    ),
    "another shape at another place": (FLAT, FLAT_PLACE.replace("%c1, %c0", "%c0, %c1")),
    "another offset": (
        FLAT,
        FLAT.replace("offset: [0]", "offset: [%c1]")
        .replace("to memref<?xf32>\n  memref.store", "to memref<?xf32, strided<[1], offset: ?>>\n  memref.store")
        .replace("%g[%c4] : memref<?xf32>", "%g[%c4] : memref<?xf32, strided<[1], offset: ?>>"),
    ),
    "a parallel loop": (SERIAL, PARALLEL),
    "a parallel loop that exchanges places": (PARALLEL, SERIAL.replace("store %u, %b[%r, %c]", "store %u, %b[%c, %r]")),
    "a store is lost": (LOOP + FLAT_PLACE, LOOP),
    "a store is added": (LOOP, LOOP + FLAT_PLACE),
    "a step is made twice": (SUMMED, SUMMED + FLAT_PLACE + FLAT_PLACE),
}

OPEN = """func.func @f(
    %a: memref<?xi32, strided<[?], offset: ?>>, %b: memref<?xi32, strided<[{stride}], offset: ?>>, %i: index) {{
  %x = memref.load %a[%i] : memref<?xi32, strided<[?], offset: ?>>
  {change}
  memref.store %y, %b[%i] : memref<?xi32, strided<[{stride}], offset: ?>>
  %z = memref.load %a[%i] : memref<?xi32, strided<[?], offset: ?>>
  memref.store %z, %b[%i] : memref<?xi32, strided<[{stride}], offset: ?>>
  return
}}"""
ITSELF, DOUBLED = "%y = arith.ori %x, %x : i32", "%y = arith.addi %x, %x : i32"
TWICE = "%two = arith.constant 2 : i32\n  %y = arith.muli %x, %two : i32"


@pytest.mark.parametrize(
    ("changes", "strides", "proved"),
    [
        ((DOUBLED, TWICE), ("?", "?"), True),
        ((TWICE, DOUBLED), ("?", "?"), True),
        ((DOUBLED, ITSELF), ("?", "?"), False),
        ((ITSELF, TWICE), ("2", "2"), False),
        ((ITSELF, ITSELF), ("2", "?"), True),
    ],
)
def test_strides_of_arguments_are_those_of_both(
    changes: tuple[str, str], strides: tuple[str, str], proved: bool
) -> None:
    programs = [OPEN.format(change=change, stride=stride) for change, stride in zip(changes, strides, strict=True)]
    found = compared(*programs)
    assert (found.word == "proved" and not found.not_compared) is proved


@pytest.mark.parametrize("strides", [("2", "3"), ("?", "2")])
def test_strides_that_a_buffer_may_not_have_are_another_signature(strides: tuple[str, str]) -> None:
    with pytest.raises(SignatureError, match="strides"):
        compared(*(OPEN.format(change=ITSELF, stride=each) for each in strides))


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_the_same_steps_leave_the_same_memory(name: str) -> None:
    source, target = (HEAD + each + END for each in RIGHT[name])
    found = compared(source, target)
    assert (found.word, found.not_compared) == ("proved", ())


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(WRONG, 4, ("another condition", "another initial value")))
def test_other_steps_are_not_proved(name: str) -> None:
    source, target = (HEAD + each + END for each in WRONG[name])
    assert source != target
    found = compared(source, target)
    assert found.word != "proved" or found.not_compared


IN_ORDER = "(r, c) -> (r, c)"
MAPS = ["(r, c) -> (c, r)", "(r, c) -> (r floordiv 2, c, r mod 2)", "(r, c) -> (r, c floordiv 2, c mod 2)"]
PLACED = """func.func @f(%a: memref<4x4xf32, affine_map<MAP>>, %x: f32, %y: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.reinterpret_cast %a to offset: [0], sizes: [16], strides: [1]
    : memref<4x4xf32, affine_map<MAP>> to memref<16xf32>
  memref.store %x, %g[%c1] : memref<16xf32>
  memref.store %y, {place}
  return
}}"""
FIRST = PLACED.format(place="%g[%c1] : memref<16xf32>")
SECOND = PLACED.format(place="%a[%c0, %c1] : memref<4x4xf32, affine_map<MAP>>")


@pytest.mark.parametrize("maps", [(IN_ORDER, MAPS[0]), (MAPS[0], IN_ORDER), (MAPS[1], MAPS[2]), (IN_ORDER, MAPS[1])])
def test_a_buffer_without_strides_is_no_other(maps: tuple[str, str]) -> None:
    with pytest.raises(SignatureError, match="layout"):
        compared(*(SECOND.replace("MAP", each) for each in maps))


RETURNED = """func.func @f(%x: f32) -> memref<2xf32, strided<[RETURNED], offset: 0>> {
  %a = memref.alloc() : memref<3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
  %v = memref.subview %a[0] [2] [STRIDE] : memref<3xf32> to memref<2xf32, strided<[STRIDE], offset: 0>>
  %r = memref.cast %v : memref<2xf32, strided<[STRIDE], offset: 0>> to memref<2xf32, strided<[RETURNED], offset: 0>>
  return %r : memref<2xf32, strided<[RETURNED], offset: 0>>
}"""


@pytest.mark.parametrize(("results", "is_same"), [("12", False), ("1?", False), ("??", True), ("?2", True)])
def test_strides_of_results_are_those_that_the_source_states(results: str, *, is_same: bool) -> None:
    source, target = (
        RETURNED.replace("RETURNED", each).replace("STRIDE", stride) for each, stride in zip(results, "12", strict=True)
    )
    if is_same:
        assert compared(source, target).word == "proved"
    else:
        with pytest.raises(SignatureError, match="strides"):
            compared(source, target)


@pytest.mark.parametrize(("map", "is_same"), [(IN_ORDER, True), *((each, False) for each in MAPS)])
def test_where_elements_without_strides_lie_is_not_followed(map: str, *, is_same: bool) -> None:
    found = compared(FIRST.replace("MAP", map), SECOND.replace("MAP", map))
    assert (found.word == "proved" and not found.not_compared) is is_same


SPACES = """func.func @f(%a: memref<?xf32, 1>, %b: BUFFER) -> BUFFER {
  return %b : BUFFER
}"""


@pytest.mark.parametrize("spaces", [("", "1"), ("1", ""), ("1", "2"), ("1", '"far"')])
@pytest.mark.parametrize("extents", ["4x?x", "*x"])
def test_a_buffer_in_another_memory_space_is_no_other(extents: str, spaces: tuple[str, str]) -> None:
    buffers = (f"memref<{extents}f32{f', {each}' if each else ''}>" for each in spaces)
    with pytest.raises(SignatureError, match="memory space"):
        compared(*(SPACES.replace("BUFFER", each) for each in buffers))


def test_an_allocation_in_another_memory_space_is_returned_as_another() -> None:
    buffer = "memref<4xf32{0}>"
    made = f"func.func @f() -> {buffer} {{{{\n  %a = memref.alloc() : {buffer}\n  return %a : {buffer}\n}}}}"
    with pytest.raises(SignatureError, match="memory space"):
        compared(made.format(", 3"), made.format(""))
    assert compared(made.format(", 3"), made.format(", 3")).word == "proved"
