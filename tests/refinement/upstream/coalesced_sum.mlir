// The stores are those of a growing sum. After the pass each one stores %x.
func.func @f(%x: i32, %m: memref<4xi32>) {
  affine.for %i = 0 to 2 {
    %r = affine.for %k = 0 to 4 iter_args(%s = %x) -> (i32) {
      affine.store %s, %m[%k] : memref<4xi32>
      %t = arith.addi %s, %x : i32
      affine.yield %t : i32
    }
  }
  return
}
