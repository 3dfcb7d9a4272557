// The sum of the first loop is used, and the loop is erased when its reads are fused into the second.
func.func @f(%m: memref<8xi32>, %out: memref<8xi32>) -> i32 {
  %0 = arith.constant 0 : i32
  %kept = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    affine.store %0, %kept[%i] : memref<8xi32>
  }
  %sum = affine.for %i = 0 to 8 iter_args(%s = %0) -> (i32) {
    %u = affine.load %kept[%i] : memref<8xi32>
    %v = affine.load %m[%i] : memref<8xi32>
    %w = arith.addi %s, %v : i32
    affine.yield %w : i32
  }
  affine.store %sum, %m[2] : memref<8xi32>
  affine.for %i = 0 to 8 {
    %v = affine.load %kept[%i] : memref<8xi32>
    affine.store %v, %out[%i] : memref<8xi32>
  }
  return %sum : i32
}
