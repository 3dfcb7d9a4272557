func.func @folded(%a: tensor<?x?x3xf32>, %p: tensor<?x3xi1>) -> tensor<?x1x3xf32> {
  // expect: shape [a[0], 1, 3]
  %0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<?x?x3xf32>) -> tensor<?x1x3xf32>
  %1 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?x3xf32>) -> tensor<?x1x3xf32>
  %2 = tosa.reduce_min %a {axis = 1 : i32} : (tensor<?x?x3xf32>) -> tensor<?x1x3xf32>
  %3 = tosa.reduce_product %a {axis = 1 : i32} : (tensor<?x?x3xf32>) -> tensor<?x1x3xf32>
  %4 = tosa.reduce_all %p {axis = 0 : i32} : (tensor<?x3xi1>) -> tensor<1x3xi1>
  %5 = tosa.reduce_any %p {axis = 0 : i32} : (tensor<?x3xi1>) -> tensor<1x3xi1>
  // expect: shape [a[0], 3]
  %6 = tosa.argmax %a {axis = 1 : i32} : (tensor<?x?x3xf32>) -> tensor<?x3xi32>
  return %0 : tensor<?x1x3xf32>
}

func.func @odd(%a: tensor<?x?x8xf32>) -> tensor<?x?x5xf32> {
  // expect: refuted C1 with a[1] = 3
  %0, %1 = tosa.rfft2d %a : (tensor<?x?x8xf32>) -> (tensor<?x?x5xf32>, tensor<?x?x5xf32>)
  return %0 : tensor<?x?x5xf32>
}

func.func @transformed(%a: tensor<?x?x8xf32>, %b: tensor<?x4x8xf32>) -> tensor<?x?x8xf32> {
  // expect: refuted C1
  // expect: proved C2
  // expect: shape [a[0], 4, 8]
  %0, %1 = tosa.fft2d %a, %b {inverse = false} : (tensor<?x?x8xf32>, tensor<?x4x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>)
  // expect: proved
  // expect: shape [b[0], 4, 5]
  %2, %3 = tosa.rfft2d %b : (tensor<?x4x8xf32>) -> (tensor<?x4x5xf32>, tensor<?x4x5xf32>)
  return %0 : tensor<?x?x8xf32>
}
