func.func @computed(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>
  // expect: refuted C2 with a[0] = 2, b[1] = 3
  // expect: shape [b[0], b[1]]
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  // expect: proved
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @promised(%a: tensor<?xf32>, %s: tensor<1xindex>) -> tensor<?xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @static(%a: tensor<?xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expect: refuted C1
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<?xf32>) -> tensor<2x3xf32>
  // expect: shape [2, 3]
  %1 = stablehlo.broadcast %b, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
