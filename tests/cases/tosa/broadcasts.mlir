func.func @numbers(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>, %s: tensor<1xi8>) -> tensor<?x3xf32> {
  // expect: refuted C1
  // expect: shape [broadcast(a[0], b[0]), 3]
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = tosa.sub %0, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %2 = tosa.maximum %1, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %3 = tosa.minimum %2, %a : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
  %4 = tosa.pow %3, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %5 = tosa.mul %4, %a, %s : (tensor<?x3xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x3xf32>
  %6 = tosa.greater %5, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
  %7 = tosa.greater_equal %5, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
  %8 = tosa.equal %5, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
  %9 = tosa.logical_and %6, %7 : (tensor<?x3xi1>, tensor<?x3xi1>) -> tensor<?x3xi1>
  %10 = tosa.logical_or %9, %8 : (tensor<?x3xi1>, tensor<?x3xi1>) -> tensor<?x3xi1>
  %11 = tosa.logical_xor %10, %8 : (tensor<?x3xi1>, tensor<?x3xi1>) -> tensor<?x3xi1>
  %12 = tosa.select %11, %a, %b : (tensor<?x3xi1>, tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %12 : tensor<?x3xf32>
}

func.func @bits(%a: tensor<?xi32>, %b: tensor<1xi32>) -> tensor<?xi32> {
  // expect: shape [a[0]]
  %0 = tosa.bitwise_and %a, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %1 = tosa.bitwise_or %0, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %2 = tosa.bitwise_xor %1, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  // expect: refuted C2 with b.values[0] = 0
  // expect: undecided C3 because not followed
  // expect: approximated the dividends
  %3 = tosa.intdiv %2, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %4 = tosa.logical_left_shift %3, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %5 = tosa.logical_right_shift %4, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %6 = tosa.arithmetic_right_shift %5, %b {round = false} : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %6 : tensor<?xi32>
}

// Two sizes that agree with a third need not agree with each other once the third is 1.
func.func @three(%p: tensor<?xi1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expect: refuted C1
  %0 = tosa.select %p, %a, %a : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expect: refuted C1
  %1 = tosa.select %p, %b, %b : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // expect: refuted C1
  %2 = tosa.select %p, %a, %b : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

func.func @all_ranks(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  // expect: refuted C1
  %0 = tosa.add %a, %b : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  // expect: proved
  %1 = tosa.add %0, %b : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

func.func @fixed_point(%v: tensor<?xi32>, %m: tensor<?xi32>, %s: tensor<?xi8>) -> tensor<?xi32> {
  // expect: refuted C1 with m[0] = 3, v[0] = 2
  // expect: refuted C1 with s[0] = 3, v[0] = 2
  // expect: shape [v[0]]
  %0 = tosa.apply_scale %v, %m, %s {rounding_mode = SINGLE_ROUND} : (tensor<?xi32>, tensor<?xi32>, tensor<?xi8>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @shifted(%a: tensor<?xi32>, %shift: tensor<*xi8>) -> tensor<?xi32> {
  // expect: refuted C2
  %0 = tosa.mul %a, %a, %shift : (tensor<?xi32>, tensor<?xi32>, tensor<*xi8>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// TOSA broadcasts operands of one rank.
func.func @of_other_ranks(%a: tensor<*xf32>, %b: tensor<1xf32>, %p: tensor<*xi1>) -> tensor<*xf32> {
  // expect: refuted C1
  %0 = tosa.add %a, %b : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
  // expect: refuted C1
  %1 = tosa.select %p, %b, %b : (tensor<*xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}
