func.func @matrices(%a: tensor<?x?x?xf32>, %b: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [a[0], a[1], 4]
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

func.func @vectors(%a: tensor<2x?xf32>, %b: tensor<?xf32>) -> tensor<2xf32> {
  // expect: refuted C1
  %0 = stablehlo.dot %a, %b : (tensor<2x?xf32>, tensor<?xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
