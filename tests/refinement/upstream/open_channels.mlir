func.func @convolved(%a: tensor<?x4x4x5xf32>, %w: tensor<2x1x1x5xf32>, %b: tensor<2xf32>) -> tensor<?x4x4x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<?x4x4x5xf32>, tensor<2x1x1x5xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x4x?xf32>
  return %r : tensor<?x4x4x?xf32>
}
