"""Test of passes that are right where docs/findings shows them wrong: nothing is refuted on programs close to those."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.process

NO_OVERFLOW = """\
func.func @f(%x: i8) -> i8 {
  %three = arith.constant 3 : i8
  %first = arith.addi %x, %three overflow<nsw> : i8
  %second = arith.addi %first, %three overflow<nsw> : i8
  return %second : i8
}
"""
SMALL_SHIFT = """\
func.func @f(%x: i8) -> i8 {
  %three = arith.constant 3 : i16
  %wide = arith.extui %x : i8 to i16
  %shifted = arith.shrui %wide, %three : i16
  %r = arith.trunci %shifted : i16 to i8
  return %r : i8
}
"""
FULL_VECTORS = """\
func.func @f(%x: i32, %m: memref<16xi32>) {
  affine.for %i = 0 to 16 {
    affine.store %x, %m[%i] : memref<16xi32>
  }
  return
}
"""
FULL_NEST = """\
func.func @f(%x: i32, %m: memref<4x4xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.store %x, %m[%i, %j] : memref<4x4xi32>
    }
  }
  return
}
"""
FULL_TILES = """\
func.func @f(%m: memref<16xi32>) {
  %0 = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %16 = arith.constant 16 : index
  %five = arith.constant 5 : i32
  scf.parallel (%i) = (%0) to (%16) step (%2) {
    memref.store %five, %m[%i] : memref<16xi32>
    scf.reduce
  }
  return
}
"""
ONE_RESULT = """\
func.func @f(%a: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %r = scf.forall (%i) in (1) shared_outs(%x = %c) -> (tensor<2xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %x[0] [2] [1] : tensor<2xf32> into tensor<2xf32>
    }
  }
  return %r : tensor<2xf32>
}
"""
COUNTED = """\
func.func @f(%n: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %2 = arith.constant 2 : i32
  %r = scf.while (%s = %0) : (i32) -> i32 {
    %more = arith.cmpi slt, %s, %n : i32
    scf.condition(%more) %s : i32
  } do {
  ^bb0(%a: i32):
    %b = arith.addi %a, %2 : i32
    scf.yield %b : i32
  }
  return %r : i32
}
"""
CLAMPED = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = tosa.clamp %a {min_val = -1.0 : f32, max_val = 1.0 : f32} : (tensor<?xf32>) -> tensor<?xf32>
  %s = tosa.clamp %r {min_val = 0.0 : f32, max_val = 2.0 : f32} : (tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
"""
NEGATED_FLOATS = """\
func.func @f(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = tosa.negate %a, %zero, %zero : (tensor<?x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xf32>
  %c = tosa.negate %b, %zero, %zero : (tensor<?x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xf32>
  return %c : tensor<?x3xf32>
}
"""
ROUNDED_UP = """\
func.func @f(%x: index, %y: index) -> index {
  %one = arith.constant 1 : index
  %m = arith.maxsi %y, %one : index
  %r = arith.ceildivsi %x, %m : index
  return %r : index
}
"""


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        (NO_OVERFLOW, "canonicalize"),
        (SMALL_SHIFT, "arith-int-range-narrowing{int-bitwidths-supported=8,16}"),
        (SMALL_SHIFT, "int-range-optimizations"),
        (FULL_VECTORS, "func.func(affine-super-vectorize{virtual-vector-size=4})"),
        (FULL_VECTORS, "func.func(affine-loop-unroll{unroll-factor=4})"),
        (FULL_VECTORS, "func.func(affine-loop-tile{tile-size=4})"),
        (FULL_VECTORS, "func.func(affine-parallelize)"),
        (FULL_VECTORS, "func.func(affine-data-copy-generate{generate-dma=false fast-mem-space=0})"),
        (FULL_VECTORS, "lower-affine"),
        (FULL_NEST, "func.func(affine-loop-coalescing)"),
        (FULL_NEST, "func.func(affine-loop-unroll-jam{unroll-jam-factor=2})"),
        (FULL_NEST, "func.func(affine-loop-normalize)"),
        (FULL_TILES, "func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=4 no-min-max-bounds})"),
        (FULL_TILES, "func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=3})"),
        (ONE_RESULT, "canonicalize"),
        (COUNTED, "canonicalize"),
        (COUNTED, "convert-scf-to-cf"),
        (CLAMPED, "canonicalize"),
        (NEGATED_FLOATS, "canonicalize"),
        (ROUNDED_UP, "func.func(arith-expand)"),
    ],
)
def test_a_right_twin_is_not_refuted(text: str, passes: str) -> None:
    (step,) = shapesolve.validate(text, f"builtin.module({passes})").steps
    assert not step.standing.is_finding
    assert step.standing is not Standing.FAILED
