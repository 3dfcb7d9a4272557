func.func @pooled(%a: tensor<?x?x8x2xf32>, %z: tensor<1xf32>) -> tensor<?x?x4x2xf32> {
  // expect: refuted C1
  // expect: shape [a[0], a[1]//2, 4, 2]
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<?x?x8x2xf32>) -> tensor<?x?x4x2xf32>
  // expect: proved
  %1 = tosa.avg_pool2d %a, %z, %z {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<?x?x8x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x4x2xf32>
  return %1 : tensor<?x?x4x2xf32>
}

func.func @adaptive(%a: tensor<?x?x8x2xf32>, %z: tensor<1xf32>) -> tensor<?x?x4x2xf32> {
  %two = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
  %none = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expect: refuted C1
  // expect: shape [a[0], a[1]//2, 4, 2]
  %0 = tosa.max_pool2d_adaptive %a, %two, %two, %none : (tensor<?x?x8x2xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<?x?x4x2xf32>
  // expect: proved
  %1 = tosa.avg_pool2d_adaptive %a, %z, %z, %two, %two, %none {acc_type = f32} : (tensor<?x?x8x2xf32>, tensor<1xf32>, tensor<1xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<?x?x4x2xf32>
  return %1 : tensor<?x?x4x2xf32>
}

func.func @resized(%a: tensor<?x4x?x2xf32>) -> tensor<?x7x?x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C1 with a[2] = 0
  // expect: shape [a[0], 7, 2*a[2] - 1, 2]
  %0 = tosa.resize %a, %scale, %none, %none {mode = BILINEAR} : (tensor<?x4x?x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x7x?x2xf32>
  return %0 : tensor<?x7x?x2xf32>
}

// Offset and border make room for places in an image that has no rows.
func.func @resized_from_nothing(%a: tensor<1x?x4x2xf32>) -> tensor<1x?x4x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-2, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C2 with a[1] = 0
  %0 = tosa.resize %a, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x?x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x4x2xf32>
  return %0 : tensor<1x?x4x2xf32>
}

func.func @resized_by_sizes(%a: tensor<1x4x4x2xf32>, %n: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<1x?x?x2xf32> {
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %two = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %times = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %from = tosa.dim %o {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %scale = tosa.concat_shape %times, %one, %one, %one : (!tosa.shape<1>, !tosa.shape<1>, !tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<4>
  %offset = tosa.concat_shape %from, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C1
  // expect: refuted C3 with n[0] = 0
  %0 = tosa.resize %a, %scale, %offset, %two {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

// Windows that are computed: one that is all padding has nothing to take the greatest element of.
func.func @computed_windows(%a: tensor<1x?x?x2xf32>, %n: tensor<?xf32>, %zero_points: tensor<*xf32>) -> tensor<1x?x?x2xf32> {
  %size = tosa.dim %n {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %kernel = tosa.concat_shape %size, %size : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %stride = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %pad = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expect: refuted C1
  // expect: refuted C3 with n[0] = 1
  %0 = tosa.max_pool2d_adaptive %a, %kernel, %stride, %pad : (tensor<1x?x?x2xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x?x?x2xf32>
  // expect: refuted C2
  %1 = tosa.avg_pool2d_adaptive %a, %zero_points, %zero_points, %kernel, %stride, %pad {acc_type = f32} : (tensor<1x?x?x2xf32>, tensor<*xf32>, tensor<*xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x?x?x2xf32>
  return %0 : tensor<1x?x?x2xf32>
}

func.func @averaged(%a: tensor<1x4x4x2xf32>, %zero_points: tensor<*xf32>) -> tensor<1x3x3x2xf32> {
  // expect: refuted C2
  %0 = tosa.avg_pool2d %a, %zero_points, %zero_points {kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x4x4x2xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

// One row is repeated as often as is declared; columns are sampled.
func.func @one_row_resized(%a: tensor<1x1x4x2xf32>) -> tensor<1x9x7x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: proved
  // expect: shape [1, 9, 7, 2]
  %0 = tosa.resize %a, %scale, %none, %none {mode = BILINEAR} : (tensor<1x1x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x9x7x2xf32>
  return %0 : tensor<1x9x7x2xf32>
}

func.func @one_column_resized(%a: tensor<1x?x1x2xf32>) -> tensor<1x?x9x2xf32> {
  %scale = tosa.const_shape {values = dense<[3, 2, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C1 with a[1] = 2
  // expect: shape [1, (a[1] + 1)//2 + a[1] - 1, 9, 2]
  %0 = tosa.resize %a, %scale, %none, %none {mode = BILINEAR} : (tensor<1x?x1x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x9x2xf32>
  return %0 : tensor<1x?x9x2xf32>
}

func.func @first_zero_point(%a: tensor<1x4x4x2xf32>, %zero_points: tensor<*xf32>, %z: tensor<1xf32>) -> tensor<1x2x2x2xf32> {
  %two = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
  %none = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expect: refuted C2
  %0 = tosa.avg_pool2d_adaptive %a, %zero_points, %z, %two, %two, %none {acc_type = f32} : (tensor<1x4x4x2xf32>, tensor<*xf32>, tensor<1xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}
