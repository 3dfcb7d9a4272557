func.func @groups(%v: tensor<3x?x4xf32>, %i: tensor<?x2xi32>) -> tensor<3x4x4xf32> {
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expect: refuted C1 with i[0] = 2
  // expect: shape [3, 4, 4]
  %0 = tosa.row_gather %v, %i, %two : (tensor<3x?x4xf32>, tensor<?x2xi32>, tensor<1xi32>) -> tensor<3x4x4xf32>
  return %0 : tensor<3x4x4xf32>
}

func.func @rows(%v: tensor<?x?x4xf32>, %i: tensor<?x?xi32>, %u: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  // expect: refuted C1
  // expect: shape [v[0], i[1], 4]
  %0 = tosa.gather %v, %i : (tensor<?x?x4xf32>, tensor<?x?xi32>) -> tensor<?x?x4xf32>
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  // expect: shape [v[0], v[1], 4]
  %1 = tosa.scatter %v, %i, %u : (tensor<?x?x4xf32>, tensor<?x?xi32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return %1 : tensor<?x?x4xf32>
}
