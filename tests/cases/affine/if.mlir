func.func @inner(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0)[s0] : (-d0 + s0 - 2 >= 0)>(%i)[%n] {
      // expect: proved C2
      %0 = affine.load %m[%i + 1] : memref<?xf32>
    }
  }
  return
}
