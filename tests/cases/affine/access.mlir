func.func @neighbours(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    // expect: proved C2
    %0 = affine.load %m[%i] : memref<?xf32>
    // expect: refuted C2
    affine.store %0, %m[%i + 1] : memref<?xf32>
  }
  return
}
