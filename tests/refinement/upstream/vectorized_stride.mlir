// The elements with even indices are copied. Vectors copy neighbors.
func.func @f(%a: memref<16xi32>, %m: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i * 2] : memref<16xi32>
    affine.store %v, %m[%i] : memref<8xi32>
  }
  return
}
