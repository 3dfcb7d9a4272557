// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @extremes_by_a_divisor_that_is_not_positive(%i: index, %n: index) {
  // expect: refuted C1
  %0 = affine.max affine_map<(d0)[s0] -> (d0 floordiv s0, 1)>(%i)[%n]
  %1 = affine.min affine_map<(d0)[s0] -> (d0 mod s0, 1)>(%i)[%n]
  return
}

func.func @a_bound_by_a_divisor_that_is_not_positive(%i: index, %n: index) {
  // expect: refuted C1
  affine.for %k = 0 to affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%n] {
  }
  return
}

func.func @parallel_bounds_by_a_divisor_that_is_not_positive(%i: index, %n: index) {
  // expect: refuted C1
  affine.parallel (%k) = (0) to (%i floordiv symbol(%n)) {
  }
  return
}

func.func @accesses_at_a_quotient(%m: memref<?xf32>, %v: memref<?xf32>, %i: index, %n: index) {
  // expect: refuted C1
  // expect: refuted C2
  %0 = affine.load %m[symbol(%i) floordiv symbol(%n)] : memref<?xf32>
  // expect: refuted C2
  affine.store %0, %v[symbol(%i) ceildiv symbol(%n)] : memref<?xf32>
  return
}

func.func @a_store_at_a_quotient(%m: memref<?xf32>, %i: index, %n: index, %x: f32, %y: vector<2xf32>) {
  // expect: refuted C1
  // expect: refuted C2
  affine.store %x, %m[symbol(%i) ceildiv symbol(%n)] : memref<?xf32>
  return
}

func.func @vectors_at_a_quotient(%m: memref<?xf32>, %i: index, %n: index) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: undecided C3
  // expect: approximated beyond the end
  %0 = affine.vector_load %m[symbol(%i) floordiv symbol(%n)] : memref<?xf32>, vector<2xf32>
  return
}

func.func @a_vector_stored_at_a_quotient(%m: memref<?xf32>, %i: index, %n: index, %y: vector<2xf32>) {
  // expect: refuted C1
  // expect: refuted C2
  // expect: undecided C3
  // expect: approximated beyond the end
  affine.vector_store %y, %m[symbol(%i) mod symbol(%n)] : memref<?xf32>, vector<2xf32>
  return
}

func.func @the_least_by_a_divisor_that_is_not_positive(%i: index, %n: index) {
  // expect: refuted C1
  %0 = affine.min affine_map<(d0)[s0] -> (d0 mod s0, 1)>(%i)[%n]
  return
}
