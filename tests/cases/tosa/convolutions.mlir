func.func @images(%a: tensor<?x?x8x?xf32>, %w: tensor<5x3x3x?xf32>, %b: tensor<?xf32>, %z: tensor<1xf32>) -> tensor<?x?x4x5xf32> {
  // expect: refuted C1
  // expect: refuted C2
  // expect: refuted C3
  %0 = tosa.conv2d %a, %w, %b, %z, %z {pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<?x?x8x?xf32>, tensor<5x3x3x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x4x5xf32>
  return %0 : tensor<?x?x4x5xf32>
}

func.func @channels(%a: tensor<?x8x8x2xf32>, %w: tensor<3x3x?x2xf32>, %b: tensor<4xf32>, %z: tensor<1xf32>) -> tensor<?x6x6x4xf32> {
  // expect: refuted C1 with w[2] = 3
  // expect: proved C2
  // expect: shape [a[0], 6, 6, 4]
  %0 = tosa.depthwise_conv2d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<?x8x8x2xf32>, tensor<3x3x?x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x6x6x4xf32>
  return %0 : tensor<?x6x6x4xf32>
}

func.func @volumes(%a: tensor<?x4x8x8x2xf32>, %w: tensor<5x1x3x3x2xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) -> tensor<?x4x6x6x5xf32> {
  // expect: shape [a[0], 4, 6, 6, 5]
  %0 = tosa.conv3d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32} : (tensor<?x4x8x8x2xf32>, tensor<5x1x3x3x2xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x6x6x5xf32>
  return %0 : tensor<?x4x6x6x5xf32>
}

func.func @transposed(%a: tensor<?x?x8x2xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1xf32>, %z: tensor<1xf32>) -> tensor<?x?x17x5xf32> {
  // expect: shape [a[0], 2*a[1] + 1, 17, 5]
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32} : (tensor<?x?x8x2xf32>, tensor<5x3x3x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x17x5xf32>
  return %0 : tensor<?x?x17x5xf32>
}

// More is never taken away than all of a kernel but one row.
func.func @cropped(%a: tensor<1x?x4x3xf32>, %w: tensor<5x?x3x3xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) -> tensor<1x?x6x5xf32> {
  // expect: refuted C3
  // expect: refuted C5 with w[1] = 2
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: 0, -2, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x?x4x3xf32>, tensor<5x?x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x6x5xf32>
  return %0 : tensor<1x?x6x5xf32>
}

func.func @many_zero_points(%a: tensor<1x4x4x3xf32>, %w: tensor<5x3x3x3xf32>, %b: tensor<5xf32>, %z: tensor<*xf32>, %y: tensor<*xf32>, %u: tensor<*xf32>, %v: tensor<*xf32>, %volume: tensor<1x4x4x4x3xf32>, %cubes: tensor<5x3x3x3x3xf32>) {
  // expect: refuted C4
  %0 = tosa.conv2d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x2x2x5xf32>
  // expect: refuted C4
  %1 = tosa.transpose_conv2d %a, %w, %b, %y, %y {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x6x6x5xf32>
  // expect: refuted C4
  %2 = tosa.conv3d %volume, %cubes, %b, %u, %u {pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32} : (tensor<1x4x4x4x3xf32>, tensor<5x3x3x3x3xf32>, tensor<5xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x2x2x2x5xf32>
  %one = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expect: refuted C4
  %3 = tosa.depthwise_conv2d %a, %w, %one, %v, %v {pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<1x4x4x3xf32>, tensor<5x3x3x3xf32>, tensor<1xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x1x2x9xf32>
  return
}

// A kernel row and a column are taken away at both sides, and nothing is left.
func.func @cropped_to_nothing(%a: tensor<1x1x1x3xf32>, %w: tensor<5x2x2x3xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) -> tensor<1x?x?x5xf32> {
  // expect: proved
  // expect: shape [1, 0, 0, 5]
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: -1, -1, -1, -1>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x1x1x3xf32>, tensor<5x2x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x5xf32>
  return %0 : tensor<1x?x?x5xf32>
}

func.func @cropped_at_the_left(%a: tensor<1x8x8x3xf32>, %w: tensor<5x3x?x3xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) -> tensor<1x10x?x5xf32> {
  // expect: refuted C5 with w[2] = 2
  // expect: shape [1, 10, w[2] + 5, 5]
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: 0, 0, -2, 0>, stride = array<i64: 1, 1>, acc_type = f32} : (tensor<1x8x8x3xf32>, tensor<5x3x?x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x?x5xf32>
  return %0 : tensor<1x10x?x5xf32>
}

func.func @other_channels_than_multiples(%a: tensor<?x8x8x3xf32>, %w: tensor<3x3x?x2xf32>, %b: tensor<6xf32>, %z: tensor<1xf32>) -> tensor<?x6x6x6xf32> {
  // expect: refuted C1 with w[2] = 2
  %0 = tosa.depthwise_conv2d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<?x8x8x3xf32>, tensor<3x3x?x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x6x6x6xf32>
  return %0 : tensor<?x6x6x6xf32>
}
