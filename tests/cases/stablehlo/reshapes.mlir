func.func @computed(%a: tensor<?x4xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [s.values[0], s.values[1]]
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @halves(%a: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %m = arith.muli %n, %c2 : index
  %s = tensor.from_elements %m, %c2 : tensor<2xindex>
  // expect: proved
  // expect: shape [2*a[0], 2]
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  // expect: shape [2, 2*a[0]]
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2x?xf32>
  return %0 : tensor<?x2xf32>
}

func.func @declared(%a: tensor<?xf32>) -> tensor<2x3xf32> {
  // expect: refuted C1
  %0 = stablehlo.reshape %a : (tensor<?xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
