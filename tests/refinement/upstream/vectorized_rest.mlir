// Five iterations store five elements. Vectors of four store eight.
func.func @f(%x: i32, %m: memref<16xi32>) {
  affine.for %i = 0 to 5 {
    affine.store %x, %m[%i] : memref<16xi32>
  }
  return
}
