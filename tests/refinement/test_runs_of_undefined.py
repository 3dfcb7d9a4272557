"""Runs of a source that something undefined, or left to the compiler, decides: they show what it may do, not must."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

pytestmark = pytest.mark.process

CONSTANTS = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %infinity = arith.constant 0x7F800000 : f32
"""
ONE_OR_TWO = "%r = arith.select %p, %one, %two : f32"
AT_LEAST_ONE = f"%p = arith.cmpf oge, %x, %one : f32\n  {ONE_OR_TWO}"
FROM_FLOAT = "%i = arith.fptosi %x : f32 to i32\n  %k = arith.index_cast %i : i32 to index\n  "
IF = """scf.if %p {
    memref.store %one, %b[%c0] : memref<8xf32>
  } else {
    memref.store %two, %b[%c0] : memref<8xf32>
  }"""


def scalars(body: str, result: str = "f32") -> str:
    return f"func.func @f(%x: f32) -> {result} {{\n{CONSTANTS}  {body}\n  return %r : {result}\n}}"


def memory(body: str, element: str = "f32") -> str:
    arguments = f"%a: memref<8x{element}>, %b: memref<8x{element}>, %j: memref<8xi32>"
    return f"func.func @f({arguments}) {{\n{CONSTANTS}  {body}\n  return\n}}"


def stored(value: str, element: str = "f32") -> str:
    return f"\n  memref.store %{value}, %b[%c0] : memref<8x{element}>"


def while_infinite(condition: str) -> str:
    return f"""%q = arith.cmpf {condition} : f32
  %z = scf.while (%i = %i0) : (i32) -> i32 {{
    scf.condition(%q) %i : i32
  }} do {{
  ^bb0(%i: i32):
    scf.yield %i : i32
  }}
  %r = arith.addf %one, %zero : f32"""


LOADED = "%x = memref.load %a[%c0] : memref<8xf32>\n  "
INTEGER = "%n = memref.load %a[%c4] : memref<8xi32>\n  "
OVERFLOWS = INTEGER + "%d = arith.addi %n, %i1 overflow<nsw> : i32\n  %p = arith.cmpi sgt, %d, %n : i32\n  "
ELEMENT = "%e = tensor.empty() : tensor<4xindex>\n  %k = tensor.extract %e[%c0] : tensor<4xindex>\n  "
NEW = "%e = memref.alloc() : memref<4xindex>\n  %k = memref.load %e[%c0] : memref<4xindex>\n  "
IS_ONE = "%p = arith.cmpi eq, %k, %c1 : index\n  "
BITS = "%n = arith.subf %x, %x : f32\n  %i = arith.bitcast %n : f32 to i32\n  %p = arith.cmpi slt, %i, %i0 : i32\n  "
RIGHT = {
    "float to index": (
        scalars(f"{FROM_FLOAT}%p = arith.cmpi sgt, %k, %c0 : index\n  {ONE_OR_TWO}"),
        scalars(AT_LEAST_ONE),
    ),
    "float to integer, memory": (
        memory(f"{LOADED}{FROM_FLOAT}%p = arith.cmpi sgt, %k, %c0 : index\n  {IF}"),
        memory(LOADED + AT_LEAST_ONE + stored("r")),
    ),
    "float to integer, stored boolean": (
        memory(
            "%y = memref.load %j[%c0] : memref<8xi32>\n  %x = arith.sitofp %y : i32 to f32\n  "
            f"{FROM_FLOAT}%p = arith.cmpi sgt, %k, %c0 : index" + stored("p", "i1"),
            "i1",
        ),
        memory("%p = arith.constant true" + stored("p", "i1"), "i1"),
    ),
    "bits of NaN": (scalars(BITS + ONE_OR_TWO), scalars("%r = arith.addf %one, %one : f32")),
    "overflow, chosen": (
        memory(OVERFLOWS + "%r = arith.select %p, %i1, %i2 : i32" + stored("r", "i32"), "i32"),
        memory(stored("i1", "i32"), "i32"),
    ),
    "overflow, branch elsewhere": (
        memory(
            f"{OVERFLOWS}scf.if %p {{\n    memref.store %i1, %a[%c0] : memref<8xi32>\n  }} else {{\n"
            f"    memref.store %i1, %a[%c0] : memref<8xi32>\n  }}{stored('i1', 'i32')}",
            "i32",
        ),
        memory(
            f"{INTEGER}%max = arith.constant 2147483647 : i32\n  %p = arith.cmpi eq, %n, %max : i32\n"
            f"  %r = arith.select %p, %i2, %i1 : i32\n  memref.store %i1, %a[%c0] : memref<8xi32>{stored('r', 'i32')}",
            "i32",
        ),
    ),
    "never written, chosen": (memory(NEW + IS_ONE + ONE_OR_TWO + stored("r")), memory(stored("one"))),
    "never written, branch": (memory(NEW + IS_ONE + IF), memory(stored("one"))),
    "never written, as an index": (
        memory(f"{NEW}%l = arith.andi %k, %c1 : index\n  %x = memref.load %a[%l] : memref<8xf32>" + stored("x")),
        memory("%x = memref.load %a[%c1] : memref<8xf32>" + stored("x")),
    ),
    "never written, stored as an integer": (
        memory(f"{NEW}%r = arith.index_cast %k : index to i32" + stored("r", "i32"), "i32"),
        memory(stored("i2", "i32"), "i32"),
    ),
    "never written, element": (
        scalars(ELEMENT + IS_ONE + ONE_OR_TWO),
        scalars("%r = arith.addf %one, %zero : f32"),
    ),
    "poison, chosen": (scalars("%p = ub.poison : i1\n  " + ONE_OR_TWO), scalars("%r = arith.addf %one, %zero : f32")),
    "poison, stored as an integer": (
        memory("%k = ub.poison : index\n  %r = arith.index_cast %k : index to i32" + stored("r", "i32"), "i32"),
        memory(stored("i2", "i32"), "i32"),
    ),
    "infinite loop": (
        scalars(while_infinite("oeq, %x, %infinity")),
        scalars("%p = arith.cmpf une, %x, %infinity : f32\n  " + ONE_OR_TWO),
    ),
    "freed twice": (
        memory("%e = memref.alloc() : memref<8xf32>" + 2 * "\n  memref.dealloc %e : memref<8xf32>" + stored("one")),
        memory(stored("two")),
    ),
    "promised alignment": (
        memory("%z = memref.assume_alignment %a, 4096 : memref<8xf32>" + stored("one")),
        memory(stored("two")),
    ),
    "promised to be distinct": (
        memory("%z:2 = memref.distinct_objects %a, %a : memref<8xf32>, memref<8xf32>" + stored("one")),
        memory(stored("two")),
    ),
    "out of bounds, not checked": (
        memory(
            "%n = memref.load %j[%c0] : memref<8xi32>\n  %k = arith.index_cast %n : i32 to index\n"
            "  %v = vector.load %a[%k] : memref<8xf32>, vector<2xf32>" + stored("one")
        ),
        memory(
            "%n = memref.load %j[%c0] : memref<8xi32>\n  %p = arith.cmpi sge, %n, %i0 : i32\n  "
            + ONE_OR_TWO
            + stored("r")
        ),
    ),
    "inexact function in a condition": (
        memory(
            "%e = math.exp %one : f32\n  %k = arith.constant 2.71828182 : f32\n  %p = arith.cmpf oeq, %e, %k : f32\n  "
            + IF
        ),
        memory(stored("two")),
    ),
    "flags in a condition": (
        memory(
            f"{LOADED}%e = arith.divf %one, %x fastmath<arcp,nsz> : f32\n  %p = arith.cmpf ogt, %e, %zero : f32\n  {IF}"
        ),
        memory(f"{LOADED}%p = arith.cmpf oge, %x, %zero : f32\n  {ONE_OR_TWO}{stored('r')}"),
    ),
}

NARROW = """func.func @f(%t: tensor<?xi8>) -> i8 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  %end = arith.constant 127 : i8
  %x = tensor.extract %t[%c0] : tensor<?xi8>
  %wide = arith.extsi %x : i8 to i32
  %some = arith.constant 129 : i32
  %third = arith.constant 3 : i32
"""
COUNTED = """  %n = scf.for %i = %x to %end step %three iter_args(%q = %zero) -> (i8) : i8 {
    %w = arith.addi %q, %one : i8
    scf.yield %w : i8
  }
  %r = arith.xori %n, %x : i8
  return %r : i8
}"""
# Where the counter wraps, the source is undefined; elsewhere it counts as many iterations.
DIVIDED = """  %d = arith.subi %some, %wide : i32
  %e = arith.divsi %d, %third : i32
  %n = arith.trunci %e : i32 to i8
  %o = arith.ori %n, %x : i8
  %a = arith.andi %n, %x : i8
  %r = arith.subi %o, %a : i8
  return %r : i8
}"""
RIGHT["narrow counter that wraps"] = (NARROW + COUNTED, NARROW + DIVIDED)


def refined(source: str, target: str) -> VerdictKind | None:
    (found,) = refine_programs(read_text(source), read_text(target), Options(execute=True))
    return found.word


@pytest.mark.parametrize("name", RIGHT)
def test_what_the_source_leaves_open_is_not_refuted(name: str) -> None:
    assert refined(*RIGHT[name]) is not VerdictKind.REFUTED


BODY = """%e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
    outs(%e : tensor<8xf32>) {
  ^bb0(%z: f32):
    %k = linalg.index 0 : index
    %p = arith.cmpi ult, %k, %c4 : index
    %s = arith.select %p, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>"""
GATHER = """%n = memref.load %j[%c0] : memref<8xi32>
  %k = arith.index_cast %n : i32 to index
  %q = arith.andi %k, %c1 : index
  %x = memref.load %a[%q] : memref<8xf32>"""
NEGATIVE = "%p = arith.cmpi slt, %n, %i0 : i32\n  %r = arith.select %p, %i1, %i2 : i32"
WRONG = {
    "branch on a float": (
        memory(f"{LOADED}%p = arith.cmpf ogt, %x, %zero : f32\n  {IF}"),
        memory(f"{LOADED}%p = arith.cmpf ule, %x, %zero : f32\n  {ONE_OR_TWO}{stored('r')}"),
    ),
    "branch on an integer": (
        memory(INTEGER + NEGATIVE + stored("r", "i32"), "i32"),
        memory(INTEGER + NEGATIVE.replace("slt", "ult") + stored("r", "i32"), "i32"),
    ),
    "index from data": (memory(GATHER + stored("x")), memory(GATHER.replace("%a[%q]", "%a[%c0]") + stored("x"))),
    "index of an iteration": (scalars(BODY, "tensor<8xf32>"), scalars(BODY.replace("ult", "ule"), "tensor<8xf32>")),
}
WRONG["narrow counter"] = (NARROW + COUNTED.replace("%three", "%one"), NARROW + DIVIDED)


@pytest.mark.parametrize("name", WRONG)
def test_what_arguments_alone_decide_is_refuted(name: str) -> None:
    assert refined(*WRONG[name]) is VerdictKind.REFUTED
