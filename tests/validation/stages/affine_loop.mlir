// passes: lower-affine
// shown: sizes, checks and elements
// wrong (refuted): off by one
//   %arg3, %c-1 => %arg3, %c0
// wrong (refuted): wrong bound
//   %arg3 = %c1 to => %arg3 = %c0 to

func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}
