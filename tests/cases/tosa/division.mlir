func.func @by_a_constant(%a: tensor<?xi32>) -> tensor<?xi32> {
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expect: proved
  // expect: shape [a[0]]
  %0 = tosa.intdiv %a, %two : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @by_an_argument(%a: tensor<?xi32>, %b: tensor<1xi32>) -> tensor<?xi32> {
  // expect: refuted C2 with b.values[0] = 0
  // expect: undecided C3 because not followed
  // expect: approximated the dividends
  %0 = tosa.intdiv %a, %b : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @by_a_tensor(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  // expect: refuted C1 with a[0] = 2, b[0] = 3
  // expect: undecided C2 because not followed
  // expect: undecided C3 because not followed
  // expect: approximated the divid
  // expect: approximated the divisors
  %0 = tosa.intdiv %a, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @by_minus_one(%a: tensor<1xi32>, %c: tensor<?xi32>) -> (tensor<1xi32>, tensor<?xi32>) {
  %back = "tosa.const"() <{values = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expect: proved C2
  // expect: refuted C3 with a.values[0] = -2147483648
  %0 = tosa.intdiv %a, %back : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  // expect: proved C2
  // expect: undecided C3 because not followed
  // expect: approximated the dividends
  %1 = tosa.intdiv %c, %back : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0, %1 : tensor<1xi32>, tensor<?xi32>
}

// Each dividend meets one of two divisors.
func.func @of_two_by_two(%a: tensor<1x2xi32>) -> tensor<2x2xi32> {
  %by = "tosa.const"() <{values = dense<[[2], [-1]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
  // expect: proved C2
  // expect: undecided C3 because not followed
  // expect: approximated the dividends
  %0 = tosa.intdiv %a, %by : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
