func.func @f(%a: tensor<1x2x1x?xf32>, %z: tensor<1xf32>) -> tensor<?x1x?x?xf32> {
  %0 = tosa.avg_pool2d %a, %z, %z {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 3, 1>} : (tensor<1x2x1x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x1x?x?xf32>
  return %0 : tensor<?x1x?x?xf32>
}
