// Where the index of the rows is a product of sizes the dependence is not known, and taken for none.
func.func @f(%p: index, %m: memref<4x4x4xi32>) {
  affine.for %i = 1 to 3 {
    affine.for %j = 0 to 3 {
      %z = affine.apply affine_map<()[s0] -> (s0 * s0)>()[%p]
      %v = affine.load %m[%z, %i - 1, %j + 1] : memref<4x4x4xi32>
      affine.store %v, %m[%z, %i, %j] : memref<4x4x4xi32>
    }
  }
  return
}
