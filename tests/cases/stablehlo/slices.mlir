func.func @constant(%a: tensor<?x6xf32>) -> tensor<2x3xf32> {
  // expect: refuted C1 with a[0] = 2
  // expect: shape [2, 3]
  %0 = stablehlo.slice %a [2:4, 0:6:2] : (tensor<?x6xf32>) -> tensor<2x3xf32>
  // expect: proved
  %1 = stablehlo.slice %a [0:4, 1:2] : (tensor<?x6xf32>) -> tensor<4x1xf32>
  return %0 : tensor<2x3xf32>
}

func.func @computed(%a: tensor<?xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %stride: tensor<1xi64>) -> tensor<?xf32> {
  // expect: refuted C1
  // expect: refuted C2
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %stride : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @moved(%a: tensor<?xf32>, %i: tensor<i32>, %b: tensor<?xf32>) -> tensor<3xf32> {
  // expect: refuted C1 with a[0] = 2
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] : (tensor<?xf32>, tensor<i32>) -> tensor<3xf32>
  // expect: refuted C1
  // expect: shape [a[0]]
  %1 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<3xf32>
}
