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
