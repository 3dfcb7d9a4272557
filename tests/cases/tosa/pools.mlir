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

// The border makes room for places in an image that has no rows.
func.func @resized_from_nothing(%a: tensor<1x?x4x2xf32>) -> tensor<1x?x4x2xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[4, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C2 with a[1] = 0
  %0 = tosa.resize %a, %scale, %none, %border {mode = BILINEAR} : (tensor<1x?x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x4x2xf32>
  return %0 : tensor<1x?x4x2xf32>
}
