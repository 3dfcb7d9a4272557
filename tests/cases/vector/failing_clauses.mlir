// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @a_write_outside(%v: vector<4xf32>, %m: memref<?x?xf32>, %i: index, %j: index) {
  // expect: refuted C1
  // expect: refuted C2
  vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
  return
}
