func.func @by_a_constant(%a: tensor<?xi32>) -> tensor<?xi32> {
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = tosa.intdiv %a, %two : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @by_an_argument(%a: tensor<?xi32>, %b: tensor<1xi32>) -> tensor<?xi32> {
  // expect: refuted C2 with b.values[0] = 0
  %0 = tosa.intdiv %a, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @by_a_tensor(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  // expect: undecided C2 because not followed
  // expect: approximated the divisors
  %0 = tosa.intdiv %a, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
