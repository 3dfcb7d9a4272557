// The value of %k cannot be made a vector, and the reduction beside it stays half converted.
func.func @f(%x: i32, %m: memref<8xi32>) {
  %r = affine.for %i = 0 to 8 iter_args(%sum = %x) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %v = affine.load %m[%i] : memref<8xi32>
    %w = arith.addi %sum, %v : i32
    affine.yield %w : i32
  }
  return
}
