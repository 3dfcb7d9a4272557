func.func @parts(%a: tensor<?x6xf32>, %v: tensor<1xf32>) -> tensor<2x3xf32> {
  %start = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C1 with a[0] = 2
  %0 = tosa.slice %a, %start, %size : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
  %room = tosa.const_shape {values = dense<[1, 0, 2, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expect: shape [a[0] + 1, 10]
  %1 = tosa.pad %a, %room, %v : (tensor<?x6xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x10xf32>
  %times = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: shape [2*a[0], 6]
  %2 = tosa.tile %a, %times : (tensor<?x6xf32>, !tosa.shape<2>) -> tensor<?x6xf32>
  // expect: refuted T2
  %3 = tosa.tile %a, %times : (tensor<?x6xf32>, !tosa.shape<2>) -> tensor<9x6xf32>
  return %0 : tensor<2x3xf32>
}

func.func @filled(%a: tensor<?xf32>, %z: tensor<*xf32>) -> tensor<?xf32> {
  %room = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C2
  %0 = tosa.pad %a, %room, %z : (tensor<?xf32>, !tosa.shape<2>, tensor<*xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A size of -1 takes what is left behind the start.
func.func @all_that_is_left(%a: tensor<?x6xf32>) -> tensor<?x4xf32> {
  %start = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C1 with a[0] = 0
  // expect: shape [a[0] - 1, 4]
  %0 = tosa.slice %a, %start, %size : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
