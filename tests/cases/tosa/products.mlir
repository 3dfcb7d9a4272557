func.func @matrices(%a: tensor<?x?x?xf32>, %b: tensor<?x?x4xf32>, %z: tensor<1xf32>) -> tensor<?x?x4xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: shape [a[0], a[1], 4]
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

func.func @transposed(%a: tensor<?x?x4xf32>, %b: tensor<?x?x4xf32>, %z: tensor<1xf32>) -> tensor<?x?x?xf32> {
  // expect: refuted C1
  // expect: proved C2
  // expect: shape [a[0], a[1], b[1]]
  %0 = tosa.matmul_t %a, %b, %z, %z : (tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

func.func @zero_points(%a: tensor<1x2x3xf32>, %b: tensor<1x3x4xf32>, %t: tensor<1x4x3xf32>, %z: tensor<*xf32>, %y: tensor<*xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  // expect: refuted C3
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x2x3xf32>, tensor<1x3x4xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x2x4xf32>
  // expect: refuted C3
  %1 = tosa.matmul_t %a, %t, %y, %y : (tensor<1x2x3xf32>, tensor<1x4x3xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x2x4xf32>
  return %0, %1 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}
