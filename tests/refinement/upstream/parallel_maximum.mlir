// The reduction "maxs" of i32 is rejected by the verifier of affine.parallel.
func.func @f(%x: i32, %m: memref<8xi32>) -> i32 {
  %r = affine.for %i = 0 to 8 iter_args(%most = %x) -> (i32) {
    %v = affine.load %m[%i] : memref<8xi32>
    %w = arith.maxsi %most, %v : i32
    affine.yield %w : i32
  }
  return %r : i32
}
