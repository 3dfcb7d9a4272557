func.func @concatenated(%a: tensor<?x3xf32>, %b: tensor<?x?xf32>) -> tensor<?x3xf32> {
  // expect: refuted C1 with b[1] = 2
  // expect: shape [a[0] + b[0], 3]
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @padded(%a: tensor<?x3xf32>, %v: tensor<f32>, %low: tensor<1xi64>, %between: tensor<1xi64>, %b: tensor<?xf32>) -> tensor<?x6xf32> {
  // expect: shape [a[0] + 3, 6]
  %0 = stablehlo.pad %a, %v, low = [1, 0], high = [2, 1], interior = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x6xf32>
  // expect: refuted C1 with a[0] = 1
  %1 = stablehlo.pad %a, %v, low = [-2, 0], high = [0, 0], interior = [0, 0] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  // expect: refuted C1
  // expect: refuted C2
  %2 = stablehlo.dynamic_pad %b, %v, %low, %low, %between : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?x6xf32>
}
