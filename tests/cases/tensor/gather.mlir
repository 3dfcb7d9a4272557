func.func @rows(%a: tensor<?x4xf32>, %i: tensor<?x1xindex>) -> tensor<?x1x4xf32> {
  // expect: approximated
  // expect: proved C2
  // expect: shape [i[0], 1, 4]
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x1x4xf32>
  return %0 : tensor<?x1x4xf32>
}

func.func @known_row(%a: tensor<?x4xf32>) -> tensor<1x4xf32> {
  %c2 = arith.constant 2 : index
  %i = tensor.from_elements %c2 : tensor<1x1xindex>
  // expect: refuted C1 with a[0] = 2
  %0 = tensor.gather %a[%i] gather_dims([0]) unique : (tensor<?x4xf32>, tensor<1x1xindex>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

func.func @written(%s: tensor<?x4xf32>, %a: tensor<?x4xf32>, %i: tensor<?x1xindex>) -> tensor<?x4xf32> {
  // expect: approximated
  // expect: refuted C3
  // expect: shape [a[0], 4]
  %0 = tensor.scatter %s into %a[%i] scatter_dims([0]) unique : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// assume: a[0] >= 3
func.func @a_row_twice(%a: tensor<?x4xf32>) -> tensor<2x4xf32> {
  %i = arith.constant dense<[[2], [2]]> : tensor<2x1xindex>
  // expect: proved
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
  // expect: proved C1
  // expect: refuted C3
  %1 = tensor.gather %a[%i] gather_dims([0]) unique : (tensor<?x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @rows_that_are_said_to_differ(%a: tensor<?x4xf32>, %i: tensor<?x1xindex>) -> tensor<?x4xf32> {
  // expect: approximated in range
  // expect: approximated unique
  %0 = tensor.gather %a[%i] gather_dims([0]) unique : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// assume: a[0] >= 3
func.func @written_to_other_places(%s: tensor<2xf32>, %a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %i = arith.constant dense<[[2, 1], [2, 3]]> : tensor<2x2xindex>
  // expect: proved
  // expect: proved C4
  %0 = tensor.scatter %s into %a[%i] scatter_dims([0, 1]) unique : (tensor<2xf32>, tensor<?x4xf32>, tensor<2x2xindex>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// assume: %n >= 0
// assume: a[0] > %n
// assume: a[0] >= 2
func.func @written_to_one_place(%s: tensor<2x4xf32>, %a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c1 = arith.constant 1 : index
  %i = tensor.from_elements %n, %c1 : tensor<2x1xindex>
  // expect: refuted C4 with n = 1
  %0 = tensor.scatter %s into %a[%i] scatter_dims([0]) unique : (tensor<2x4xf32>, tensor<?x4xf32>, tensor<2x1xindex>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
