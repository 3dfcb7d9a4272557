"""Memory that two programs leave behind: right and wrong pairs on buffers, each stated with what both do."""

from __future__ import annotations

import pytest
from elements.test_loops import compared
from support.sampled_rows import sampled

HEAD = """func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %i: index, %p: i1) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %k = memref.dim %b, %c0 : memref<?x?xf32>
  %l = memref.dim %b, %c1 : memref<?x?xf32>
  %same = arith.cmpi eq, %m, %k : index
  cf.assert %same, "as many rows"
  %also = arith.cmpi eq, %n, %l : index
  cf.assert %also, "as many columns"
  %square = arith.cmpi eq, %n, %m : index
  cf.assert %square, "square"
  %more = arith.cmpi sgt, %n, %c2 : index
  cf.assert %more, "three at least"
  %lower = arith.cmpi sge, %i, %c0 : index
  cf.assert %lower, "not below"
  %upper = arith.cmpi slt, %i, %m : index
  cf.assert %upper, "not above"
  %r = memref.alloc(%m) : memref<?xf32>
"""
END = """
  return %r : memref<?xf32>
}"""
FILL = "linalg.fill ins(%zero : f32) outs(%r : memref<?xf32>)\n"
SUM = """linalg.generic {indexing_maps = [affine_map<(x, y) -> (x, y)>, affine_map<(x, y) -> (x)>],
  iterator_types = ["parallel", "reduction"]} ins(%a : memref<?x?xf32>) outs(%r : memref<?xf32>) {
^bb0(%in: f32, %out: f32):
  %s = arith.addf %in, %out : f32
  linalg.yield %s : f32
}
"""
ROWS, COLUMNS = "scf.for %x = %c0 to %m step %c1 {", "scf.for %y = %c0 to %n step %c1 {"


def nest(outer: str, inner: str, terms: str) -> str:
    """Return a nest of loops that sums rows in memory."""
    return f"""{outer}
  {inner}
    %in = memref.load %a[%x, %y] : memref<?x?xf32>
    %out = memref.load %r[%x] : memref<?xf32>
    %s = arith.addf {terms} : f32
    memref.store %s, %r[%x] : memref<?xf32>
  }}
}}
"""


NEST, INTERCHANGED = nest(ROWS, COLUMNS, "%in, %out"), nest(COLUMNS, ROWS, "%out, %in")
SCALAR = """scf.for %x = %c0 to %m step %c1 {
  %old = memref.load %r[%x] : memref<?xf32>
  %t = scf.for %y = %c0 to %n step %c1 iter_args(%out = %old) -> (f32) {
    %in = memref.load %a[%x, %y] : memref<?x?xf32>
    %s = arith.addf %in, %out : f32
    scf.yield %s : f32
  }
  memref.store %t, %r[%x] : memref<?xf32>
}
"""
AFFINE = """affine.for %x = 0 to %m {
  affine.for %y = 0 to %n {
    %in = affine.load %a[%x, %y] : memref<?x?xf32>
    %out = affine.load %r[%x] : memref<?xf32>
    %s = arith.addf %in, %out : f32
    affine.store %s, %r[%x] : memref<?xf32>
  }
}
"""
COLUMN = """linalg.generic {indexing_maps = [affine_map<(x) -> (x, x)>, affine_map<(x) -> (x)>],
  iterator_types = ["parallel"]} ins(%a : memref<?x?xf32>) outs(%r : memref<?xf32>) {
^bb0(%in: f32, %out: f32):
  %s = arith.subf %in, %one : f32
  linalg.yield %s : f32
}
"""
PARALLEL = """affine.parallel (%x) = (0) to (symbol(%m)) {
  %in = affine.load %a[%x, %x] : memref<?x?xf32>
  %s = arith.subf %in, %one : f32
  affine.store %s, %r[%x] : memref<?xf32>
}
"""
HANDED_ON = """%q = scf.for %x = %c0 to %m step %c1 iter_args(%t = %r) -> (memref<?xf32>) {
  %in = memref.load %a[%x, %x] : memref<?x?xf32>
  %s = arith.subf %in, %one : f32
  memref.store %s, %t[%x] : memref<?xf32>
  scf.yield %t : memref<?xf32>
}
"""
WRITE = """%v = memref.load %a[%i, %c0] : memref<?x?xf32>
memref.store %v, %b[%c0, %i] : memref<?x?xf32>
"""
ONE, WHOLE = "memref<1x1xf32, strided<[?, 1], offset: ?>>", "memref<1x1xf32>"
BY_COPY = f"""%from = memref.subview %a[%i, 0] [1, 1] [1, 1] : memref<?x?xf32> to {ONE}
%to = memref.subview %b[0, %i] [1, 1] [1, 1] : memref<?x?xf32> to {ONE}
%own = memref.alloc() : memref<1x1xf32>
memref.copy %from, %own : {ONE} to {WHOLE}
memref.copy %own, %to : {WHOLE} to {ONE}
memref.dealloc %own : memref<1x1xf32>
"""
TWICE = """%v = memref.load %a[%i, %c0] : memref<?x?xf32>
%w = memref.load %a[%c1, %i] : memref<?x?xf32>
memref.store %v, %b[%c0, %c0] : memref<?x?xf32>
memref.store %w, %b[%c0, %i] : memref<?x?xf32>
"""
BRANCH = """scf.if %p {
  memref.store %one, %b[%c0, %i] : memref<?x?xf32>
} else {
  memref.store %zero, %b[%c0, %i] : memref<?x?xf32>
}
"""
SELECT = """scf.if %p {
} else {
  memref.store %zero, %b[%c0, %i] : memref<?x?xf32>
}
scf.if %p {
  memref.store %one, %b[%c0, %i] : memref<?x?xf32>
}
"""
TWO = "memref<?x2xf32, strided<[?, 1], offset: ?>>"
STRIPE = f"""%v = memref.subview %b[%c0, %c1] [%m, 2] [1, 1] : memref<?x?xf32> to {TWO}
linalg.fill ins(%one : f32) outs(%v : {TWO})
"""
STRIPES = """scf.for %x = %c0 to %m step %c1 {
  scf.for %y = %c1 to %c3 step %c1 {
    memref.store %one, %b[%x, %y] : memref<?x?xf32>
  }
}
"""
THREE = "%c3 = arith.constant 3 : index\n"
RIGHT = {
    "a sum as a nest": (FILL + SUM, FILL + NEST),
    "a nest as a sum": (FILL + NEST, FILL + SUM),
    "a sum by columns": (FILL + SUM, FILL + INTERCHANGED),
    "a sum in a scalar": (FILL + SUM, FILL + SCALAR),
    "a sum in affine loops": (FILL + SUM, FILL + AFFINE),
    "affine loops as loops": (FILL + AFFINE, FILL + INTERCHANGED),
    "a parallel loop": (COLUMN, PARALLEL),
    "a parallel loop back": (PARALLEL, COLUMN),
    "a buffer that is handed on": (COLUMN, HANDED_ON),
    "a store as a copy": (FILL + WRITE, FILL + BY_COPY),
    "a copy as a store": (FILL + BY_COPY, FILL + WRITE),
    "branches": (FILL + BRANCH, FILL + SELECT),
    "a part": (FILL + STRIPE, FILL + THREE + STRIPES),
}


def changed(text: str, old: str, new: str) -> str:
    """Return a text with something else in it, which must have been there."""
    assert old in text
    return text.replace(old, new)


def swapped(text: str, first: str, second: str) -> str:
    """Return a text with two parts exchanged."""
    return changed(changed(changed(text, first, "FIRST"), second, first), "FIRST", second)


def wrong_sums() -> dict[str, tuple[str, str]]:
    """Return pairs whose target does not compute the sum of each row."""
    found: dict[str, tuple[str, str]] = {}
    for name, text in (("nest", NEST), ("columns", INTERCHANGED), ("scalar", SCALAR)):
        wrong = {
            "not filled": text,
            "filled with one": changed(FILL, "%zero", "%one") + text,
            "filled afterwards": text + FILL,
            "twice": FILL + text + text,
            "transposed": FILL + changed(text, "%a[%x, %y]", "%a[%y, %x]"),
            "another operand": FILL + changed(text, "%a[%x, %y]", "%b[%x, %y]"),
            "a row left out": FILL + changed(text, "%x = %c0", "%x = %c1"),
            "a column left out": FILL + changed(text, "%y = %c0", "%y = %c1"),
            "every other column": FILL + changed(text, "%y = %c0 to %n step %c1", "%y = %c0 to %n step %c2"),
            "every other row": FILL + changed(text, "%x = %c0 to %m step %c1", "%x = %c0 to %m step %c2"),
            "a product": FILL + changed(text, "arith.addf", "arith.mulf"),
            "a difference": FILL + changed(text, "arith.addf", "arith.subf"),
            "one column": FILL + changed(text, "%a[%x, %y]", "%a[%x, %c0]"),
            "one row": FILL + changed(text, "%a[%x, %y]", "%a[%c0, %y]"),
            "the last twice": FILL
            + changed(text, "%s = arith.addf", "%s = arith.addf %in, %in : f32\n%z = arith.addf"),
            "one place": FILL + changed(text, "%r[%x]", "%r[%i]"),
            "read elsewhere": FILL + changed(text, "load %r[%x]", "load %r[%c0]"),
            "written elsewhere": FILL + changed(text, ", %r[%x] : memref<?xf32>", ", %r[%c0] : memref<?xf32>"),
        }
        found.update({f"{name}, {each}": (FILL + SUM, target) for each, target in wrong.items()})
    return found


ALIASED = """%v = memref.load %a[%c0, %c0] : memref<?x?xf32>
memref.store %one, %b[%c0, %c0] : memref<?x?xf32>
memref.store %v, %r[%c0] : memref<?xf32>
"""
ALIASED_LATE = """memref.store %one, %b[%c0, %c0] : memref<?x?xf32>
%v = memref.load %a[%c0, %c0] : memref<?x?xf32>
memref.store %v, %r[%c0] : memref<?xf32>
"""
BOTH = """memref.store %one, %a[%c0, %c0] : memref<?x?xf32>
memref.store %zero, %b[%c0, %c0] : memref<?x?xf32>
"""
LATE_COPY = """%all = memref.alloc(%m, %n) : memref<?x?xf32>
memref.copy %a, %all : memref<?x?xf32> to memref<?x?xf32>
memref.store %one, %b[%c0, %c0] : memref<?x?xf32>
memref.copy %all, %b : memref<?x?xf32> to memref<?x?xf32>
"""
STORED = "store %one, %b[%c0, %c0] : memref<?x?xf32>"
COPIED_BACK = "copy %all, %b : memref<?x?xf32> to memref<?x?xf32>"
SHIFT = """scf.for %x = %c0 to %i step %c1 {
  %next = arith.addi %x, %c1 : index
  %v = memref.load %b[%c0, %x] : memref<?x?xf32>
  memref.store %v, %b[%c0, %next] : memref<?x?xf32>
}
"""
SHIFT_BACK = """scf.for %z = %c0 to %i step %c1 {
  %x = arith.subi %i, %z : index
  %before = arith.subi %x, %c1 : index
  %v = memref.load %b[%c0, %before] : memref<?x?xf32>
  memref.store %v, %b[%c0, %x] : memref<?x?xf32>
}
"""
WRONG = {
    **wrong_sums(),
    "another offset": (FILL + WRITE, FILL + changed(WRITE, "%b[%c0, %i]", "%b[%c0, %c0]")),
    "axes": (FILL + WRITE, FILL + changed(WRITE, "%b[%c0, %i]", "%b[%i, %c0]")),
    "read axes": (FILL + WRITE, FILL + changed(WRITE, "%a[%i, %c0]", "%a[%c0, %i]")),
    "another buffer": (FILL + WRITE, FILL + changed(WRITE, "store %v, %b", "store %v, %a")),
    "no write": (FILL + WRITE, FILL),
    "a new write": (FILL, FILL + WRITE),
    "a write of the other": (FILL + WRITE, FILL + WRITE + "memref.store %v, %a[%c0, %c0] : memref<?x?xf32>\n"),
    "copied from elsewhere": (FILL + WRITE, FILL + changed(BY_COPY, "%a[%i, 0]", "%a[0, %i]")),
    "copied to elsewhere": (FILL + WRITE, FILL + changed(BY_COPY, "%b[0, %i]", "%b[%i, 0]")),
    "not copied": (
        FILL + WRITE,
        FILL + changed(BY_COPY, f"%own, %to : {WHOLE} to {ONE}", f"%own, %own : {WHOLE} to {WHOLE}"),
    ),
    "order of stores": (FILL + TWICE, FILL + swapped(TWICE, "store %v, %b[%c0, %c0]", "store %w, %b[%c0, %i]")),
    "exchanged stores": (FILL + TWICE, FILL + swapped(TWICE, "store %v", "store %w")),
    "branches exchanged": (FILL + BRANCH, FILL + swapped(BRANCH, "%one", "%zero")),
    "one branch": (FILL + BRANCH, FILL + changed(SELECT, "%one", "%zero")),
    "no condition": (FILL + BRANCH, FILL + "memref.store %one, %b[%c0, %i] : memref<?x?xf32>\n"),
    "a part further on": (FILL + STRIPE, FILL + changed(STRIPE, "[%c0, %c1]", "[%c0, %c0]")),
    "a narrower part": (FILL + STRIPE, FILL + changed(STRIPE, "2]", "1]").replace("?x2x", "?x1x")),
    "another part": (FILL + STRIPE, FILL + THREE + changed(STRIPES, "%c1 to %c3", "%c0 to %c2")),
    "a part too little": (FILL + STRIPE, FILL + THREE + changed(STRIPES, "%c1 to %c3", "%c1 to %c2")),
    "rows too few": (FILL + STRIPE, FILL + THREE + changed(STRIPES, "%x = %c0", "%x = %c1")),
    "parallel, one too few": (COLUMN, changed(PARALLEL, "(0)", "(1)")),
    "parallel, another place": (COLUMN, changed(PARALLEL, "store %s, %r[%x]", "store %s, %r[symbol(%m) - 1 - %x]")),
    "parallel, another column": (COLUMN, changed(PARALLEL, "%a[%x, %x]", "%a[%x, 0]")),
    "parallel, steps": (COLUMN, changed(PARALLEL, "(symbol(%m))", "(symbol(%m)) step (2)")),
    "parallel, exchanged": (COLUMN, changed(PARALLEL, "%in, %one", "%one, %in")),
    "parallel, a race": (
        FILL + SUM,
        FILL + NEST.replace("scf.for %y = %c0 to %n step %c1 {", "scf.parallel (%y) = (%c0) to (%n) step (%c1) {"),
    ),
    "handed on, one too few": (COLUMN, changed(HANDED_ON, "%x = %c0", "%x = %c1")),
    "handed on, from elsewhere": (COLUMN, changed(HANDED_ON, "%a[%x, %x]", "%a[%c0, %x]")),
    "handed on, another buffer": (
        COLUMN,
        "%u = memref.alloc(%m) : memref<?xf32>\n" + changed(HANDED_ON, "scf.yield %t", "scf.yield %u"),
    ),
    "handed on, not this one": (
        COLUMN,
        "%u = memref.alloc(%m) : memref<?xf32>\n" + changed(HANDED_ON, "%t = %r", "%t = %u"),
    ),
    "read after the write of what may be the same": (FILL + ALIASED, FILL + ALIASED_LATE),
    "read before the write of what may be the same": (FILL + ALIASED_LATE, FILL + ALIASED),
    "two that may be the same": (FILL + BOTH, FILL + swapped(BOTH, "%one, %a", "%zero, %b")),
    "a copy that is overwritten": (FILL + LATE_COPY, FILL + swapped(LATE_COPY, STORED, COPIED_BACK)),
    "another direction": (FILL + SHIFT, FILL + SHIFT_BACK),
    "the other direction": (FILL + SHIFT_BACK, FILL + SHIFT),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_memory_is_left_the_same(name: str) -> None:
    source, target = RIGHT[name]
    found = compared(HEAD + source + END, HEAD + target + END)
    assert (found.word, found.not_compared) == ("proved", ())


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(WRONG, 4, ("parallel, another place", "parallel, steps")))
def test_other_memory_is_not_proved_the_same(name: str) -> None:
    source, target = WRONG[name]
    found = compared(HEAD + source + END, HEAD + target + END)
    assert found.word != "proved" or found.not_compared


ALLOCATED = "  %q = memref.alloc(%m) : memref<?xf32>\n"
COPIED = "  memref.copy %r, %q : memref<?xf32> to memref<?xf32>\n"
RETURNS = {
    "a copy of an argument": ("%x", "memref.copy %x, %r : memref<?xf32> to memref<?xf32>\n", "%r"),
    "one buffer twice": ("%r, %q", COPIED, "%r, %r"),
    "two buffers": ("%r, %r", COPIED, "%r, %q"),
    "exchanged results": ("%r, %q", "linalg.fill ins(%one : f32) outs(%r : memref<?xf32>)\n", "%q, %r"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RETURNS)
@pytest.mark.parametrize("is_reversed", [False, True])
def test_buffers_that_overlap_otherwise_are_not_proved_the_same(name: str, is_reversed: bool) -> None:
    ours, body, theirs = RETURNS[name]

    def text(values: str) -> str:
        types = ", ".join("memref<?xf32>" for _ in values.split(","))
        return f"""func.func @f(%x: memref<?xf32>) -> ({types}) {{
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%m) : memref<?xf32>
{ALLOCATED}  {FILL}  linalg.fill ins(%zero : f32) outs(%q : memref<?xf32>)
  {body}  return {values} : {types}
}}"""

    pair = (text(theirs), text(ours)) if is_reversed else (text(ours), text(theirs))
    found = compared(*pair)
    assert found.word != "proved" or found.not_compared


TENSORS = """func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %t, %c0 : tensor<?xf32>
  %n = tensor.dim %u, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "as many"
  BODY
  return %r : tensor<?xf32>
}"""
NEGATED = """%e = tensor.empty(%m) : tensor<?xf32>
%r = linalg.negf ins(%t : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>"""
BUFFERS = """%a = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
%b = bufferization.to_buffer %u : tensor<?xf32> to memref<?xf32>
%o = memref.alloc(%m) : memref<?xf32>
linalg.negf ins(%a : memref<?xf32>) outs(%o : memref<?xf32>)
%r = bufferization.to_tensor %o restrict writable : memref<?xf32> to tensor<?xf32>
"""
WRONG_TENSORS = {
    "another tensor": changed(BUFFERS, "ins(%a", "ins(%b"),
    "another function": changed(BUFFERS, "negf", "exp"),
    "nothing": changed(BUFFERS, "linalg.negf ins(%a : memref<?xf32>) outs(%o : memref<?xf32>)\n", ""),
    "the operand": changed(BUFFERS, "to_tensor %o", "to_tensor %a"),
    "written afterwards": BUFFERS + "linalg.exp ins(%a : memref<?xf32>) outs(%o : memref<?xf32>)\n",
    "written before": changed(
        BUFFERS, "linalg.negf ins", "memref.copy %b, %a : memref<?xf32> to memref<?xf32>\nlinalg.negf ins"
    ),
    "in place": changed(BUFFERS, "outs(%o", "outs(%a").replace("to_tensor %o", "to_tensor %a"),
    "freed": BUFFERS + "memref.dealloc %o : memref<?xf32>\n",
}


def test_buffers_of_tensors_hold_their_elements() -> None:
    found = compared(TENSORS.replace("BODY", NEGATED), TENSORS.replace("BODY", BUFFERS))
    assert (found.word, found.not_compared) == ("proved", ())


@pytest.mark.parametrize("name", WRONG_TENSORS)
def test_other_buffers_of_tensors_are_not_proved(name: str) -> None:
    found = compared(TENSORS.replace("BODY", NEGATED), TENSORS.replace("BODY", WRONG_TENSORS[name]))
    assert found.word != "proved" or found.not_compared


KEPT = """func.func @f(%m: memref<?xi32>, %x: i32) -> (i32, i32) {{
  %c0 = arith.constant 0 : index
  %d = memref.load %m[%c0] : memref<?xi32>
  {between}
  %e = memref.load %m[%c0] : memref<?xi32>
  return %d, %e : i32, i32
}}"""
TENSOR = "%t = bufferization.to_tensor %m restrict{flags} : memref<?xi32> to tensor<?xi32>\n  "
OVERWRITTEN = {
    "a buffer of its tensor": TENSOR.format(flags="")
    + """%b = bufferization.to_buffer %t : tensor<?xi32> to memref<?xi32>
  memref.store %x, %b[%c0] : memref<?xi32>""",
    "a tensor in its place": TENSOR.format(flags=" writable")
    + "%u = tensor.insert %x into %t[%c0] : tensor<?xi32>\n  %z = tensor.extract %u[%c0] : tensor<?xi32>",
}


@pytest.mark.parametrize("name", OVERWRITTEN)
def test_a_buffer_that_its_tensor_may_overwrite_is_not_compared(name: str) -> None:
    """The pair `to_buffer` of `to_tensor` is folded to the buffer, and a writable one is written in place."""
    found = compared(KEPT.format(between=""), KEPT.format(between=OVERWRITTEN[name]))
    assert found.word != "proved" or found.not_compared
    read = TENSOR.format(flags=" writable") + "%z = tensor.extract %t[%c0] : tensor<?xi32>"
    found = compared(KEPT.format(between=""), KEPT.format(between=read))
    assert (found.word, found.not_compared) == ("proved", ())


BUFFER_OF_TENSOR = """func.func @f(%t: tensor<4xf32>, %v: f32) -> {result} {{
  %c0 = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  {body}
}}"""
STORE_TO_TENSOR = "memref.store %v, %b[%c0] : memref<4xf32>"
EXTRACT = "%x = tensor.extract %t[%c0] : tensor<4xf32>"
STORED_TO_TENSORS = {
    "only in one program": ("tensor<4xf32>", "return %t : tensor<4xf32>", STORE_TO_TENSOR),
    "before its element is read": ("f32", f"{EXTRACT}\n  {STORE_TO_TENSOR}", f"{STORE_TO_TENSOR}\n  {EXTRACT}"),
}


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("name", STORED_TO_TENSORS)
def test_a_tensor_that_its_buffer_may_change_is_not_compared(name: str, is_reversed: bool) -> None:
    result, *bodies = STORED_TO_TENSORS[name]
    end = "return %t : tensor<4xf32>" if result != "f32" else "return %x : f32"
    programs = [
        BUFFER_OF_TENSOR.format(result=result, body=each if each == end else f"{each}\n  {end}") for each in bodies
    ]
    found = compared(*(reversed(programs) if is_reversed else programs))
    assert found.word != "proved" or found.not_compared
    assert found.word != "refuted"


STRIDED = """func.func @f(%m: memref<4x4xf32, strided<[?, 1], offset: ?>>) -> f32 {{
  %c1 = arith.constant 1 : index
  {cast}
  %x = memref.load {read}
  return %x : f32
}}"""
STRIDED_READ = "%m[%c1, %c1] : memref<4x4xf32, strided<[?, 1], offset: ?>>"


@pytest.mark.parametrize(
    ("layout", "proved"),
    [
        ("", False),
        (", strided<[4, 1], offset: ?>", False),
        (", strided<[?, 1], offset: 0>", False),
        (", strided<[?, ?], offset: ?>", True),
        (", strided<[?, 1], offset: ?>", True),
    ],
)
def test_a_cast_states_no_strides_that_its_operand_may_not_have(layout: str, proved: bool) -> None:
    """A compiled program reads by the strides of the type."""
    type = f"memref<4x?xf32{layout}>"
    cast = f"%s = memref.cast %m : memref<4x4xf32, strided<[?, 1], offset: ?>> to {type}"
    source = STRIDED.format(cast="", read=STRIDED_READ)
    found = compared(source, STRIDED.format(cast=cast, read=f"%s[%c1, %c1] : {type}"))
    assert (found.word == "proved" and not found.not_compared) is proved
    assert found.word != "refuted"


CUT = """func.func @f(%m: memref<?x?xf32>, %k: index) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf32>
  %columns = memref.dim %m, %c1 : memref<?x?xf32>
  %s = memref.subview %m[{offset}, 0] [{rows}, {columns}] [1, 1]
    : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: {at}>>
  {cast}
  %x = memref.load {read}[%c1, %c1] : memref<?x?xf32{layout}>
  return %x : f32
}}"""


@pytest.mark.parametrize(
    ("offset", "rows", "columns", "proved"),
    [
        ("0", "%rows", "%columns", True),
        ("0", "%k", "%columns", True),
        ("0", "%rows", "%k", False),
        ("%k", "%c1", "%columns", False),
    ],
)
def test_a_cast_to_row_major_order_is_followed_where_the_part_has_it(
    offset: str, rows: str, columns: str, proved: bool
) -> None:
    at = "0" if offset == "0" else "?"
    layout = f", strided<[?, 1], offset: {at}>"
    cast = f"%w = memref.cast %s : memref<?x?xf32{layout}> to memref<?x?xf32>"
    part = {"offset": offset, "rows": rows, "columns": columns, "at": at}
    source = CUT.format(cast="", read="%s", layout=layout, **part)
    found = compared(source, CUT.format(cast=cast, read="%w", layout="", **part))
    assert (found.word == "proved" and not found.not_compared) is proved
    assert found.word != "refuted"


def stores(type: str, order: tuple[str, str]) -> str:
    """Return a program that stores two numbers to two elements of an argument, one after the other."""
    first, second = (f"memref.store %{each}, %m[%{each}] : {type}" for each in order)
    return f"""func.func @f(%m: {type}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {first}
  {second}
  return
}}"""


NOTE = "elements of a buffer argument are taken to have places of their own, whatever its strides"


@pytest.mark.parametrize(
    ("layout", "proved", "noted"),
    [
        ("", True, False),
        (", strided<[2], offset: ?>", True, False),
        (", strided<[?], offset: ?>", True, True),
        (", strided<[0]>", False, False),
    ],
)
def test_elements_in_one_place_are_not_stored_in_any_order(layout: str, proved: bool, noted: bool) -> None:
    type = f"memref<?xindex{layout}>"
    found = compared(stores(type, ("c0", "c1")), stores(type, ("c1", "c0")))
    assert (found.word == "proved" and not found.not_compared, NOTE in found.notes) == (proved, noted)


THREE_OF_EIGHT = "memref<3xf32, strided<[1], offset: 2>>"
PART = f"%v = memref.subview %b[2] [3] [1] : memref<8xf32> to {THREE_OF_EIGHT}\n"
HAND_ON = f"""%q = scf.for %x = %c0 to %n step %c1 iter_args(%t = %v) -> ({THREE_OF_EIGHT}) {{
  BODY
  scf.yield %t : {THREE_OF_EIGHT}
}}
"""


def filled(buffer: str, type: str) -> str:
    return f"linalg.fill ins(%one : f32) outs(%{buffer} : {type})\n"


FILLS = {
    "all": filled("b", "memref<8xf32>"),
    "a part": PART + filled("v", THREE_OF_EIGHT),
    "what a loop returns": PART + HAND_ON.replace("BODY", "") + filled("q", THREE_OF_EIGHT),
    "a cast of what a loop returns": PART
    + HAND_ON.replace("BODY", "")
    + f"%w = memref.cast %q : {THREE_OF_EIGHT} to memref<?xf32, strided<[1], offset: 2>>\n"
    + filled("w", "memref<?xf32, strided<[1], offset: 2>>"),
    "what a loop returns, copied to": PART
    + HAND_ON.replace("BODY", "")
    + "%o = memref.alloc() : memref<3xf32>\n"
    + filled("o", "memref<3xf32>")
    + f"memref.copy %o, %q : memref<3xf32> to {THREE_OF_EIGHT}\n",
    "what a loop hands on": PART + HAND_ON.replace("BODY", filled("t", THREE_OF_EIGHT)).replace("%n", "%c1"),
}


def fill(body: str) -> str:
    """Return a program that fills an argument, or a part of it."""
    return f"""func.func @f(%b: memref<8xf32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  {body}  return
}}"""


@pytest.mark.parametrize("name", list(FILLS)[1:])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_part_that_a_loop_hands_on_is_not_the_whole(name: str, is_reversed: bool) -> None:
    pair = (fill(FILLS["all"]), fill(FILLS[name]))
    found = compared(*(reversed(pair) if is_reversed else pair))
    assert found.word != "proved" or found.not_compared


def test_a_part_that_a_loop_returns_is_the_part_it_was_given() -> None:
    found = compared(fill(FILLS["a part"]), fill(FILLS["what a loop returns"]))
    assert (found.word, found.not_compared) == ("proved", ())


STORED_BEHIND = """func.func @f(%m: memref<4xf32>, %v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  {body}
  return %x : f32
}}"""
READ_FIRST = f"{EXTRACT}\n  memref.store %v, %m[%c0] : memref<4xf32>"
READ_LAST = f"memref.store %v, %m[%c0] : memref<4xf32>\n  {EXTRACT}"


@pytest.mark.parametrize("bodies", [(READ_FIRST, READ_LAST), (READ_LAST, READ_FIRST)])
def test_a_tensor_whose_buffer_is_written_may_hold_what_is_stored(bodies: tuple[str, str]) -> None:
    """MLIR's text leaves it open; one-shot-bufferize reads the buffer where the tensor is read."""
    found = compared(*(STORED_BEHIND.format(body=each) for each in bodies))
    assert found.word != "proved" or found.not_compared
    assert found.word != "refuted"


SLICE = "memref<?xf32, strided<[1], offset: ?>>"
SLICES = f"""func.func @f(%a: memref<?xf32>, %i: index, %x: f32) -> {SLICE} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  CHANGE
  %r = memref.subview %a[PLACE] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  %s = memref.cast %r : memref<2xf32, strided<[1], offset: ?>> to {SLICE}
  return %s : {SLICE}
}}"""


@pytest.mark.parametrize("change", ["", "memref.store %x, %a[%c0] : memref<?xf32>"])
@pytest.mark.parametrize(("places", "is_same"), [(("%c1", "%c0"), False), (("%i", "%j"), False), (("%i", "%i"), True)])
def test_another_part_of_a_buffer_is_not_the_same_result(
    change: str, places: tuple[str, str], *, is_same: bool
) -> None:
    source, target = (SLICES.replace("CHANGE", change).replace("PLACE", each) for each in places)
    found = compared(source, target.replace("%j = arith.addi %i, %c1", "%j = arith.addi %c1, %i"))
    assert (found.word == "proved" and not found.not_compared) is is_same
