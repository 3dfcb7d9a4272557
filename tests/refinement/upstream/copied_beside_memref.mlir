// The memref.store keeps the pass from using its buffer in the loop, but the buffer is copied back all the same.
func.func @f(%x: i32, %m: memref<16xi32>) {
  %0 = arith.constant 0 : index
  affine.for %i = 0 to 16 {
    affine.store %x, %m[%i] : memref<16xi32>
    memref.store %x, %m[%0] : memref<16xi32>
  }
  return
}
