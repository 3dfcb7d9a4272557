// assume: a[0] >= 3
func.func @valid(%a: tensor<?xf32>, %k: tensor<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  // expect: proved
  // expect: shape [a[0] - 2]
  %0 = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @same_size(%a: tensor<?xf32>, %k: tensor<3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  // expect: refuted C2 with a[0] = 2
  %0 = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @pooled(%a: tensor<1x1x?x8xf32>, %k: tensor<2x2xf32>, %c: tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32> {
  // expect: refuted C2
  // expect: shape [1, 1, c[2], 4]
  %0 = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %k : tensor<1x1x?x8xf32>, tensor<2x2xf32>) outs(%c : tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %0 : tensor<1x1x?x4xf32>
}
