// Of a table with many rows the bounds of its elements are known: the least and the greatest of what is written down.
func.func @looked_up(%t: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %table = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6]> : tensor<70xi64>
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %enough = arith.cmpi sgt, %n, %c6 : index
  // expect: refuted C1 with t[0] = 2
  cf.assert %enough, "fewer than seven rows"
  // expect: refuted C1
  // expect: approximated only the bounds are known
  %p = tensor.extract %table[%i] : tensor<70xi64>
  %q = arith.index_cast %p : i64 to index
  // expect: proved C1
  %r = tensor.extract %t[%q] : tensor<?xf32>
  return %r : f32
}

// One number everywhere is known wherever it is read.
func.func @one_too_many(%t: tensor<6xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %table = arith.constant dense<6> : tensor<70xi64>
  %p = tensor.extract %table[%c1] : tensor<70xi64>
  %q = arith.index_cast %p : i64 to index
  // expect: refuted C1
  %r = tensor.extract %t[%q] : tensor<6xf32>
  return %r : f32
}

// Bytes with the highest bit are negative where they are read with a sign.
func.func @signed(%t: tensor<256xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %table = arith.constant dense<200> : tensor<70xi8>
  %p = tensor.extract %table[%c1] : tensor<70xi8>
  %q = arith.index_cast %p : i8 to index
  // expect: refuted C1
  %r = tensor.extract %t[%q] : tensor<256xf32>
  return %r : f32
}
