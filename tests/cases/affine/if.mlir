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

// What is divided by is computed when the program runs, and has to be positive.
func.func @multiples(%i: index, %n: index) {
  // expect: refuted C1
  affine.if affine_set<(d0)[s0] : (d0 mod s0 == 0)>(%i)[%n] {
  }
  return
}

// assume: %n >= 1
func.func @multiples_of_some(%i: index, %n: index) {
  // expect: proved C1
  affine.if affine_set<(d0)[s0] : (d0 mod s0 == 0)>(%i)[%n] {
  }
  return
}
