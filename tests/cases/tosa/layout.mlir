func.func @reshaped(%a: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %s = tosa.const_shape {values = dense<[-1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: refuted C2 with a[0] = 3
  // expect: shape [a[0]//2, 8]
  %0 = tosa.reshape %a, %s : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x8xf32>
  %t = tosa.const_shape {values = dense<[-1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expect: proved
  // expect: shape [2*a[0], 2]
  %1 = tosa.reshape %a, %t : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x2xf32>
  // expect: shape [2, 2*a[0]]
  %2 = tosa.transpose %1 {perms = array<i32: 1, 0>} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  return %0 : tensor<?x8xf32>
}

func.func @joined(%a: tensor<?x3xf32>, %b: tensor<?x?xf32>) -> tensor<?x3xf32> {
  // expect: refuted C1 with b[1] = 2
  // expect: shape [a[0] + b[0], 3]
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<?x3xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @two_open_sizes(%a: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %one = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.concat_shape %one, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  // expect: refuted C1
  // expect: unreachable C2
  %0 = tosa.reshape %a, %s : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
