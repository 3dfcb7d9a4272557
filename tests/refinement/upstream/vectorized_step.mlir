// Every second element is stored. Vectors store four of each eight in a row.
func.func @f(%x: i32, %m: memref<16xi32>) {
  affine.for %i = 0 to 16 step 2 {
    affine.store %x, %m[%i] : memref<16xi32>
  }
  return
}
