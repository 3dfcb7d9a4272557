func.func @strided(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %n step 2 {
    // expect: proved C2
    %0 = affine.load %m[%i] : memref<?xf32>
  }
  return
}
