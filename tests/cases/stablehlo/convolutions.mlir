func.func @images(%a: tensor<?x?x8x?xf32>, %w: tensor<3x3x4x8xf32>, %p: tensor<2x2xi32>) -> tensor<?x?x4x8xf32> {
  // expect: refuted C1
  // expect: shape [a[0], (a[1] + 1)//2, 4, 8]
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x8x?xf32>, tensor<3x3x4x8xf32>) -> tensor<?x?x4x8xf32>
  // expect: proved
  %1 = "stablehlo.dynamic_conv"(%a, %w, %p) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>} : (tensor<?x?x8x?xf32>, tensor<3x3x4x8xf32>, tensor<2x2xi32>) -> tensor<?x?x?x8xf32>
  return %0 : tensor<?x?x4x8xf32>
}

// MLIR's verifier refuses a window that a type says is empty.
func.func @windows_of_any_size(%a: tensor<1x8x4xf32>, %w: tensor<?x4x2xf32>) -> tensor<1x?x2xf32> {
  // expect: refuted C4 with w[0] = 0
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<?x4x2xf32>) -> tensor<1x?x2xf32>
  return %0 : tensor<1x?x2xf32>
}

func.func @padded_windows_of_any_size(%a: tensor<1x8x4xf32>, %w: tensor<?x4x2xf32>, %p: tensor<1x2xi32>) -> tensor<1x?x2xf32> {
  // expect: refuted C4 with w[0] = 0
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>} : (tensor<1x8x4xf32>, tensor<?x4x2xf32>, tensor<1x2xi32>) -> tensor<1x?x2xf32>
  return %0 : tensor<1x?x2xf32>
}
