"""Undefined contents of memory and tensors: a target may depend on it only where its source does."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

FRAME = """memref.global @g : memref<1xi32>
func.func @put(%m: memref<1xi32>, %s: i32) {
  %c = arith.constant 0 : index
  memref.store %s, %m[%c] : memref<1xi32>
  return
}
func.func @f(%x: i32, %y: i32, %m: memref<1xi32>, %t: tensor<?xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %s = arith.addi %x, %y overflow<nsw> : i32
  BODY
}"""
LOAD = "%l = memref.load %b[%c0] : memref<1xi32>\n"
LOCAL = "%b = memref.alloca() : memref<1xi32>\n"
STORE = "memref.store %s, %b[%c0] : memref<1xi32>\n"
FIRST = "%l = tensor.extract %b[%c0] : tensor<1xi32>\n"

READS = {
    "an argument": f"{STORE}{LOAD}".replace("%b", "%m"),
    "a global": f"%b = memref.get_global @g : memref<1xi32>\n{STORE}{LOAD}",
    "a callee": f"call @put(%m, %s) : (memref<1xi32>, i32) -> ()\n{LOAD}".replace("%b", "%m"),
    "a local buffer": LOCAL + STORE + LOAD,
    "a local buffer that is not written": LOCAL + LOAD,
    "an allocated buffer that is not written": f"%b = memref.alloc() : memref<1xi32>\n{LOAD}",
    "a copy": f"%a = memref.alloca() : memref<1xi32>\n{LOCAL}memref.store %s, %a[%c0] : memref<1xi32>\n"
    f"memref.copy %a, %b : memref<1xi32> to memref<1xi32>\n{LOAD}",
    "a copy of what is not written": f"%a = memref.alloca() : memref<1xi32>\n{LOCAL}"
    f"memref.copy %a, %b : memref<1xi32> to memref<1xi32>\n{LOAD}",
    "a view": f"{LOCAL}%v = memref.cast %b : memref<1xi32> to memref<?xi32>\n"
    "memref.store %s, %b[%c0] : memref<1xi32>\n%l = memref.load %v[%c0] : memref<?xi32>\n",
    "a vector": f"{LOCAL}{STORE}%v = vector.load %b[%c0] : memref<1xi32>, vector<1xi32>\n"
    "%l = vector.extract %v[0] : i32 from vector<1xi32>\n",
    "an affine load": f"{LOCAL}affine.store %s, %b[0] : memref<1xi32>\n%l = affine.load %b[0] : memref<1xi32>\n",
    "a filled buffer": f"{LOCAL}linalg.fill ins(%s : i32) outs(%b : memref<1xi32>)\n{LOAD}",
    "a tensor of a buffer": f"{STORE}%t1 = bufferization.to_tensor %b restrict : memref<1xi32> to tensor<1xi32>\n"
    "%l = tensor.extract %t1[%c0] : tensor<1xi32>\n".replace("%b", "%m"),
    "a loop that writes": f"{LOCAL}scf.for %i = %c0 to %c1 step %c1 {{ {STORE} }}\n{LOAD}",
    "a branch that writes": f"{LOCAL}memref.store %x, %b[%c0] : memref<1xi32>\n%k0 = arith.cmpi slt, %x, %i0 : i32\n"
    f"scf.if %k0 {{ {STORE} }}\n{LOAD}",
    "an atomic update": f"{LOCAL}memref.store %x, %b[%c0] : memref<1xi32>\n"
    f"%a = memref.atomic_rmw addi %s, %b[%c0] : (i32, memref<1xi32>) -> i32\n{LOAD}",
    "a tensor of elements": f"%b = tensor.from_elements %s : tensor<1xi32>\n{FIRST}",
    "a slice": "%a = tensor.from_elements %s, %x : tensor<2xi32>\n"
    f"%b = tensor.extract_slice %a[0] [1] [1] : tensor<2xi32> to tensor<1xi32>\n{FIRST}",
    "an inserted element": "%b = tensor.insert %s into %t[%n] : tensor<?xi32>\n"
    "%l = tensor.extract %b[%n] : tensor<?xi32>\n",
    "a generated tensor": "%b = tensor.generate %n {\n^bb0(%i: index):\n  tensor.yield %s : i32\n} : tensor<?xi32>\n"
    "%l = tensor.extract %b[%c0] : tensor<?xi32>\n",
    "a filled tensor": "%e = tensor.empty() : tensor<1xi32>\n"
    f"%b = linalg.fill ins(%s : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>\n{FIRST}",
    "an empty tensor": f"%b = tensor.empty() : tensor<1xi32>\n{FIRST}",
    "an allocated tensor": f"%b = bufferization.alloc_tensor() : tensor<1xi32>\n{FIRST}",
    "an empty tensor in which one element is written": "%e = tensor.empty() : tensor<2xi32>\n"
    "%b = tensor.insert %x into %e[%c1] : tensor<2xi32>\n%l = tensor.extract %b[%c0] : tensor<2xi32>\n",
    "an empty tensor out of a loop": "%e = tensor.empty() : tensor<1xi32>\n"
    "%b = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<1xi32>) {\n"
    f"%w = tensor.insert %x into %a[%c0] : tensor<1xi32>\nscf.yield %w : tensor<1xi32>\n}}\n{FIRST}",
}
USES = {
    "a divisor": "%q = arith.ori %l, %i1 : i32\n%d = arith.divui %x, %q : i32\nreturn %x : i32",
    "a branch": "%q = arith.cmpi eq, %l, %i0 : i32\n%d = scf.if %q -> i32 {\nscf.yield %x : i32\n} else {\n"
    "scf.yield %y : i32\n}\nreturn %x : i32",
    "the result": "return %l : i32",
}
UNUSED = "return %x : i32"


def compared(source: str, target: str) -> tuple[VerdictKind, int]:
    ours, theirs = (read_text(FRAME.replace("BODY", each)) for each in (source, target))
    (found,) = refine_programs(ours, theirs, Options(execute=False, functions=("f",)))
    return found.word, found.exit_code


@pytest.mark.exhaustive
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("read", READS)
def test_a_target_does_not_depend_on_what_its_source_ignores(read: str, use: str) -> None:
    assert compared(READS[read] + UNUSED, READS[read] + USES[use])[0] is VerdictKind.UNDECIDED


@pytest.mark.slow
@pytest.mark.parametrize("read", READS)
def test_a_use_that_is_gone_is_no_harm(read: str) -> None:
    assert compared(READS[read] + USES["a branch"], READS[read] + UNUSED)[0] is not VerdictKind.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("read", ["an argument", "a global", "a callee", "a tensor of a buffer", "an empty tensor"])
@pytest.mark.parametrize("use", ["a divisor", "a branch"])
def test_a_use_that_is_gone_is_proved(read: str, use: str) -> None:
    assert compared(READS[read] + USES[use], READS[read] + UNUSED) == (VerdictKind.PROVED, 0)


@pytest.mark.parametrize("read", ["an argument", "a global", "a callee", "a tensor of a buffer"])
@pytest.mark.parametrize("use", USES)
def test_the_same_use_in_both_is_proved(read: str, use: str) -> None:
    unused = "%u = arith.addi %i1, %i1 : i32\n"
    assert compared(READS[read] + USES[use], unused + READS[read] + USES[use]) == (VerdictKind.PROVED, 0)


DEFINED = {
    "an argument that nothing wrote to": LOAD.replace("%b", "%m"),
    "an argument that a number was written to": "memref.store %x, %m[%c0] : memref<1xi32>\n" + LOAD.replace("%b", "%m"),
    "a buffer whose elements were all written": "%b = memref.alloca() : memref<2xi32>\n"
    "memref.store %x, %b[%c0] : memref<2xi32>\nmemref.store %y, %b[%c1] : memref<2xi32>\n"
    "%l = memref.load %b[%c1] : memref<2xi32>\n",
    "a buffer that was filled": f"{LOCAL}linalg.fill ins(%x : i32) outs(%b : memref<1xi32>)\n{LOAD}",
    "a buffer that was copied to": f"{LOCAL}memref.copy %m, %b : memref<1xi32> to memref<1xi32>\n{LOAD}",
    "a filled tensor": "%e = tensor.empty() : tensor<1xi32>\n"
    f"%b = linalg.fill ins(%x : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>\n{FIRST}",
    "an argument that is a tensor": "%l = tensor.extract %t[%n] : tensor<?xi32>\n",
}


@pytest.mark.parametrize("read", DEFINED)
@pytest.mark.parametrize("use", ["a divisor", "a branch"])
def test_written_elements_are_defined(read: str, use: str) -> None:
    assert compared(DEFINED[read] + UNUSED, DEFINED[read] + USES[use])[0] is VerdictKind.PROVED


CARRIED = {
    "into a loop": "%r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %s) -> i32 {\nUSE\nscf.yield %x : i32\n}",
    "around a loop": "%r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %x) -> i32 {\nUSE\n"
    "%w = arith.addi %l, %y overflow<nsw> : i32\nscf.yield %w : i32\n}",
    "along a branch": "%k = arith.cmpi slt, %x, %i0 : i32\n"
    "cf.cond_br %k, ^a(%s : i32), ^a(%y : i32)\n^a(%l: i32):\nUSE",
    "around a loop that asks": "%r = scf.while (%l = %s) : (i32) -> i32 {\nUSE\n%k = arith.cmpi slt, %x, %i0 : i32\n"
    "scf.condition(%k) %x : i32\n} do {\n^bb0(%z: i32):\nscf.yield %z : i32\n}",
    "through memory, around a loop": "scf.for %i = %c0 to %n step %c1 {\n"
    "%l = memref.load %m[%c0] : memref<1xi32>\nUSE\n"
    "memref.store %s, %m[%c0] : memref<1xi32>\n}",
}


@pytest.mark.slow
@pytest.mark.parametrize("way", CARRIED)
@pytest.mark.parametrize("use", ["a divisor", "a branch"])
def test_poison_that_is_carried_is_not_used(way: str, use: str) -> None:
    used = USES[use].removesuffix(UNUSED)
    source, target = (f"{CARRIED[way].replace('USE', each)}\n{UNUSED}" for each in ("", used))
    assert compared(source, target)[0] is VerdictKind.UNDECIDED


SHAPES = "%t: tensor<?xf32>, %u: tensor<?xf32>, %v: tensor<?xf32>"
CLAMP = f"""func.func @f(%x: f32, %low: f32, %high: f32, {SHAPES}) -> TYPE {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  BODY
}}"""
SCALAR = "%r = math.clampf %x to [%low, %high] : f32\n"
SHAPED = "%r = math.clampf %t to [%u, %v] : tensor<?xf32>\n"
BRANCH = """%q = arith.cmpf olt, %r, %zero : f32
%z = scf.if %q -> f32 {
scf.yield %x : f32
} else {
scf.yield %x : f32
}
return %x : f32"""
SLICE = """%s = tensor.extract_slice %r[0] [1] [1] : tensor<?xf32> to tensor<1xf32>
%w = tensor.cast %s : tensor<1xf32> to tensor<?xf32>
return %w : tensor<?xf32>"""
CHECK = """%d = tensor.dim %t, %c0 : tensor<?xf32>
%ok = arith.cmpi sgt, %d, %c0 : index
cf.assert %ok, "some"
"""
CLAMPED, GIVEN, ALONE = "return %r : tensor<?xf32>", "return %t : tensor<?xf32>", "return %x : f32"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "target", "type", "expected"),
    [
        (SCALAR + ALONE, SCALAR + BRANCH, "f32", VerdictKind.UNDECIDED),
        (SCALAR + BRANCH, SCALAR + ALONE, "f32", VerdictKind.PROVED),
        (SCALAR + ALONE, f"{SCALAR}return %r : f32", "f32", VerdictKind.UNDECIDED),
        (SHAPED + CLAMPED, SHAPED + SLICE, "tensor<?xf32>", VerdictKind.REFUTED),
        (SHAPED + CHECK + ALONE, SHAPED + ALONE, "f32", VerdictKind.REFUTED),
        (GIVEN, SHAPED + GIVEN, "tensor<?xf32>", VerdictKind.REFUTED),
        (SHAPED + GIVEN, GIVEN, "tensor<?xf32>", VerdictKind.PROVED),
    ],
)
def test_bounds_that_are_not_in_order_only_make_poison(
    source: str, target: str, type: str, expected: VerdictKind
) -> None:
    ours, theirs = (read_text(CLAMP.replace("TYPE", type).replace("BODY", each)) for each in (source, target))
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    assert found.word is expected


def test_memory_that_is_read_in_a_loop_and_written_afterwards_ends() -> None:
    text = """func.func @f(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %r[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
  }
  linalg.fill ins(%z : f32) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}"""
    other = text.replace("negf %x", "addf %x, %z")
    found = refined(text, other, Options(execute=False))
    assert found.word is not VerdictKind.REFUTED


@pytest.mark.slow
def test_poison_that_a_loop_hands_on_where_it_ends_is_followed_to_an_end() -> None:
    """Names of its origins grow with every interpretation: `lift-cf-to-scf` writes loops so."""
    text = """func.func @f(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %p = ub.poison : tensor<?xf32>
  %q = ub.poison : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %a = %t) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %k = arith.cmpi slt, %i, %n : index
    %s:2 = scf.if %k -> (index, tensor<?xf32>) {
      scf.yield %i, %a : index, tensor<?xf32>
    } else {
      scf.yield %q, %p : index, tensor<?xf32>
    }
    scf.condition(%k) %s#0, %s#1 : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %a: tensor<?xf32>):
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %a : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}"""
    found = refined(text, text.replace("slt, %i, %n", "sgt, %n, %i"), Options(execute=False))
    assert found.word is not VerdictKind.REFUTED
