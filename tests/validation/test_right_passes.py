"""Test of correct passes: none is refuted, and each has the outcome of its row."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.records import record
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.process

ARITH = """\
func.func @rounded(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %u = arith.ceildivsi %n, %c4 : index
  %f = arith.floordivsi %m, %c4 : index
  %d = arith.subi %u, %f : index
  %p = arith.cmpi sle, %d, %c4 : index
  cf.assert %p, "at most one block is partial"
  return %d : index
}
"""
TENSOR = """\
func.func @window(%a: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %s = tensor.extract_slice %a[%o, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
  %t = tensor.extract_slice %s[0, %n] [1, 2] [1, 1] : tensor<1x?xf32> to tensor<2xf32>
  %r = tensor.cast %t : tensor<2xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
RESHAPED = """\
func.func @flat(%a: tensor<?x4xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %k = tensor.dim %a, %c0 : tensor<?x4xf32>
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%k, 4] : tensor<?xf32> into tensor<?x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  return %2, %n : tensor<?xf32>, index
}
"""
PADDED = """\
func.func @padded(%a: tensor<?x3xf32>, %k: index) -> (tensor<?x5xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[%k, %c1] high[2, %c1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<?x5xf32>
  %n = tensor.dim %0, %c0 : tensor<?x5xf32>
  return %0, %n : tensor<?x5xf32>, index
}
"""
JOINED = """\
func.func @joined(%a: tensor<?x2xf32>, %b: tensor<3x2xf32>) -> (tensor<?x2xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %n = tensor.dim %0, %c0 : tensor<?x2xf32>
  return %0, %n : tensor<?x2xf32>, index
}
"""
CHAIN = """\
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @scaled(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %p = arith.negf %x : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
"""
NAMED = """\
func.func @layer(%x: tensor<?x8xf32>, %w: tensor<8x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %m = tensor.dim %w, %c1 : tensor<8x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
TURNED = """\
func.func @turned(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %k = tensor.dim %0, %c0 : tensor<?x?xf32>
  return %0, %k : tensor<?x?xf32>, index
}
"""
UNIT = """\
#in = affine_map<(i, j) -> (0, j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @unit(%a: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<1x?xf32>
  %e = tensor.empty(%n) : tensor<1x?xf32>
  %0 = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<1x?xf32>) outs(%e : tensor<1x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %p = arith.addf %x, %x : f32
    linalg.yield %p : f32
  } -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
"""
SUMMED = """\
func.func @summed(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}
"""
MEMREF = """\
func.func @part(%a: memref<?x?xf32>, %o: index, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %a[%o, 0] [%n, 4] [1, 2] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 2], offset: ?>>
  %t = memref.cast %s : memref<?x4xf32, strided<[?, 2], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %h = memref.dim %t, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %w = memref.dim %t, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %h, %w : index, index
}
"""
BUFFER = """\
func.func @doubled(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.dim %a, %c0 : memref<?xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %r[%i] : memref<?xf32>
  }
  return %r : memref<?xf32>
}
"""
LOOP = """\
func.func @grown(%a: tensor<?xf32>, %k: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c3 iter_args(%s = %k) -> (index) {
    %m = tensor.dim %a, %c0 : tensor<?xf32>
    %t = arith.addi %s, %c1 : index
    scf.yield %t : index
  }
  return %r, %n : index, index
}
"""
BRANCH = """\
func.func @either(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %e = arith.cmpi eq, %n, %m : index
  cf.assert %e, "the sizes differ"
  %p = arith.cmpi sge, %n, %k : index
  %r = scf.if %p -> (tensor<?xf32>) {
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  %l = tensor.dim %r, %c0 : tensor<?xf32>
  %q = arith.cmpi eq, %l, %n : index
  cf.assert %q, "as many elements as before"
  return %r : tensor<?xf32>
}
"""
SHAPE = """\
func.func @shape(%a: tensor<?x3xf32>, %b: tensor<3xf32>) -> (index, index) {
  %0 = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<3xf32> -> tensor<1xindex>
  %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %n = shape.num_elements %2 : tensor<2xindex> -> index
  %r = shape.rank %2 : tensor<2xindex> -> index
  return %n, %r : index, index
}
"""
WITNESS = """\
func.func @guarded(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
  %v = shape.cstr_eq %0, %0 : tensor<1xindex>, tensor<1xindex>
  %x = shape.assuming_all %w, %v
  %r = shape.assuming %x -> (index) {
    %2 = shape.broadcast %0, %1 : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    %3 = tensor.extract %2[%c0] : tensor<1xindex>
    shape.assuming_yield %3 : index
  }
  return %r : index
}
"""
TRUE_WITNESS = """\
func.func @same(%a: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<2xindex> {
  %0 = shape.shape_of %a : tensor<4x3xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<3xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<2xindex>) {
    %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    shape.assuming_yield %2 : tensor<2xindex>
  }
  return %r : tensor<2xindex>
}
"""
TOSA = """\
func.func @tosa(%a: tensor<?x4xf32>, %b: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.abs %0 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
"""
TOSA_MOVED = """\
func.func @moved(%a: tensor<?x4x3xf32>) -> tensor<3x?x4xf32> {
  %0 = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : (tensor<?x4x3xf32>) -> tensor<3x?x4xf32>
  %1 = tosa.reverse %0 {axis = 2 : i32} : (tensor<3x?x4xf32>) -> tensor<3x?x4xf32>
  return %1 : tensor<3x?x4xf32>
}
"""
STABLEHLO = """\
func.func @stable(%a: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %0 = stablehlo.negate %a : tensor<?x4xf32>
  %1 = stablehlo.negate %a : tensor<?x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  %4 = stablehlo.transpose %2, dims = [0, 1] : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = stablehlo.transpose %4, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %3 : tensor<4x?xf32>
}
"""
STABLE_SIZES = """\
func.func @sizes(%a: tensor<?x4xf32>) -> tensor<i32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.constant dense<4> : tensor<i32>
  %2 = stablehlo.multiply %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}
"""
AFFINE = """\
#up = affine_map<()[s] -> (s ceildiv 4 * 4)>
#less = affine_map<(d)[s] -> (4, s - d)>
func.func @tiles(%a: tensor<?xf32>, %i: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %u = affine.apply #up()[%n]
  %m = affine.min #less(%i)[%n]
  return %u, %m : index, index
}
"""
AFFINE_LOOP = """\
func.func @blocks(%a: memref<?xf32>, %b: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = affine.for %i = 0 to %n step 2 iter_args(%s = %c0) -> (index) {
    %t = arith.addi %s, %c1 : index
    affine.yield %t : index
  }
  return %r : index
}
"""
CALLS = """\
func.func private @unused(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func private @size(%a: tensor<?xf32>, %unused: index) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  return %n : index
}
func.func @caller(%a: tensor<?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %n = func.call @size(%a, %c2) : (tensor<?xf32>, index) -> index
  %m = arith.muli %n, %c2 : index
  return %m : index
}
"""
RANGES = """\
func.func @ranges(%a: tensor<?xf32>, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = arith.remui %n, %c8 : index
  %p = arith.cmpi ult, %r, %c8 : index
  %s = arith.select %p, %r, %k : index
  return %s : index
}
"""
INSERTED = """\
func.func @inserted(%a: tensor<?x1x4xf32>, %b: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %a[%c0, 0, 0] [%n, 1, 4] [1, 1, 1] : tensor<?x1x4xf32> to tensor<?x4xf32>
  %r = tensor.insert_slice %s into %b[0, 2] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
"""
EMPTY = """\
func.func @empty(%n: index, %m: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %s = tensor.extract_slice %e[0, 0] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.expand_shape %s [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %k = tensor.dim %r, %c0 : tensor<?x1xf32>
  %f = tensor.empty(%k, %c1) : tensor<?x?xf32>
  return %f : tensor<?x?xf32>
}
"""


@record
class RightPass:
    """A pass and a program on which it is right.

    Attributes:
        title: The name of the pair.
        passes: The pass, as it stands in a pipeline on a module.
        program: Its input.
        standing: The standing of the last of the passes.
        gap: The reason why that is not settled; a gap that closes fails the test.
    """

    title: str
    passes: str
    program: str
    standing: Standing = Standing.PROVED
    gap: str = ""


def on_functions(name: str) -> str:
    """Return a pipeline that runs the pass on each function."""
    return f"func.func({name})"


BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
FOLD_UNIT = on_functions("linalg-fold-unit-extent-dims")
FUSE = on_functions("linalg-fuse-elementwise-ops")

PAIRS = [
    RightPass("cse arith", "cse", ARITH),
    RightPass("arith-expand", on_functions("arith-expand"), ARITH),
    RightPass("canonicalize slices", "canonicalize", TENSOR),
    RightPass("merge slices", on_functions("fold-tensor-subset-ops"), TENSOR),
    RightPass("canonicalize reshapes", "canonicalize", RESHAPED),
    RightPass("size of a reshape", "resolve-ranked-shaped-type-result-dims", RESHAPED),
    RightPass("size of padding", "resolve-ranked-shaped-type-result-dims", PADDED),
    RightPass("size of a concatenation", "resolve-shaped-type-result-dims", JOINED),
    RightPass("canonicalize insertion", "canonicalize", INSERTED),
    RightPass("bufferize insertion", BUFFERIZE, INSERTED),
    RightPass("canonicalize empty tensors", "canonicalize", EMPTY),
    RightPass("fold empty tensors", "empty-tensor-to-alloc-tensor", EMPTY),
    RightPass("fuse a chain", FUSE, CHAIN),
    RightPass("loops of a chain", f"{BUFFERIZE},func.func(convert-linalg-to-loops)", CHAIN),
    RightPass("generalize a product", on_functions("linalg-generalize-named-ops"), NAMED),
    RightPass("bufferize a product", BUFFERIZE, NAMED),
    RightPass("generalize a transpose", on_functions("linalg-generalize-named-ops"), TURNED),
    RightPass("size of a transpose", "resolve-shaped-type-result-dims", TURNED),
    RightPass("fuse a fill", f"func.func(linalg-generalize-named-ops),{FUSE}", NAMED),
    RightPass("fold unit extents", FOLD_UNIT, UNIT),
    RightPass("generalize a reduction", on_functions("linalg-generalize-named-ops"), SUMMED),
    RightPass("bufferize a reduction", BUFFERIZE, SUMMED),
    RightPass("canonicalize buffers", "canonicalize", MEMREF),
    RightPass("expand buffers", "expand-strided-metadata", MEMREF),
    RightPass("cse of a loop on buffers", "cse", BUFFER),
    RightPass("hoist from a loop on buffers", "loop-invariant-code-motion", BUFFER),
    RightPass("blocks of a loop on buffers", "convert-scf-to-cf", BUFFER),
    RightPass("hoist from a loop", "loop-invariant-code-motion", LOOP),
    RightPass("peel a loop", on_functions("scf-for-loop-peeling"), LOOP),
    RightPass("while for a loop", on_functions("scf-for-to-while"), LOOP),
    RightPass("blocks of a loop", "convert-scf-to-cf", LOOP),
    RightPass("blocks of a branch", "convert-scf-to-cf", BRANCH),
    RightPass("canonicalize a branch", "canonicalize", BRANCH),
    RightPass("lower shapes", on_functions("shape-to-shape-lowering"), SHAPE),
    RightPass("canonicalize shapes", "canonicalize", SHAPE),
    RightPass("assertions of witnesses", on_functions("convert-shape-constraints"), WITNESS),
    RightPass("canonicalize witnesses", "canonicalize", WITNESS),
    RightPass("remove witnesses that pass", on_functions("remove-shape-constraints"), TRUE_WITNESS),
    RightPass("lower tosa", on_functions("tosa-to-linalg"), TOSA),
    RightPass("lower tosa moves", on_functions("tosa-to-linalg-named"), TOSA_MOVED),
    RightPass("cse of stablehlo", "cse", STABLEHLO),
    RightPass("simplify stablehlo", on_functions("stablehlo-aggressive-simplification"), STABLEHLO),
    RightPass("lower stablehlo", "stablehlo-legalize-to-linalg", STABLEHLO),
    RightPass("lower stablehlo sizes", "stablehlo-legalize-to-linalg", STABLE_SIZES),
    RightPass(
        "lower affine",
        "lower-affine",
        AFFINE,
        Standing.UNDECIDED,
        "the lowering's products have nsw; that affine expressions may not wrap either is not believed",
    ),
    RightPass("canonicalize affine", "canonicalize", AFFINE),
    RightPass("lower affine loops", "lower-affine", AFFINE_LOOP),
    RightPass("constants of callees", "sccp", CALLS),
    RightPass("drop symbols", "symbol-dce", CALLS, Standing.IDENTICAL),
    RightPass("drop dead values", "remove-dead-values", CALLS),
    RightPass("inline", "inline", CALLS),
    RightPass("ranges", on_functions("int-range-optimizations"), RANGES),
    RightPass("ranges of arith", "arith-int-range-narrowing{int-bitwidths-supported=32}", RANGES),
]


FAST = {"cse arith", "merge slices", "fuse a chain", "canonicalize a branch"}
"""Pairs that also run outside of the sweep."""


def describe(found: shapesolve.Validation) -> str:
    """Return the standing of each pass in a line of its own."""
    return "\n".join(f"{each.step.name}: {each.standing.value} {each.reason}" for each in found.steps)


def test_the_list_is_long_and_its_gaps_have_reasons() -> None:
    assert len({(each.passes, each.program) for each in PAIRS}) == len(PAIRS) >= 40
    assert len({each.title for each in PAIRS}) == len(PAIRS)
    assert {each.title for each in PAIRS} > FAST
    for each in PAIRS:
        assert (each.standing in (Standing.PROVED, Standing.IDENTICAL)) != bool(each.gap), each.title


@pytest.mark.parametrize(
    "pair",
    [pytest.param(each, id=each.title, marks=() if each.title in FAST else pytest.mark.exhaustive) for each in PAIRS],
)
def test_nothing_right_is_refuted(pair: RightPass) -> None:
    found = shapesolve.validate(pair.program, f"builtin.module({pair.passes})")
    assert not found.findings, describe(found)
    assert all(each.standing.is_shown for each in found.steps[:-1]), describe(found)
    assert found.steps[-1].standing is pair.standing, describe(found)


UNCALLED = """\
func.func private @unused(%a: tensor<?xf32>, %b: index) -> index {
  return %b : index
}
"""
SELF = """\
func.func private @unused(%a: tensor<?xf32>, %b: index) -> index {
  %0 = func.call @unused(%a, %b) : (tensor<?xf32>, index) -> index
  return %b : index
}
"""
NEIGHBOR = """\
func.func @kept(%b: index) -> index {
  %0 = arith.addi %b, %b : index
  %1 = arith.addi %b, %b : index
  %2 = arith.muli %0, %1 : index
  return %2 : index
}
"""


@pytest.mark.parametrize(
    ("text", "functions", "standing"),
    [
        (NEIGHBOR + UNCALLED, (), Standing.PROVED),
        (UNCALLED, (), Standing.NOT_COMPARED),
        (NEIGHBOR + UNCALLED, ("unused",), Standing.NOT_COMPARED),
        (NEIGHBOR + SELF, (), Standing.NOT_COMPARED),
    ],
    ids=["beside another", "alone", "asked for", "calls itself"],
)
def test_only_a_function_that_is_never_called_may_change_its_signature(
    text: str, functions: tuple[str, ...], standing: Standing
) -> None:
    (step,) = shapesolve.validate(text, "builtin.module(remove-dead-values)", functions=functions).steps
    assert step.standing is standing, step
    is_noted = not functions and text != NEIGHBOR + SELF
    assert step.notes == (("@unused has another signature; it is never called",) if is_noted else ())
