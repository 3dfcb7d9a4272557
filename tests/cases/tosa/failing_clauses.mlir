// What the rules of this dialect demand, and sizes for which it does not hold: one clause or two for each function.

func.func @bitwise_and_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.bitwise_and %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @bitwise_or_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.bitwise_or %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @bitwise_xor_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.bitwise_xor %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @logical_left_shift_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.logical_left_shift %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @logical_right_shift_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.logical_right_shift %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @maximum_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.maximum %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @minimum_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.minimum %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @sub_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.sub %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @equal_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.equal %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  return
}

func.func @greater_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.greater %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  return
}

func.func @greater_equal_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.greater_equal %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  return
}

func.func @logical_and_of_other_extents(%a: tensor<?x?xi1>, %b: tensor<?x?xi1>) {
  // expect: refuted C1
  %0 = tosa.logical_and %a, %b : (tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

func.func @logical_or_of_other_extents(%a: tensor<?x?xi1>, %b: tensor<?x?xi1>) {
  // expect: refuted C1
  %0 = tosa.logical_or %a, %b : (tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

func.func @logical_xor_of_other_extents(%a: tensor<?x?xi1>, %b: tensor<?x?xi1>) {
  // expect: refuted C1
  %0 = tosa.logical_xor %a, %b : (tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
  return
}

func.func @arithmetic_right_shift_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  // expect: refuted C1
  %0 = tosa.arithmetic_right_shift %a, %b {round = false} : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return
}

func.func @pow_of_other_extents(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) {
  // expect: refuted C1
  %0 = tosa.pow %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

func.func @mul_of_other_extents(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) {
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  // expect: refuted C1
  %0 = tosa.mul %a, %b, %s : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<1xi8>) -> tensor<?x?xi32>
  return
}

func.func @powers_of_a_negative_number(%a: tensor<?xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %c = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.sub_shape %n, %c : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expect: refuted C1
  // expect: approximated
  %0 = tosa.exp2_shape %s : (!tosa.shape<1>) -> !tosa.shape<1>
  return
}

func.func @log2_ceil_shape_of_zero(%a: tensor<?xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  // expect: refuted C1
  // expect: approximated
  %0 = tosa.log2_ceil_shape %n : (!tosa.shape<1>) -> !tosa.shape<1>
  return
}

func.func @log2_floor_shape_of_zero(%a: tensor<?xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  // expect: refuted C1
  // expect: approximated
  %0 = tosa.log2_floor_shape %n : (!tosa.shape<1>) -> !tosa.shape<1>
  return
}

func.func @div_floor_shape_by_zero(%a: tensor<?xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  // expect: refuted C1
  %0 = tosa.div_floor_shape %n, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  return
}

func.func @mod_shape_by_zero(%a: tensor<?xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  // expect: refuted C1
  %0 = tosa.mod_shape %n, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  return
}

func.func @a_sequence_that_is_no_power_of_two(%a: tensor<1x?x4xf32>) {
  // expect: refuted C2
  %0:2 = tosa.fft2d %a, %a {inverse = false} : (tensor<1x?x4xf32>, tensor<1x?x4xf32>) -> (tensor<1x?x4xf32>, tensor<1x?x4xf32>)
  return
}

func.func @volumes_with_other_channels(%a: tensor<1x4x8x8x?xf32>, %w: tensor<5x1x3x3x?xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) {
  // expect: refuted C1
  %0 = tosa.conv3d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32} : (tensor<1x4x8x8x?xf32>, tensor<5x1x3x3x?xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x6x6x5xf32>
  return
}

func.func @volumes_with_another_bias(%a: tensor<1x4x8x8x2xf32>, %w: tensor<5x1x3x3x2xf32>, %b: tensor<?xf32>, %z: tensor<1xf32>) {
  // expect: refuted C2
  %0 = tosa.conv3d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32} : (tensor<1x4x8x8x2xf32>, tensor<5x1x3x3x2xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x6x6x5xf32>
  return
}

func.func @volumes_without_a_window(%a: tensor<1x4x?x8x2xf32>, %w: tensor<5x1x3x3x2xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) {
  // expect: refuted C3
  %0 = tosa.conv3d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, acc_type = f32} : (tensor<1x4x?x8x2xf32>, tensor<5x1x3x3x2xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x?x6x5xf32>
  return
}

func.func @depthwise_with_another_bias(%a: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x2xf32>, %b: tensor<?xf32>, %z: tensor<1xf32>) {
  // expect: refuted C2
  %0 = tosa.depthwise_conv2d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<1x8x8x2xf32>, tensor<3x3x2x2xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
  return
}

func.func @depthwise_without_a_window(%a: tensor<1x?x8x2xf32>, %w: tensor<3x3x2x2xf32>, %b: tensor<4xf32>, %z: tensor<1xf32>) {
  // expect: refuted C3
  %0 = tosa.depthwise_conv2d %a, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<1x?x8x2xf32>, tensor<3x3x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x6x4xf32>
  return
}

func.func @transposed_weights_with_other_channels(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %z: tensor<1xf32>) {
  // expect: refuted C1
  // expect: refuted C2
  %0 = tosa.matmul_t %a, %b, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return
}

func.func @transposed_with_other_channels(%a: tensor<1x4x8x?xf32>, %w: tensor<5x3x3x?xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) {
  // expect: refuted C1
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32} : (tensor<1x4x8x?xf32>, tensor<5x3x3x?xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x17x5xf32>
  return
}

func.func @transposed_with_another_bias(%a: tensor<1x4x8x2xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<?xf32>, %z: tensor<1xf32>) {
  // expect: refuted C2
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32} : (tensor<1x4x8x2xf32>, tensor<5x3x3x2xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x17x5xf32>
  return
}

func.func @transposed_to_a_negative_extent(%a: tensor<1x?x8x2xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %z: tensor<1xf32>) {
  // expect: refuted C3
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {out_pad = array<i64: -2, -2, 0, 0>, stride = array<i64: 2, 2>, acc_type = f32} : (tensor<1x?x8x2xf32>, tensor<5x3x3x2xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x17x5xf32>
  return
}

func.func @a_negative_multiple(%a: tensor<?xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %c = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.sub_shape %n, %c : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expect: refuted C1
  %0 = tosa.tile %a, %s : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return
}

func.func @a_negative_size(%a: tensor<?xf32>, %b: tensor<4xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %c = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.sub_shape %n, %c : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expect: refuted C1
  // expect: refuted C2
  %0 = tosa.reshape %a, %s : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return
}

func.func @a_negative_padding(%a: tensor<?xf32>, %z: tensor<1xf32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %c = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.sub_shape %n, %c : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p = tosa.concat_shape %s, %s : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C1
  %0 = tosa.pad %a, %p, %z : (tensor<?xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
  return
}

func.func @a_dimension_that_is_not_there(%a: tensor<*xf32>) {
  // expect: refuted C1
  %n = tosa.dim %a {axis = 1 : i32} : (tensor<*xf32>) -> !tosa.shape<1>
  return
}

func.func @a_part_of_no_list(%a: tensor<?xf32>, %i: tensor<1xi32>) {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %c = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.sub_shape %n, %c : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %one = "tosa.const"() {values = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  // expect: refuted C1
  // expect: approximated
  %0 = tosa.slice_shape %s, %i, %one : (!tosa.shape<1>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<1>
  return
}
