// Values at the ends of what a clause allows, and one beyond.

func.func @least_and_most_offsets(%a: tensor<1x5x16x2xf32>) -> tensor<1x?x?x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-2, 15]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: proved
  // expect: shape [1, 12, 1, 2]
  %0 = tosa.resize %a, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x5x16x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @least_border(%a: tensor<1x40x40x2xf32>, %n: tensor<16xf32>) -> tensor<1x?x?x2xf32> {
  %lower = tosa.const_shape {values = dense<-16> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.concat_shape %lower, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: proved
  // expect: shape [1, 24, 40, 2]
  %0 = tosa.resize %a, %one, %none, %border {mode = BILINEAR} : (tensor<1x40x40x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @offset_of_a_size(%a: tensor<1x40x40x2xf32>, %n: tensor<?xf32>) -> tensor<1x?x?x2xf32> {
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %offset = tosa.concat_shape %size, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C1 with n[0] = 40
  // expect: refuted C3 with n[0] = 16
  %0 = tosa.resize %a, %one, %offset, %none {mode = BILINEAR} : (tensor<1x40x40x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @border_of_a_size(%a: tensor<1x40x40x2xf32>, %n: tensor<?xf32>) -> tensor<1x?x?x2xf32> {
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %less = tosa.sub_shape %zero, %size : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %below = tosa.concat_shape %less, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C1 with n[0] = 40
  // expect: refuted C3 with n[0] = 17
  %0 = tosa.resize %a, %one, %none, %below {mode = BILINEAR} : (tensor<1x40x40x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

// assume: n[0] <= 1
func.func @border_that_is_the_scale(%a: tensor<1x40x40x2xf32>, %n: tensor<?xf32>) -> tensor<1x?x?x2xf32> {
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.concat_shape %size, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C3 with n[0] = 1
  %0 = tosa.resize %a, %one, %none, %border {mode = BILINEAR} : (tensor<1x40x40x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @offset_below(%a: tensor<1x40x40x2xf32>, %n: tensor<?xf32>) -> tensor<1x?x?x2xf32> {
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %less = tosa.sub_shape %zero, %size : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %offset = tosa.concat_shape %less, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C3 with n[0] = 2
  %0 = tosa.resize %a, %one, %offset, %none {mode = BILINEAR} : (tensor<1x40x40x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @powers_and_logarithms(%n: tensor<?xf32>) -> tensor<?xf32> {
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  // expect: refuted C1 with n[0] = 63
  // expect: approximated powers of two
  %0 = tosa.exp2_shape %size : (!tosa.shape<1>) -> !tosa.shape<1>
  // expect: refuted C1 with n[0] = 0
  // expect: approximated powers of two
  %1 = tosa.log2_floor_shape %size : (!tosa.shape<1>) -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expect: proved
  %2 = tosa.log2_floor_shape %one : (!tosa.shape<1>) -> !tosa.shape<1>
  // expect: proved
  %3 = tosa.exp2_shape %zero : (!tosa.shape<1>) -> !tosa.shape<1>
  %pair = tosa.concat_shape %2, %3 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %known = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: proved
  tosa.assert_equal_shape %pair, %known {allow_broadcast = false} : (!tosa.shape<2>, !tosa.shape<2>) -> ()
  return %n : tensor<?xf32>
}

func.func @one_batch_for_all(%a: tensor<3x2x4xf32>, %one: tensor<1x5x4xf32>, %b: tensor<?x5x4xf32>, %z: tensor<1xf32>) -> tensor<3x2x5xf32> {
  // expect: proved
  // expect: shape [3, 2, 5]
  %0 = tosa.matmul_t %a, %one, %z, %z : (tensor<3x2x4xf32>, tensor<1x5x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x2x5xf32>
  // expect: refuted C1 with b[0] = 2
  %1 = tosa.matmul_t %a, %b, %z, %z : (tensor<3x2x4xf32>, tensor<?x5x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x2x5xf32>
  return %0 : tensor<3x2x5xf32>
}

// The two ends of an axis may be padded by different amounts.
func.func @padded_at_one_end(%a: tensor<1x?x?x2xf32>) -> tensor<1x?x?x2xf32> {
  %kernel = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %stride = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %pad = tosa.const_shape {values = dense<[0, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expect: refuted C1
  // expect: shape [1, a[1], a[2] + 1, 2]
  %0 = tosa.max_pool2d_adaptive %a, %kernel, %stride, %pad : (tensor<1x?x?x2xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @more_is_taken_away_than_the_kernel_adds(%a: tensor<1x4x4x2xf32>, %w: tensor<3x?x?x2xf32>, %b: tensor<3xf32>, %z: tensor<1xf32>) -> tensor<1x?x?x3xf32> {
  // expect: refuted C5 with w[2] = 1
  // expect: shape [1, w[1] + 4, w[2] + 4, 3]
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 1, 0, -1, 2>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x?x?x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x3xf32>
  return %0 : tensor<1x?x?x3xf32>
}

// Each axis has the ends of its own: nothing is taken away along the rows.
func.func @taken_away_along_columns_alone(%a: tensor<1x4x4x2xf32>, %w: tensor<3x?x3x2xf32>, %b: tensor<3xf32>, %z: tensor<1xf32>) -> tensor<1x?x5x3xf32> {
  // expect: proved
  // expect: shape [1, w[1] + 3, 5, 3]
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x?x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x5x3xf32>
  return %0 : tensor<1x?x5x3xf32>
}

// One image is not one column: the columns have to be sampled at whole places.
func.func @columns_of_one_image_resized(%a: tensor<1x1x?x2xf32>) -> tensor<1x2x3x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C1 with a[2] = 6
  // expect: refuted T2 with a[2] = 3
  %0 = tosa.resize %a, %scale, %none, %none {mode = BILINEAR} : (tensor<1x1x?x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2x3x2xf32>
  return %0 : tensor<1x2x3x2xf32>
}

func.func @powers_of_two_in_part(%n: tensor<?xf32>) {
  %four = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %more = tosa.max_shape %size, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %both = tosa.concat_shape %four, %more : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: proved C1
  // expect: approximated powers of two
  %0 = tosa.log2_floor_shape %both : (!tosa.shape<2>) -> !tosa.shape<2>
  %known = tosa.const_shape {values = dense<[2, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: undecided
  tosa.assert_equal_shape %0, %known {allow_broadcast = false} : (!tosa.shape<2>, !tosa.shape<2>) -> ()
  return
}
