func.func @all_places(%m: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %k = memref.dim %m, %c1 : memref<?x?xf32>
  affine.parallel (%i, %j) = (0, 0) to (%n, %k) {
    // expect: proved C2
    %0 = affine.load %m[%i, %j] : memref<?x?xf32>
  }
  return
}

func.func @without_a_step(%n: index) {
  // expect: refuted C2
  affine.parallel (%i, %j) = (0, 0) to (%n, %n) step (1, 0) {
  }
  return
}
