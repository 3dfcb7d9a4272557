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
